"""Checks of arguments. Each error names the argument and the expected value."""

from __future__ import annotations

import operator
from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta
from typing import Any, cast

from .errors import InvalidInputError

U32_MAX = 2**32 - 1
U64_MAX = 2**64 - 1


def invalid(names: str | Collection[str], why: str) -> InvalidInputError:
    """Returns the error about an argument, or about several, whose names begin the message. A name with
    spaces describes a value that is no argument."""
    subjects = (names,) if isinstance(names, str) else tuple(names)
    error = InvalidInputError(f"{' and '.join(subjects)} {why}")
    error.arguments = tuple(name for name in subjects if " " not in name)
    return error


def text(name: str, value: object) -> str:
    """Returns a text that is valid Unicode."""
    if not isinstance(value, str):
        raise invalid(name, f"is {kind_of(value)}; pass a str.")
    if not is_unicode(value):
        raise invalid(name, "has a lone surrogate, which is not a character; remove or replace it.")
    return value


def optional_text(name: str, value: object) -> str | None:
    """Returns a text, or None."""
    return None if value is None else text(name, value)


def is_unicode(value: str) -> bool:
    """Returns whether a text has no lone surrogates."""
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


def choice(name: str, value: object, known: Iterable[str]) -> str:
    """Returns one of some texts."""
    names = tuple(known)
    if not isinstance(value, str) or value not in names:
        raise invalid(name, f"is {value!r}; use one of {', '.join(names)}.")
    return value


def size(name: str, value: object, most: int = U64_MAX) -> int:
    """Returns a whole number of at least 0; numbers above the contract's maximum are clamped."""
    try:
        number = operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if number < 0 or isinstance(value, bool):
        raise invalid(name, f"is {value!r}; pass a whole number of at least 0.")
    return min(number, most)


def optional_size(name: str, value: object, most: int = U64_MAX) -> int | None:
    """Returns a size, or None."""
    return None if value is None else size(name, value, most)


def optional_seconds(name: str, value: object) -> float | None:
    """Returns a duration in seconds, or None. Its range is checked where it is used."""
    if value is None:
        return None
    if isinstance(value, timedelta):
        return value.total_seconds()
    try:
        if isinstance(value, (str, bool)):
            raise TypeError
        return float(cast(Any, value))
    except (TypeError, ValueError, OverflowError) as error:
        raise invalid(name, f"is {value!r}; pass a number of seconds or a timedelta.") from error


def elements(name: str, value: object, of: str) -> list[Any]:
    """Returns the elements of a collection. A text is not a collection."""
    given: Any = value
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise invalid(name, f"is {kind_of(value)}; pass a list of {of}.")
    return list(given)


def mapping(name: str, value: object, of: str) -> dict[Any, Any]:
    """Returns the members of a mapping."""
    given: Any = value
    if not isinstance(value, Mapping):
        raise invalid(name, f"is {kind_of(value)}; pass a dict of {of}.")
    return dict(given)


def artifact_ids(name: str, value: object) -> list[dict[str, str]]:
    """Returns the artifacts that a mapping has by name; none for None."""
    given = mapping(name, {} if value is None else value, "artifact ids by name")
    return [
        {"name": text(name, key), "artifact": text(f"{name}[{key!r}]", artifact)}
        for key, artifact in given.items()
    ]


def kind_of(value: object) -> str:
    """Describes the type of a wrong value, for a message."""
    return "None" if value is None else f"of type {type(value).__name__}"
