"""Histories of Pydantic AI in the neutral form, and back.

A message of Pydantic AI may have parts of several roles: each run of parts of one role is an item, with the
number of its message and of its first part.
"""

from __future__ import annotations

import base64
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice
from typing import Any, TypeGuard

import pydantic_core
from pydantic_ai.messages import (
    MULTI_MODAL_CONTENT_TYPES,
    BinaryContent,
    CachePoint,
    ModelMessage,
    ModelRequest,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)

_MEDIA_TOKENS = 1_600
"""The tokens that an image or a file counts, as in the histories of providers."""

_MEMORY = "tuckaway_memory"
_INSERTED = "tuckaway_inserted"
"""Members of the metadata of requests, which no model sees."""

Item = dict[str, Any]


def items_of(messages: Sequence[ModelMessage]) -> list[Item]:
    """Returns messages in the neutral form."""
    return [item for number, message in enumerate(messages) for item in _items(number, message)]


def messages_of(items: Sequence[Item], given: Sequence[Any]) -> list[ModelMessage]:
    """Returns items as messages: the same objects if nothing of them changed."""
    names = {
        part.tool_call_id: part.tool_name
        for message in given
        for part in message.parts
        if isinstance(part, ToolCallPart)
    }
    messages: list[ModelMessage] = []
    for number, group in groupby(items, lambda item: item.get("message")):
        pieces = list(group)
        if number is None:
            messages += (_new(item, names) for item in pieces)
            continue
        message = given[number]
        parts = [part for item in pieces for part in _parts(item, message, names)]
        is_same = len(parts) == len(message.parts) and all(
            part is own for part, own in zip(parts, message.parts, strict=True)
        )
        messages.append(message if is_same else replace(message, parts=parts))
    return messages


def memory_of(messages: Sequence[ModelMessage]) -> dict[str, Any] | None:
    """Returns the memory that `with_memory` added last."""
    found = (message.metadata for message in reversed(messages))
    return next((metadata[_MEMORY] for metadata in found if metadata and _MEMORY in metadata), None)


def with_memory(messages: Sequence[ModelMessage], memory: dict[str, Any]) -> list[ModelMessage]:
    """Adds a memory to the metadata of the last message, where it is stored and sent on with the history."""
    *before, last = messages
    return [*before, replace(last, metadata={**(last.metadata or {}), _MEMORY: memory})]


def _items(number: int, message: Any) -> Iterator[Item]:
    inserted = _INSERTED in (message.metadata or {})
    at = 0
    is_request = isinstance(message, ModelRequest)
    for role, group in groupby(message.parts, lambda part: _role(part) if is_request else "assistant"):
        parts = list(group)
        blocks = [block for part in parts for block in _blocks(part)]
        yield {
            "role": role,
            "parts": blocks,
            "inserted": inserted,
            "message": number,
            "first": at,
            "count": len(parts),
        }
        at += len(parts)


def _role(part: object) -> str:
    if isinstance(part, SystemPromptPart):
        return "system"
    return "tool" if _is_result(part) else "user"


def _blocks(part: Any) -> list[Item]:
    """Returns a part as blocks: one, except for a prompt of several contents."""
    if isinstance(part, ToolCallPart):
        call = {"id": part.tool_call_id, "name": part.tool_name, "arguments": part.args_as_json_str()}
        return [{"tool_call": call}]
    if isinstance(part, ToolReturnPart):
        text, _ = part.model_response_str_and_user_content()
        is_error = part.outcome != "success"
        result = {"call_id": part.tool_call_id, "text": text, "is_error": is_error}
        return [{"tool_result": result}, *(_medium(each) for each in part.files)]
    if isinstance(part, UserPromptPart):
        contents = [part.content] if isinstance(part.content, str) else part.content
        return [{"text": each} if isinstance(each, str) else _medium(each) for each in contents]
    if isinstance(part, SystemPromptPart | TextPart):
        return [{"text": part.content}]
    return [{"opaque": len(pydantic_core.to_json(part, fallback=str))}]


