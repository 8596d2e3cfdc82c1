"""The groups of a client's methods: for the cache, compactions, budgets, histories and extractions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from . import _conversation_requests as conversations
from . import _extraction_requests as extractions
from ._base import SyncGroup
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


class OutputCache(SyncGroup):
    """The tool output cache: results stay in the conversation while there is space for them; references
    replace the oldest."""

    def view(self, text: str, artifact: str | None = None, config: CacheConfig = _CACHE) -> CacheView:
        """Truncates an output to its view in the conversation: first long lines, then the whole text.

        A note at its end names the artifact from which the rest can be read.
        """
        return self._run(conversations.cache_view(text, artifact, config))

    def unreferenced(self, texts: Iterable[str]) -> list[str]:
        """Returns the artifacts of the store that none of the texts names.

        If the texts are all texts, arguments and references of a conversation, nothing in it refers to these
        artifacts any more.
        """
        return self._run(conversations.unreferenced(texts))


class Compaction(SyncGroup):
    """Summaries of a conversation's past."""

    def should_compact(self, usage: TokenUsage, config: CompactionConfig) -> bool:
        """Returns whether the total of a usage has reached the threshold.

        >>> from tuckaway import Tuckaway
        >>> from tuckaway.conversation import CompactionConfig, TokenUsage
        >>> limits = CompactionConfig(context_limit=100_000)
        >>> usage = TokenUsage(input_tokens=79_000, output_tokens=1_000)
        >>> Tuckaway().compaction.should_compact(usage, limits)
        True
        """
        return self._run(conversations.should_compact(usage, config))


class Budgets(SyncGroup):
    """Budgets for the parts of the context window."""

    def preset(self, preset: Preset, total_window: int | None = None) -> BudgetConfig:
        """Returns a budget for a kind of agent, scaled to a window; by default the budget's own window.

        >>> from tuckaway import Tuckaway
        >>> Tuckaway().budget.preset("general", 200_000).total_window
        200000
        """
        return self._run(conversations.budget_preset(preset, total_window))

    def check(self, config: BudgetConfig) -> list[Alarm]:
        """Returns alarms about an unusual budget."""
        return self._run(conversations.check_budget(config))

    def account(self, conversation: Conversation) -> Account:
        """Returns the tokens of a conversation by bucket.

        >>> from tuckaway import Tuckaway
        >>> from tuckaway.conversation import Conversation, Message, Text
        >>> Tuckaway().budget.account(Conversation([Message("user", [Text("Hello there!")])])).tool_outputs
        0
        """
        return self._run(conversations.account(conversation))


class Histories(SyncGroup):
    """Histories of model providers, step by step. `Tuckaway.manage_history` takes all steps."""

    def detect_format(self, history: History) -> HistoryFormat:
        """Detects the format of a history.

        Errors: `InvalidInputError` for malformed JSON; for messages of several formats, or that fit several
        formats which read them differently; and for messages of a known form that is not a format here. The
        message names the forms.

        >>> from tuckaway import Tuckaway
        >>> Tuckaway().histories.detect_format([{"role": "user", "content": [{"text": "Hello"}]}])
        'bedrock'
        """
        return self._run(conversations.detect_format(self._converted(given_history, history)))

    def read_usage(self, usage: object) -> TokenUsage:
        """Reads a usage as a provider reported it: a dict, an object of an SDK, or JSON text. Cached tokens
        are never counted twice.

        Errors: `InvalidInputError` for a usage without token counts, or with impossible ones.

        >>> from tuckaway import Tuckaway
        >>> usage = {"prompt_tokens": 900, "prompt_tokens_details": {"cached_tokens": 800}}
        >>> Tuckaway().histories.read_usage(usage).cache_read_tokens
        800
        """
        return self._run(conversations.read_usage(usage))

    def start(
        self,
        history: HistoryInput,
        task: Task | None = None,
        memory: str | Mapping[str, Any] | None = None,
    ) -> HistoryStep:
        """Starts to manage a history, for callers that ask the model themselves. ``task`` is by default to
        manage it within the client's window.

        >>> from tuckaway import Tuckaway
        >>> from tuckaway.conversation import AccountOnly, HistoryInput
        >>> history = HistoryInput(json='[{"role": "user", "content": "Hello"}]')
        >>> Tuckaway().histories.start(history, AccountOnly()).history.items
        (Keep(start=0, end=1),)
        """
        return self._run(conversations.start_history(history, task or self._managing(), memory))

    def step(
        self, history: HistoryInput, task: Task | None, state: str, answer: SummaryAnswer
    ) -> HistoryStep:
        """Continues after the model has answered the request of a step. ``history`` and ``task`` are those
        that were passed to `start`: the state does not contain them.

        Errors: `InvalidInputError` for a state that was changed, comes from another version, or belongs to
        another history.
        """
        return self._run(conversations.step_history(history, task or self._managing(), state, answer))

    def _managing(self) -> Manage:
        return Manage(context_window=self._context_window)


class Extractions(SyncGroup):
    """Questions about an artifact that a model answers, step by step. `Tuckaway.extract` takes all steps."""

    def defaults(self, context_tokens: int | None = None) -> ExtractionConfig:
        """Returns the default limits for the context window of a model, of 2,048 to 2^32 tokens; by default
        that of this client.

        >>> from tuckaway import Tuckaway
        >>> Tuckaway().extraction.defaults(128_000).max_output_tokens
        4096
        """
        window = self._context_window if context_tokens is None else context_tokens
        return self._run(extractions.config(window))

    def parse_call(self, arguments: str | Mapping[str, Any]) -> Question:
        """Parses the arguments of a call of the tool ``tool_output``.

        The message of an `InvalidInputError` is for the model: it says how to correct the call.

        >>> from tuckaway import Tuckaway
        >>> Tuckaway().extraction.parse_call({"handle": "art_tool_0", "extract": "the errors"}).extract
        'the errors'
        """
        return self._run(extractions.parse_call(arguments))

    def estimate(self, question: Question, config: ExtractionConfig) -> ExtractionEstimate:
        """Returns the estimated cost of an extraction, without starting it.

        Errors: `InvalidInputError`, `NotFoundError`, `ExpiredError`, and `UnsupportedError` for a binary
        artifact unless the mode is ``truncate``.
        """
        return self._run(extractions.estimate(question, config))

    def start(self, question: Question, config: ExtractionConfig) -> ExtractionStep:
        """Starts an extraction, for callers that ask the model themselves. If it needs no model, the step has
        its answer at once."""
        return self._run(extractions.start(question, config))

    def step(self, state: str, event: ExtractionEvent) -> ExtractionStep:
        """Advances an extraction by one event.

        Errors: `InvalidInputError` for a state that was changed, and for a reply to a request that is not
        open. After an error the state is still valid.
        """
        return self._run(extractions.step(state, event))
