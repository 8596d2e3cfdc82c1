"""Tuckaway in agents of the OpenAI Agents SDK:

    agent = with_tuckaway(Agent(name="Analyst", tools=tools, mcp_servers=servers), AsyncTuckaway())
    result = await Runner.run(agent, "Which requests were refused?")

It needs the package ``openai-agents``: ``pip install 'tuckaway[openai-agents]'``.
"""

from __future__ import annotations

import copy
import inspect
import json
from collections.abc import Hashable, Mapping
from typing import Any, TypeVar, cast

from .. import Block, ToolDefinition, ToolOutput
from ._common import AnyTuckaway, OnView, Reducer, Same, Viewed, missing, reserve_names
from ._parts import dict_block, is_sequence, parts_after, parts_output, text_of_data

try:
    from agents import Agent, FunctionTool, ItemHelpers, RunContextWrapper, Tool
    from agents.tool_context import ToolContext
    from pydantic import BaseModel
except ImportError as error:
    raise missing("openai-agents", error) from error

__all__ = ["OnView", "with_tuckaway", "Viewed"]

A = TypeVar("A", bound=Agent[Any])


def with_tuckaway(
    agent: A, tuckaway: AnyTuckaway, *, max_bytes: int | None = None, on_view: OnView | None = None
) -> A:
    """Returns a copy of an agent in which oversized tool outputs are replaced with views.

    It has the artifact tools in addition to its own. Function tools are wrapped, as are the tools of MCP
    servers whenever the agent lists them; approvals, guardrails and timeouts are preserved, and so are images
    and files in an output. An output that passes is the same object. Hosted tools run at OpenAI, and are not
    changed. Neither are outputs that a program in OpenAI's sandbox reads, which no model sees: outputs of
    calls that the program made, and of tools with an output schema.

    Calls of one turn share the headroom in the order in which they finish. The tokens of the conversation are
    taken from the model's last report. A `tuckaway.Tuckaway` runs in a thread. Each agent of a handoff needs
    a separate copy.

    Args:
        agent: an agent, possibly of a subclass
        tuckaway: stores the outputs, and answers the artifact tools
        max_bytes: maximum bytes of a reply of an artifact tool; 16,384 if None
        on_view: receives the view of each output, with the name of its tool and the id of its call

    Raises:
        InvalidInputError: if a tool has the name of an artifact tool; for the tools of an MCP server, when
        they are listed
    """
    reducer = Reducer(tuckaway, max_bytes=max_bytes, on_view=on_view)
    own = [_artifact_tool(reducer, each) for each in reducer.definitions]
    copied = cast("A", agent.clone(tools=[*_reduced_tools(agent.tools, reducer), *own]))
    # A class, because the SDK clones agents by their class and fields.
    copied.__class__ = _reducing_class(type(agent), reducer)
    return copied


def _reducing_class(base: type[A], reducer: Reducer) -> type[A]:
    """Returns a subclass whose MCP tools are wrapped."""

    async def get_mcp_tools(self: Any, run_context: RunContextWrapper[Any]) -> list[Tool]:
        return _reduced_tools(await base.get_mcp_tools(self, run_context), reducer)

    members = {"get_mcp_tools": get_mcp_tools, "__module__": base.__module__, "__doc__": base.__doc__}
    return cast("type[A]", type(base.__name__, (base,), members))


def _reduced_tools(tools: list[Tool], reducer: Reducer) -> list[Tool]:
    reserve_names(reducer.tuckaway, (tool.name for tool in tools))
    return [_reduced_tool(tool, reducer) if isinstance(tool, FunctionTool) else tool for tool in tools]


def _reduced_tool(tool: FunctionTool, reducer: Reducer) -> FunctionTool:
    if tool.output_json_schema is not None:
        return tool
    copied = copy.copy(tool)
    invoke = copied.on_invoke_tool

    async def on_invoke_tool(context: ToolContext[Any], arguments: str) -> Any:
        output = await invoke(context, arguments)
        if _is_made_by_program(context):
            return output
        return await _reduced(reducer, context, output)

    copied.on_invoke_tool = on_invoke_tool
    copied.needs_approval = _same_approval(copied, invoke)
    return copied


