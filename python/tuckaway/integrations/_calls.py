"""One turn of an agent over a plain client: runs the calls that the model made, and fits their outputs into
the window together."""

from __future__ import annotations

import asyncio
import base64
import inspect
import json
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from .. import Stored, StoredMedia, ToolDefinition, ToolOutput, View
from .._check import invalid
from .._convert import to_json
from ._common import (
    AnyTuckaway,
    OnView,
    Steps,
    Viewed,
    answering,
    answering_with_file,
    definitions,
    notify,
    report,
    require_sync,
    reserve_names,
    run,
    run_any,
)
from ._parts import dict_block, is_list, is_mapping, parts_after, parts_output

T = TypeVar("T")

Handler = Callable[..., Any]
"""A tool of the agent, called with the model's arguments as keywords. They are not checked against any
schema.

Its return value is its output: text or bytes unchanged, None as an empty output, a `ToolResult` as described
there, a path as the bytes of that file, and any other value, including a Pydantic model, as its JSON. If it
raises, the model receives an error.
"""

Handlers = Mapping[str, Handler]
"""The tools of the agent, by the names that the model uses."""

OnError = Callable[[str, Exception], None]
"""Receives the name of a tool and the error of its failed call. Exceptions that it raises are logged."""


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a handler if a plain value is not enough: parts, an error, a stored artifact."""

    content: str | bytes | Stored | Sequence[Mapping[str, Any]]
    """Text, bytes, an artifact in the store, or parts in the provider's format: their texts may be replaced
    by a view, all other parts are preserved."""
    is_error: bool = False
    """Whether the tool reports an error."""
    structured: str | Mapping[str, Any] | None = None
    """The result as JSON, in addition to the content."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call of a tool, as the model made it."""

    id: str
    name: str
    arguments: Any
    """JSON text, the object itself, or any text if it is ``freeform``."""
    freeform: bool = False
    """Whether the tool takes plain text instead of JSON."""
    by_program: bool = False
    """Whether a program in the provider's sandbox made the call. The program reads the whole output, which no
    model sees."""
    made: Any = None
    """The call in the provider's format."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a call, for the model that made it."""

    call: Call
    content: str | list[Any]
    is_error: bool


MediaPart = Callable[[StoredMedia, str], Mapping[str, Any] | str]
"""Returns a stored file, whose bytes it gets as base64, in the provider's format, or a sentence for the model
that says why a result cannot contain it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Options for running the calls of a turn."""

    used_tokens: int
    text_type: str
    """The type of a text part in the provider's format."""
    media_part: MediaPart
    max_bytes: int | None
    on_view: OnView | None
    on_error: OnError | None


def run_calls(
    tuckaway: AnyTuckaway, calls: Sequence[Call], handlers: Handlers, options: Options
) -> list[Reply]:
    """Runs calls one after the other, and makes their views together, so that they share the headroom.

    A call that cannot be run (an unknown tool, arguments that are not a JSON object) or whose tool raises is
    answered with an error; the other calls are not affected.
    """
    require_sync(tuckaway)
    _check(tuckaway, handlers)
    waiting = [name for name, handler in handlers.items() if inspect.iscoroutinefunction(handler)]
    if waiting:
        raise invalid(
            "handlers", f"has {', '.join(waiting)}: asynchronous. Run the calls with the async function."
        )
    results: list[ToolResult] = []
    for call in calls:
        if tuckaway.is_artifact_tool(call.name):
            results.append(run(_answer(tuckaway, call, options)))
            continue
        try:
            results.append(result_of(_started(call, handlers, tuckaway)))
        except Exception as error:
            results.append(_failed(call, error, options))
    return run(_replies(tuckaway, calls, results, options))


async def run_calls_async(
    tuckaway: AnyTuckaway, calls: Sequence[Call], handlers: Handlers, options: Options
) -> list[Reply]:
    """Like `run_calls`, with all calls in parallel. Handlers that are not coroutine functions run in
    threads."""
    _check(tuckaway, handlers)

    async def result(call: Call) -> ToolResult:
        if tuckaway.is_artifact_tool(call.name):
            return await run_any(tuckaway, _answer(tuckaway, call, options))
        try:
            if inspect.iscoroutinefunction(handlers.get(call.name)):
                value = await _started(call, handlers, tuckaway)
            else:
                value = await asyncio.to_thread(_started, call, handlers, tuckaway)
            return result_of(await value if inspect.isawaitable(value) else value)
        except Exception as error:
            return _failed(call, error, options)

    results = await asyncio.gather(*(result(call) for call in calls))
    return await run_any(tuckaway, _replies(tuckaway, calls, results, options))


def definitions_as(
    tuckaway: AnyTuckaway, shape: Callable[[ToolDefinition], T], is_final_turn: bool
) -> list[T]:
    """Returns the artifact tools in a provider's format; no tools in the final turn."""
    return [] if is_final_turn else [shape(definition) for definition in definitions(tuckaway)]


def list_of(value: Any, path: str) -> list[Any]:
    """Returns a list in the model's reply.

    Raises:
        InvalidInputError: if it is missing, which means that the reply is incomplete
    """
    if not is_list(value):
        raise invalid(
            path,
            "is not a list. Pass the model's whole reply as the client returned it; for a stream, the final "
            "one.",
        )
    return value


