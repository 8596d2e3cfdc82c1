"""Short representations of records with long texts."""

from __future__ import annotations

import dataclasses
from typing import Any

_MAX_CHARACTERS = 80


def clipped(value: object) -> str:
    """Returns the `repr` of a value. A long text is truncated, and its length is appended.

    >>> clipped("short")
    "'short'"
    >>> clipped("x" * 1000)
    "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx'… (1,000 characters)"
    """
    if isinstance(value, (str, bytes, bytearray)) and len(value) > _MAX_CHARACTERS:
        unit = "characters" if isinstance(value, str) else "bytes"
        return f"{value[:_MAX_CHARACTERS]!r}… ({len(value):,} {unit})"
    return repr(value)


def short_repr(record: Any) -> str:
    """Returns a `repr` as for dataclasses, with long texts truncated."""
    fields = ", ".join(
        f"{field.name}={clipped(getattr(record, field.name))}" for field in dataclasses.fields(record)
    )
    return f"{type(record).__name__}({fields})"
