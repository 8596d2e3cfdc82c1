"""The exceptions of this package, by kind.

Every error that a call raises is a `TuckawayError`. Its ``kind`` is for programs; its ``message`` states the
mistake and the remedy, in one or two sentences.

    >>> from tuckaway import NotFoundError, Tuckaway
    >>> with Tuckaway() as tuckaway:
    ...     try:
    ...         tuckaway.read("art_tool_0")
    ...     except NotFoundError as error:
    ...         print(error.kind)
    not_found

A store that is written in Python raises `NotFoundError`, `ExpiredError` and `QuotaExceededError`. Any other
exception that it raises becomes a `StoreError` with the same text.
"""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "ExpiredError",
    "InvalidInputError",
    "LimitError",
    "ModelError",
    "NotFoundError",
    "QuotaExceededError",
    "StoreError",
    "TokensError",
    "TuckawayError",
    "UnsupportedError",
    "from_kind",
]


class TuckawayError(Exception):
    """Any error of this package.

    ``kind`` is the name of the kind in the contract: ``invalid_input``, ``not_found``, ``expired``,
    ``unsupported``, ``limit``, ``store``, ``tokens``; or ``model``, which only models raise.
    ``arguments`` are the names of the arguments that the message is about; a member of a record is named by
    its path, such as ``policy.mode``.
    """

    kind: str = "store"
    arguments: tuple[str, ...] = ()

    def __init__(self, message: str = "") -> None:
        super().__init__(message)
        self.message = message


class InvalidInputError(TuckawayError, ValueError):
    """An argument is malformed: a bad range, pattern, filter, policy or type."""

    kind = "invalid_input"


class NotFoundError(TuckawayError, LookupError):
    """The store never held this artifact, or it was deleted."""

    kind = "not_found"


class ExpiredError(TuckawayError, LookupError):
    """The store held this artifact and has removed it.

    If the store still knows which tool produced it, and when it expired in Unix seconds, the error has both.
    """

    kind = "expired"

    def __init__(self, message: str = "", *, tool: str | None = None, expired_at: int | None = None) -> None:
        super().__init__(message)
        self.tool = tool
        self.expired_at = expired_at


class UnsupportedError(TuckawayError):
    """The artifact's content does not support the query, such as jq on binary content."""

    kind = "unsupported"


class LimitError(TuckawayError):
    """A call was stopped at one of its limits: steps, memory, time. A narrower query may succeed."""

    kind = "limit"


class StoreError(TuckawayError):
    """The store failed."""

    kind = "store"


class QuotaExceededError(StoreError):
    """A write would exceed the quota of the store. Nothing was stored."""


class TokensError(TuckawayError):
    """The token counter failed."""

    kind = "tokens"


class ModelError(TuckawayError):
    """A model did not answer. Custom models raise it.

    After a ``permanent`` failure, such as a refused key, the extraction sends no more requests.
    """

    kind = "model"

    def __init__(self, message: str = "", *, permanent: bool = False) -> None:
        super().__init__(message)
        self.permanent = permanent


_BY_KIND: dict[str, type[TuckawayError]] = {
    error.kind: error
    for error in (
        InvalidInputError,
        NotFoundError,
        ExpiredError,
        UnsupportedError,
        LimitError,
        StoreError,
        TokensError,
        ModelError,
    )
}


def from_kind(kind: str, message: str, arguments: Sequence[str] = ()) -> TuckawayError:
    """Returns the exception of a kind.

    >>> from_kind("limit", "Too many steps.")
    LimitError('Too many steps.')
    """
    error = _BY_KIND[kind](message)
    error.arguments = tuple(arguments)
    return error
