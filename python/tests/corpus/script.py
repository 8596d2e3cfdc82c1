"""Parses the script of a world in a case file."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from tuckaway import Artifact, ExpiredError, NotFoundError, QuotaExceededError

from .content import content_bytes
from .notation import Json, JsonObject, malformed, member, objects

EPOCH = 1_700_000_000
"""When the first artifact of a session was created."""

METHODS = ("create", "append", "seal", "stat", "read", "list_artifacts", "delete")

LIES = frozenset(["minted", "sealed_size", "sealed_id", "stat_id", "read"])


@dataclass
class Failure:
    """A method that fails: its error, and the number of the call that fails, from 1; all calls if None."""

    error: Callable[[], Exception]
    at: int | None


@dataclass
class ScriptedArtifact:
    """The store's data about an artifact."""

    artifact: Artifact
    content: bytes | bytearray
    """Grows until the artifact is sealed."""
    is_sealed: bool
    expired: Callable[[], ExpiredError] | None = None
    """The error of an artifact that has expired, with the facts that are still known about it."""
    is_fresh: bool = False
    """Created during the case, not present from the start."""


@dataclass
class Script:
    """How a store and a token counter fail or violate the contract."""

    count: Callable[[str], int]
    failures: dict[str, Failure] = field(default_factory=dict)
    lies: JsonObject = field(default_factory=dict)
    """Answers that violate the contract, by their names in case files."""
    present: list[ScriptedArtifact] = field(default_factory=list)


def parse_script(store: Json, tokens: Json) -> Script:
    """Parses ``store`` and ``tokens`` of a case."""
    store = objects(store)
    failures, lies = objects(store.get("fail")), objects(store.get("lies"))
    if set(store) - {"artifacts", "fail", "lies"} or set(failures) - set(METHODS) or set(lies) - LIES:
        malformed("this is not a valid store", store)
    return Script(
        count=_counter("bytes/4" if tokens is None else tokens),
        failures={method: _failure(how) for method, how in failures.items()},
        lies=lies,
        present=[_present(raw) for raw in store.get("artifacts", [])],
    )


def _failure(how: JsonObject) -> Failure:
    return Failure(lambda: _store_error(how["error"]), how.get("at"))


def _store_error(error: str) -> Exception:
    if error == "not_found":
        return NotFoundError()
    if error == "expired":
        return ExpiredError()
    if error == "quota_exceeded":
        return QuotaExceededError()
    # A store may raise exceptions that are not errors of the package.
    return OSError(error)


def _counter(tokens: Json) -> Callable[[str], int]:
    if isinstance(tokens, int):
        return lambda text: tokens
    if isinstance(tokens, dict):
        return lambda text: _fail(member(tokens, "fails"))
    counters: dict[str, Callable[[str], int]] = {
        "bytes/4": lambda text: math.ceil(len(text.encode()) / 4),
        "words": lambda text: len(re.findall(r"[^ \t\n\f\r]+", text)),
        "too_many": lambda text: len(text.encode()) + 1,
    }
    return counters[tokens] if tokens in counters else malformed("this is not a token counter", tokens)


def _fail(why: str) -> int:
    raise RuntimeError(why)


def _present(raw: JsonObject) -> ScriptedArtifact:
    known = {"id", "content", "tool", "media_type", "size_bytes", "line_count", "created_at", "expired"}
    if set(raw) - known:
        malformed("this is not a valid artifact", raw)
    content = content_bytes(member(raw, "content"))
    lines = content.count(b"\n") + (content[-1:] not in (b"", b"\n"))
    artifact = Artifact(
        id=member(raw, "id"),
        tool=raw.get("tool", "tool"),
        media_type=raw.get("media_type", "text/plain"),
        size_bytes=int(raw.get("size_bytes", len(content))),
        line_count=raw.get("line_count", lines),
        created_at=raw.get("created_at", EPOCH),
    )
    return ScriptedArtifact(artifact, content, True, _expiry(raw.get("expired", False), artifact.tool))


def _expiry(expired: Json, tool: str) -> Callable[[], ExpiredError] | None:
    """Parses the data that a store keeps about an expired artifact: none (``true``), or the second when it
    expired."""
    if expired is False:
        return None
    if expired is True:
        return ExpiredError
    return lambda: ExpiredError(tool=tool, expired_at=int(expired))
