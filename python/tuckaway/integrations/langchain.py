"""Tuckaway in agents of LangChain and deepagents:

    agent = create_agent(model, tools, middleware=[TuckawayMiddleware(Tuckaway())])
    agent = create_deep_agent(model, tools, middleware=[TuckawayMiddleware(Tuckaway())])

It needs the package ``langchain``: ``pip install 'tuckaway[langchain]'``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any, TypeGuard

from .. import AsyncTuckaway, Block, ToolDefinition, ToolOutput, View
from .._check import invalid
from ..conversation import Managed, SummaryRequest, Task
from ._common import (
    AnyTuckaway,
    OnView,
    Reducer,
    Same,
    Viewed,
    missing,
    recovering,
    reserve_names,
    run,
    run_any,
)
from ._parts import dict_block, is_list, is_mapping, member, parts_after, parts_output

try:
    from langchain.agents.middleware import AgentMiddleware, AgentState, ModelRequest, ModelResponse
    from langchain.agents.middleware.types import ExtendedModelResponse, PrivateStateAttr
    from langchain.tools.tool_node import ToolCallRequest
    from langchain_core.messages import AIMessage, RemoveMessage, ToolMessage
    from langchain_core.tools import BaseTool, StructuredTool, ToolException
    from langgraph.graph.message import REMOVE_ALL_MESSAGES  # pyright: ignore[reportMissingTypeStubs]
    from langgraph.types import Command
    from typing_extensions import NotRequired
except ImportError as error:
    raise missing("langchain", error) from error

__all__ = ["OnView", "TuckawayMiddleware", "Viewed"]


class TuckawayState(AgentState[Any]):
    """The state that the middleware keeps with a conversation."""

    tuckaway_memory: NotRequired[Annotated[dict[str, Any], PrivateStateAttr]]
    """The memory of the last call of `Tuckaway.manage_history`."""


class TuckawayMiddleware(AgentMiddleware[Any, Any, Any]):
    """Replaces oversized tool outputs with views, and adds the artifact tools to the agent.

    A tool message keeps its id, status and ``artifact``; if it has several content blocks, the texts are
    replaced and all others are preserved. Messages within a ``Command`` are handled too. An output that
    passes is the same object.

    Calls of one turn share the headroom in the order in which they finish. The tokens of the conversation are
    taken from the model's last report (``usage_metadata``). In ``ainvoke`` and ``astream`` a
    `tuckaway.Tuckaway` runs in a thread; ``invoke`` needs a `tuckaway.Tuckaway`, and rejects a
    `tuckaway.AsyncTuckaway`.

    Subagents of deepagents have separate middleware: add it to each of them, with the same tuckaway.

    Args:
        tuckaway: stores the outputs, and answers the artifact tools
        max_bytes: maximum bytes of a reply of an artifact tool; 16,384 if None
        on_view: receives the view of each output, with the name of its tool and the id of its call
        manage: whether the history is kept within the window before each request to the model, or the task
            to plan; the messages of the agent's state are then replaced, and a request that the provider
            refuses because of its size is made once more
        summarize: writes the summaries of the history, as for `Tuckaway.manage_history`; async functions
            need a `tuckaway.AsyncTuckaway`

    Raises:
        InvalidInputError: when the agent runs, if a tool has the name of an artifact tool
    """

    state_schema = TuckawayState

    def __init__(
        self,
        tuckaway: AnyTuckaway,
        *,
        max_bytes: int | None = None,
        on_view: OnView | None = None,
        manage: bool | Task = False,
        summarize: Callable[[SummaryRequest], Any] | None = None,
    ) -> None:
        super().__init__()
        self._manage, self._summarize = manage, summarize
        self._reducer = Reducer(tuckaway, max_bytes=max_bytes, on_view=on_view)
        self.tools: Sequence[BaseTool] = [
            _artifact_tool(self._reducer, each) for each in self._reducer.definitions
        ]

    def before_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:  # noqa: ARG002
        """Keeps the history within the window."""
        if self._manage is False:
            return None
        tuckaway = self._reducer.tuckaway
        if isinstance(tuckaway, AsyncTuckaway):
            raise invalid(
                "tuckaway", "is an AsyncTuckaway, which needs ainvoke or astream; pass a Tuckaway to invoke."
            )
        return _update(tuckaway.manage_history(**self._managing(state, state["messages"])))

    async def abefore_model(self, state: Any, runtime: Any) -> dict[str, Any] | None:  # noqa: ARG002
        """Like `before_model`."""
        if self._manage is False:
            return None
        tuckaway = self._reducer.tuckaway
        if isinstance(tuckaway, AsyncTuckaway):
            return _update(await tuckaway.manage_history(**self._managing(state, state["messages"])))
        arguments = self._managing(state, state["messages"])
        return _update(await asyncio.to_thread(lambda: tuckaway.manage_history(**arguments)))

    def _managing(self, state: Any, messages: list[Any]) -> dict[str, Any]:
        """Returns the arguments of `Tuckaway.manage_history`."""
        answers = [each for each in reversed(messages) if isinstance(each, AIMessage)]
        usages = (each.usage_metadata for each in answers)
        return {
            "history": {"model": _model_of(answers), "messages": messages},
            "task": None if self._manage is True else self._manage,
            "format": "langchain",
            "memory": state.get("tuckaway_memory"),
            "usage": next(usages, None),
            "summarize": self._summarize,
        }

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
        """Rejects foreign tools with the name of an artifact tool before the model sees them. If the provider
        refuses the history because of its size, shortens it and asks once more."""
        tuckaway = self._reducer.tuckaway
        reserve_names(tuckaway, self._foreign_names(request))
        try:
            return handler(request)
        except Exception as error:
            managed = run(recovering(tuckaway, self._refused(request), error)) if self._manage else None
            if managed is None:
                raise
        return _with_history(
            handler(request.override(messages=managed.history["messages"])), request, managed
        )

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
        """Like `wrap_model_call`."""
        tuckaway = self._reducer.tuckaway
        reserve_names(tuckaway, self._foreign_names(request))
        try:
            return await handler(request)
        except Exception as error:
            steps = recovering(tuckaway, self._refused(request), error)
            managed = await run_any(tuckaway, steps) if self._manage else None
            if managed is None:
                raise
        return _with_history(
            await handler(request.override(messages=managed.history["messages"])), request, managed
        )

    def _refused(self, request: ModelRequest[Any]) -> dict[str, Any]:
        return self._managing(request.state, list(request.messages))

    def wrap_tool_call(self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Any]) -> Any:
        """Replaces the output of a tool if it is too large."""
        result = handler(request)
        turn, used_tokens = _turn_of(request)
        if self._is_own(request):
            self._reducer.account(_text_of(result), turn)
            return result
        call_id, outputs = _outputs_of(request, result)
        return _with_views(result, [self._reducer.view(each, turn, used_tokens, call_id) for each in outputs])

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Any]]
    ) -> Any:
        """Like `wrap_tool_call`."""
        result = await handler(request)
        turn, used_tokens = _turn_of(request)
        if self._is_own(request):
            self._reducer.account(_text_of(result), turn)
            return result
        call_id, outputs = _outputs_of(request, result)
        views = [await self._reducer.view_async(each, turn, used_tokens, call_id) for each in outputs]
        return _with_views(result, views)

    def _is_own(self, request: ToolCallRequest) -> bool:
        return any(request.tool is tool for tool in self.tools)

    def _foreign_names(self, request: ModelRequest[Any]) -> Iterator[str]:
        for tool in request.tools:
            if isinstance(tool, BaseTool):
                if not any(tool is own for own in self.tools):
                    yield tool.name
            else:
                # The provider runs this tool, whose definition is in the provider's format.
                yield str(member(tool.get("function") or tool, "name"))


def _update(managed: Managed[dict[str, Any]]) -> dict[str, Any]:
    """Returns the changes to the agent's state."""
    update: dict[str, Any] = {"tuckaway_memory": managed.memory}
    if managed.report.is_changed:
        update["messages"] = [RemoveMessage(id=REMOVE_ALL_MESSAGES), *managed.history["messages"]]
    return update


