"""Makes the calls for extractions, from a case's input."""

from __future__ import annotations

from typing import Any

from tuckaway import TuckawayError
from tuckaway._convert import from_plain, to_plain
from tuckaway.extraction import ExtractionConfig, ExtractionEvent, ExtractionStep, Question

from .content import content_text, json_or_text
from .notation import Json, JsonObject, elements, malformed, member, numbers, objects, plain_error
from .waiting import settled

CONTEXT_TOKENS = 200_000
"""The context window of the model, unless a case specifies it."""

EXTRACTION_CALLS = frozenset(["extraction_config", "parse_call", "estimate", "start", "step", "extract"])
"""The calls of `extraction`."""


async def extraction(tuckaway: Any, name: str, given: JsonObject) -> Any:
    """Makes the call with this name."""
    if name == "extraction_config":
        return await settled(tuckaway.extraction.defaults(numbers(member(given, "context_tokens"))))
    if name == "parse_call":
        return await settled(tuckaway.extraction.parse_call(json_or_text(member(given, "arguments"))))
    if name == "estimate":
        return await settled(tuckaway.extraction.estimate(_question(given), await _config(tuckaway, given)))
    if name == "start":
        return await _start(tuckaway, given)
    if name == "step":
        return await _step(tuckaway, content_text(member(given, "state")), _event(member(given, "event")))
    return await _run_all(tuckaway, given)


async def _start(tuckaway: Any, given: JsonObject) -> ExtractionStep:
    step: ExtractionStep = await settled(
        tuckaway.extraction.start(_question(given), await _config(tuckaway, given))
    )
    return step


async def _step(tuckaway: Any, state: str, event: Any) -> ExtractionStep:
    step: ExtractionStep = await settled(tuckaway.extraction.step(state, event))
    return step


def _question(given: JsonObject) -> Question:
    """Parses the question, which is ``the errors`` unless the case specifies it."""
    question = member(given, "question")
    parsers = {"tool_arguments": json_or_text}
    fields = {name: parsers.get(name, content_text)(each) for name, each in question.items()}
    return Question(**{"extract": "the errors", **fields})


async def _config(tuckaway: Any, given: JsonObject) -> ExtractionConfig:
    """Parses the configuration: changes to the defaults for its window."""
    changes = numbers(objects(given.get("config")))
    try:
        defaults = await settled(tuckaway.extraction.defaults(changes.get("context_tokens", CONTEXT_TOKENS)))
    except TuckawayError:
        # The call itself must reject a window that is too small.
        defaults = await settled(tuckaway.extraction.defaults(CONTEXT_TOKENS))
    return from_plain(ExtractionConfig, {**to_plain(defaults), **changes})


def _event(event: Json, nonce: str | None = None) -> Any:
    """Parses an event. ``answer`` is put into the wrapper with the question's nonce."""
    if event in ("resume", "cancel"):
        return from_plain(ExtractionEvent, event)
    if "failed" in event:
        why = content_text(event.get("why", "The model's API failed."))
        return from_plain(ExtractionEvent, {"failed": {"request": content_text(event["failed"]), "why": why}})
    said = content_text(event.get("text", ""))
    if "answer" in event:
        marker = f"ai-agent-{nonce}-FINAL"
        said = f'<{marker} format="text">\n{content_text(event["answer"])}\n</{marker}>'
    # Members without a value have the package's defaults.
    usage = {
        name: numbers(event[name]) for name in ("stop", "input_tokens", "output_tokens") if name in event
    }
    reply = {"turn": {"text": said, "calls": [_call(each) for each in elements(event.get("calls"))]}, **usage}
    return from_plain(
        ExtractionEvent, {"reply": {"request": content_text(member(event, "reply")), "reply": reply}}
    )


def _call(call: JsonObject) -> JsonObject:
    texts = {name: content_text(member(call, name)) for name in ("id", "name")}
    return {**texts, "arguments": json_or_text(member(call, "arguments"))}


async def _run_all(tuckaway: Any, given: JsonObject) -> JsonObject:
    """Starts an extraction and passes the events of the case, one after the other."""
    step = await _start(tuckaway, given)
    steps: list[JsonObject] = [{"requests": step.requests}]
    nonce = given["question"].get("nonce")
    for event in elements(given.get("events")):
        if step.answer is not None:
            malformed("this comes after the answer", event)
        is_changed = isinstance(event, dict) and "state" in event
        state = _changed(step.state, event["state"]) if is_changed else step.state
        try:
            step = await _step(tuckaway, state, _event(event, nonce))
            steps.append({"requests": step.requests})
        except TuckawayError as error:
            # After an error the state is still valid.
            steps.append({"error": plain_error(error)})
    return {"steps": steps, "answer": step.answer}


def _changed(state: str, change: Json) -> str:
    """Returns a modified state: bytes cut off at its end, a text replaced by another, or another state."""
    if isinstance(change, dict) and "cut" in change:
        content = state.encode()
        return content[: max(len(content) - change["cut"], 0)].decode()
    if isinstance(change, dict) and "replace" in change:
        before = content_text(change["replace"])
        if before not in state:
            malformed("the state does not contain", before)
        return state.replace(before, content_text(change["by"]), 1)
    return content_text(change)
