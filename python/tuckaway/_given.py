"""Histories and usages of callers: written as JSON, and returned with the caller's own objects."""

from __future__ import annotations

import base64
import dataclasses
import json
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ._check import U32_MAX, elements, invalid, is_unicode, kind_of, size, text
from ._convert import to_json, to_plain
from ._records import HistoryFormat, Keep, KnownArtifact, ManagedHistory

History = str | bytes | list[Any] | dict[str, Any]
"""A history, as the methods of clients accept it."""

Artifacts = Mapping[str, str] | Iterable[KnownArtifact]
"""Artifacts that contain results: by the ids of their calls, or as records."""


@dataclass(frozen=True, slots=True)
class GivenHistory:
    """A history of a caller."""

    json: str
    """The history as JSON."""
    is_text: bool
    """Whether it was given as text."""
    new: Callable[[ManagedHistory], Any]
    """Returns the new history, of the same type as the given one."""


def given_history(history: History, format: HistoryFormat | None = None) -> GivenHistory:
    """Reads a history of a caller. The caller may change its own list while a model is asked."""
    if isinstance(history, str):
        return GivenHistory(text("history", history), True, lambda managed: managed.json)
    if isinstance(history, bytes):
        return GivenHistory(_decoded(history), True, lambda managed: (managed.json or "").encode())
    values = _Values()
    if isinstance(history, list):
        items = list(history)
        written = values.write("history", items)
        return GivenHistory(written, False, lambda managed: values.new_items(items, managed))
    if not isinstance(cast(object, history), dict):
        raise invalid("history", f"is {kind_of(history)}; pass a list of messages, a request, or JSON text.")
    request = dict(history)
    member = _items_member(request, format)
    if isinstance(request.get(member), list):
        request[member] = list(request[member])
    written = values.write("history", request)
    return GivenHistory(written, False, lambda managed: _new_request(request, member, values, managed))


def json_of(name: str, value: object) -> str:
    """Returns a value of a caller as JSON; a text is JSON already."""
    return text(name, value) if isinstance(value, str) else _Values().write(name, value)


def memory_text(memory: str | Mapping[str, Any] | None) -> str | None:
    """Returns the memory of the last call as JSON text."""
    if memory is not None and not isinstance(cast(object, memory), (str, Mapping)):
        raise invalid(
            "memory", f"is {kind_of(memory)}; pass the memory that the last call returned, or None."
        )
    return None if memory is None else json_of("memory", memory)


def known_artifacts(artifacts: Artifacts | None) -> list[KnownArtifact]:
    """Returns artifacts as records."""
    if isinstance(artifacts, Mapping):
        by_call = cast("Mapping[str, str]", artifacts)
        return [KnownArtifact(call_id, artifact) for call_id, artifact in by_call.items()]
    return elements("artifacts", artifacts or (), "KnownArtifact")


def pinned_indexes(pinned: Iterable[int]) -> list[int]:
    """Returns the indexes of items that must stay unchanged."""
    return [size("pinned", index, U32_MAX) for index in elements("pinned", pinned, "indexes")]