def _model_of(answers: list[AIMessage]) -> str | None:
    """Returns the name of the model that wrote the first of these answers that names one; None if none
    does. The limits of its provider apply."""
    metadata = (each.response_metadata for each in answers)
    names = (each.get("model_name") or each.get("model") for each in metadata)
    return next((name for name in names if isinstance(name, str)), None)


def _with_history(
    response: ModelResponse[Any], request: ModelRequest[Any], managed: Managed[dict[str, Any]]
) -> ModelResponse[Any] | ExtendedModelResponse[Any]:
    """Returns a response that also changes the agent's state: without it, the next request would be refused
    again. If another middleware has changed the messages of this request only, the state stays."""
    state: Any = request.state
    if list(request.messages) != list(state["messages"]):
        return response
    update = _update(managed)
    update["messages"] += response.result
    return ExtendedModelResponse(response, Command(update=update))


def _artifact_tool(reducer: Reducer, definition: ToolDefinition) -> BaseTool:
    def answer(**arguments: Any) -> str:
        reply = reducer.answer(definition.name, arguments)
        if reply.is_error:
            raise ToolException(reply.text)
        return reply.text

    async def answer_async(**arguments: Any) -> str:
        reply = await reducer.answer_async(definition.name, arguments)
        if reply.is_error:
            raise ToolException(reply.text)
        return reply.text

    return StructuredTool(
        name=definition.name,
        description=definition.description,
        args_schema=definition.input_schema,
        func=answer,
        coroutine=answer_async,
        handle_tool_error=True,
    )


