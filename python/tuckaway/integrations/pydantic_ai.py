"""Tuckaway in agents of Pydantic AI:

    agent = Agent(model, tools=tools, capabilities=[TuckawayCapability(AsyncTuckaway())])

It needs the package ``pydantic-ai`` or ``pydantic-ai-slim``: ``pip install 'tuckaway[pydantic-ai]'``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, NoReturn, TypeGuard

from .. import AsyncTuckaway, Block, ToolDefinition
from ..conversation import SummaryRequest, Task
from ._common import (
    AnyTuckaway,
    OnView,
    Reducer,
    Viewed,
    missing,
    recovering,
    reserve_names,
    run_any,
)
from ._parts import is_passed_on, media, parts_after, parts_output

try:
    from pydantic_ai import FunctionToolset, RunContext, Tool, ToolReturn
    from pydantic_ai.capabilities import AbstractCapability, WrapToolExecuteHandler
    from pydantic_ai.exceptions import ToolFailed, ToolFailedError, ToolRetryError
    from pydantic_ai.messages import ModelMessage, ModelResponse, ToolCallPart, ToolReturnPart
    from pydantic_ai.models import Model as AgentModel
    from pydantic_ai.models import ModelRequestContext
    from pydantic_ai.tools import ToolDefinition as AgentToolDefinition
    from pydantic_ai.toolsets import AgentToolset
except ImportError as error:
    raise missing("pydantic-ai", error) from error

from ._pydantic_history import items_of, memory_of, messages_of, with_memory

__all__ = ["OnView", "TuckawayCapability", "Viewed"]

_OWN = {"tuckaway": True}
"""Metadata of the artifact tools, which no model sees. It distinguishes them from foreign tools of the same
name."""


@dataclass(init=False)
class TuckawayCapability(AbstractCapability[Any]):
    """Replaces oversized tool outputs with views, and adds the artifact tools to the agent.

    Values are measured as the model would see them: text unchanged, everything else as its JSON. Binary
    content and URLs are preserved. In a `ToolReturn`, ``return_value`` and ``content`` are replaced,
    ``metadata`` and ``tools`` are preserved. A message that asks for a retry, or reports a failure, still
    does. An output that passes is the same object.

    Calls of one turn share the headroom in the order in which they finish. The tokens of the conversation are
    taken from the model's last report. A `tuckaway.Tuckaway` runs in a thread.

    Args:
        tuckaway: stores the outputs, and answers the artifact tools
        max_bytes: maximum bytes of a reply of an artifact tool; 16,384 if None
        on_view: receives the view of each output, with the name of its tool and the id of its call
        manage: whether the history is kept within the window before each request to the model, or the task
            to plan; the messages of the run are then replaced, and a request that the provider refuses
            because of its size is made once more. What later calls must know of earlier ones is in the
            metadata of messages, which no model sees.
        summarize: writes the summaries of the history, as for `Tuckaway.manage_history`; an async function
            needs a `tuckaway.AsyncTuckaway`

    Raises:
        InvalidInputError: when the agent runs, if a tool has the name of an artifact tool
    """

    def __init__(
        self,
        tuckaway: AnyTuckaway,
        *,
        max_bytes: int | None = None,
        on_view: OnView | None = None,
        manage: bool | Task = False,
        summarize: Callable[[SummaryRequest], Any] | None = None,
    ) -> None:
        self._manage, self._summarize = manage, summarize
        self._reducer = Reducer(tuckaway, max_bytes=max_bytes, on_view=on_view)
        tools = [_artifact_tool(self._reducer, each) for each in self._reducer.definitions]
        self._toolset = FunctionToolset[Any](tools, metadata=_OWN)

    def get_toolset(self) -> AgentToolset[Any] | None:
        """Returns the artifact tools."""
        return self._toolset

    async def before_model_request(
        self, ctx: RunContext[Any], request_context: ModelRequestContext
    ) -> ModelRequestContext:
        """Keeps the history within the window."""
        if self._manage is not False:
            managed = await self._managed(request_context.messages, request_context.model)
            request_context.messages = managed
            ctx.messages[:] = managed
        return request_context

    async def on_model_request_error(
        self, ctx: RunContext[Any], *, request_context: ModelRequestContext, error: Exception
    ) -> ModelResponse:
        """Shortens a history that the provider refused because of its size, and asks once more. The request
        is made here, because another attempt of Pydantic AI would send the same messages."""
        if self._manage is False:
            raise error
        messages = request_context.messages
        arguments, tuckaway = self._managing(messages, request_context.model), self._reducer.tuckaway
        managed = await run_any(tuckaway, recovering(tuckaway, arguments, error))
        if managed is None:
            raise error
        shorter = with_memory(messages_of(managed.history["messages"], messages), managed.memory)
        ctx.messages[:] = shorter
        settings, parameters = request_context.model_settings, request_context.model_request_parameters
        return await request_context.model.request(shorter, settings, parameters)

    async def _managed(self, messages: Sequence[ModelMessage], model: AgentModel) -> list[ModelMessage]:
        arguments, tuckaway = self._managing(messages, model), self._reducer.tuckaway
        if isinstance(tuckaway, AsyncTuckaway):
            managed = await tuckaway.manage_history(**arguments)
        else:
            managed = await asyncio.to_thread(lambda: tuckaway.manage_history(**arguments))
        return with_memory(messages_of(managed.history["messages"], messages), managed.memory)

    def _managing(self, messages: Sequence[ModelMessage], model: AgentModel) -> dict[str, Any]:
        """Returns the arguments of `Tuckaway.manage_history`."""
        usages = (each.usage for each in reversed(messages) if isinstance(each, ModelResponse))
        usage = next(usages, None)
        return {
            "history": {"model": model.model_name, "messages": items_of(messages)},
            "task": None if self._manage is True else self._manage,
            "format": "neutral",
            "memory": memory_of(messages),
            "usage": usage and {"input_tokens": usage.input_tokens, "output_tokens": usage.output_tokens},
            "summarize": self._summarize,
        }

    async def prepare_tools(
        self,
        ctx: RunContext[Any],  # noqa: ARG002
        tool_defs: list[AgentToolDefinition],
    ) -> list[AgentToolDefinition]:
        """Rejects foreign tools with the name of an artifact tool before the model sees them."""
        reserve_names(self._reducer.tuckaway, (each.name for each in tool_defs if not _is_own(each)))
        return tool_defs

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Any],
        *,
        call: ToolCallPart,
        tool_def: AgentToolDefinition,
        args: dict[str, Any],
        handler: WrapToolExecuteHandler,
    ) -> Any:
        """Replaces the output of a tool if it is too large."""
        try:
            result = await handler(args)
        except (ToolRetryError, ToolFailedError) as error:
            await self._raise_reduced(ctx, call, error)
        if _is_own(tool_def):
            self._reducer.account(str(result), _turn_of(ctx))
            return result
        # The framework itself reads results of special tools, such as tool search.
        if tool_def.tool_kind is not None:
            return result
        if _is_tool_return(result):
            return await self._reduced_return(ctx, call, result)
        return await self._reduced(ctx, call, result)

    async def _reduced_return(
        self, ctx: RunContext[Any], call: ToolCallPart, result: ToolReturn[Any]
    ) -> ToolReturn[Any]:
        value = await self._reduced(ctx, call, result.return_value)
        content = result.content
        if content is not None:
            given = content if isinstance(content, str) else list(content)
            shown = await self._reduced(ctx, call, given)
            content = content if shown is given else shown
        if value is result.return_value and content is result.content:
            return result
        return replace(result, return_value=value, content=content)

    async def _raise_reduced(
        self, ctx: RunContext[Any], call: ToolCallPart, error: ToolRetryError | ToolFailedError
    ) -> NoReturn:
        part = error.tool_retry if isinstance(error, ToolRetryError) else error.tool_failed
        if not isinstance(part, ToolReturnPart):
            raise error
        content = await self._reduced(ctx, call, part.content, is_error=True)
        if content is part.content:
            raise error
        raise type(error)(replace(part, content=content)) from error

    async def _reduced(
        self, ctx: RunContext[Any], call: ToolCallPart, value: Any, *, is_error: bool = False
    ) -> Any:
        """Returns the model's view of a value: the same object if it passes."""
        items = _items_of(call, value)
        output = parts_output(call.tool_name, items, _block_of, is_error=is_error)
        view = await self._reducer.view_async(output, _turn_of(ctx), _used_tokens(ctx), call.tool_call_id)
        if view.decision.action == "inline":
            return value
        shown = parts_after(items, view, _block_of, str)
        return view.text if len(shown) == 1 else shown


