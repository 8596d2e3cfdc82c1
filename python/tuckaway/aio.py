"""The client for asyncio."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from types import TracebackType
from typing import Any

from ._content import plain_outputs, text_or_bytes
from ._conversing import AsyncConversing
from ._extracting import AsyncExtracting
from ._requests import Bounds, OutputLike, grep_query, jq_query, one_output, read_range
from .client import ALL_TOOLS
from .records import (
    Artifact,
    Content,
    Decision,
    Dialect,
    Matches,
    Outputs,
    Page,
    Policy,
    Shape,
    Tool,
    ToolDefinition,
    ToolOutput,
    ToolReply,
    View,
)
from .stores import AsyncStore, Store
from .tokens import AsyncTokenCounter, Tiktoken, TokenCounter

__all__ = ["AsyncTuckaway"]


class AsyncTuckaway(AsyncConversing, AsyncExtracting):
    """`Tuckaway` for asyncio: the same methods, as coroutines.

    The store, the counter, the model and ``summarize`` may be async: coroutine functions are awaited on the
    event loop of the call, in the context of the caller; plain functions run in threads
    (`asyncio.to_thread`), as does reading files and writing JSON. Cancelling a task ends its call.

    >>> import asyncio
    >>> async def count(text: str) -> int:
    ...     return len(text.split())
    >>> async def main() -> int | None:
    ...     async with AsyncTuckaway(tokens=count, policy=Policy(max_output_tokens=1_000)) as tuckaway:
    ...         view = await tuckaway.process("word " * 5_000, tool="shell")
    ...         return view.decision.token_count
    >>> asyncio.run(main())
    5000
    """

    def __init__(
        self,
        store: Store | AsyncStore | None = None,
        *,
        tokens: TokenCounter | AsyncTokenCounter | Tiktoken | None = None,
        context_window: int = 200_000,
        tools: Iterable[Tool] = ALL_TOOLS,
        policy: Policy | None = None,
        memory_limit: int | None = None,
        deadline: float | timedelta | None = None,
        component: bytes | os.PathLike[str] | None = None,
    ) -> None:
        """Creates a client, for any event loop; see `Tuckaway`. ``store`` and ``tokens`` may be async."""
        super().__init__(
            store,
            tokens=tokens,
            context_window=context_window,
            tools=tools,
            policy=policy,
            memory_limit=memory_limit,
            deadline=deadline,
            component=component,
        )

    async def process(
        self,
        output: OutputLike,
        *,
        tool: str = "tool",
        is_error: bool = False,
        media_type: str | None = None,
        structured: str | Mapping[str, Any] | None = None,
        used_tokens: int = 0,
        context_window: int | None = None,
        tools: Iterable[Tool] | None = None,
        policy: Policy | None = None,
    ) -> View:
        """Reduces one output to its view, which replaces it in the conversation; see `Tuckaway.process`."""
        given = await self._converted(
            one_output, output, tool=tool, is_error=is_error, media_type=media_type, structured=structured
        )
        turn = self._requests.turn(used_tokens, context_window, tools)
        return await self._run(self._requests.process(given, turn, policy))

    async def process_turn(
        self,
        outputs: Sequence[ToolOutput],
        *,
        used_tokens: int = 0,
        context_window: int | None = None,
        tools: Iterable[Tool] | None = None,
        policy: Policy | None = None,
    ) -> list[View]:
        """Reduces all outputs of one turn so that together they fit the headroom; see
        `Tuckaway.process_turn`."""
        turn = self._requests.turn(used_tokens, context_window, tools)
        given = await self._converted(plain_outputs, outputs)
        return await self._run(self._requests.process_turn(given, turn, policy))

    async def decide(
        self,
        output: OutputLike,
        *,
        tool: str = "tool",
        is_error: bool = False,
        media_type: str | None = None,
        structured: str | Mapping[str, Any] | None = None,
        used_tokens: int = 0,
        context_window: int | None = None,
        tools: Iterable[Tool] | None = None,
        policy: Policy | None = None,
    ) -> Decision:
        """Returns the decision for one output, and stores nothing; see `Tuckaway.decide`."""
        given = await self._converted(
            one_output, output, tool=tool, is_error=is_error, media_type=media_type, structured=structured
        )
        turn = self._requests.turn(used_tokens, context_window, tools)
        return await self._run(self._requests.decide(given, turn, policy))

    async def read(
        self,
        id: str,
        *,
        lines: Bounds | None = None,
        last_lines: int | None = None,
        bytes: Bounds | None = None,
        cursor: str | None = None,
        line_numbers: bool = False,
        max_bytes: int | None = None,
    ) -> Page:
        """Reads part of an artifact; see `Tuckaway.read`."""
        part = read_range(lines, last_lines, bytes, cursor)
        return await self._run(self._requests.read(id, part, line_numbers, max_bytes))

    async def grep(
        self,
        id: str,
        pattern: str,
        *,
        fixed_string: bool = False,
        ignore_case: bool = False,
        invert: bool = False,
        before: int = 0,
        after: int = 0,
        each_match: bool = False,
        max_matches: int | None = None,
        cursor: str | None = None,
        max_bytes: int | None = None,
    ) -> Matches:
        """Finds the lines of an artifact that match a pattern; see `Tuckaway.grep`."""
        query = grep_query(
            pattern,
            fixed_string=fixed_string,
            ignore_case=ignore_case,
            invert=invert,
            before=before,
            after=after,
            each_match=each_match,
            max_matches=max_matches,
            cursor=cursor,
        )
        return await self._run(self._requests.grep(id, query, max_bytes))

    async def jq(
        self,
        id: str,
        filter: str,
        *,
        raw: bool = False,
        compact: bool = False,
        slurp: bool = False,
        null_input: bool = False,
        max_steps: int | None = None,
        max_memory: int | None = None,
        cursor: str | None = None,
        max_bytes: int | None = None,
    ) -> Outputs:
        """Runs a jq filter on an artifact; see `Tuckaway.jq`."""
        query = jq_query(
            filter,
            raw=raw,
            compact=compact,
            slurp=slurp,
            null_input=null_input,
            max_steps=max_steps,
            max_memory=max_memory,
            cursor=cursor,
        )
        return await self._run(self._requests.jq(id, query, max_bytes))

    async def infer_shape(self, content: Content, *, max_bytes: int | None = None) -> Shape:
        """Describes the content of an output; see `Tuckaway.infer_shape`."""
        return await self._run(
            self._requests.infer_shape(await self._converted(text_or_bytes, content), max_bytes)
        )

    async def truncate(self, content: Content, max_bytes: int) -> str:
        """Truncates content to its head and tail; see `Tuckaway.truncate`."""
        return await self._run(
            self._requests.truncate(await self._converted(text_or_bytes, content), max_bytes)
        )

    async def list_artifacts(self) -> list[Artifact]:
        """Lists all artifacts of the store, oldest first."""
        return await self._run(self._requests.list_artifacts())

    async def tool_definitions(
        self,
        *,
        dialect: Dialect | None = None,
        tools: Iterable[Tool] | None = None,
        is_final_turn: bool = False,
    ) -> list[ToolDefinition]:
        """Returns the definitions of the artifact tools for a model provider; see
        `Tuckaway.tool_definitions`."""
        return await self._run(self._requests.definitions(dialect, tools, is_final_turn))

    async def call_tool(
        self, name: str, arguments: str | Mapping[str, Any], *, max_bytes: int | None = None
    ) -> ToolReply:
        """Runs an artifact tool with the arguments that a model passed; see `Tuckaway.call_tool`."""
        return await self._run(self._requests.call_tool(name, arguments, max_bytes))

    async def default_policy(self, dialect: Dialect = "artifact") -> Policy:
        """Returns the component's own defaults for a dialect; see `Tuckaway.default_policy`."""
        return await self._run(self._requests.default_policy(dialect))

    def is_artifact_tool(self, name: str) -> bool:
        """Returns whether the name belongs to an artifact tool in the dialect of this client."""
        return self._requests.is_artifact_tool(name)

    async def close(self) -> None:
        """Releases the engine. Later calls raise an `InvalidInputError`; stored outputs are kept."""
        self._engine = None

    async def __aenter__(self) -> AsyncTuckaway:
        self._open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.close()
