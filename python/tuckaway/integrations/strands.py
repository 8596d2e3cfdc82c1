"""Tuckaway in agents of Strands:

    agent = Agent(tools=tools, plugins=[TuckawayPlugin(Tuckaway())])

It needs the package ``strands-agents``: ``pip install 'tuckaway[strands]'``.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any
from weakref import WeakKeyDictionary

from .. import Block, ToolDefinition
from ._common import AnyTuckaway, OnView, Reducer, Viewed, missing, reserve_names
from ._parts import json_block, media, parts_after, parts_output

try:
    from strands import Agent
    from strands.hooks import AfterToolCallEvent, BeforeInvocationEvent
    from strands.plugins import Plugin
    from strands.tools import PythonAgentTool
    from strands.types.tools import ToolResult, ToolResultContent, ToolUse
except ImportError as error:
    raise missing("strands", error) from error

__all__ = ["OnView", "TuckawayPlugin", "Viewed"]


class TuckawayPlugin(Plugin):
    """Replaces oversized tool results with views, and adds the artifact tools to the agent.

    Blocks of text and JSON are replaced; images, videos, documents and the status are preserved. A result
    that passes is the same object.

    Calls of one turn share the headroom in the order in which they finish. The tokens of the conversation are
    taken from the model's last report. A `tuckaway.Tuckaway` runs in a thread. A plugin may serve several
    agents.

    Args:
        tuckaway: stores the results, and answers the artifact tools
        max_bytes: maximum bytes of a reply of an artifact tool; 16,384 if None
        on_view: receives the view of each result, with the name of its tool and the id of its call

    Raises:
        InvalidInputError: when the agent is created or runs, if a tool has the name of an artifact tool
    """

    @property
    def name(self) -> str:
        """The plugin's name in an agent."""
        return "tuckaway"

    def __init__(
        self, tuckaway: AnyTuckaway, *, max_bytes: int | None = None, on_view: OnView | None = None
    ) -> None:
        super().__init__()
        self._reducer = Reducer(tuckaway, max_bytes=max_bytes, on_view=on_view)
        self._own = [_artifact_tool(self._reducer, each) for each in self._reducer.definitions]
        self._marks: WeakKeyDictionary[Any, object] = WeakKeyDictionary()

    def init_agent(self, agent: Agent) -> None:
        """Adds the artifact tools, and replaces the results of all other tools from now on."""
        self._refuse_foreign(agent)
        agent.tool_registry.process_tools(self._own)
        agent.add_hook(self._before_invocation, BeforeInvocationEvent)
        agent.add_hook(self._after_tool_call, AfterToolCallEvent)

    def _before_invocation(self, event: BeforeInvocationEvent) -> None:
        # Tools may have been added in the meantime.
        self._refuse_foreign(event.agent)

    async def _after_tool_call(self, event: AfterToolCallEvent) -> None:
        if event.retry or event.cancel_message is not None:
            return
        content, turn = event.result["content"], self._turn_of(event.agent)
        if any(event.selected_tool is tool for tool in self._own):
            self._reducer.account("".join(block.get("text", "") for block in content), turn)
            return
        is_error = event.result["status"] == "error"
        output = parts_output(event.tool_use["name"], content, _block_of, is_error=is_error)
        view = await self._reducer.view_async(
            output, turn, _used_tokens(event.agent), event.tool_use["toolUseId"]
        )
        if view.decision.action != "inline":
            shown = parts_after(content, view, _block_of, _text_block)
            event.result = {**event.result, "content": shown}

    def _turn_of(self, agent: Any) -> Hashable:
        # Agents come and go: an id could be reused for another agent, and a reference would keep the agent
        # alive.
        mark = self._marks.setdefault(agent, object())
        return mark, agent.event_loop_metrics.cycle_count

    def _refuse_foreign(self, agent: Any) -> None:
        registered = agent.tool_registry.registry.items()
        foreign = (name for name, tool in registered if not any(tool is own for own in self._own))
        reserve_names(self._reducer.tuckaway, foreign)


def _artifact_tool(reducer: Reducer, definition: ToolDefinition) -> PythonAgentTool:
    async def answer(tool_use: ToolUse, **_: Any) -> ToolResult:
        reply = await reducer.answer_async(definition.name, tool_use["input"])
        return {
            "toolUseId": tool_use["toolUseId"],
            "status": "error" if reply.is_error else "success",
            "content": [_text_block(reply.text)],
        }

    schema = {"json": definition.input_schema}
    spec: Any = {"name": definition.name, "description": definition.description, "inputSchema": schema}
    return PythonAgentTool(definition.name, spec, answer)


def _text_block(text: str) -> ToolResultContent:
    return {"text": text}


def _block_of(block: ToolResultContent) -> Block | None:
    if "text" in block:
        return Block(block["text"])
    if "json" in block:
        return json_block(block["json"])
    return next((media(f"{medium}/*") for medium in ("image", "video") if medium in block), None)


def _used_tokens(agent: Any) -> int:
    return agent.event_loop_metrics.projected_context_size or 0
