"""Converts content from callers to the form that the native module takes."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from ._check import text
from ._values import Default, json_text
from .errors import InvalidInputError
from .records import Block, Content, Stored, ToolOutput

PlainContent = str | bytes | dict[str, str]


def plain_content(content: Content, default: Default | None = None) -> PlainContent:
    """Returns text, bytes, or the id of stored content. Any other value is written as JSON."""
    if isinstance(content, (str, bytes)):
        return content
    if isinstance(content, (bytearray, memoryview)):
        return bytes(cast("bytearray", content))
    if isinstance(content, Stored):
        return {"stored": text("Stored.id", content.id)}
    if isinstance(content, os.PathLike):
        return _file(cast("os.PathLike[str]", content))
    given: Any = content
    if callable(getattr(given, "read", None)):
        return plain_content(given.read(), default)
    return _chunks(list(given), default) if isinstance(content, Iterator) else _json(given, default)


def _file(path: os.PathLike[str]) -> bytes:
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError as error:
        raise InvalidInputError(f"The output is a file that cannot be read: {error}.") from error


def _chunks(elements: list[Any], default: Default | None) -> str | bytes:
    """Returns what a generator has made: a text or bytes in pieces, or an array."""
    if elements and all(isinstance(element, str) for element in elements):
        return "".join(elements)
    if elements and all(isinstance(element, bytes) for element in elements):
        return b"".join(elements)
    return _json(elements, default)


def _json(value: object, default: Default | None = None) -> str:
    try:
        return json_text(value, default)
    except (TypeError, ValueError, RecursionError, OverflowError) as error:
        raise InvalidInputError(
            f"The output cannot be written as JSON: {error}. Pass text, bytes, a path or a value that JSON "
            "can represent, or convert the rest with default=…"
        ) from error


def text_or_bytes(content: Content, default: Default | None = None) -> str | bytes:
    """Returns content that is not in the store."""
    plain = plain_content(content, default)
    if isinstance(plain, dict):
        raise InvalidInputError("Stored content is described with its id: use read, grep or jq.")
    return plain


def structured_text(structured: str | Mapping[str, Any] | None) -> str | None:
    """Returns a structured result as JSON text."""
    if structured is None:
        return None
    return structured if isinstance(structured, str) else _json(structured)


def plain_output(output: ToolOutput, default: Default | None = None) -> dict[str, Any]:
    """Returns the plain form of an output."""
    return {
        "tool": output.tool,
        "is_error": bool(output.is_error),
        "blocks": [_plain_block(block, default) for block in output.blocks],
        "structured": structured_text(output.structured),
    }


def _plain_block(block: Block, default: Default | None) -> dict[str, Any]:
    return {"content": plain_content(block.content, default), "media_type": block.media_type}


def plain_outputs(outputs: Sequence[ToolOutput], default: Default | None = None) -> list[dict[str, Any]]:
    """Returns the plain forms of the outputs of a turn."""
    plain: list[dict[str, Any]] = []
    for output in outputs:
        if not isinstance(cast(object, output), ToolOutput):
            raise InvalidInputError(
                f"An output of the turn is of type {type(output).__name__}; "
                "wrap it: ToolOutput.of(output, tool=…)."
            )
        plain.append(plain_output(output, default))
    return plain
