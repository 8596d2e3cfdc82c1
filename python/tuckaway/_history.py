"""A provider's history as JSON text, and the memory between two passes over it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from ._check import size, text
from ._convert import to_json
from .errors import InvalidInputError

History = str | bytes | list[Any] | dict[str, Any]


def plain_history(history: History, format: str | None) -> dict[str, Any]:
    """Returns a history as the native module takes it."""
    return {"format": format, "json": _history_text(history)}


def _history_text(history: object) -> str:
    if isinstance(history, str):
        return text("history", history)
    if isinstance(history, bytes):
        try:
            return history.decode()
        except UnicodeDecodeError as error:
            raise InvalidInputError("history is not UTF-8; pass JSON in UTF-8, or parsed JSON.") from error
    if not isinstance(history, (list, dict)):
        raise InvalidInputError(
            f"history is of type {type(history).__name__}; pass a list of messages, a request, or JSON text."
        )
    try:
        written = to_json(cast(object, history))
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(
            f"The history cannot be written as JSON: {error}. Convert its messages to dicts first."
        ) from error
    return text("history", written)


def history_like(given: History) -> Callable[[str], Any]:
    """Returns a function that converts a history to the type of the one that was passed."""
    if isinstance(given, str):
        return str
    if isinstance(given, bytes):
        return str.encode
    return json.loads


def plain_memory(
    memory: str | Mapping[str, Any] | None, artifacts: Mapping[str, str], pinned: Iterable[int]
) -> str | None:
    """Returns the memory of the last pass with new entries, as JSON text."""
    if isinstance(memory, str) and not artifacts and not pinned:
        return text("memory", memory)
    try:
        known: dict[str, Any] = json.loads(memory) if isinstance(memory, str) else dict(memory or {})
    except ValueError as error:
        raise InvalidInputError(
            "memory is not JSON; pass the memory that the last call returned, or None."
        ) from error
    known["artifacts"] = {**known.get("artifacts", {}), **artifacts}
    known["pinned"] = sorted({*known.get("pinned", ()), *(size("pinned", index) for index in pinned)})
    return to_json(known)
