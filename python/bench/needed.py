"""The values that a call takes from earlier messages, and the queries that find them in a stored output."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MIN_CHARS = 3
"""Shorter values occur everywhere by chance."""


@dataclass(frozen=True)
class Call:
    """A call of the ground truth."""

    text: str
    """The call as Python."""
    name: str
    arguments: dict[str, Any]
    """Its literal arguments. Positional ones are named by their index."""

    @staticmethod
    def of(text: str) -> Call:
        """Reads a call. Arguments that are not literals are omitted."""
        parsed = ast.parse(text, mode="eval").body
        if not isinstance(parsed, ast.Call) or not isinstance(parsed.func, ast.Name):
            raise ValueError(f"{text!r} is not a call of a function by name")
        named = [(f"argument_{index}", value) for index, value in enumerate(parsed.args)]
        named += [(keyword.arg or "", keyword.value) for keyword in parsed.keywords]
        arguments = {}
        for name, value in named:
            try:
                arguments[name] = ast.literal_eval(value)
            except ValueError:
                continue
        return Call(text, parsed.func.id, arguments)


def needed(call: Call, said: str, earlier: str) -> list[str]:
    """Returns the values of a call that are in an earlier message, but not in the user's message."""
    values = dict.fromkeys(text for argument in call.arguments.values() for text in _texts(argument))
    return [value for value in values if not occurs(value, said) and occurs(value, earlier)]


def occurs(value: str, text: str) -> bool:
    """Returns whether a text has a value, and not only as a part of a longer word or number."""
    return re.search(rf"(?<![\w.]){re.escape(value)}(?!\w|\.\w)", text) is not None


def jq_path(value: str, document: str) -> str | None:
    """Returns a jq filter for the first value of a JSON document in which a value occurs. Returns None if
    the document is not JSON, or does not have the value."""
    try:
        parsed = json.loads(document)
    except ValueError:
        return None
    return next((path or "." for path, leaf in _leaves(parsed, "") if occurs(value, leaf)), None)


def _leaves(value: Any, path: str) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, member in value.items():
            yield from _leaves(member, f"{path}[{json.dumps(key)}]" if path else f".[{json.dumps(key)}]")
    elif isinstance(value, list):
        for index, member in enumerate(value):
            yield from _leaves(member, f"{path}[{index}]" if path else f".[{index}]")
    else:
        yield path, value if isinstance(value, str) else json.dumps(value)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, list | tuple):
        for member in value:
            yield from _texts(member)
    elif isinstance(value, str | int | float) and not isinstance(value, bool):
        text = str(value)
        if len(text) >= MIN_CHARS:
            yield text
