"""Makes the calls for conversations, from a case's input."""

from __future__ import annotations

from typing import Any

from tuckaway import TuckawayError
from tuckaway._convert import from_plain, to_plain
from tuckaway.conversation import (
    BudgetConfig,
    CacheConfig,
    CompactionConfig,
    Conversation,
    PlanState,
    Task,
    TokenUsage,
)

from .content import content_text, json_or_text
from .notation import Json, JsonObject, elements, malformed, member, numbers, objects
from .waiting import settled

CONTEXT_WINDOW = 200_000
"""The context window of a task, unless a case specifies it."""

PLANNING_CALLS = frozenset(
    ["plan", "cache_view", "unreferenced", "should_compact", "budget_preset", "check_budget", "read_refusal"]
)
"""The calls of `planning`."""


async def planning(tuckaway: Any, name: str, given: JsonObject) -> Any:
    """Makes the call with this name."""
    if name == "plan":
        return await _plan(tuckaway, given)
    if name == "check_budget":
        return await settled(tuckaway.budget.check(await _budget(tuckaway, objects(given.get("config")))))
    return await settled(_other(tuckaway, name, given))


async def _plan(tuckaway: Any, given: JsonObject) -> Any:
    conversation = _conversation(member(given, "conversation"))
    task = await parse_task(tuckaway, member(given, "task"))
    answers = [content_text(each) for each in elements(given.get("answers"))]
    # The state's fingerprint may consist of digits, but is not a number.
    state = from_plain(PlanState, objects(given.get("state")))
    return await settled(tuckaway.plan(conversation, task, answers, state))


def _other(tuckaway: Any, name: str, given: JsonObject) -> Any:
    config = numbers(objects(given.get("config")))
    if name == "cache_view":
        artifact = content_text(given["artifact"]) if "artifact" in given else None
        return tuckaway.cache.view(
            content_text(member(given, "text")), artifact, from_plain(CacheConfig, config)
        )
    if name == "unreferenced":
        return tuckaway.cache.unreferenced([content_text(each) for each in elements(given.get("texts"))])
    if name == "should_compact":
        usage = from_plain(TokenUsage, numbers(objects(given.get("usage"))))
        return tuckaway.compaction.should_compact(usage, from_plain(CompactionConfig, config))
    if name == "budget_preset":
        return tuckaway.budget.preset(member(given, "preset"), numbers(given.get("total_window")))
    if name == "read_refusal":
        return tuckaway.read_refusal(content_text(member(given, "error")))
    return malformed("there is no call", name)


def _conversation(given: JsonObject) -> Conversation:
    messages = [message for each in given["messages"] for message in written_out(each)]
    tools = [
        {**tool, "definition": json_or_text(tool["definition"])} for tool in elements(given.get("tools"))
    ]
    plain = {
        "messages": [_message(each) for each in messages],
        "tools": tools,
        "usage": numbers(given.get("usage")),
    }
    return from_plain(Conversation, plain)


def written_out(given: Json) -> list[Json]:
    """Returns a message, or the messages that a recipe stands for: ``%`` is replaced by a number in all
    strings."""
    if not isinstance(given, dict) or not isinstance(given.get("each"), list):
        return [given]
    range_of_numbers = range(given["from"], given["to"] + 1)
    return [
        message
        for number in range_of_numbers
        for one in given["each"]
        for message in written_out(_numbered(one, str(number)))
    ]


def _numbered(value: Json, number: str) -> Json:
    if isinstance(value, str):
        return value.replace("%", number)
    if isinstance(value, list):
        return [_numbered(each, number) for each in value]
    if isinstance(value, dict):
        return {name: _numbered(each, number) for name, each in value.items()}
    return value


def _message(given: JsonObject) -> JsonObject:
    tokens = numbers(given.get("tokens"))
    return {**given, "parts": [_part(each) for each in elements(given.get("parts"))], "tokens": tokens}


def _part(part: JsonObject) -> JsonObject:
    if "tool_call" in part:
        call = part["tool_call"]
        return {"tool_call": {**call, "arguments": json_or_text(call["arguments"])}}
    if "tool_result" in part:
        result = part["tool_result"]
        return {"tool_result": {**result, "text": content_text(result["text"])}}
    if "text" in part:
        return {"text": content_text(part["text"])}
    return dict(numbers(part))


async def parse_task(tuckaway: Any, given: Json) -> Any:
    """Parses a task. Windows are 200,000 tokens, and budgets are presets, unless the case specifies them."""
    if given == "account":
        return from_plain(Task, given)
    ((kind, raw),) = objects(given).items()
    # Members that a case writes as null are omitted.
    fields = {name: each for name, each in numbers(raw).items() if each is not None}
    if kind in ("trim", "manage"):
        fields.setdefault("context_window", CONTEXT_WINDOW)
    if kind == "budget":
        fields["config"] = to_plain(await _budget(tuckaway, objects(fields.get("config"))))
    elif "budget" in fields:
        fields["budget"] = to_plain(await _budget(tuckaway, fields["budget"], fields["context_window"]))
    return from_plain(Task, {kind: fields})


async def _budget(tuckaway: Any, given: JsonObject, context_window: int | None = None) -> BudgetConfig:
    """Parses a budget: a preset for its window, whose members the case overrides."""
    members = numbers(given)
    preset = members.pop("preset", "general")
    window = members.get("total_window", context_window)
    try:
        scaled = await settled(tuckaway.budget.preset(preset, window))
    except TuckawayError:
        # The call itself must reject a window that no budget can have.
        scaled = await settled(tuckaway.budget.preset(preset))
    plain = {**to_plain(scaled), **members}
    plain["layers"] = [{"keep_recent_turns": 8, "evict_pct": 70, **layer} for layer in plain["layers"]]
    return from_plain(BudgetConfig, plain)
