"""The client for threads and scripts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import timedelta
from types import TracebackType
from typing import Any, TypeVar

from . import _conversation_requests as conversations
from ._base import SyncClient
from ._content import plain_outputs, text_or_bytes
from ._extraction_requests import Callbacks
from ._given import Artifacts, given_history
from ._groups import Budgets, Compaction, Extractions, Histories, OutputCache
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
from .extraction import Answer, ExtractionConfig, Model, Progress, Question
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
from .stores import Store
from .tokens import Tiktoken, TokenCounter

__all__ = ["Tuckaway"]

H = TypeVar("H", str, bytes, "list[Any]", "dict[str, Any]")

ALL_TOOLS: tuple[Tool, ...] = ("read", "grep", "jq")

_NO_STATE = PlanState()


class Tuckaway(SyncClient):
    """Stores tool outputs that are too large for a model to read, and answers queries on them.

    >>> rows = [{"id": n, "name": f"row {n}"} for n in range(20_000)]
    >>> with Tuckaway(context_window=200_000) as tuckaway:
    ...     view = tuckaway.process(rows, tool="sql_query", used_tokens=12_000)
    ...     id = view.artifacts[0].id
    ...     reply = tuckaway.call_tool("artifact_jq", {"artifact_id": id, "filter": ".[19999].name"})
    >>> view.decision.action, len(view.text) < 4_000, reply.text
    ('artifact', True, '"row 19999"\\n')

    Calls may come from several threads at once. Each runs in a sandbox with a memory limit and a deadline,
    without the GIL; Ctrl-C ends it immediately.

    Every call raises a `TuckawayError`: `StoreError` if the store fails, `LimitError` at the deadline or the
    memory limit, `InvalidInputError` for a malformed argument. Queries on an artifact also raise
    `NotFoundError` and `ExpiredError`.
    """

    def __init__(
        self,
        store: Store | None = None,
        *,
        tokens: TokenCounter | Tiktoken | None = None,
        context_window: int = 200_000,
        tools: Iterable[Tool] = ALL_TOOLS,
        policy: Policy | None = None,
        memory_limit: int | None = None,
        deadline: float | timedelta | None = None,
    ) -> None:
        """Creates a client, which takes a few milliseconds for the first one in a process.

        - ``store``: where outputs are stored: by default a `MemoryStore`; a `DirStore`, a
          `BucketStore`, or any object with the methods of `Store`. A store with async methods needs
          `AsyncTuckaway`.
        - ``tokens``: counts tokens: `Tiktoken`, or any function of a text; by default, tokens are estimated.
        - ``context_window``: the model's context window in tokens. It is the default for every call, as are
          ``tools``, the artifact tools that the model can call, and ``policy``.
        - ``memory_limit``: maximum bytes of memory for one call, by default 1 GiB. An output that is passed
          in occupies more than its own size.
        - ``deadline``: maximum seconds for one call, including the store and the counter; by default 10.
        """
        super().__init__(
            store,
            tokens=tokens,
            context_window=context_window,
            tools=tools,
            policy=policy,
            memory_limit=memory_limit,
            deadline=deadline,
        )

    def process(
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
        """Reduces one output to its view, which replaces it in the conversation.

        ``output`` is text, bytes, the path of a file (as a `pathlib.Path`), any other value, which is written
        as compact JSON (see `tuckaway.records.Content`), or a `ToolOutput`. ``default`` converts what JSON
        cannot represent. ``tool`` is the name under which the model called the tool; only a `ToolOutput` has
        its own. ``media_type`` is a hint at the format, ``structured`` the result as JSON in addition to the
        output: MCP's ``structuredContent``. ``used_tokens`` are the tokens of the conversation so far.

        >>> tuckaway = Tuckaway()
        >>> tuckaway.process("short", tool="shell").text
        'short'
        >>> view = tuckaway.process("a line of a log\\n" * 100_000, tool="shell")
        >>> view.decision.gate, view.artifacts[0].line_count
        ('ceiling', 100000)
        """
        given = self._converted(
            one_output,
            output,
            tool=tool,
            is_error=is_error,
            media_type=media_type,
            structured=structured,
            default=default,
        )
        turn = self._requests.turn(used_tokens, context_window, tools)
        return self._run(self._requests.process(given, turn, policy))

    def process_turn(
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
        first.

        Returns the views in the order of the outputs.

        >>> outputs = [ToolOutput.of("a" * n, tool="fetch") for n in (100, 50_000, 90_000)]
        >>> views = Tuckaway().process_turn(outputs, used_tokens=110_000)
        >>> [view.decision.action for view in views]
        ['inline', 'inline', 'artifact']
        """
        turn = self._requests.turn(used_tokens, context_window, tools)
        given = self._converted(plain_outputs, outputs, default=default)
        return self._run(self._requests.process_turn(given, turn, policy))

    def decide(
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
        """Returns the decision for one output, and stores nothing. Takes the arguments of `process`.

        >>> decision = Tuckaway().decide("x" * 300_000, tool="fetch")
        >>> decision.action, decision.gate, decision.threshold_bytes
        ('artifact', 'per_output', 200000)
        """
        given = self._converted(
            one_output,
            output,
            tool=tool,
            is_error=is_error,
            media_type=media_type,
            structured=structured,
            default=default,
        )
        turn = self._requests.turn(used_tokens, context_window, tools)
        return self._run(self._requests.decide(given, turn, policy))

    def read(
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
        """Reads part of an artifact, in pages of at most ``max_bytes``: at least 256, by default 16384.

        ``lines`` are counted from 1, both ends included; ``bytes`` from 0, ``end`` excluded; None is the
        first or the last possible one. ``last_lines`` is a number of lines at the end, ``cursor`` the
        ``next`` of an earlier page. By default, all lines are read. With ``line_numbers``, each line is
        prefixed with its number and a tab.

        >>> tuckaway = Tuckaway(policy=Policy(keep_all=True))
        >>> id = tuckaway.process("one\\ntwo\\nthree\\n", tool="cat").artifacts[0].id
        >>> tuckaway.read(id, lines=(2, None)).text
        'two\\nthree\\n'
        >>> tuckaway.read(id, last_lines=1, line_numbers=True).text
        '     3\\tthree\\n'
        """
        part = read_range(lines, last_lines, bytes, cursor)
        return self._run(self._requests.read(id, part, line_numbers, max_bytes))

    def grep(
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
        256, by default 16384.

        ``pattern`` is a regular expression in Rust's syntax, where ``\\d``, ``\\w``, ``\\s`` and case folding
        are ASCII only; with ``fixed_string``, a plain text. ``before_context`` and ``after_context`` are 0 to
        100 lines. ``each_match`` returns every match in a line of more than 400 bytes, not only the first.
        ``max_matches`` is the number of matches per page, 100 by default.

        >>> tuckaway = Tuckaway(policy=Policy(keep_all=True))
        >>> id = tuckaway.process("ok\\nerror: disk full\\nok\\n", tool="make").artifacts[0].id
        >>> [(match.line, match.text) for match in tuckaway.grep(id, "err(or|no)").matches]
        [(2, 'error: disk full')]
        """
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
        return self._run(self._requests.grep(id, query, max_bytes))

    def grep_all(
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
        most ``max_bytes``: at least 1024, by default 16384.

        The arguments are the same as for `grep`; ``max_matches`` limits all artifacts of a page together. An
        artifact that cannot be read is in `AllMatches.skipped`.

        >>> tuckaway = Tuckaway(policy=Policy(keep_all=True))
        >>> for tool in ("make", "test"):
        ...     view = tuckaway.process(f"{tool} failed", tool=tool)
        >>> [group.artifact.tool for group in tuckaway.grep_all("fail").groups]
        ['test', 'make']
        """
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
        return self._run(self._requests.grep_all(query, max_bytes))

    def jq(
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
        at most ``max_bytes``: at least 256, by default 16384.

        The flags are jq's. An error of the running filter is `Outputs.failure`. ``max_steps`` is 20,000,000
        by default, and each 16 bytes that are read give a used step back; ``max_memory`` is 1 GiB, and at
        most about half of the client's ``memory_limit``.

        ``variables`` has other artifacts for the filter, at most 8: ``{"users": id}`` makes the parsed
        content of the artifact ``$users``, or an array if it has several documents. With ``save_as``, a name
        of 1 to 64 bytes, all outputs are stored as a new artifact in place of a page, one on each line:
        `Outputs.saved`. A filter that fails, or has no output or more than 64 MiB of them, then raises an
        error.

        >>> tuckaway = Tuckaway(policy=Policy(keep_all=True))
        >>> id = tuckaway.process([{"name": "a"}, {"name": "b"}], tool="users").artifacts[0].id
        >>> tuckaway.jq(id, "map(.name)", compact=True).text
        '["a","b"]\\n'
        >>> saved = tuckaway.jq(id, ".[]", save_as="each-user").saved
        >>> tuckaway.jq(saved.artifact.id, "[.name, ($all|length)]", variables={"all": id}, compact=True).text
        '["a",2]\\n["b",2]\\n'
        """
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
        return self._run(self._requests.jq(id, query, max_bytes))

    def infer_shape(self, content: Content, *, max_bytes: int | None = None) -> Shape:
        """Describes the content of an output in at most ``max_bytes``: at least 256, by default 2048.

        >>> Tuckaway().infer_shape([{"name": "a", "size": 1}]).value[".[]"]
        {'name': 'string', 'size': 'integer'}
        """
        return self._run(self._requests.infer_shape(self._converted(text_or_bytes, content), max_bytes))

    def truncate(self, content: Content, max_bytes: int) -> str:
        """Truncates content to its head and tail, in at most ``max_bytes``, at least 512; JSON stays valid
        JSON.

        Returns a text that fits unchanged. For bytes that are not text, returns a note.

        >>> len(Tuckaway().truncate("a line\\n" * 1_000, 600)) <= 600
        True
        """
        return self._run(self._requests.truncate(self._converted(text_or_bytes, content), max_bytes))

    def list_artifacts(self) -> list[Artifact]:
        """Lists all artifacts of the store, oldest first.

        >>> Tuckaway().list_artifacts()
        []
        """
        return self._run(self._requests.list_artifacts())

    def tool_definitions(
        self,
        *,
        dialect: Dialect | None = None,
        tools: Iterable[Tool] | None = None,
        is_final_turn: bool = False,
        is_detailed: bool = False,
    ) -> list[ToolDefinition]:
        """Returns the definitions of the artifact tools for a model provider, in the order read, grep, jq.

        ``dialect`` and ``tools`` default to the client's. A final turn has no definitions; neither has
        ``handle`` while the store is empty. The definitions of ``artifact`` are brief; with ``is_detailed``
        they have every parameter and a description of each, which takes about three times the tokens.

        >>> [tool.name for tool in Tuckaway().tool_definitions(tools=["read", "jq"])]
        ['artifact_read', 'artifact_jq']
        """
        return self._run(self._requests.definitions(dialect, tools, is_final_turn, is_detailed))

    def call_tool(
        self, name: str, arguments: str | Mapping[str, Any], *, max_bytes: int | None = None
    ) -> ToolReply:
        """Runs an artifact tool with the arguments that a model passed, as JSON text or parsed.

        The whole reply has at most ``max_bytes``: at least 256, by default 16384. A mistake that the model
        can correct is a reply with ``is_error``. Modes of ``tool_output`` other than ``truncate`` raise an
        `UnsupportedError`, because they need a model: see `extract`. If the call reads a stored image, PDF
        document or recording, the reply has ``media``: see `media_bytes`.

        >>> tuckaway = Tuckaway(policy=Policy(keep_all=True))
        >>> id = tuckaway.process("one\\ntwo\\n", tool="cat").artifacts[0].id
        >>> tuckaway.call_tool("artifact_grep", {"artifact_id": id, "pattern": "two"}).is_error
        False
        """
        return self._run(self._requests.call_tool(name, arguments, max_bytes))

    def media_bytes(self, media: StoredMedia) -> bytes:
        """Returns the bytes of the image, PDF document or recording that a call of an artifact tool reads.

        ``media`` is the reply's `ToolReply.media`. Add the bytes to the result, in the provider's format, if
        your results may contain more than text; the integrations do.

        >>> tuckaway = Tuckaway(policy=Policy(keep_all=True))
        >>> view = tuckaway.process(b"%PDF-1.7\\n%\\xe2\\xe3\\n1 0 obj\\xff\\x00", tool="fetch")
        >>> reply = tuckaway.call_tool("artifact_read", {"artifact_id": view.artifacts[0].id})
        >>> reply.media.kind, reply.media.media_type, len(tuckaway.media_bytes(reply.media))
        ('pdf', 'application/pdf', 22)
        """
        return self._run(self._requests.media_bytes(media))

    def default_policy(self, dialect: Dialect = "artifact") -> Policy:
        """Returns the component's own defaults for a dialect, which are also the defaults of `Policy`.

        >>> Tuckaway().default_policy("file") == Policy(dialect="file")
        True
        """
        return self._run(self._requests.default_policy(dialect))

    def is_artifact_tool(self, name: str) -> bool:
        """Returns whether the name belongs to an artifact tool in the dialect of this client.

        >>> tuckaway = Tuckaway()
        >>> tuckaway.is_artifact_tool("artifact_read"), tuckaway.is_artifact_tool("read_large_output")
        (True, False)
        """
        return self._requests.is_artifact_tool(name)

    @property
    def cache(self) -> OutputCache:
        """The tool output cache of a conversation."""
        return OutputCache(self)

    @property
    def compaction(self) -> Compaction:
        """Summaries of a conversation's past."""
        return Compaction(self)

    @property
    def budget(self) -> Budgets:
        """Budgets for the parts of the context window."""
        return Budgets(self)

    @property
    def histories(self) -> Histories:
        """Histories of model providers, step by step."""
        return Histories(self)

    @property
    def extraction(self) -> Extractions:
        """Questions about an artifact that a model answers, step by step."""
        return Extractions(self)

    def plan(
        self,
        conversation: Conversation,
        task: Task,
        answers: Sequence[str] = (),
        state: PlanState = _NO_STATE,
    ) -> Step:
        """Plans a task for a conversation.

        ``answers`` are the model's answers to the requests of earlier steps of the same task; empty at first.
        For a provider's history, `manage_history` takes all steps and applies the plans. If the store rejects
        content, the plan has an alarm, and no error is raised.

        Errors: `InvalidInputError` for calls and results that are not paired, and for a configuration that
        contradicts itself.
        """
        return self._run(conversations.plan(conversation, task, answers, state))

    def read_refusal(self, error: object) -> ProviderRefusal:
        """Reads the error with which a provider refused a request: an exception, its text, or the body of the
        response as JSON. Any error is an answer; the kind of those that are not known is ``"unknown"``.

        >>> refusal = Tuckaway().read_refusal("prompt is too long: 215000 tokens > 200000 maximum")
        >>> refusal.kind, refusal.limit, refusal.actual
        ('too_many_tokens', 200000, 215000)
        """
        return self._run(conversations.read_refusal(error))

    def manage_history(
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
        summarize: Callable[[SummaryRequest], str] | None = None,
        compact: Callable[[list[Any]], Iterable[Any]] | NativeModel | None = None,
        strict: bool = False,
    ) -> Managed[H]:
        """Keeps the history of an agent within its window: plans a task and applies its steps. The task is by
        default to manage the history within the client's window.

        Call it before each request to the model. ``history`` is a list of messages, a request with its
        messages, or either as JSON; ``format`` is detected if None. Messages, and parts of them, may be
        objects of an SDK. Everything that is not changed is preserved: messages as the same objects, JSON
        text byte for byte.

        - ``memory``: the memory that the last call for this history returned. It may be stored as JSON.
        - ``usage``: the usage of the last answer, as the provider reported it, or a `TokenUsage`.
        - ``refusal``: the error with which the provider refused this history: an exception, its text, or the
          body of the response. The history is then brought within the provider's limit.
        - ``summarize``: sends a request to a model and returns its answer. It is called only if a plan needs
          a summary; if it raises, or is None, the plan proceeds without one.
        - ``compact``: the provider's own compaction, which is tried before ``summarize``, if the provider of
          the history has one: a function that gets the items to compact, as plain values, and returns the
          provider's items; or an `OpenAIModel` or `AnthropicModel`, which sends the request with the system
          prompt and the tools of ``history``, if it is a request. A compaction that fails or cannot be used
          is named in ``report.summary_errors``, and ``summarize`` is asked instead.
        - ``artifacts``: artifacts from which results can be read, by the ids of their calls or as
          `KnownArtifact`. The helpers and middleware of `tuckaway.integrations` note the artifacts of their
          own calls. A result without an artifact is stored before it is removed.
        - ``pinned``: the indexes of messages that must stay unchanged. A system prompt that is a member of
          the request is not counted.
        - ``strict``: whether a call without a result before the next message, and a result without a call,
          are errors. By default they are repaired, because providers reject the remains of an aborted turn.

        Errors: `InvalidInputError` for a malformed history, usage or memory, for a history that the provider
        stores (``previous_response_id`` alone), and for a configuration that contradicts itself.

        >>> from tuckaway import Tuckaway
        >>> history = [{"role": "user", "content": "Hello"}]
        >>> managed = Tuckaway().manage_history(history)
        >>> managed.history[0] is history[0], managed.format, managed.report.is_changed
        (True, 'openai-chat', False)
        """
        return self._run(
            conversations.manage_history(
                self._converted(given_history, history, format=format),
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

    def extract(
        self,
        question: Question,
        model: Model | NativeModel,
        *,
        config: ExtractionConfig | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        on_state: Callable[[str], None] | None = None,
    ) -> Answer:
        """Answers a question about an artifact with a model: in chunks, or with tools that read and search.

        ``config`` defaults to the limits for the context window of this client. A model failure does not fail
        the extraction: the answer lists what is missing, or contains the head and the tail of the artifact.
        ``on_state`` receives the states from which `resume_extraction` can resume.

        >>> import re
        >>> from tuckaway import ModelRequest, Policy, Question, Tuckaway
        >>> tuckaway = Tuckaway(policy=Policy(keep_all=True))
        >>> output = "\\n".join(["all is well", "the turbine stopped at 04:12"] * 500)
        >>> view = tuckaway.process(output, tool="hours")
        >>> question = Question(view.artifacts[0].id, "when did the turbine stop?")
        >>> def model(request: ModelRequest) -> str:
        ...     # The prompt names the tags around the answer.
        ...     tag = re.search(r"ai-agent-\\w+-FINAL", request.system)[0]
        ...     return f'<{tag} format="text">It stopped at 04:12.</{tag}>'
        >>> answer = tuckaway.extract(question, model)
        >>> answer.content, answer.outcome, answer.usage.requests
        ('It stopped at 04:12.', 'found', 1)
        """
        callbacks = Callbacks(model, on_progress, on_state, may_await=self._may_await)
        limits = config or self.extraction.defaults()
        return self._run(callbacks.extract(question, limits))

    def resume_extraction(
        self,
        state: str,
        model: Model | NativeModel,
        *,
        on_progress: Callable[[Progress], None] | None = None,
        on_state: Callable[[str], None] | None = None,
    ) -> Answer:
        """Resumes an extraction from one of its states, possibly of another process or another host. Requests
        without an answer are sent again.

        Errors: `InvalidInputError` for a state that was changed.
        """
        callbacks = Callbacks(model, on_progress, on_state, may_await=self._may_await)
        return self._run(callbacks.resume(state))

    def close(self) -> None:
        """Releases the engine. Later calls raise an `InvalidInputError`; stored outputs are kept."""
        self._engine = None

    def __enter__(self) -> Tuckaway:
        self._open()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
