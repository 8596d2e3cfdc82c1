"""Tuckaway in agent loops over Anthropic's Messages API.

    tools = [*my_tools, *tool_definitions(tuckaway)]
    while True:
        message = client.messages.create(model=model, max_tokens=4096, messages=messages, tools=tools)
        results = run_tool_calls(tuckaway, message, {"get_log": get_log})
        if not results:
            break
        messages += [{"role": "assistant", "content": message.content}, {"role": "user", "content": results}]

Messages of the model may be objects of the package ``anthropic`` or plain dicts. The functions themselves
need no package.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from .. import StoredMedia
from ._calls import (
    Call,
    Handler,
    Handlers,
    OnError,
    Options,
    Reply,
    ToolResult,
    definitions_as,
    list_of,
    run_calls,
    run_calls_async,
)
from ._common import AnyTuckaway, OnView, Viewed
from ._parts import member

if TYPE_CHECKING:
    from anthropic.types import ToolParam, ToolResultBlockParam

__all__ = [
    "Handler",
    "Handlers",
    "OnError",
    "OnView",
    "ToolResult",
    "Viewed",
    "run_tool_calls",
    "run_tool_calls_async",
    "tool_definitions",
    "used_tokens",
]


def tool_definitions(tuckaway: AnyTuckaway, *, is_final_turn: bool = False) -> list[ToolParam]:
    """Returns the artifact tools, to be passed to the model along with your own tools.

    Pass them with every request, from the first one on. Changing the tool list in the middle of a
    conversation invalidates the provider's prompt cache, which costs more than these short definitions.
    """
    return definitions_as(
        tuckaway,
        lambda tool: {"name": tool.name, "description": tool.description, "input_schema": tool.input_schema},
        is_final_turn,
    )


def run_tool_calls(
    tuckaway: AnyTuckaway,
    message: Any,
    handlers: Handlers,
    *,
    max_bytes: int | None = None,
    on_view: OnView | None = None,
    on_error: OnError | None = None,
) -> list[ToolResultBlockParam]:
    """Runs the tools that the model called in a message. Oversized outputs are replaced with views; calls of
    the artifact tools are answered.

    The outputs of the turn share the headroom; the tokens of the conversation are taken from the message's
    usage. A tool may return a `ToolResult` with blocks (text, images, documents): its texts form one output,
    and all other blocks are passed to the model unchanged. A program that calls a tool in Anthropic's sandbox
    receives the full output. A call that reads a stored image or PDF document is answered with the file.

    Args:
        message: the message that the client returned
        handlers: the tools of the agent by name
        max_bytes: maximum bytes of a reply of an artifact tool; 16,384 if None
        on_view: receives the view of each output, with the name of its tool and the id of its call
        on_error: receives the name of a tool and the error of its failed call

    Returns:
        one ``tool_result`` block for each call, for the content of the next user message; empty if there are
        no calls

    Raises:
        InvalidInputError: if the message is malformed, or a handler has the name of an artifact tool
    """
    options = _options(message, max_bytes, on_view, on_error)
    return _results(run_calls(tuckaway, _calls(message), handlers, options))


async def run_tool_calls_async(
    tuckaway: AnyTuckaway,
    message: Any,
    handlers: Handlers,
    *,
    max_bytes: int | None = None,
    on_view: OnView | None = None,
    on_error: OnError | None = None,
) -> list[ToolResultBlockParam]:
    """Like `run_tool_calls`, with all calls in parallel. Handlers may be coroutine functions; the others run
    in threads."""
    options = _options(message, max_bytes, on_view, on_error)
    return _results(await run_calls_async(tuckaway, _calls(message), handlers, options))


def used_tokens(usage: Any) -> int:
    """Returns the tokens that the conversation takes after a message with this usage record: all input, and
    output.

    >>> used_tokens({"input_tokens": 100, "cache_read_input_tokens": 800, "output_tokens": 50})
    950
    """
    return sum(member(usage, name) or 0 for name in _USAGE)


_USAGE = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")


def _options(
    message: Any, max_bytes: int | None, on_view: OnView | None, on_error: OnError | None
) -> Options:
    return Options(
        used_tokens=used_tokens(member(message, "usage")),
        text_type="text",
        media_part=_media_part,
        max_bytes=max_bytes,
        on_view=on_view,
        on_error=on_error,
    )


def _media_part(media: StoredMedia, data: str) -> dict[str, Any] | str:
    if media.kind == "audio":
        return "It is not played, because a result of Messages cannot contain audio."
    source = {"type": "base64", "media_type": media.media_type, "data": data}
    return {"type": "image" if media.kind == "image" else "document", "source": source}


def _calls(message: Any) -> list[Call]:
    blocks = list_of(member(message, "content"), "message.content")
    return [_call(block) for block in blocks if member(block, "type") == "tool_use"]


def _call(block: Any) -> Call:
    caller = member(block, "caller")
    return Call(
        id=member(block, "id"),
        name=member(block, "name"),
        arguments=member(block, "input"),
        by_program=caller is not None and member(caller, "type") != "direct",
        made=block,
    )


def _results(replies: list[Reply]) -> list[ToolResultBlockParam]:
    return [cast("ToolResultBlockParam", _result(reply)) for reply in replies]


def _result(reply: Reply) -> dict[str, Any]:
    result: dict[str, Any] = {"type": "tool_result", "tool_use_id": reply.call.id, "content": reply.content}
    if reply.is_error:
        result["is_error"] = True
    toolset = member(reply.call.made, "toolset_name")
    return result if toolset is None else {**result, "toolset_name": toolset}
