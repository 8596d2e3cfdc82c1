"""The client for threads and scripts."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from types import TracebackType
from typing import Any

from ._content import plain_outputs, text_or_bytes
from ._conversing import Conversing
from ._extracting import Extracting
from ._requests import Bounds, OutputLike, grep_query, jq_query, one_output, read_range
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
from .stores import Store
from .tokens import Tiktoken, TokenCounter

__all__ = ["Tuckaway"]

ALL_TOOLS: tuple[Tool, ...] = ("read", "grep", "jq")


class Tuckaway(Conversing, Extracting):
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
        component: bytes | os.PathLike[str] | None = None,
    ) -> None:
        """Creates a client. The first one in a process compiles the component, which takes about a second, or
        milliseconds if an earlier process has left the machine code in the user's cache.

        - ``store``: where outputs are stored: by default a `MemoryStore`; a `DirStore`, a
          `BucketStore`, or any object with the methods of `Store`. A store with async methods needs
          `AsyncTuckaway`.
        - ``tokens``: counts tokens: `Tiktoken`, or any function of a text; by default, tokens are estimated.
        - ``context_window``: the model's context window in tokens. It is the default for every call, as are
          ``tools``, the artifact tools that the model can call, and ``policy``.
        - ``memory_limit``: maximum bytes of memory for one call, by default 1 GiB. An output that is passed
          in occupies more than its own size.
        - ``deadline``: maximum seconds for one call, including the store and the counter; by default 10.
        - ``component``: another build of the component, as bytes or as a path.
        """
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

    def process(
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
        """Reduces one output to its view, which replaces it in the conversation.

        ``output`` is text, bytes, the path of a file (as a `pathlib.Path`), JSON data (a dict or list,
        written as compact JSON) or a `ToolOutput`. ``tool`` is the name under which the model called the
        tool, ``media_type`` a hint at the format, ``structured`` the result as JSON in addition to the
        output: MCP's ``structuredContent``. ``used_tokens`` are the tokens of the conversation so far.

        >>> tuckaway = Tuckaway()
        >>> tuckaway.process("short", tool="shell").text
        'short'
        >>> view = tuckaway.process("a line of a log\\n" * 100_000, tool="shell")
        >>> view.decision.gate, view.artifacts[0].line_count
        ('ceiling', 100000)
        """
        given = one_output(output, tool=tool, is_error=is_error, media_type=media_type, structured=structured)
        turn = self._requests.turn(used_tokens, context_window, tools)
        return self._run(self._requests.process(given, turn, policy))

    def process_turn(
        self,
        outputs: Sequence[ToolOutput],
        *,
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
        return self._run(self._requests.process_turn(plain_outputs(outputs), turn, policy))

    def decide(
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
        """Returns the decision for one output, and stores nothing. Takes the arguments of `process`.

        >>> decision = Tuckaway().decide("x" * 300_000)
        >>> decision.action, decision.gate, decision.threshold_bytes
        ('artifact', 'per_output', 200000)
        """
        given = one_output(output, tool=tool, is_error=is_error, media_type=media_type, structured=structured)
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
        >>> id = tuckaway.process("one\\ntwo\\nthree\\n").artifacts[0].id
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
        before: int = 0,
        after: int = 0,
        each_match: bool = False,
        max_matches: int | None = None,
        cursor: str | None = None,
        max_bytes: int | None = None,
    ) -> Matches:
        """Finds the lines of an artifact that match a pattern, in pages of at most ``max_bytes``: at least
        256, by default 16384.

        ``pattern`` is a regular expression in Rust's syntax, where ``\\d``, ``\\w``, ``\\s`` and case folding
        are ASCII only; with ``fixed_string``, a plain text. ``before`` and ``after`` are lines of context, 0
        to 100. ``each_match`` returns every match in a line of more than 400 bytes, not only the first.
        ``max_matches`` is the number of matches per page, 100 by default.

        >>> tuckaway = Tuckaway(policy=Policy(keep_all=True))
        >>> id = tuckaway.process("ok\\nerror: disk full\\nok\\n").artifacts[0].id
        >>> [(match.line, match.text) for match in tuckaway.grep(id, "err(or|no)").matches]
        [(2, 'error: disk full')]
        """
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
        return self._run(self._requests.grep(id, query, max_bytes))

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
        cursor: str | None = None,
        max_bytes: int | None = None,
    ) -> Outputs:
        """Runs a jq filter on an artifact that is JSON, or can be read as JSON (CSV, TSV, YAML), in pages of
        at most ``max_bytes``: at least 256, by default 16384.

        The flags are jq's. An error of the running filter is `Outputs.failure`. ``max_steps`` is 5,000,000 by
        default, plus four for each byte that is read; ``max_memory`` is 1 GiB, and at most about half of the
        client's ``memory_limit``.

        >>> tuckaway = Tuckaway(policy=Policy(keep_all=True))
        >>> id = tuckaway.process([{"name": "a"}, {"name": "b"}]).artifacts[0].id
        >>> tuckaway.jq(id, "map(.name)", compact=True).text
        '["a","b"]\\n'
        """
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
        return self._run(self._requests.jq(id, query, max_bytes))

    def infer_shape(self, content: Content, *, max_bytes: int | None = None) -> Shape:
        """Describes the content of an output in at most ``max_bytes``: at least 256, by default 2048.

        >>> Tuckaway().infer_shape([{"name": "a", "size": 1}]).value[".[]"]
        {'name': 'string', 'size': 'integer'}
        """
        return self._run(self._requests.infer_shape(text_or_bytes(content), max_bytes))

    def truncate(self, content: Content, max_bytes: int) -> str:
        """Truncates content to its head and tail, in at most ``max_bytes``, at least 512; JSON stays valid
        JSON.

        Returns a text that fits unchanged. For bytes that are not text, returns a note.

        >>> len(Tuckaway().truncate("a line\\n" * 1_000, 600)) <= 600
        True
        """
        return self._run(self._requests.truncate(text_or_bytes(content), max_bytes))

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
    ) -> list[ToolDefinition]:
        """Returns the definitions of the artifact tools for a model provider, in the order read, grep, jq.

        ``dialect`` and ``tools`` default to the client's. A final turn has no definitions; neither has
        ``handle`` while the store is empty.

        >>> [tool.name for tool in Tuckaway().tool_definitions(tools=["read", "jq"])]
        ['artifact_read', 'artifact_jq']
        """
        return self._run(self._requests.definitions(dialect, tools, is_final_turn))

    def call_tool(
        self, name: str, arguments: str | Mapping[str, Any], *, max_bytes: int | None = None
    ) -> ToolReply:
        """Runs an artifact tool with the arguments that a model passed, as JSON text or parsed.

        The whole reply has at most ``max_bytes``: at least 256, by default 16384. A mistake that the model
        can correct is a reply with ``is_error``. Modes of ``tool_output`` other than ``truncate`` raise an
        `UnsupportedError`, because they need a model: see `extract`.

        >>> tuckaway = Tuckaway(policy=Policy(keep_all=True))
        >>> id = tuckaway.process("one\\ntwo\\n").artifacts[0].id
        >>> tuckaway.call_tool("artifact_grep", {"artifact_id": id, "pattern": "two"}).is_error
        False
        """
        return self._run(self._requests.call_tool(name, arguments, max_bytes))

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
