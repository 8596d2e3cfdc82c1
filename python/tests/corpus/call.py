"""Makes calls through the public interface from a case's input, and returns the answers as in case files."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tuckaway import (
    AsyncTuckaway,
    Block,
    Policy,
    Stored,
    ToolOutput,
    ToolOverride,
    Tuckaway,
    TuckawayError,
)
from tuckaway._convert import to_plain

from .content import content_bytes, content_text, is_recipe
from .extraction import EXTRACTION_CALLS, extraction
from .histories import HISTORY_CALLS, histories
from .notation import Json, JsonObject, elements, malformed, member, numbers, objects, plain_error
from .planning import PLANNING_CALLS, planning
from .waiting import settled

AnyTuckaway = Tuckaway | AsyncTuckaway


async def answer(tuckaway: AnyTuckaway, name: str, given: JsonObject) -> JsonObject:
    """Makes a call. Returns its record as ``expect`` or its error as ``error``. Others are bugs."""
    try:
        return {"expect": to_plain(await call(tuckaway, name, given))}
    except TuckawayError as error:
        return {"error": plain_error(error)}


async def call(tuckaway: Any, name: str, given: JsonObject) -> Any:
    """Makes the call with this name and returns its answer."""
    if name in EXTRACTION_CALLS:
        return await extraction(tuckaway, name, given)
    if name in HISTORY_CALLS:
        return await histories(tuckaway, name, given)
    if name in PLANNING_CALLS:
        return await planning(tuckaway, name, given)
    groups = {
        _offload: ("decide", "process", "process_turn"),
        _grep: ("grep", "grep_all"),
        _query: ("read", "jq"),
    }
    ask = next((ask for ask, names in groups.items() if name in names), _other)
    return await settled(ask(tuckaway, name, given))


def outputs_of(name: str, given: JsonObject) -> list[bytes]:
    """Returns the bytes of each output of the input, with its blocks concatenated."""
    outputs = given["outputs"] if name == "process_turn" else [given["output"]] if "output" in given else []
    return [b"".join(map(_block_bytes, output.get("blocks", [output]))) for output in outputs]


def _block_bytes(block: JsonObject) -> bytes:
    return b"" if "stored" in block else content_bytes(block.get("text", block.get("bytes")))


def _offload(tuckaway: Any, name: str, given: JsonObject) -> Any:
    is_turn = name == "process_turn"
    what = [_output(each) for each in given["outputs"]] if is_turn else _output(member(given, "output"))
    return getattr(tuckaway, name)(what, **_turn(given), policy=_policy(given))


def _other(tuckaway: Any, name: str, given: JsonObject) -> Any:
    calls: dict[str, Callable[[], Any]] = {
        "infer_shape": lambda: tuckaway.infer_shape(_text_or_bytes(given), **_max_bytes(given)),
        "truncate": lambda: tuckaway.truncate(_text_or_bytes(given), numbers(member(given, "max_bytes"))),
        "list_artifacts": tuckaway.list_artifacts,
        "definitions": lambda: tuckaway.tool_definitions(
            dialect=given.get("dialect", "artifact"),
            tools=member(given, "tools"),
            is_final_turn=given.get("is_final_turn") is True,
            is_detailed=given.get("is_detailed") is True,
        ),
        "default_policy": lambda: tuckaway.default_policy(given.get("dialect", "artifact")),
        "call": lambda: tuckaway.call_tool(
            content_text(member(given, "name")), _arguments(member(given, "arguments")), **_max_bytes(given)
        ),
    }
    return calls[name]() if name in calls else malformed("there is no call", name)


def _grep(tuckaway: Any, name: str, given: JsonObject) -> Any:
    """Searches an artifact, or all. The fields of the query are members of the input itself."""
    fields = _fields(given)
    words = [content_text(fields.pop("pattern", None))]
    if name == "grep":
        words.insert(0, content_text(member(given, "id")))
    arguments = numbers_of_query(fields)
    return getattr(tuckaway, name)(*words, **arguments, **_max_bytes(given))


def _fields(given: JsonObject) -> JsonObject:
    """Returns the fields of a query."""
    return {key: each for key, each in given.items() if key not in ("id", "of", "max_bytes")}


def _query(tuckaway: Any, name: str, given: JsonObject) -> Any:
    """Makes another query on an artifact. Its fields are members of the input itself."""
    fields = _fields(given)
    artifact, limit = content_text(member(given, "id")), _max_bytes(given)
    if name == "read":
        return tuckaway.read(artifact, **_range(fields.pop("range", {})), **fields, **limit)
    if "variables" in fields:
        fields["variables"] = {each["name"]: each["artifact"] for each in fields["variables"]}
    return tuckaway.jq(
        artifact, content_text(fields.pop("filter", None)), **numbers_of_query(fields), **limit
    )


def numbers_of_query(fields: JsonObject) -> JsonObject:
    """Returns the fields of a query, with large numbers converted; a cursor may consist of digits, but is not
    a number."""
    return {name: each if name == "cursor" else numbers(each) for name, each in fields.items()}


def _range(given: JsonObject) -> JsonObject:
    """Returns the arguments for the part to read."""
    if "cursor" in given:
        return {"cursor": content_text(given["cursor"])}
    ends = ("start", "end")
    parts = numbers(given)
    return {
        name: tuple(member(part, end) for end in ends) if isinstance(part, dict) else part
        for name, part in parts.items()
    }


def _output(value: Json) -> ToolOutput:
    output = objects(value)
    return ToolOutput(
        tool=content_text(output.get("tool", "tool")),
        is_error=output.get("is_error") is True,
        blocks=[_block(each) for each in output.get("blocks", [output])],
        structured=content_text(output["structured"]) if "structured" in output else None,
    )


def _block(block: JsonObject) -> Block:
    media_type = content_text(block["media_type"]) if "media_type" in block else None
    if "text" in block:
        return Block(content_text(block["text"]), media_type)
    if "bytes" in block:
        return Block(content_bytes(block["bytes"]), media_type)
    return Block(Stored(content_text(member(block, "stored"))), media_type)


def _turn(given: JsonObject) -> JsonObject:
    """Returns the arguments that describe the turn. Omitted ones have the package's defaults."""
    return dict(numbers(objects(given.get("turn"))))


def _policy(given: JsonObject) -> Policy | None:
    if "policy" not in given:
        return None
    fields = numbers(given["policy"])
    overrides = fields.pop("overrides", [])
    if isinstance(overrides, dict):
        # `repeat` and `times` stand for many overrides.
        overrides = [overrides["repeat"]] * overrides["times"]
    parsed = [ToolOverride(**{**each, "tools": content_text(each["tools"])}) for each in elements(overrides)]
    return Policy(**fields, overrides=parsed)


def _arguments(value: Json) -> Any:
    """Returns arguments as an object, as a provider parses them, or as a text if they are a recipe."""
    return value if isinstance(value, dict) and not is_recipe(value) else content_text(value)


def _text_or_bytes(given: JsonObject) -> str | bytes:
    """Returns the content to reduce: ``text``, or ``bytes`` of any kind."""
    return content_bytes(given["bytes"]) if "bytes" in given else content_text(member(given, "text"))


def _max_bytes(given: JsonObject) -> JsonObject:
    return {"max_bytes": numbers(given["max_bytes"])} if "max_bytes" in given else {}