def _artifact_tool(reducer: Reducer, definition: ToolDefinition) -> Tool[Any]:
    async def answer(**arguments: Any) -> str:
        reply = await reducer.answer_async(definition.name, arguments)
        if reply.is_error:
            raise ToolFailed(reply.text)
        return reply.text

    # Type checkers cannot infer what its method returns.
    untyped: Any = Tool
    tool: Tool[Any] = untyped.from_schema(
        answer, definition.name, definition.description, definition.input_schema
    )
    return tool


def _is_tool_return(result: object) -> TypeGuard[ToolReturn[Any]]:
    return isinstance(result, ToolReturn)


def _is_own(tool: AgentToolDefinition) -> bool:
    return (tool.metadata or {}).items() >= _OWN.items()


def _items_of(call: ToolCallPart, value: Any) -> Sequence[Any]:
    """Returns the texts of a value, and its files, as the model would receive them."""
    part = ToolReturnPart(tool_name=call.tool_name, content=value, tool_call_id=call.tool_call_id)
    return part.content_items(mode="str")


def _block_of(item: Any) -> Block | None:
    if isinstance(item, str):
        return Block(item)
    media_type = getattr(item, "media_type", None)
    return media(media_type) if is_passed_on(media_type) else None


def _turn_of(ctx: RunContext[Any]) -> tuple[str | None, int]:
    return ctx.run_id, ctx.run_step


def _used_tokens(ctx: RunContext[Any]) -> int:
    for message in reversed(ctx.messages):
        if isinstance(message, ModelResponse):
            return message.usage.input_tokens + message.usage.output_tokens
    return 0
