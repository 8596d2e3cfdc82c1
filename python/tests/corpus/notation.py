"""The JSON of case files."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NoReturn

from tuckaway import TuckawayError

Json = Any
"""None, a bool, a number, a text, a list or a dict of these."""

JsonObject = dict[str, Any]

CASES = Path(os.environ.get("TUCKAWAY_CASES_FROM") or Path(__file__).resolve().parents[3] / "cases")


class MalformedCaseError(Exception):
    """A case that does not have the format of cases."""


def malformed(what: str, *value: Json) -> NoReturn:
    """Fails with a description of the problem, and the value at fault."""
    shown = "".join(f": {json.dumps(each)[:200]}" for each in value)
    raise MalformedCaseError(what + shown)


def plain_error(error: TuckawayError) -> JsonObject:
    """Returns an error in the form of case files."""
    return {"kind": error.kind, "message": error.message, "arguments": list(error.arguments)}


def objects(value: Json) -> JsonObject:
    """Returns an object, an empty one if there is none."""
    if value is None:
        return {}
    return value if isinstance(value, dict) else malformed("this is not an object", value)


def elements(value: Json) -> list[Json]:
    """Returns a list, an empty one if there is none."""
    if value is None:
        return []
    return value if isinstance(value, list) else malformed("this is not a list", value)


def member(value: JsonObject, name: str) -> Json:
    """Returns a member that the case must have."""
    return value[name] if name in value else malformed(f"{name} is missing", value)


def numbers(value: Json) -> Json:
    """Converts strings of digits to numbers: case files write large numbers as strings."""
    if isinstance(value, str):
        return int(value) if value.isascii() and value.isdigit() else value
    if isinstance(value, list):
        return [numbers(each) for each in value]
    if isinstance(value, dict):
        return {name: numbers(each) for name, each in value.items()}
    return value


def compact(value: Json) -> str:
    """Returns JSON as a model writes it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
