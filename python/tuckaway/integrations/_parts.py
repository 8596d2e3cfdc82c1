"""Outputs of several parts: their texts form one output, everything else is preserved."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeGuard, TypeVar

from .. import Block, ToolOutput, View
from .._convert import to_json

Part = TypeVar("Part")


def parts_output(
    tool: str, parts: Sequence[Part], block_of: Callable[[Part], Block | None], *, is_error: bool = False
) -> ToolOutput:
    """Returns the parts as an output.

    Args:
        block_of: returns a text unchanged, an image, audio or video without content (`media`), None for the
        rest
    """
    blocks = [block for part in parts if (block := block_of(part)) is not None]
    return ToolOutput(tool=tool, is_error=is_error, blocks=blocks)


def parts_after(
    parts: Sequence[Part],
    view: View,
    block_of: Callable[[Part], Block | None],
    text_part: Callable[[str], Part],
) -> list[Part]:
    """Returns the parts for the model: the view, then everything that is not a text. Only for views that are
    not inline."""
    return [text_part(view.text), *(part for part in parts if not _is_text(block_of(part)))]


def media(media_type: str) -> Block:
    """Returns a block that is passed on unchanged, to be counted only: its content need not enter the
    sandbox."""
    return Block("", media_type)


def is_passed_on(media_type: str | None) -> TypeGuard[str]:
    """Returns whether blocks of a media type are passed on unchanged."""
    return media_type is not None and media_type.startswith(("image/", "audio/", "video/"))


def json_block(value: Any) -> Block:
    """Returns a block of JSON."""
    return Block(text_of_data(value), "application/json")


def text_of_data(value: Any) -> str:
    """Returns data as JSON, or as its `repr` if JSON cannot represent it."""
    try:
        return to_json(value)
    except (TypeError, ValueError, RecursionError):
        return str(value)


def is_mapping(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Returns whether a value is a mapping, whose keys are assumed to be names."""
    return isinstance(value, Mapping)


def is_sequence(value: object) -> TypeGuard[Sequence[Any]]:
    """Returns whether a value is a list or a tuple."""
    return isinstance(value, (list, tuple))


def is_list(value: object) -> TypeGuard[list[Any]]:
    """Returns whether a value is a list."""
    return isinstance(value, list)


def member(value: Any, name: str) -> Any:
    """Returns a member of an object or of a mapping; None if it is missing."""
    return value.get(name) if is_mapping(value) else getattr(value, name, None)


def dict_block(part: Any) -> Block | None:
    """Returns the block for a part in the format of LangChain, OpenAI or Anthropic: a text, or an object with
    a ``type``."""
    if isinstance(part, str):
        return Block(part)
    if not is_mapping(part):
        return None
    kind, text = str(part.get("type")), part.get("text")
    if kind in _TEXT_TYPES and isinstance(text, str):
        return Block(text)
    if kind == "json" and "json" in part:
        return json_block(part["json"])
    found = re.search("image|audio|video", kind)
    return media(f"{found[0]}/*") if found else None


_TEXT_TYPES = frozenset({"text", "input_text", "output_text", "text-plain"})


def _is_text(block: Block | None) -> bool:
    return block is not None and not is_passed_on(block.media_type)
