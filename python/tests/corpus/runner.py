"""Runs cases and compares their results."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from .call import AnyTuckaway, answer, outputs_of
from .expect import agree, in_expected_notation, replace_outputs
from .notation import CASES, Json, JsonObject, malformed, member
from .pages import follow
from .waiting import settled
from .world import World

PARTS = ("expect", "error", "after")
"""The members of a case that contain the expectation."""

DEADLINE = 120.0
"""Seconds for a call: more than any case takes, even on a busy machine."""

CONTEXT_LINES = 2
"""Lines of context around a difference."""

MAX_LINES = 60
"""Longer differences are truncated: the first lines suffice."""

Open = Callable[[World], AnyTuckaway]
"""Creates a client in a world."""


@dataclass(frozen=True)
class Case:
    """A case, with the defaults of its file."""

    title: str
    """The path of its file in ``cases/``, and its name."""
    full: JsonObject
    own: JsonObject
    """The members that the case itself has."""


def all_cases(only: str = "") -> list[Case]:
    """Reads the cases that have ``only`` in their own name or their file's name. ``data`` contains
    fixtures."""
    files = sorted(path for path in CASES.rglob("*.json") if path.relative_to(CASES).parts[0] != "data")
    cases = [
        case
        for path in files
        for case in cases_of(path.relative_to(CASES).as_posix(), json.loads(path.read_text(encoding="utf-8")))
        if only in case.title
    ]
    return cases or malformed("no case has this in its name", only)


def cases_of(name: str, file: JsonObject) -> Iterator[Case]:
    """Returns the cases of a file. An ``input`` is merged into the input of the file, member by member."""
    for own in file["cases"]:
        given = {**file.get("input", {}), **own.get("input", {})}
        yield Case(f"{name}: {own['name']}", {**file, **own, "input": given}, own)


async def difference(case: Case, open_in: Open) -> str | None:
    """Runs a case and returns the differences, if any."""
    actual = await outcome(case.full, open_in)
    expected = {part: case.own[part] for part in PARTS if part in case.own}
    if agree(expected, actual):
        return None
    return _diff(_pretty(expected), _pretty(in_expected_notation(expected, actual)))


async def outcome(case: JsonObject, open_in: Open) -> JsonObject:
    """Runs a case, merged with its file, and returns its result."""
    name, given = member(case, "call"), case["input"]
    world = World(case.get("store"), case.get("tokens"))
    client: Any = open_in(world)
    try:
        if name == "pages":
            return _with_after(await follow(client, given), world)
        came = _with_after(await answer(client, name, given), world)
        outputs = outputs_of(name, given)
        return {part: replace_outputs(outputs, each) for part, each in came.items()}
    finally:
        await settled(client.close())


def _with_after(answer: JsonObject, world: World) -> JsonObject:
    after = world.after()
    return {**answer, "after": after} if after else answer


def _pretty(value: Json) -> list[str]:
    return json.dumps(value, indent=2, ensure_ascii=False).split("\n")


def _diff(expected: list[str], actual: list[str]) -> str:
    """Returns the lines that differ, ``-`` expected and ``+`` actual, with some context."""
    pairs = list(zip(expected, actual, strict=False))
    head = next((index for index, (one, other) in enumerate(pairs) if one != other), len(pairs))
    most = len(pairs) - head
    backwards = zip(reversed(expected), reversed(actual), strict=False)
    tail = next(
        (index for index, (one, other) in enumerate(backwards) if one != other or index == most), most
    )
    end = len(expected) - tail
    shown = [
        *(f"      {line}" for line in expected[max(head - CONTEXT_LINES, 0) : head]),
        *(f"    - {line}" for line in expected[head:end]),
        *(f"    + {line}" for line in actual[head : len(actual) - tail]),
        *(f"      {line}" for line in expected[end : end + CONTEXT_LINES]),
    ]
    omitted = len(shown) - MAX_LINES
    return "\n".join(shown[:MAX_LINES] + ([f"    … {omitted} more lines"] if omitted > 0 else []))