class _Values:
    """Writes values as JSON, including objects of SDKs, and reads the component's changes."""

    def __init__(self) -> None:
        self._bytes: dict[str, object] = {}
        self._has_langchain = False

    def write(self, name: str, value: object) -> str:
        try:
            written = to_json(value, default=self._plain)
            # The component reads lone surrogates as escapes.
            return written if is_unicode(written) else json.dumps(value, default=self._plain)
        except (TypeError, ValueError, RecursionError) as error:
            raise invalid(
                name, f"cannot be written as JSON: {error}. Convert its parts to dicts first."
            ) from error

    def new_items(self, items: Sequence[Any], managed: ManagedHistory) -> list[Any]:
        """Returns the new list of items. Those that stay are the same objects."""
        new: list[Any] = []
        for piece in managed.items:
            if isinstance(piece, Keep):
                new += items[piece.start : piece.end]
            else:
                new.append(self._read(piece.json))
        return new

    def _read(self, written: str) -> Any:
        item = json.loads(written, object_hook=self._restored)
        return _langchain().messages_from_dict([item])[0] if self._has_langchain else item

    def _restored(self, value: dict[str, Any]) -> Any:
        is_binary = value.keys() == {"base64"} and isinstance(value["base64"], str)
        return self._bytes.get(value["base64"], value) if is_binary else value

    def _plain(self, value: object) -> Any:
        """Returns the part of an object that JSON can represent."""
        given: Any = value
        if isinstance(value, (bytes, bytearray, memoryview)):
            encoded = base64.b64encode(given).decode()
            self._bytes[encoded] = given
            return {"base64": encoded}
        langchain = _langchain()
        if langchain is not None and isinstance(value, langchain.BaseMessage):
            self._has_langchain = True
            return langchain.message_to_dict(given)
        if callable(getattr(value, "model_dump", None)):
            return given.model_dump(mode="json", by_alias=True, exclude_none=True)
        # Models of version 1 of Pydantic.
        if callable(getattr(value, "dict", None)):
            return given.dict()
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            return to_plain(given)
        if isinstance(value, Mapping):
            return dict(given)
        raise TypeError(f"it has an object of type {type(value).__name__}")


def _langchain() -> Any:
    """Returns LangChain's module of messages if the program has imported it."""
    return sys.modules.get("langchain_core.messages")


def _decoded(history: bytes) -> str:
    try:
        return history.decode()
    except UnicodeDecodeError as error:
        raise invalid("history", "is not UTF-8; pass JSON in UTF-8, or parsed JSON.") from error


_ITEMS = ("items", "messages", "input", "contents")
_ITEMS_OF: dict[str, str] = {"openai-responses": "input", "gemini": "contents"}


def _items_member(request: Mapping[str, Any], format: HistoryFormat | None) -> str:
    """Returns the member of a request that has the items. The component rejects requests without one."""
    own = () if format is None else (_ITEMS_OF.get(format, "messages"),)
    return next((name for name in (*own, *_ITEMS) if name in request), "messages")


_USAGE = ("usage", "usageMetadata")
_PROVIDER_STATE = ("previous_response_id", "conversation")
_NEED_TOOLS = ("tool_choice", "parallel_tool_calls", "toolChoice")


def _new_request(
    request: dict[str, Any], member: str, values: _Values, managed: ManagedHistory
) -> dict[str, Any]:
    """Returns the new request: without the members that contradict its new items. The component does the same
    to JSON text."""
    if not managed.report.is_changed:
        return request
    given = request[member]
    # A text as the input of Responses is one message.
    items = [{"role": "user", "content": given}] if isinstance(given, str) else given
    new = {**request, member: values.new_items(items, managed)}
    usage = managed.memory.get("usage") if managed.format == "neutral" else None
    for name in _USAGE:
        if name in new:
            new[name] = usage
    dropped = [name for name in _USAGE if usage is None]
    if managed.format == "openai-responses":
        dropped += _PROVIDER_STATE
    if managed.kept_tools is not None:
        dropped += _replace_tools(new, managed.format, managed.kept_tools)
    return {name: value for name, value in new.items() if name not in dropped}


def _replace_tools(request: dict[str, Any], format: HistoryFormat, kept: Sequence[int]) -> Sequence[str]:
    """Replaces the tools of a request with the kept ones. Returns the members to remove if no tool is kept:
    providers reject an empty list."""
    config = request.get("toolConfig")
    is_nested = format == "bedrock" and isinstance(config, Mapping) and "tools" in config
    name = "toolConfig" if is_nested else "tools"
    if not kept:
        return (name, *_NEED_TOOLS)
    if is_nested:
        request[name] = {**request[name], "tools": _elements(request[name]["tools"], kept)}
    else:
        request[name] = _elements(request[name], kept)
    return ()


def _elements(tools: Any, kept: Sequence[int]) -> Any:
    if isinstance(tools, Mapping):
        members = list(cast("Mapping[str, Any]", tools).items())
        return dict(members[index] for index in kept)
    return [tools[index] for index in kept]
