"""Strands: its managers of conversations, as its agent calls them when a request was too large."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

from strands.agent.conversation_manager import (
    SlidingWindowConversationManager,
    SummarizingConversationManager,
)
from strands.types.exceptions import ContextWindowOverflowException

from . import Manage, Message, lines_of, summarized


def summary() -> Manage:
    """Summarizes the oldest 30 %, the default, and keeps the newest 10 messages."""
    manager = SummarizingConversationManager(summarization_agent=_Summarizer())
    return _reduced_by(manager)


def window() -> Manage:
    """Truncates the oldest result that is not truncated yet; if all are truncated, removes the oldest
    messages."""
    return _reduced_by(SlidingWindowConversationManager())


def _reduced_by(manager: Any) -> Manage:
    def manage(history: list[Message]) -> list[Message]:
        agent = SimpleNamespace(messages=_to_blocks(history))
        try:
            manager.reduce_context(agent, ContextWindowOverflowException("too long"))
        except ContextWindowOverflowException:
            return history
        return _from_blocks(agent.messages)

    return manage


class _Summarizer:
    """The part of an agent that a manager uses to write a summary."""

    def __init__(self) -> None:
        self.system_prompt = ""
        self.messages: list[Any] = []
        self.tool_registry = None
        self.tool_names = ("none",)

    def __call__(self, _prompt: str) -> Any:
        texts = [
            block["text"] for message in self.messages for block in message["content"] if "text" in block
        ]
        content = [{"text": summarized(lines_of(texts))}]
        return SimpleNamespace(message={"role": "assistant", "content": content})


def _to_blocks(history: list[Message]) -> list[Message]:
    messages: list[Message] = []
    for message in history:
        blocks: list[dict[str, Any]] = []
        role = message["role"]
        if role == "tool":
            role = "user"
            result = {"toolUseId": message["tool_call_id"], "status": "success"}
            blocks.append({"toolResult": {**result, "content": [{"text": message["content"]}]}})
        elif message.get("content"):
            blocks.append({"text": message["content"]})
        for call in message.get("tool_calls", []):
            arguments = json.loads(call["function"]["arguments"])
            use = {"toolUseId": call["id"], "name": call["function"]["name"], "input": arguments}
            blocks.append({"toolUse": use})
        messages.append({"role": role, "content": blocks})
    return messages


def _from_blocks(messages: list[Message]) -> list[Message]:
    history: list[Message] = []
    for message in messages:
        for block in message["content"]:
            if "toolResult" in block:
                result = block["toolResult"]
                text = "".join(part.get("text", "") for part in result["content"])
                history.append({"role": "tool", "tool_call_id": result["toolUseId"], "content": text})
        text = "".join(block.get("text", "") for block in message["content"])
        uses = [block["toolUse"] for block in message["content"] if "toolUse" in block]
        if uses:
            calls = [_call(use) for use in uses]
            history.append({"role": "assistant", "content": text or None, "tool_calls": calls})
        elif text:
            history.append({"role": message["role"], "content": text})
    return history


def _call(use: dict[str, Any]) -> dict[str, Any]:
    function = {"name": use["name"], "arguments": json.dumps(use["input"])}
    return {"id": use["toolUseId"], "type": "function", "function": function}