def result_of(value: Any) -> ToolResult:
    """Converts a handler's return value to a result.

    Raises:
        TypeError: if JSON cannot represent it
    """
    if isinstance(value, ToolResult):
        return value
    if isinstance(value, (str, bytes)):
        return ToolResult(value)
    if isinstance(value, (bytearray, memoryview)):
        return ToolResult(bytes(cast("bytearray", value)))
    if isinstance(value, os.PathLike):
        with open(cast("os.PathLike[str]", value), "rb") as file:
            return ToolResult(file.read())
    if hasattr(value, "model_dump_json"):
        return ToolResult(value.model_dump_json())
    return ToolResult("" if value is None else to_json(value))


def _check(tuckaway: AnyTuckaway, handlers: Handlers) -> None:
    reserve_names(tuckaway, handlers, "handlers")
    uncallable = [name for name, handler in handlers.items() if not callable(cast(object, handler))]
    if uncallable:
        raise invalid("handlers", f"has {', '.join(uncallable)}: a tool must be a function.")


def _answer(tuckaway: AnyTuckaway, call: Call, options: Options) -> Steps[ToolResult]:
    given: Any = call.arguments
    arguments: Any = given if isinstance(given, str) else given or {}
    if call.by_program:
        # A program reads text only.
        reply = yield from answering(tuckaway, call.name, arguments, options.max_bytes)
        return ToolResult(reply.text, is_error=reply.is_error)
    reply, data = yield from answering_with_file(tuckaway, call.name, arguments, options.max_bytes)
    if reply.media is None or data is None:
        return ToolResult(reply.text, is_error=reply.is_error)
    part = options.media_part(reply.media, base64.b64encode(data).decode())
    if isinstance(part, str):
        return ToolResult(f"{reply.text} {part}")
    return ToolResult([{"type": options.text_type, "text": reply.text}, part])


def _failed(call: Call, error: Exception, options: Options) -> ToolResult:
    notify(options.on_error, call.name, error)
    return ToolResult(f"{type(error).__name__}: {error}", is_error=True)


def _started(call: Call, handlers: Handlers, tuckaway: AnyTuckaway) -> Any:
    handler = handlers.get(call.name)
    if handler is None:
        names = ", ".join([*handlers, *(each.name for each in definitions(tuckaway))])
        raise LookupError(f"there is no tool {call.name!r}. The tools are: {names}.")
    return handler(call.arguments) if call.freeform else handler(**_arguments(call.arguments))


def _arguments(given: Any) -> Mapping[str, Any]:
    """Parses the arguments of a call. For a tool without arguments, models send an empty text; some servers
    send the parsed object."""
    if given is None or given == "":
        return {}
    parsed: Any = given
    if isinstance(given, str):
        try:
            parsed = json.loads(given)
        except ValueError as error:
            advice = "Call the tool again with a JSON object."
            raise ValueError(f"the arguments are not valid JSON ({error}). {advice}") from error
    if not is_mapping(parsed):
        raise ValueError("the arguments are not a JSON object. Call the tool again with one.")
    return parsed


def _replies(
    tuckaway: AnyTuckaway, calls: Sequence[Call], results: Sequence[ToolResult], options: Options
) -> Steps[list[Reply]]:
    seen = [
        index
        for index, call in enumerate(calls)
        if not call.by_program or isinstance(results[index].content, Stored)
    ]
    outputs = [_output_of(calls[index].name, results[index]) for index in seen]
    made: list[View] = yield lambda: tuckaway.process_turn(outputs, used_tokens=options.used_tokens)
    views = dict(zip(seen, made, strict=True))
    replies: list[Reply] = []
    for index, (call, result) in enumerate(zip(calls, results, strict=True)):
        view = views.get(index)
        if view is None:
            content = _whole(result.content)
        else:
            report(tuckaway, options.on_view, Viewed(call.name, call.id, view))
            content = _shown(result, view, options.text_type)
        replies.append(Reply(call, content, result.is_error))
    return replies


def _output_of(tool: str, result: ToolResult) -> ToolOutput:
    content = result.content
    if isinstance(content, (str, bytes, Stored)):
        return ToolOutput.of(content, tool=tool, is_error=result.is_error, structured=result.structured)
    output = parts_output(tool, content, dict_block, is_error=result.is_error)
    return ToolOutput(tool=tool, is_error=result.is_error, blocks=output.blocks, structured=result.structured)


def _shown(result: ToolResult, view: View, text_type: str) -> str | list[Any]:
    content = result.content
    if isinstance(content, (str, bytes, Stored)):
        return view.text
    if view.decision.action == "inline" and result.structured is None:
        return list(content)
    shown = parts_after(content, view, dict_block, lambda text: {"type": text_type, "text": text})
    return view.text if len(shown) == 1 else list(shown)


def _whole(content: Any) -> str | list[Any]:
    """Returns content for a program, which reads all of it."""
    if isinstance(content, bytes):
        return content.decode(errors="replace")
    return content if isinstance(content, str) else list(content)
