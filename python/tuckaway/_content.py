"""Converts content from callers to the form that the native module takes."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ._check import text
from ._convert import to_json
from .errors import InvalidInputError
from .records import Block, Content, Stored, ToolOutput

PlainContent = str | bytes | dict[str, str]

_WHAT_TO_PASS = "pass text, bytes, a path, JSON data (dict or list) or a ToolOutput"


def plain_content(content: Content) -> PlainContent:
    """Returns text, bytes, or the id of stored content."""
    if isinstance(content, str):
        return content
    if isinstance(content, bytes):
        return content
    if isinstance(content, (bytearray, memoryview)):
        return bytes(content)
    if isinstance(content, Stored):
        return {"stored": text("Stored.id", content.id)}
    if isinstance(content, os.PathLike):
        with open(content, "rb") as file:
            return file.read()
    if isinstance(cast("object", content), (Mapping, list, tuple)):
        return _json(content)
    raise InvalidInputError(f"The output is of type {type(content).__name__}; {_WHAT_TO_PASS}.")


def _json(value: object) -> str:
    try:
        return to_json(dict(cast("Mapping[str, Any]", value)) if isinstance(value, Mapping) else value)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInputError(f"The output cannot be written as JSON: {error}; {_WHAT_TO_PASS}.") from error


def text_or_bytes(content: Content) -> str | bytes:
    """Returns content that is not in the store."""
    plain = plain_content(content)
    if isinstance(plain, dict):
        raise InvalidInputError("Stored content is described with its id: use read, grep or jq.")
    return plain


def structured_text(structured: str | Mapping[str, Any] | None) -> str | None:
    """Returns a structured result as JSON text."""
    if structured is None:
        return None
    return structured if isinstance(structured, str) else _json(structured)


def plain_output(output: ToolOutput) -> dict[str, Any]:
    """Returns the plain form of an output."""
    return {
        "tool": output.tool,
        "is_error": bool(output.is_error),
        "blocks": [_plain_block(block) for block in output.blocks],
        "structured": structured_text(output.structured),
    }


def _plain_block(block: Block) -> dict[str, Any]:
    return {"content": plain_content(block.content), "media_type": block.media_type}


def plain_outputs(outputs: Sequence[ToolOutput]) -> list[dict[str, Any]]:
    """Returns the plain forms of the outputs of a turn."""
    plain: list[dict[str, Any]] = []
    for output in outputs:
        if not isinstance(cast(object, output), ToolOutput):
            raise InvalidInputError(
                f"An output of the turn is of type {type(output).__name__}; "
                "wrap it: ToolOutput.of(output, tool=…)."
            )
        plain.append(plain_output(output))
    return plain
