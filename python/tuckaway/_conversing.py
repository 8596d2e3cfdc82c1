"""The methods of clients for conversations."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, TypeVar

from ._base import AsyncClient, SyncClient
from ._callbacks import adapted, refuse_async
from ._check import optional_size, text
from ._convert import from_plain, to_plain
from ._history import history_like, plain_history, plain_memory
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
    Managed,
    PlanState,
    Preset,
    Report,
    Step,
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


def _manage(
    history: H,
    task: Task,
    *,
    format: str | None,
    memory: str | None,
    usage: TokenUsage | None,
    summarize: Callable[..., Any] | None,
    may_await: bool,
) -> Request[Managed[H]]:
    like = history_like(history)
    ask = None
    if summarize is not None:
        ask = adapted(
            "summarize",
            summarize,
            record(SummaryRequest),
            as_is,
            may_await=may_await,
        )

    def read(plain: Any) -> Managed[H]:
        return Managed(like(plain["history"]), plain["memory"], from_plain(Report, plain["report"]))

    plain_usage = None if usage is None else to_plain(usage)
    arguments = (plain_history(history, format), memory, plain_usage, to_plain(task), ask)
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
        artifacts: Mapping[str, str] | None = None,
        pinned: Iterable[int] = (),
        usage: TokenUsage | None = None,
        summarize: Callable[[SummaryRequest], str] | None = None,
    ) -> Managed[H]:
        """Keeps the history of an agent within its window: plans a task, usually `Manage`, and applies its
        steps.

        Call it before each request to the model, with the ``usage`` of the last answer and the ``memory``
        from the last call. ``history`` is a list of messages, a request with its messages, or either as JSON;
        ``format`` is detected if None. Everything that is not changed is preserved; in JSON text, byte for
        byte.

        ``summarize`` sends a request to a model and returns its answer. It is called only if a plan needs a
        summary; if it raises, or is None, the plan proceeds without one. ``artifacts`` adds artifacts to the
        memory from which results can be read, by the id of the call; ``pinned`` lists the indexes of messages
        that must be kept unchanged. A system prompt that is a member of the request is message 0.

        Errors: `InvalidInputError` for a history whose calls and results are not paired, and for a
        configuration that contradicts itself.

        >>> from tuckaway import Tuckaway
        >>> from tuckaway.conversation import Manage
        >>> history = [{"role": "user", "content": "Hello"}]
        >>> managed = Tuckaway().manage_history(history, Manage(context_window=200_000))
        >>> managed.history == history, managed.report.requests
        (True, 0)
        """
        if summarize is not None:
            refuse_async("summarize", summarize)
        known = plain_memory(memory, artifacts or {}, tuple(pinned))
        return self._run(
            _manage(
                history, task, format=format, memory=known, usage=usage, summarize=summarize, may_await=False
            )
        )


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
        artifacts: Mapping[str, str] | None = None,
        pinned: Iterable[int] = (),
        usage: TokenUsage | None = None,
        summarize: Callable[[SummaryRequest], str | Awaitable[str]] | None = None,
    ) -> Managed[H]:
        """Keeps the history of an agent within its window; see `Tuckaway.manage_history`. ``summarize`` may
        be async."""
        known = plain_memory(memory, artifacts or {}, tuple(pinned))
        return await self._run(
            _manage(
                history, task, format=format, memory=known, usage=usage, summarize=summarize, may_await=True
            )
        )
