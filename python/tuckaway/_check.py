"""Checks of arguments. Each error names the argument and says what is expected."""

from __future__ import annotations

import operator
from collections.abc import Iterable
from typing import cast, get_args

from ._records import Tool
from .errors import InvalidInputError

U32_MAX = 2**32 - 1
U64_MAX = 2**64 - 1


def text(name: str, value: object) -> str:
    """Returns a text that is valid Unicode."""
    if not isinstance(value, str):
        raise InvalidInputError(f"{name} is {_kind_of(value)}; pass a str.")
    if not is_unicode(value):
        raise InvalidInputError(
            f"{name} has a lone surrogate, which is not a character; remove or replace it."
        )
    return value


def is_unicode(value: str) -> bool:
    """Returns whether a text has no lone surrogates."""
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def size(name: str, value: object, most: int = U64_MAX) -> int:
    """Returns a whole number of at least 0; numbers above the contract's maximum are clamped."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if number < 0 or isinstance(value, bool):
        raise InvalidInputError(f"{name} is {value!r}; pass a whole number of at least 0.")
    return min(number, most)


def optional_size(name: str, value: object, most: int = U64_MAX) -> int | None:
    """Returns a size, or None."""
    return None if value is None else size(name, value, most)


def tool_names(tools: object) -> tuple[Tool, ...]:
    """Returns the artifact tools that a model can call."""
    if isinstance(tools, str) or not isinstance(tools, Iterable):
        raise InvalidInputError(f"tools is {tools!r}; pass some of {_choices()}, such as ('read', 'grep').")
    names = tuple(cast("Iterable[Tool]", tools))
    for name in names:
        if name not in get_args(Tool):
            raise InvalidInputError(f"tools has {name!r}; pass some of {_choices()}.")
    return names


def _choices() -> str:
    return ", ".join(repr(name) for name in get_args(Tool))


def _kind_of(value: object) -> str:
    return "None" if value is None else f"of type {type(value).__name__}"
