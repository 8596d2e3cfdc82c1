"""The ways in which an agent loop keeps a session within its window."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, Protocol

from needed import jq_path, occurs
from script import Call, definition

from tuckaway import Tiktoken
from tuckaway import Tuckaway as Client

from . import Manage, Message
from .store import NumberedStore

Size = Callable[[list[Message]], int]
"""Returns the tokens of a history."""

Tool = dict[str, Any]
"""The definition of a tool in the format of Chat Completions."""

RESULT_SHARE = 4
"""The share of the window that a result may take if results are cut."""

TOKEN_CHARS = 4


class Loop(Protocol):
    """The work of an agent loop besides calling the model and the tools."""

    tools: list[Tool]
    """The tools that it adds."""

    def view(self, tool: str, result: str, used_tokens: int) -> str:
        """Returns the model's view of a new result."""

    def manage(self, history: list[Message], tools: list[Tool], size: Size) -> list[Message]:
        """Returns the history to send, with these tools."""

    def query(self, value: str, context: str) -> tuple[Call, str] | None:
        """Returns a call that finds a value in an artifact that the context names, and its reply."""


class Nothing:
    """Sends everything."""

    def __init__(self) -> None:
        self.tools: list[Tool] = []

    def view(self, _tool: str, result: str, _used_tokens: int) -> str:
        return result

    def manage(self, history: list[Message], _tools: list[Tool], _size: Size) -> list[Message]:
        return history

    def query(self, _value: str, _context: str) -> tuple[Call, str] | None:
        return None


class Truncation(Nothing):
    """Cuts results in their middle, and removes the oldest turns while the history does not fit."""

    def __init__(self, window: int, space: int) -> None:
        super().__init__()
        self._max_chars = window // RESULT_SHARE * TOKEN_CHARS
        self._space = space

    def view(self, _tool: str, result: str, _used_tokens: int) -> str:
        if len(result) <= self._max_chars:
            return result
        half = self._max_chars // 2
        return f"{result[:half]}\n[{len(result) - 2 * half} characters omitted]\n{result[-half:]}"

    def manage(self, history: list[Message], _tools: list[Tool], size: Size) -> list[Message]:
        while size(history) > self._space:
            starts = [index for index, message in enumerate(history) if message["role"] == "user"]
            if len(starts) < 2:
                break
            history = history[starts[1] :]
        return history


class Packaged(Nothing):
    """Has a package manage the history until it fits or the package no longer changes it."""

    def __init__(self, manage: Manage, space: int) -> None:
        super().__init__()
        self._manage, self._space = manage, space

    def manage(self, history: list[Message], _tools: list[Tool], size: Size) -> list[Message]:
        while size(history) > self._space:
            managed = self._manage(history)
            if managed == history:
                break
            history = managed
        return history


class Tuckaway:
    """Reduces new results by `process`, the history by `manage_history`, and answers the model's queries."""

    def __init__(self, window: int) -> None:
        self._store = NumberedStore()
        self._client = Client(self._store, tokens=Tiktoken("o200k_base"), context_window=window)
        self._memory: dict[str, Any] | None = None
        added = self._client.tool_definitions()
        self.tools = [definition(tool.name, tool.description, tool.input_schema) for tool in added]

    def view(self, tool: str, result: str, used_tokens: int) -> str:
        return self._client.process(result, tool=tool, used_tokens=used_tokens).text

    def manage(self, history: list[Message], tools: list[Tool], _size: Size) -> list[Message]:
        request = {"messages": history, "tools": tools}
        managed = self._client.manage_history(request, memory=self._memory)
        self._memory = managed.memory
        return managed.history["messages"]

    def query(self, value: str, context: str) -> tuple[Call, str] | None:
        for artifact, content in self._store.named_in(context).items():
            if occurs(value, content):
                call = _query(artifact, value, content)
                return call, self._client.call_tool(call.tool, call.arguments).text
        return None


def _query(artifact: str, value: str, content: str) -> Call:
    """Returns the call of a model that knows where a value is: by its path if the artifact is JSON, otherwise
    by a search."""
    path = jq_path(value, content)
    if path is None:
        return Call("artifact_grep", {"artifact_id": artifact, "pattern": re.escape(value)})
    return Call("artifact_jq", {"artifact_id": artifact, "filter": path})
