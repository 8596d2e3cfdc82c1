"""Makes the calls for histories of providers, from a case's input."""

from __future__ import annotations

import json
from typing import Any

from tuckaway._convert import from_plain, to_plain
from tuckaway.conversation import HistoryInput, SummaryAnswer, SummaryCompacted, SummaryFailed

from .content import content_text, is_recipe
from .notation import Json, JsonObject, compact, elements, malformed, member
from .planning import parse_task, written_out
from .waiting import settled

HISTORY_CALLS = frozenset(["detect_format", "read_usage", "manage_history"])
"""The calls of `histories`."""


async def histories(tuckaway: Any, name: str, given: JsonObject) -> Any:
    """Makes the call with this name."""
    if name == "detect_format":
        return await settled(tuckaway.histories.detect_format(_history(given)))
    if name == "read_usage":
        return await settled(tuckaway.histories.read_usage(compact(member(given, "usage"))))
    return await _manage(tuckaway, given)


async def _manage(tuckaway: Any, given: JsonObject) -> JsonObject:
    """Starts to manage a history, and passes the answers of the case while there are requests."""
    names = ("format", "artifacts", "pinned", "is_strict", "with_json")
    known = {name: given[name] for name in names if name in given}
    if "usage" in given:
        known["usage"] = compact(given["usage"])
    history = from_plain(HistoryInput, {"json": _history(given), **known})
    task = await parse_task(tuckaway, member(given, "task"))
    memory = compact(given["memory"]) if "memory" in given else None
    step = await settled(tuckaway.histories.start(history, task, memory))
    for answer in elements(given.get("answers")):
        if step.request is None:
            break
        step = await settled(tuckaway.histories.step(history, task, step.state, _answer(answer)))
    managed = to_plain(step.history)
    result = {**managed, "items": _parsed(managed["items"]), "memory": step.history.memory}
    if step.request is not None:
        result["request"] = to_plain(step.request)
    if step.compactable:
        result["compactable"] = _parsed(to_plain(step.compactable))
    return result


def _parsed(items: Any) -> list[Any]:
    return [{"insert": json.loads(each["insert"])} if "insert" in each else each for each in items]


def _answer(answer: Json) -> SummaryAnswer:
    if isinstance(answer, dict) and "compacted" in answer:
        return SummaryCompacted(compact(written(answer["compacted"])))
    is_failed = isinstance(answer, dict) and "failed" in answer
    return SummaryFailed(content_text(answer["failed"])) if is_failed else content_text(answer)


def _history(given: JsonObject) -> str:
    """Returns the history as JSON: a text, or a value with its recipes written out."""
    if ("history" in given) == ("json" in given):
        return malformed("a case has either history or json", given)
    return content_text(given["json"]) if "json" in given else compact(written(given["history"]))


def written(value: Json) -> Json:
    """Writes out the recipes of texts anywhere in a value, and the items that a list repeats."""
    if isinstance(value, list):
        return [written(one) for each in value for one in written_out(each)]
    if not isinstance(value, dict):
        return value
    if is_recipe(value):
        return content_text(value)
    return {name: written(each) for name, each in value.items()}
