# Written by `python codegen/asynchronous.py` from client.py; do not edit.

"""The client for asyncio."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from types import TracebackType
from typing import Any, TypeVar

from . import _conversation_requests as conversations
from ._async_groups import AsyncBudgets, AsyncCompaction, AsyncExtractions, AsyncHistories, AsyncOutputCache
from ._base import AsyncClient
from ._content import plain_outputs, text_or_bytes
from ._extraction_requests import Callbacks
from ._given import Artifacts, given_history
from ._queries import grep_query, jq_query
from ._requests import Bounds, OutputLike, one_output, read_range
from ._values import Default
from .conversation import (
    Conversation,
    HistoryFormat,
    Manage,
    Managed,
    PlanState,
    ProviderRefusal,
    Step,
    SummaryRequest,
    Task,
)
from .extraction import Answer, AsyncModel, ExtractionConfig, Model, Progress, Question
from .models import NativeModel
from .records import (
    AllMatches,
    Artifact,
    Content,
    Decision,
    Dialect,
    Matches,
    Outputs,
    Page,
    Policy,
    Shape,
    StoredMedia,
    Tool,
    ToolDefinition,
    ToolOutput,
    ToolReply,
    View,
)
from .stores import AsyncStore, Store
from .tokens import AsyncTokenCounter, Tiktoken, TokenCounter

__all__ = ["AsyncTuckaway"]

H = TypeVar("H", str, bytes, "list[Any]", "dict[str, Any]")

ALL_TOOLS: tuple[Tool, ...] = ("read", "grep", "jq")

_NO_STATE = PlanState()


class AsyncTuckaway(AsyncClient):
    """`Tuckaway` for asyncio: the same methods, as coroutines.

    The store, the counter, the model and ``summarize`` may be async: coroutine functions are awaited on
    the event loop of the call, in the context of the caller; plain functions run in threads
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
    ) -> None:
        """Creates a client, for any event loop; see `Tuckaway`. The store may be async."""
        super().__init__(
            store,
            tokens=tokens,
            context_window=context_window,
            tools=tools,
            policy=policy,
            memory_limit=memory_limit,
            deadline=deadline,
        )

    async def process(
        self,
        output: OutputLike,
        *,
        tool: str | None = None,
        is_error: bool = False,
        media_type: str | None = None,
        structured: str | Mapping[str, Any] | None = None,
        default: Default | None = None,
        used_tokens: int = 0,
        context_window: int | None = None,
        tools: Iterable[Tool] | None = None,
        policy: Policy | None = None,
    ) -> View:
        """Reduces one output to its view, which replaces it in the conversation. See `Tuckaway.process`."""
        given = await self._converted(
            one_output,
            output,
            tool=tool,
            is_error=is_error,
            media_type=media_type,
            structured=structured,
            default=default,
        )
        turn = self._requests.turn(used_tokens, context_window, tools)
        return await self._run(self._requests.process(given, turn, policy))

    async def process_turn(
        self,
        outputs: Sequence[ToolOutput],
        *,
        default: Default | None = None,
        used_tokens: int = 0,
        context_window: int | None = None,
        tools: Iterable[Tool] | None = None,
        policy: Policy | None = None,
    ) -> list[View]:
        """Reduces all outputs of one turn so that together they fit the headroom: the largest are reduced
        first. See `Tuckaway.process_turn`."""
        turn = self._requests.turn(used_tokens, context_window, tools)
        given = await self._converted(plain_outputs, outputs, default=default)
        return await self._run(self._requests.process_turn(given, turn, policy))

    async def decide(
        self,
        output: OutputLike,
        *,
        tool: str | None = None,
        is_error: bool = False,
        media_type: str | None = None,
        structured: str | Mapping[str, Any] | None = None,
        default: Default | None = None,
        used_tokens: int = 0,
        context_window: int | None = None,
        tools: Iterable[Tool] | None = None,
        policy: Policy | None = None,
    ) -> Decision:
        """Returns the decision for one output, and stores nothing. Takes the arguments of `process`. See
        `Tuckaway.decide`."""
        given = await self._converted(
            one_output,
            output,
            tool=tool,
            is_error=is_error,
            media_type=media_type,
            structured=structured,
            default=default,
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
        """Reads part of an artifact, in pages of at most ``max_bytes``: at least 256, by default 16384. See
        `Tuckaway.read`."""
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
        before_context: int = 0,
        after_context: int = 0,
        each_match: bool = False,
        max_matches: int | None = None,
        cursor: str | None = None,
        max_bytes: int | None = None,
    ) -> Matches:
        """Finds the lines of an artifact that match a pattern, in pages of at most ``max_bytes``: at least
        256, by default 16384. See `Tuckaway.grep`."""
        query = grep_query(
            pattern,
            fixed_string=fixed_string,
            ignore_case=ignore_case,
            invert=invert,
            before_context=before_context,
            after_context=after_context,
            each_match=each_match,
            max_matches=max_matches,
            cursor=cursor,
        )
        return await self._run(self._requests.grep(id, query, max_bytes))

    async def grep_all(
        self,
        pattern: str,
        *,
        fixed_string: bool = False,
        ignore_case: bool = False,
        invert: bool = False,
        before_context: int = 0,
        after_context: int = 0,
        each_match: bool = False,
        max_matches: int | None = None,
        cursor: str | None = None,
        max_bytes: int | None = None,
    ) -> AllMatches:
        """Finds the lines that match a pattern in all artifacts of the store, newest first, in pages of at
        most ``max_bytes``: at least 1024, by default 16384. See `Tuckaway.grep_all`."""
        query = grep_query(
            pattern,
            fixed_string=fixed_string,
            ignore_case=ignore_case,
            invert=invert,
            before_context=before_context,
            after_context=after_context,
            each_match=each_match,
            max_matches=max_matches,
            cursor=cursor,
        )
        return await self._run(self._requests.grep_all(query, max_bytes))

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
        variables: Mapping[str, str] | None = None,
        save_as: str | None = None,
        cursor: str | None = None,
        max_bytes: int | None = None,
    ) -> Outputs:
        """Runs a jq filter on an artifact that is JSON, or can be read as JSON (CSV, TSV, YAML), in pages of
        at most ``max_bytes``: at least 256, by default 16384. See `Tuckaway.jq`."""
        query = jq_query(
            filter,
            raw=raw,
            compact=compact,
            slurp=slurp,
            null_input=null_input,
            max_steps=max_steps,
            max_memory=max_memory,
            variables=variables,
            save_as=save_as,
            cursor=cursor,
        )
        return await self._run(self._requests.jq(id, query, max_bytes))

    async def infer_shape(self, content: Content, *, max_bytes: int | None = None) -> Shape:
        """Describes the content of an output in at most ``max_bytes``: at least 256, by default 2048. See
        `Tuckaway.infer_shape`."""
        return await self._run(
            self._requests.infer_shape(await self._converted(text_or_bytes, content), max_bytes)
        )

    async def truncate(self, content: Content, max_bytes: int) -> str:
        """Truncates content to its head and tail, in at most ``max_bytes``, at least 512; JSON stays valid
        JSON. See `Tuckaway.truncate`."""
        return await self._run(
            self._requests.truncate(await self._converted(text_or_bytes, content), max_bytes)
        )

    async def list_artifacts(self) -> list[Artifact]:
        """Lists all artifacts of the store, oldest first. See `Tuckaway.list_artifacts`."""
        return await self._run(self._requests.list_artifacts())

    async def tool_definitions(
        self,
        *,
        dialect: Dialect | None = None,
        tools: Iterable[Tool] | None = None,
        is_final_turn: bool = False,
        is_detailed: bool = False,
    ) -> list[ToolDefinition]:
        """Returns the definitions of the artifact tools for a model provider, in the order read, grep, jq.
        See `Tuckaway.tool_definitions`."""
        return await self._run(self._requests.definitions(dialect, tools, is_final_turn, is_detailed))

    async def call_tool(
        self, name: str, arguments: str | Mapping[str, Any], *, max_bytes: int | None = None
    ) -> ToolReply:
        """Runs an artifact tool with the arguments that a model passed, as JSON text or parsed. See
        `Tuckaway.call_tool`."""
        return await self._run(self._requests.call_tool(name, arguments, max_bytes))

    async def media_bytes(self, media: StoredMedia) -> bytes:
        """Returns the bytes of the image, PDF document or recording that a call of an artifact tool reads.
        See `Tuckaway.media_bytes`."""
        return await self._run(self._requests.media_bytes(media))

    async def default_policy(self, dialect: Dialect = "artifact") -> Policy:
        """Returns the component's own defaults for a dialect, which are also the defaults of `Policy`. See
        `Tuckaway.default_policy`."""
        return await self._run(self._requests.default_policy(dialect))

    def is_artifact_tool(self, name: str) -> bool:
        """Returns whether the name belongs to an artifact tool in the dialect of this client.

        >>> tuckaway = AsyncTuckaway()
        >>> tuckaway.is_artifact_tool("artifact_read"), tuckaway.is_artifact_tool("read_large_output")
        (True, False)
        """
        return self._requests.is_artifact_tool(name)

    @property
    def cache(self) -> AsyncOutputCache:
        """The tool output cache of a conversation."""
        return AsyncOutputCache(self)

    @property
    def compaction(self) -> AsyncCompaction:
        """Summaries of a conversation's past."""
        return AsyncCompaction(self)

    @property
    def budget(self) -> AsyncBudgets:
        """AsyncBudgets for the parts of the context window."""
        return AsyncBudgets(self)

    @property
    def histories(self) -> AsyncHistories:
        """AsyncHistories of model providers, step by step."""
        return AsyncHistories(self)

    @property
    def extraction(self) -> AsyncExtractions:
        """Questions about an artifact that a model answers, step by step."""
        return AsyncExtractions(self)

    async def plan(
        self,
        conversation: Conversation,
        task: Task,
        answers: Sequence[str] = (),
        state: PlanState = _NO_STATE,
    ) -> Step:
        """Plans a task for a conversation. See `Tuckaway.plan`."""
        return await self._run(conversations.plan(conversation, task, answers, state))

    async def read_refusal(self, error: object) -> ProviderRefusal:
        """Reads the error with which a provider refused a request: an exception, its text, or the body of the
        response as JSON. Any error is an answer; the kind of those that are not known is ``"unknown"``.
        See `Tuckaway.read_refusal`."""
        return await self._run(conversations.read_refusal(error))

    async def manage_history(
        self,
        history: H,
        task: Task | None = None,
        *,
        format: HistoryFormat | None = None,
        memory: str | Mapping[str, Any] | None = None,
        artifacts: Artifacts | None = None,
        pinned: Iterable[int] = (),
        usage: object = None,
        refusal: object = None,
        summarize: Callable[[SummaryRequest], str | Awaitable[str]] | None = None,
        compact: Callable[[list[Any]], Iterable[Any] | Awaitable[Iterable[Any]]] | NativeModel | None = None,
        strict: bool = False,
    ) -> Managed[H]:
        """Keeps the history of an agent within its window: plans a task and applies its steps. The task is by
        default to manage the history within the client's window. See `Tuckaway.manage_history`."""
        return await self._run(
            conversations.manage_history(
                await self._converted(given_history, history, format=format),
                task or Manage(context_window=self.context_window),
                self._notes,
                format=format,
                memory=memory,
                artifacts=artifacts,
                pinned=pinned,
                usage=usage,
                refusal=refusal,
                summarize=summarize,
                compact=compact,
                strict=strict,
                may_await=self._may_await,
            )
        )

    async def extract(
        self,
        question: Question,
        model: Model | AsyncModel | NativeModel,
        *,
        config: ExtractionConfig | None = None,
        on_progress: Callable[[Progress], Awaitable[None] | None] | None = None,
        on_state: Callable[[str], Awaitable[None] | None] | None = None,
    ) -> Answer:
        """Answers a question about an artifact with a model: in chunks, or with tools that read and search.
        See `Tuckaway.extract`."""
        callbacks = Callbacks(model, on_progress, on_state, may_await=self._may_await)
        limits = config or await self.extraction.defaults()
        return await self._run(callbacks.extract(question, limits))

    async def resume_extraction(
        self,
        state: str,
        model: Model | AsyncModel | NativeModel,
        *,
        on_progress: Callable[[Progress], Awaitable[None] | None] | None = None,
        on_state: Callable[[str], Awaitable[None] | None] | None = None,
    ) -> Answer:
        """Resumes an extraction from one of its states, possibly of another process or another host. Requests
        without an answer are sent again. See `Tuckaway.resume_extraction`."""
        callbacks = Callbacks(model, on_progress, on_state, may_await=self._may_await)
        return await self._run(callbacks.resume(state))

    async def close(self) -> None:
        """Releases the engine. Later calls raise an `InvalidInputError`; stored outputs are kept. See
        `Tuckaway.close`."""
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
