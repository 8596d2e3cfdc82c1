"""Tuckaway in agent loops over OpenAI's Chat Completions and Responses, and compatible APIs.

    tools = [*my_tools, *chat_tool_definitions(tuckaway)]
    while True:
        completion = client.chat.completions.create(model=model, messages=messages, tools=tools)
        replies = run_chat_tool_calls(tuckaway, completion, {"get_log": get_log})
        if not replies:
            break
        messages += [completion.choices[0].message, *replies]

Replies of the model may be objects of the package ``openai`` or plain dicts. The functions themselves need no
package.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from .. import StoredMedia
from ._calls import (
    Call,
    Handler,
    Handlers,
    MediaPart,
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
    from openai.types.chat import ChatCompletionToolMessageParam, ChatCompletionToolParam
    from openai.types.responses import FunctionToolParam
    from openai.types.responses.response_input_param import ResponseInputItemParam

__all__ = [
    "Handler",
    "Handlers",
    "OnError",
    "OnView",
    "ToolResult",
    "Viewed",
    "chat_tool_definitions",
    "responses_tool_definitions",
    "run_chat_tool_calls",
    "run_chat_tool_calls_async",
    "run_responses_tool_calls",
    "run_responses_tool_calls_async",
    "used_tokens",
]


def chat_tool_definitions(
    tuckaway: AnyTuckaway, *, is_final_turn: bool = False
) -> list[ChatCompletionToolParam]:
    """Returns the artifact tools in the format of Chat Completions, to be passed to the model along with your
    own tools.

    Pass them with every request, from the first one on. Changing the tool list in the middle of a
    conversation invalidates the provider's prompt cache, which costs more than these short definitions.
    """
    return definitions_as(
        tuckaway,
        lambda tool: {
            "type": "function",
            "function": {"name": tool.name, "description": tool.description, "parameters": tool.input_schema},
        },
        is_final_turn,
    )


def responses_tool_definitions(
    tuckaway: AnyTuckaway, *, is_final_turn: bool = False
) -> list[FunctionToolParam]:
    """Like `chat_tool_definitions`, in the format of Responses."""
    return definitions_as(
        tuckaway,
        lambda tool: {
            "type": "function",
            "name": tool.name,
            "description": tool.description,
            "parameters": tool.input_schema,
            # Responses is strict by default, and a strict schema cannot have optional arguments.
            "strict": False,
        },
        is_final_turn,
    )


def run_chat_tool_calls(
    tuckaway: AnyTuckaway,
    completion: Any,
    handlers: Handlers,
    *,
    max_bytes: int | None = None,
    on_view: OnView | None = None,
    on_error: OnError | None = None,
) -> list[ChatCompletionToolMessageParam]:
    """Runs the tools that the model called in a completion. Oversized outputs are replaced with views; calls
    of the artifact tools are answered.

    The outputs of the turn share the headroom; the tokens of the conversation are taken from the completion's
    usage. The API has no error field. If a tool failed, the text starts with the exception's name. Chat
    Completions accepts only text parts in a tool message, so a call that reads a stored image is answered
    with a description; for images, use Responses.

    Args:
        completion: the completion that the client returned; only the first choice is used
        handlers: the tools of the agent by name
        max_bytes: maximum bytes of a reply of an artifact tool; 16,384 if None
        on_view: receives the view of each output, with the name of its tool and the id of its call
        on_error: receives the name of a tool and the error of its failed call

    Returns:
        one ``tool`` message for each call, to be added after the assistant's message; empty if there are no
        calls

    Raises:
        InvalidInputError: if the completion is malformed, or a handler has the name of an artifact tool
    """
    options = _options(completion, _CHAT, max_bytes, on_view, on_error)
    return _chat_messages(run_calls(tuckaway, _chat_calls(completion), handlers, options))


async def run_chat_tool_calls_async(
    tuckaway: AnyTuckaway,
    completion: Any,
    handlers: Handlers,
    *,
    max_bytes: int | None = None,
    on_view: OnView | None = None,
    on_error: OnError | None = None,
) -> list[ChatCompletionToolMessageParam]:
    """Like `run_chat_tool_calls`, with all calls in parallel. Handlers may be coroutine functions; the others
    run in threads."""
    options = _options(completion, _CHAT, max_bytes, on_view, on_error)
    return _chat_messages(await run_calls_async(tuckaway, _chat_calls(completion), handlers, options))


def run_responses_tool_calls(
    tuckaway: AnyTuckaway,
    response: Any,
    handlers: Handlers,
    *,
    max_bytes: int | None = None,
    on_view: OnView | None = None,
    on_error: OnError | None = None,
) -> list[ResponseInputItemParam]:
    """Runs the tools that the model called in a response, like `run_chat_tool_calls`.

    A tool may return a `ToolResult` with parts (``input_text``, ``input_image``, ``input_file``): its texts
    form one output, and all other parts are passed to the model unchanged. A program that calls a tool in
    OpenAI's sandbox receives the full output. A call that reads a stored image or PDF document is answered
    with the file.

    Returns:
        one item for each call, for the input of the next request; empty if there are no calls
    """
    options = _options(response, _RESPONSES, max_bytes, on_view, on_error)
    return _responses_items(run_calls(tuckaway, _responses_calls(response), handlers, options))


async def run_responses_tool_calls_async(
    tuckaway: AnyTuckaway,
    response: Any,
    handlers: Handlers,
    *,
    max_bytes: int | None = None,
    on_view: OnView | None = None,
    on_error: OnError | None = None,
) -> list[ResponseInputItemParam]:
    """Like `run_responses_tool_calls`, with all calls in parallel."""
    options = _options(response, _RESPONSES, max_bytes, on_view, on_error)
    return _responses_items(await run_calls_async(tuckaway, _responses_calls(response), handlers, options))


def used_tokens(usage: Any) -> int:
    """Returns the tokens that the conversation takes after a reply with this usage record, of either API:
    input plus output, or the total if one of them is missing.

    >>> used_tokens({"prompt_tokens": 900, "completion_tokens": 100, "total_tokens": 1_000})
    1000
    >>> used_tokens(None)
    0
    """
    first = [_count(usage, name) for name in ("prompt_tokens", "input_tokens")]
    second = [_count(usage, name) for name in ("completion_tokens", "output_tokens")]
    read = next((count for count in first if count is not None), None)
    written = next((count for count in second if count is not None), None)
    if read is None or written is None:
        return _count(usage, "total_tokens") or (read or 0) + (written or 0)
    return read + written


def _count(usage: Any, name: str) -> int | None:
    count = member(usage, name)
    return count if isinstance(count, int) else None


@dataclass(frozen=True, slots=True)
class _Api:
    text_type: str
    media_part: MediaPart


def _no_part(_: StoredMedia, __: str) -> str:
    return "It is not shown, because a result of Chat Completions can only contain text."


def _responses_part(media: StoredMedia, data: str) -> dict[str, str] | str:
    if media.kind == "audio":
        return "It is not played, because a result of Responses cannot contain audio."
    url = f"data:{media.media_type};base64,{data}"
    if media.kind == "image":
        return {"type": "input_image", "image_url": url}
    return {"type": "input_file", "filename": f"{media.artifact_id}.pdf", "file_data": url}


_CHAT = _Api("text", _no_part)
_RESPONSES = _Api("input_text", _responses_part)


def _options(
    reply: Any, api: _Api, max_bytes: int | None, on_view: OnView | None, on_error: OnError | None
) -> Options:
    return Options(
        used_tokens=used_tokens(member(reply, "usage")),
        text_type=api.text_type,
        media_part=api.media_part,
        max_bytes=max_bytes,
        on_view=on_view,
        on_error=on_error,
    )


def _chat_calls(completion: Any) -> list[Call]:
    choices = list_of(member(completion, "choices"), "completion.choices")
    if not choices:
        return []
    made = list_of(
        member(member(choices[0], "message"), "tool_calls") or [], "completion.choices[0].message.tool_calls"
    )
    return [_chat_call(call) for call in made]


def _chat_call(call: Any) -> Call:
    if member(call, "type") == "custom":
        custom = member(call, "custom")
        return Call(
            id=member(call, "id"),
            name=member(custom, "name"),
            arguments=member(custom, "input"),
            freeform=True,
        )
    function = member(call, "function")
    return Call(id=member(call, "id"), name=member(function, "name"), arguments=member(function, "arguments"))


def _chat_messages(replies: list[Reply]) -> list[ChatCompletionToolMessageParam]:
    return [{"role": "tool", "tool_call_id": reply.call.id, "content": reply.content} for reply in replies]


_CALLS = {"function_call": "function_call_output", "custom_tool_call": "custom_tool_call_output"}


def _responses_calls(response: Any) -> list[Call]:
    items = list_of(member(response, "output"), "response.output")
    return [_responses_call(item) for item in items if member(item, "type") in _CALLS]


def _responses_call(item: Any) -> Call:
    freeform = member(item, "type") == "custom_tool_call"
    return Call(
        id=member(item, "call_id"),
        name=member(item, "name"),
        arguments=member(item, "input" if freeform else "arguments"),
        freeform=freeform,
        by_program=member(member(item, "caller"), "type") == "program",
        made=item,
    )


def _responses_items(replies: list[Reply]) -> list[ResponseInputItemParam]:
    return [cast("ResponseInputItemParam", _responses_item(reply)) for reply in replies]


def _responses_item(reply: Reply) -> dict[str, Any]:
    made = reply.call.made
    item = {"type": _CALLS[member(made, "type")], "call_id": reply.call.id, "output": reply.content}
    caller = member(made, "caller")
    if caller is not None:
        item["caller"] = caller.model_dump(exclude_none=True) if hasattr(caller, "model_dump") else caller
    return item
