"""Histories in the formats of model providers: what is known about them, and what was done to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, Literal, TypeVar

from ._clip import short_repr
from ._convert import JSON_TEXT
from ._plans import Account, Alarm, Keep, Receipt, SummaryRequest

HistoryFormat = Literal[
    "openai-chat",
    "openai-responses",
    "anthropic",
    "ai-sdk",
    "ai-sdk-ui",
    "gemini",
    "bedrock",
    "langchain",
    "neutral",
]
"""The format of a history.

- ``openai-chat``: messages of OpenAI's Chat Completions and of compatible servers.
- ``openai-responses``: input items of OpenAI's Responses.
- ``anthropic``: messages of Anthropic.
- ``ai-sdk``: model messages of the AI SDK.
- ``ai-sdk-ui``: UI messages of the AI SDK.
- ``gemini``: contents of Gemini.
- ``bedrock``: messages of Amazon Bedrock's Converse.
- ``langchain``: LangChain's messages, as ``messages_to_dict`` writes them.
- ``neutral``: a `Conversation` in plain form.
"""


@dataclass(frozen=True, slots=True)
class KnownArtifact:
    """An artifact that contains the result of a call."""

    call_id: str
    """The id of the call."""
    artifact: str
    """The artifact."""
    text: str | None = None
    """The text of the result in the history. With a text, the artifact belongs only to a result with this
    text; without one, only to a result whose call id no other result has."""

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryInput:
    """A history as JSON, and what is known about it."""

    json: str
    """The list of items, or an object with the items as ``items`` or under the provider's name (``messages``,
    ``input``, ``contents``), and optionally with the system prompt and ``tools``."""
    format: HistoryFormat | None = None
    """The format; detected if None."""
    usage: str | None = None
    """The usage of the last answer, as JSON in the form in which the provider reported it. If None, the
    member ``usage`` of the object counts."""
    artifacts: Sequence[KnownArtifact] = ()
    """Artifacts that contain results."""
    pinned: Sequence[int] = ()
    """The indexes of items that must stay unchanged."""
    is_strict: bool = False
    """Whether a call without a result before the next message, and a result without a call, are errors. By
    default they are repaired: the call gets a result that says that it was interrupted, and the result
    becomes a text."""
    with_json: bool = False
    """Whether the new history is also returned as JSON."""

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, slots=True)
class InsertItem:
    """A new or changed item, as a piece of the new history."""

    json: str
    """The item as JSON."""

    _tag: ClassVar[str] = "insert"
    _is_wrapper: ClassVar[bool] = True

    def __repr__(self) -> str:
        return short_repr(self)


HistoryItem = Keep | InsertItem
"""A piece of the new history: items of the given history that stay unchanged, or a new or changed item."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryReport:
    """What was done to a history."""

    is_changed: bool
    """Whether the history or its tools changed."""
    item_count: int
    """The number of items of the given history."""
    before: Account
    """The account of the given history."""
    after: Account
    """The account of the new history."""
    receipts: tuple[Receipt, ...]
    """The removed content, and where it can be read. Messages are items of the given history."""
    alarms: tuple[Alarm, ...]
    """Warnings for the caller."""
    requests: int
    """The number of answered requests for summaries."""
    summary_errors: tuple[str, ...]
    """Why summaries could not be obtained. The plan proceeds without them, and says so in ``alarms``."""
    refusal: str | None
    """Why a summary was refused; None if it was not refused or not needed."""
    originals: tuple[str, ...]
    """Artifacts with the removed items that contained images or files, as NDJSON. Their texts are in the
    artifacts of ``receipts``."""
    repairs: tuple[str, ...]
    """What an aborted turn had left and was repaired, one sentence each."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ManagedHistory:
    """A history after the steps so far, as pieces of the given one."""

    format: HistoryFormat
    """The format that was read."""
    items: tuple[HistoryItem, ...]
    """The new history, in order."""
    kept_tools: tuple[int, ...] | None
    """The indexes of the tools that stay: elements of the list, or members of the object. None if all
    stay."""
    json: str | None
    """The new history as JSON, in the form of the given one, if it was asked for. Everything that stays is
    preserved byte for byte."""
    memory: dict[str, Any] = field(metadata=JSON_TEXT)
    """The memory for the next call."""
    report: HistoryReport
    """What was done."""

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryStep:
    """A step of managing a history."""

    state: str
    """The state for the next step; empty if this is the last one."""
    request: SummaryRequest | None
    """The request to send to the model; None if this is the last step."""
    history: ManagedHistory
    """The history after the steps so far. A caller may end with it at any time."""

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, slots=True)
class SummaryFailed:
    """The model could not be asked. The history is then planned without a summary."""

    why: str
    """Why."""

    _tag: ClassVar[str] = "failed"
    _is_wrapper: ClassVar[bool] = True


H = TypeVar("H", str, bytes, "list[Any]", "dict[str, Any]")
"""A history: JSON text, its bytes, a list of items, or a request with its items."""


@dataclass(frozen=True, slots=True)
class Managed(Generic[H]):
    """A managed history."""

    history: H
    """The history for the next request, of the same type as the given one."""
    memory: dict[str, Any]
    """The memory to pass to the next call: small, plain JSON without texts, which Rust and JavaScript can
    read, too."""
    report: HistoryReport
    """What was done."""
    format: HistoryFormat
    """The format that was read."""

    def __repr__(self) -> str:
        return short_repr(self)
