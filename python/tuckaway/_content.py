"""Converts content from callers to the form that the native module takes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from ._check import elements, invalid, kind_of, text
from ._values import Default, json_text
from .records import Block, Content, Stored, ToolOutput

PlainContent = str | bytes | dict[str, str]


def plain_content(content: Content, default: Default | None = None, name: str = "output") -> PlainContent:
    """Returns text, bytes, or the id of stored content. Any other value is written as JSON. ``name`` is the
    argument that has the content."""
    if isinstance(content, (str, bytes)):
        return content
    if isinstance(content, (bytearray, memoryview)):
        return bytes(cast("bytearray", content))
    if isinstance(content, Stored):
        return {"stored": text("Stored.id", content.id)}
    if isinstance(content, os.PathLike):
        return _file(name, cast("os.PathLike[str]", content))
    given: Any = content
    if callable(getattr(given, "read", None)):
        return plain_content(given.read(), default, name)
    return (
        _chunks(name, list(given), default) if isinstance(content, Iterator) else _json(name, given, default)
    )


def _file(name: str, path: os.PathLike[str]) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise invalid(name, f"is a file that cannot be read: {error}.") from error


def _chunks(name: str, pieces: list[Any], default: Default | None) -> str | bytes:
    """Returns the content from a generator: a text or bytes in pieces, or an array."""
    if pieces and all(isinstance(piece, str) for piece in pieces):
        return "".join(pieces)
    if pieces and all(isinstance(piece, bytes) for piece in pieces):
        return b"".join(pieces)
    return _json(name, pieces, default)


def _json(name: str, value: object, default: Default | None = None) -> str:
    try:
        return json_text(value, default)
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        raise invalid(
            name,
            f"cannot be written as JSON: {error}. Pass text, bytes, a path or a value that JSON can "
            "represent, or convert the rest with default=…",
        ) from error


def text_or_bytes(content: Content, default: Default | None = None) -> str | bytes:
    """Returns content that is not in the store."""
    plain = plain_content(content, default, "content")
    if isinstance(plain, dict):
        raise invalid("content", "is stored; pass its id to read, grep or jq.")
    return plain


def object_text(name: str, value: str | Mapping[str, Any]) -> str:
    """Returns an object as JSON text; a text is JSON already."""
    return value if isinstance(value, str) else _json(name, value)


def plain_output(output: ToolOutput, default: Default | None = None) -> dict[str, Any]:
    """Returns the plain form of an output."""
    structured = output.structured
    return {
        "tool": output.tool,
        "is_error": bool(output.is_error),
        "blocks": [_plain_block(block, default) for block in elements("blocks", output.blocks, "Block")],
        "structured": None if structured is None else object_text("structured", structured),
    }


def _plain_block(block: object, default: Default | None) -> dict[str, Any]:
    if not isinstance(block, Block):
        raise invalid("blocks", f"has a value that is {kind_of(block)}; wrap it: Block(content).")
    return {"content": plain_content(block.content, default), "media_type": block.media_type}


def plain_outputs(outputs: Sequence[ToolOutput], default: Default | None = None) -> list[dict[str, Any]]:
    """Returns the plain forms of the outputs of a turn."""
    plain: list[dict[str, Any]] = []
    for output in elements("outputs", outputs, "ToolOutput"):
        if not isinstance(output, ToolOutput):
            raise invalid(
                "outputs", f"has a value that is {kind_of(output)}; wrap it: ToolOutput.of(output, tool=…)."
            )
        plain.append(plain_output(output, default))
    return plain