def _same_approval(tool: FunctionTool, invoke: Any) -> Any:
    """Returns the tool's policy for approvals.

    Before the SDK asks a function, it checks whether the invoker would change the arguments, and requires
    approval if so. The wrapped invoker hides that, so the function checks it instead.
    """
    policy, prepare = tool.needs_approval, getattr(invoke, "prepare_arguments", None)
    if not callable(policy) or prepare is None:
        return policy

    async def needs_approval(
        context: RunContextWrapper[Any], arguments: dict[str, Any], call_id: str
    ) -> bool:
        prepared = prepare(json.dumps(arguments), tool.name)
        if prepared is not None and not prepared.unchanged:
            return True
        allowed = policy(context, arguments, call_id)
        return bool(await allowed if inspect.isawaitable(allowed) else allowed)

    return needs_approval


def _artifact_tool(reducer: Reducer, definition: ToolDefinition) -> FunctionTool:
    async def answer(context: ToolContext[Any], arguments: str) -> str:
        reply = await reducer.answer_async(definition.name, arguments)
        reducer.account(reply.text, _turn_of(context))
        return reply.text

    return FunctionTool(
        name=definition.name,
        description=definition.description,
        params_json_schema=definition.input_schema,
        on_invoke_tool=answer,
        # A strict schema cannot have optional arguments.
        strict_json_schema=False,
    )


async def _reduced(reducer: Reducer, context: ToolContext[Any], output: Any) -> Any:
    """Returns the model's view of an output: the same object if it passes."""
    parts = _parts_of(context, output)
    if parts is None:
        whole = ToolOutput.of(_text_of(output), tool=context.tool_name)
    else:
        whole = parts_output(context.tool_name, parts, _block_of)
    view = await reducer.view_async(whole, _turn_of(context), _used_tokens(context), context.tool_call_id)
    if view.decision.action == "inline":
        return output
    if parts is None:
        return view.text
    shown = [part for part, _ in parts_after(parts, view, _block_of, _text_part)]
    return shown[0] if len(shown) == 1 else shown


_Part = tuple[Any, Mapping[str, Any]]
"""A part as the tool returned it, and as the SDK writes it for the model."""


def _parts_of(context: ToolContext[Any], output: Any) -> list[_Part] | None:
    """Returns the parts of an output; None if the SDK does not recognize it as parts."""
    if context.tool_call is None:
        return None
    written = ItemHelpers.tool_call_output_item(context.tool_call, output)["output"]
    if isinstance(written, str):
        return None
    given = output if is_sequence(output) else [output]
    return [(part, dict(shown)) for part, shown in zip(given, written, strict=True)]


def _block_of(part: _Part) -> Block | None:
    return dict_block(part[1])


def _text_part(text: str) -> _Part:
    part = {"type": "text", "text": text}
    return part, part


def _text_of(output: Any) -> str:
    """Returns data as JSON, which can be queried. The SDK would write its `repr`."""
    if isinstance(output, str):
        return output
    if isinstance(output, BaseModel):
        return output.model_dump_json()
    return text_of_data(output) if isinstance(output, (dict, list, tuple)) else str(output)


def _is_made_by_program(context: ToolContext[Any]) -> bool:
    caller = getattr(context.tool_call, "caller", None)
    return caller is not None and caller.type == "program"


def _turn_of(context: ToolContext[Any]) -> Hashable:
    # The calls of a turn share the usage of the run, which has one more request in the next turn.
    return Same(context.usage), context.usage.requests


def _used_tokens(context: ToolContext[Any]) -> int:
    entries = context.usage.request_usage_entries
    return entries[-1].total_tokens if entries else 0
