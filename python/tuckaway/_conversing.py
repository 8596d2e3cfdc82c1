"""The methods of clients for conversations."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ._base import AsyncClient, SyncClient
from ._callbacks import adapted, refuse_async
from ._check import optional_size, text
from ._convert import from_plain, to_plain
from ._given import (
    Artifacts,
    GivenHistory,
    History,
    given_history,
    json_of,
    known_artifacts,
    memory_text,
    pinned_indexes,
)
from ._notes import Notes
from ._requests import Request, as_is, record, records
from .conversation import (
    Account,
    Alarm,
    BudgetConfig,
    CacheConfig,
    CacheView,
    CompactionConfig,
    Conversation,
    HistoryFormat,
    HistoryInput,
    HistoryStep,
    Managed,
    ManagedHistory,
    PlanState,
    Preset,
    Step,
    SummaryFailed,
    SummaryRequest,
    Task,
    TokenUsage,
)

H = TypeVar("H", str, bytes, "list[Any]", "dict[str, Any]")

_NO_STATE = PlanState()
_CACHE = CacheConfig()


def _cache_view(view: str, artifact: str | None, config: CacheConfig) -> Request[CacheView]:
    reference = None if artifact is None else text("artifact", artifact)
    return Request("cache_view", (text("text", view), reference, to_plain(config)), record(CacheView))


def _unreferenced(texts: Iterable[str]) -> Request[list[str]]:
    return Request("unreferenced", ([text("texts", each) for each in texts],), as_is)


def _should_compact(usage: TokenUsage, config: CompactionConfig) -> Request[bool]:
    return Request("should_compact", (to_plain(usage), to_plain(config)), as_is)


def _budget_preset(preset: Preset, total_window: int | None) -> Request[BudgetConfig]:
    window = optional_size("total_window", total_window)
    return Request("budget_preset", (text("preset", preset), window), record(BudgetConfig))


def _check_budget(config: BudgetConfig) -> Request[list[Alarm]]:
    return Request("check_budget", (to_plain(config),), records(Alarm))


def _plan(conversation: Conversation, task: Task, answers: Sequence[str], state: PlanState) -> Request[Step]:
    arguments = (to_plain(conversation), to_plain(task), list(answers), to_plain(state))
    return Request("plan", arguments, record(Step))


def _account(conversation: Conversation) -> Request[Account]:
    return Request("account", (to_plain(conversation),), record(Account))


def _detect_format(given: GivenHistory) -> Request[HistoryFormat]:
    return Request("detect_format", (given.json,), as_is)


def _read_usage(usage: object) -> Request[TokenUsage]:
    return Request("read_usage", (json_of("usage", usage),), record(TokenUsage))


def _start_history(
    history: HistoryInput, task: Task, memory: str | Mapping[str, Any] | None
) -> Request[HistoryStep]:
    arguments = (to_plain(history), memory_text(memory), to_plain(task))
    return Request("start_history", arguments, record(HistoryStep))


def _step_history(
    history: HistoryInput, task: Task, state: str, answer: str | SummaryFailed
) -> Request[HistoryStep]:
    plain_answer = {"text": text("answer", answer)} if isinstance(answer, str) else to_plain(answer)
    arguments = (to_plain(history), to_plain(task), text("state", state), plain_answer)
    return Request("step_history", arguments, record(HistoryStep))


def _manage(
    given: GivenHistory,
    task: Task,
    notes: Notes,
    *,
    format: HistoryFormat | None,
    memory: str | Mapping[str, Any] | None,
    artifacts: Artifacts | None,
    pinned: Iterable[int],
    usage: object,
    summarize: Callable[..., Any] | None,
    strict: bool,
    may_await: bool,
) -> Request[Managed[Any]]:
    noted = notes.of(given.json)
    history = HistoryInput(
        json=given.json,
        format=format,
        usage=None if usage is None else json_of("usage", usage),
        artifacts=[*noted, *known_artifacts(artifacts)],
        pinned=pinned_indexes(pinned),
        is_strict=bool(strict),
        with_json=given.is_text,
    )
    ask = None
    if summarize is not None:
        ask = adapted("summarize", summarize, record(SummaryRequest), as_is, may_await=may_await)

    def read(plain: Any) -> Managed[Any]:
        notes.forget(noted, plain["memory"])
        managed = from_plain(ManagedHistory, plain)
        return Managed(given.new(managed), managed.memory, managed.report, managed.format)

    arguments = (to_plain(history), memory_text(memory), to_plain(task), ask)
    return Request("manage_history", arguments, read)


class Conversing(SyncClient):
    """The methods of `Tuckaway` for conversations."""

    def cache_view(self, text: str, artifact: str | None = None, config: CacheConfig = _CACHE) -> CacheView:
        """Truncates an output to its view in the conversation: first long lines, then the whole text.

        A note at its end names the artifact from which the rest can be read.
        """
        return self._run(_cache_view(text, artifact, config))

    def unreferenced(self, texts: Iterable[str]) -> list[str]:
        """Returns the artifacts of the store that none of the texts names.

        If the texts are all texts, arguments and references of a conversation, nothing in it refers to these
        artifacts any more.
        """
        return self._run(_unreferenced(texts))

    def should_compact(self, usage: TokenUsage, config: CompactionConfig) -> bool:
        """Returns whether the total of a usage has reached the threshold.

        >>> from tuckaway import Tuckaway
        >>> from tuckaway.conversation import CompactionConfig, TokenUsage
        >>> limits = CompactionConfig(context_limit=100_000)
        >>> Tuckaway().should_compact(TokenUsage(input_tokens=79_000, output_tokens=1_000), limits)
        True
        """
        return self._run(_should_compact(usage, config))

    def budget_preset(self, preset: Preset, total_window: int | None = None) -> BudgetConfig:
        """Returns a budget for a kind of agent, scaled to a window; by default the budget's own window.

        >>> from tuckaway import Tuckaway
        >>> Tuckaway().budget_preset("general", 200_000).total_window
        200000
        """
        return self._run(_budget_preset(preset, total_window))

    def check_budget(self, config: BudgetConfig) -> list[Alarm]:
        """Returns alarms about an unusual budget."""
        return self._run(_check_budget(config))

    def account(self, conversation: Conversation) -> Account:
        """Returns the tokens of a conversation by bucket.

        >>> from tuckaway import Tuckaway
        >>> from tuckaway.conversation import Conversation, Message, Text
        >>> Tuckaway().account(Conversation([Message("user", [Text("Hello there!")])])).tool_outputs
        0
        """
        return self._run(_account(conversation))

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
        return self._run(_plan(conversation, task, answers, state))

    def manage_history(
        self,
        history: H,
        task: Task,
        *,
        format: HistoryFormat | None = None,
        memory: str | Mapping[str, Any] | None = None,
        artifacts: Artifacts | None = None,
        pinned: Iterable[int] = (),
        usage: object = None,
        summarize: Callable[[SummaryRequest], str] | None = None,
        strict: bool = False,
    ) -> Managed[H]:
        """Keeps the history of an agent within its window: plans a task, usually `Manage`, and applies its
        steps.

        Call it before each request to the model. ``history`` is a list of messages, a request with its
        messages, or either as JSON; ``format`` is detected if None. Messages, and parts of them, may be
        objects of an SDK. Everything that is not changed is preserved: messages as the same objects, JSON
        text byte for byte.

        - ``memory``: the memory that the last call for this history returned. It may be stored as JSON.
        - ``usage``: the usage of the last answer, as the provider reported it, or a `TokenUsage`.
        - ``summarize``: sends a request to a model and returns its answer. It is called only if a plan needs
          a summary; if it raises, or is None, the plan proceeds without one.
        - ``artifacts``: artifacts from which results can be read, by the ids of their calls or as
          `KnownArtifact`. The helpers and middleware of `tuckaway.integrations` note those of their calls
          themselves. A result without an artifact is stored before it is removed.
        - ``pinned``: the indexes of messages that must stay unchanged. A system prompt that is a member of
          the request is not counted.
        - ``strict``: whether a call without a result before the next message, and a result without a call,
          are errors. By default they are repaired, because providers reject what an aborted turn leaves.

        Errors: `InvalidInputError` for a malformed history, usage or memory, for a history that the provider
        stores (``previous_response_id`` alone), and for a configuration that contradicts itself.

        >>> from tuckaway import Tuckaway
        >>> from tuckaway.conversation import Manage
        >>> history = [{"role": "user", "content": "Hello"}]
        >>> managed = Tuckaway().manage_history(history, Manage(context_window=200_000))
        >>> managed.history[0] is history[0], managed.format, managed.report.is_changed
        (True, 'openai-chat', False)
        """
        if summarize is not None:
            refuse_async("summarize", summarize)
        return self._run(
            _manage(
                given_history(history, format),
                task,
                self._notes,
                format=format,
                memory=memory,
                artifacts=artifacts,
                pinned=pinned,
                usage=usage,
                summarize=summarize,
                strict=strict,
                may_await=False,
            )
        )

    def start_history(
        self, history: HistoryInput, task: Task, memory: str | Mapping[str, Any] | None = None
    ) -> HistoryStep:
        """Starts to manage a history step by step, for callers that ask the model themselves.
        `manage_history` takes all steps.

        >>> from tuckaway import Tuckaway
        >>> from tuckaway.conversation import AccountOnly, HistoryInput
        >>> history = HistoryInput(json='[{"role": "user", "content": "Hello"}]')
        >>> Tuckaway().start_history(history, AccountOnly()).history.items
        (Keep(start=0, end=1),)
        """
        return self._run(_start_history(history, task, memory))

    def step_history(
        self, history: HistoryInput, task: Task, state: str, answer: str | SummaryFailed
    ) -> HistoryStep:
        """Continues after the model has answered the request of a step. ``history`` and ``task`` are those
        that were passed to `start_history`: the state does not contain them.

        Errors: `InvalidInputError` for a state that was changed, comes from another version, or belongs to
        another history.
        """
        return self._run(_step_history(history, task, state, answer))

    def detect_format(self, history: History) -> HistoryFormat:
        """Detects the format of a history.

        Errors: `InvalidInputError` for malformed JSON; for messages of several formats, or that fit several
        formats which read them differently; and for messages of a known form that is not a format here. The
        message names the forms.

        >>> from tuckaway import Tuckaway
        >>> Tuckaway().detect_format([{"role": "user", "content": [{"text": "Hello"}]}])
        'bedrock'
        """
        return self._run(_detect_format(given_history(history)))

    def read_usage(self, usage: object) -> TokenUsage:
        """Reads a usage as a provider reported it: a dict, an object of an SDK, or JSON text. Cached tokens
        are never counted twice.

        Errors: `InvalidInputError` for a usage without token counts, or with impossible ones.

        >>> from tuckaway import Tuckaway
        >>> usage = {"prompt_tokens": 900, "prompt_tokens_details": {"cached_tokens": 800}}
        >>> Tuckaway().read_usage(usage).cache_read_tokens
        800
        """
        return self._run(_read_usage(usage))


class AsyncConversing(AsyncClient):
    """The methods of `AsyncTuckaway` for conversations."""

    async def cache_view(
        self, text: str, artifact: str | None = None, config: CacheConfig = _CACHE
    ) -> CacheView:
        """Truncates an output to its view in the conversation; see `Tuckaway.cache_view`."""
        return await self._run(_cache_view(text, artifact, config))

    async def unreferenced(self, texts: Iterable[str]) -> list[str]:
        """Returns the artifacts of the store that none of the texts names; see `Tuckaway.unreferenced`."""
        return await self._run(_unreferenced(texts))

    async def should_compact(self, usage: TokenUsage, config: CompactionConfig) -> bool:
        """Returns whether the total of a usage has reached the threshold; see `Tuckaway.should_compact`."""
        return await self._run(_should_compact(usage, config))

    async def budget_preset(self, preset: Preset, total_window: int | None = None) -> BudgetConfig:
        """Returns a budget for a kind of agent; see `Tuckaway.budget_preset`."""
        return await self._run(_budget_preset(preset, total_window))

    async def check_budget(self, config: BudgetConfig) -> list[Alarm]:
        """Returns alarms about an unusual budget; see `Tuckaway.check_budget`."""
        return await self._run(_check_budget(config))

    async def account(self, conversation: Conversation) -> Account:
        """Returns the tokens of a conversation by bucket; see `Tuckaway.account`."""
        return await self._run(_account(conversation))

    async def plan(
        self,
        conversation: Conversation,
        task: Task,
        answers: Sequence[str] = (),
        state: PlanState = _NO_STATE,
    ) -> Step:
        """Plans a task for a conversation; see `Tuckaway.plan`."""
        return await self._run(_plan(conversation, task, answers, state))

    async def manage_history(
        self,
        history: H,
        task: Task,
        *,
        format: HistoryFormat | None = None,
        memory: str | Mapping[str, Any] | None = None,
        artifacts: Artifacts | None = None,
        pinned: Iterable[int] = (),
        usage: object = None,
        summarize: Callable[[SummaryRequest], str | Awaitable[str]] | None = None,
        strict: bool = False,
    ) -> Managed[H]:
        """Keeps the history of an agent within its window; see `Tuckaway.manage_history`. ``summarize`` may
        be async."""
        return await self._run(
            _manage(
                await self._converted(given_history, history, format=format),
                task,
                self._notes,
                format=format,
                memory=memory,
                artifacts=artifacts,
                pinned=pinned,
                usage=usage,
                summarize=summarize,
                strict=strict,
                may_await=True,
            )
        )

    async def start_history(
        self, history: HistoryInput, task: Task, memory: str | Mapping[str, Any] | None = None
    ) -> HistoryStep:
        """Starts to manage a history step by step; see `Tuckaway.start_history`."""
        return await self._run(_start_history(history, task, memory))

    async def step_history(
        self, history: HistoryInput, task: Task, state: str, answer: str | SummaryFailed
    ) -> HistoryStep:
        """Continues after the model has answered; see `Tuckaway.step_history`."""
        return await self._run(_step_history(history, task, state, answer))

    async def detect_format(self, history: History) -> HistoryFormat:
        """Detects the format of a history; see `Tuckaway.detect_format`."""
        return await self._run(_detect_format(await self._converted(given_history, history)))

    async def read_usage(self, usage: object) -> TokenUsage:
        """Reads a usage as a provider reported it; see `Tuckaway.read_usage`."""
        return await self._run(_read_usage(usage))