def _turn_of(request: ToolCallRequest) -> tuple[Hashable, int]:
    """Returns the key of the model's turn, and the tokens of the conversation up to it."""
    state: Any = request.state
    messages = state if is_list(state) else member(state, "messages")
    for message in reversed(messages or []):
        if isinstance(message, AIMessage):
            usage = message.usage_metadata
            return message.id or Same(message), usage["total_tokens"] if usage else 0
    return request.tool_call["id"], 0


def _messages_in(result: Any) -> list[ToolMessage]:
    """Returns the tool messages of a result, in the order in which `_with_views` replaces them."""
    if isinstance(result, ToolMessage):
        return [result]
    if is_list(result):
        return [message for item in result for message in _messages_in(item)]
    if _is_command(result):
        return _messages_in(result.update.get("messages") if is_mapping(result.update) else result.update)
    return []


def _is_command(result: object) -> TypeGuard[Command[Any]]:
    return isinstance(result, Command)


def _with_views(result: Any, views: Sequence[View]) -> Any:
    """Returns a result with views instead of the contents of its tool messages; the same object if all
    passed."""
    if all(view.decision.action == "inline" for view in views):
        return result
    return _replaced(result, iter(views))


def _replaced(result: Any, views: Iterator[View]) -> Any:
    if isinstance(result, ToolMessage):
        return _message_with(result, next(views))
    if is_list(result):
        return [_replaced(item, views) for item in result]
    if _is_command(result):
        update = result.update
        if is_mapping(update) and "messages" in update:
            return replace(result, update={**update, "messages": _replaced(update["messages"], views)})
        return replace(result, update=_replaced(update, views))
    return result


def _outputs_of(request: ToolCallRequest, result: Any) -> tuple[str | None, list[ToolOutput]]:
    """Returns the id of a call, and its outputs: usually one."""
    call = request.tool_call
    return call["id"], [_output_of(call["name"], message) for message in _messages_in(result)]


def _output_of(tool: str, message: ToolMessage) -> ToolOutput:
    is_error = message.status == "error"
    content = message.content
    if isinstance(content, str):
        return ToolOutput.of(content, tool=tool, is_error=is_error)
    return parts_output(tool, content, dict_block, is_error=is_error)


def _message_with(message: ToolMessage, view: View) -> ToolMessage:
    if view.decision.action == "inline":
        return message
    content: Any = view.text
    if not isinstance(message.content, str):
        parts = parts_after(message.content, view, dict_block, lambda text: {"type": "text", "text": text})
        content = view.text if len(parts) == 1 else parts
    return message.model_copy(update={"content": content})


def _text_of(result: Any) -> str:
    blocks: list[Block | None] = [dict_block(message.content) for message in _messages_in(result)]
    return "".join(block.content for block in blocks if block is not None and isinstance(block.content, str))