def _medium(content: object) -> Item:
    """Returns an image or a file with its data, which is stored before a line takes its place; for a file at
    an address or at the provider, the reference to it is. Other contents, such as a cache point, stay."""
    if isinstance(content, CachePoint):
        return {"opaque": 0}
    if not isinstance(content, MULTI_MODAL_CONTENT_TYPES):
        return {"opaque": len(pydantic_core.to_json(content, fallback=str))}
    if isinstance(content, BinaryContent):
        data, label = base64.b64encode(content.data).decode(), content.media_type
    else:
        data, label = pydantic_core.to_json(content, fallback=str).decode(), "file"
    return {"media": {"tokens": _MEDIA_TOKENS, "label": label, "data": data}}


def _parts(item: Item, message: Any, names: dict[str, str]) -> Iterator[Any]:
    """Returns the parts of an item, changed ones with their new texts."""
    texts = {
        block["tool_result"]["call_id"]: block["tool_result"]
        for block in item["parts"]
        if "tool_result" in block
    }
    calls = {
        block["tool_call"]["id"]: block["tool_call"]["arguments"]
        for block in item["parts"]
        if "tool_call" in block
    }
    files = _files_of(item["parts"])
    own: Sequence[Any] = message.parts[item["first"] : item["first"] + item["count"]]
    blocks = iter(item["parts"])
    for part in own:
        if isinstance(part, UserPromptPart):
            yield _prompted(part, list(islice(blocks, len(_blocks(part)))))
            continue
        if item["role"] == "user":
            next(blocks)  # any other part of the user is one block
        if _is_call(part):
            yield _called(part, calls.get(part.tool_call_id))
            continue
        if not _is_result(part):
            yield part
            continue
        result = texts.pop(part.tool_call_id, None)
        if result is not None:
            yield _returned(part, result, files[part.tool_call_id])
    for call_id, result in texts.items():
        yield _result(call_id, result, names)


def _is_call(part: object) -> TypeGuard[ToolCallPart[Any]]:
    return isinstance(part, ToolCallPart)


def _called(part: ToolCallPart[Any], arguments: str | None) -> ToolCallPart[Any]:
    """Returns a call with its arguments after the plan."""
    is_same = arguments is None or arguments == part.args_as_json_str()
    return part if is_same else replace(part, args=arguments)


def _prompted(part: UserPromptPart, blocks: Sequence[Item]) -> UserPromptPart:
    """Returns a prompt with its texts after the plan."""
    given = [part.content] if isinstance(part.content, str) else list(part.content)
    contents: list[Any] = [block.get("text", own) for own, block in zip(given, blocks, strict=True)]
    if contents == given:
        return part
    content: Any = contents[0] if isinstance(part.content, str) else contents
    return replace(part, content=content)


def _is_result(part: object) -> TypeGuard[ToolReturnPart[Any]]:
    return isinstance(part, ToolReturnPart)


def _files_of(blocks: Sequence[Item]) -> dict[str, list[Item]]:
    """Returns the blocks of the files of each result, by the id of its call."""
    files: dict[str, list[Item]] = {}
    last: list[Item] = []
    for block in blocks:
        if "tool_result" in block:
            last = files.setdefault(block["tool_result"]["call_id"], [])
        else:
            last.append(block)
    return files


def _returned(part: ToolReturnPart[Any], result: Item, files: Sequence[Item]) -> ToolReturnPart[Any]:
    """Returns a result with its text and its files after the plan."""
    own_text, _ = part.model_response_str_and_user_content()
    has_own_text = "artifact" not in result or result["text"] == own_text
    is_same = has_own_text and not any("text" in block for block in files)
    if is_same:
        return part
    given = (
        [each for each in part.content_items() if each not in part.files]
        if has_own_text
        else [result["text"]]
    )
    kept = [block.get("text", own) for own, block in zip(part.files, files, strict=True)]
    content: Any = [*given, *kept] if kept else given[0]
    return replace(part, content=content)


def _new(item: Item, names: dict[str, str]) -> ModelMessage:
    """Returns an item that a plan inserted."""
    parts: list[Any] = []
    for block in item["parts"]:
        if "tool_result" in block:
            parts.append(_result(block["tool_result"]["call_id"], block["tool_result"], names))
        else:
            parts.append(UserPromptPart(block["text"]))
    return ModelRequest(parts, metadata={_INSERTED: True})


def _result(call_id: str, result: Item, names: dict[str, str]) -> ToolReturnPart:
    return ToolReturnPart(names.get(call_id, "unknown"), result["text"], call_id, outcome="interrupted")
