# Written by `python codegen/asynchronous.py` from _groups.py; do not edit.

"""The groups of an asynchronous client's methods."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import _conversation_requests as conversations
from . import _extraction_requests as extractions
from ._base import AsyncGroup
from ._given import History, given_history
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
    Manage,
    Preset,
    SummaryAnswer,
    Task,
    TokenUsage,
)
from .extraction import ExtractionConfig, ExtractionEstimate, ExtractionEvent, ExtractionStep, Question

_CACHE = CacheConfig()


class AsyncOutputCache(AsyncGroup):
    """The tool output cache: results stay in the conversation while there is space for them; references
    replace the oldest."""

    async def view(self, text: str, artifact: str | None = None, config: CacheConfig = _CACHE) -> CacheView:
        """Truncates an output to its view in the conversation: first long lines, then the whole text. See
        `OutputCache.view`."""
        return await self._run(conversations.cache_view(text, artifact, config))

    async def unreferenced(self, texts: Iterable[str]) -> list[str]:
        """Returns the artifacts of the store that none of the texts names. See `OutputCache.unreferenced`."""
        return await self._run(conversations.unreferenced(texts))


class AsyncCompaction(AsyncGroup):
    """Summaries of a conversation's past."""

    async def should_compact(self, usage: TokenUsage, config: CompactionConfig) -> bool:
        """Returns whether the total of a usage has reached the threshold. See `Compaction.should_compact`."""
        return await self._run(conversations.should_compact(usage, config))


class AsyncBudgets(AsyncGroup):
    """Budgets for the parts of the context window."""

    async def preset(self, preset: Preset, total_window: int | None = None) -> BudgetConfig:
        """Returns a budget for a kind of agent, scaled to a window; by default the budget's own window. See
        `Budgets.preset`."""
        return await self._run(conversations.budget_preset(preset, total_window))

    async def check(self, config: BudgetConfig) -> list[Alarm]:
        """Returns alarms about an unusual budget. See `Budgets.check`."""
        return await self._run(conversations.check_budget(config))

    async def account(self, conversation: Conversation) -> Account:
        """Returns the tokens of a conversation by bucket. See `Budgets.account`."""
        return await self._run(conversations.account(conversation))


class AsyncHistories(AsyncGroup):
    """Histories of model providers, step by step. `Tuckaway.manage_history` takes all steps."""

    async def detect_format(self, history: History) -> HistoryFormat:
        """Detects the format of a history. See `Histories.detect_format`."""
        return await self._run(conversations.detect_format(await self._converted(given_history, history)))

    async def read_usage(self, usage: object) -> TokenUsage:
        """Reads a usage as a provider reported it: a dict, an object of an SDK, or JSON text. Cached tokens
        are never counted twice. See `Histories.read_usage`."""
        return await self._run(conversations.read_usage(usage))

    async def start(
        self,
        history: HistoryInput,
        task: Task | None = None,
        memory: str | Mapping[str, Any] | None = None,
    ) -> HistoryStep:
        """Starts to manage a history, for callers that ask the model themselves. ``task`` is by default to
        manage it within the client's window. See `Histories.start`."""
        return await self._run(conversations.start_history(history, task or self._managing(), memory))

    async def step(
        self, history: HistoryInput, task: Task | None, state: str, answer: SummaryAnswer
    ) -> HistoryStep:
        """Continues after the model has answered the request of a step. ``history`` and ``task`` are those
        that were passed to `start`: the state does not contain them. See `Histories.step`."""
        return await self._run(conversations.step_history(history, task or self._managing(), state, answer))

    def _managing(self) -> Manage:
        return Manage(context_window=self._context_window)


class AsyncExtractions(AsyncGroup):
    """Questions about an artifact that a model answers, step by step. `Tuckaway.extract` takes all steps."""

    async def defaults(self, context_tokens: int | None = None) -> ExtractionConfig:
        """Returns the default limits for the context window of a model, of 2,048 to 2^32 tokens; by default
        that of this client. See `Extractions.defaults`."""
        window = self._context_window if context_tokens is None else context_tokens
        return await self._run(extractions.config(window))

    async def parse_call(self, arguments: str | Mapping[str, Any]) -> Question:
        """Parses the arguments of a call of the tool ``tool_output``. See `Extractions.parse_call`."""
        return await self._run(extractions.parse_call(arguments))

    async def estimate(self, question: Question, config: ExtractionConfig) -> ExtractionEstimate:
        """Returns the estimated cost of an extraction, without starting it. See `Extractions.estimate`."""
        return await self._run(extractions.estimate(question, config))

    async def start(self, question: Question, config: ExtractionConfig) -> ExtractionStep:
        """Starts an extraction, for callers that ask the model themselves. If it needs no model, the step has
        its answer at once. See `Extractions.start`."""
        return await self._run(extractions.start(question, config))

    async def step(self, state: str, event: ExtractionEvent) -> ExtractionStep:
        """Advances an extraction by one event. See `Extractions.step`."""
        return await self._run(extractions.step(state, event))
