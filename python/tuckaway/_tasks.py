"""What is planned for a conversation, and within which limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ._plans import Bucket

Overflow = Literal["reject", "summarize", "truncate", "prune_unused"]
"""What is done when a bucket has more tokens than its cap.

- ``reject``: an alarm says so; the agent has to shrink it.
- ``summarize``: a model summarizes.
- ``truncate``: the oldest go first.
- ``prune_unused``: definitions of tools that were not called lately go.
"""

Strategy = Literal["truncate_largest", "sliding_window", "recursive_summarize"]
"""How a layer of the cascade frees tokens.

- ``truncate_largest``: placeholders replace tool results, the largest first.
- ``sliding_window``: the oldest turns go.
- ``recursive_summarize``: a model summarizes the oldest part, with earlier summaries.
"""

Preset = Literal["general", "customer_support", "code_editing", "research", "voice", "automation"]
"""A budget for a kind of agent."""

HistoryFormat = Literal["openai-chat", "openai-responses", "anthropic", "ai-sdk", "neutral"]
"""The format of a history: messages of OpenAI's Chat Completions, input items of its Responses, messages of
Anthropic, messages of the AI SDK, or a `Conversation` in plain form."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptCache:
    """What a warm prompt cache makes of a change to the past: everything behind the change is written
    again."""

    remaining_turns: int = 20
    """How many requests are expected to follow."""
    read_price: float = 0.1
    """The price of a token that is read from the cache, where 1 is one that is not: 0 to 100."""
    write_price: float = 1.25
    """The price of a token that is written to the cache: 0 to 100."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheConfig:
    """The limits of views and of the sum of all results."""

    enabled: bool = True
    """If false, nothing is trimmed."""
    context_budget_tokens: int | None = None
    """The tokens of all tool results beyond which the oldest are trimmed; a quarter of the context window, at
    least 20,000 and at most 60,000, if None."""
    max_message_bytes: int = 50 * 1024
    """The most bytes of a view: at least 512."""
    max_line_length: int = 2_000
    """The most characters of a line in a view: at least 16."""
    target_ratio: float = 0.5
    """How far a trim goes, as a fraction of the budget: 0 to 1. A trim that is rare and large breaks fewer
    prompt caches."""
    clear_at_least_tokens: int = 0
    """A trim that saves fewer tokens is not made."""
    keep_last: int = 1
    """How many of the newest results stay."""
    protected_tools: Sequence[str] = ()
    """Globs of tools whose results stay: at most 1,000."""
    prompt_cache: PromptCache | None = None
    """What the provider's prompt cache costs, if it is warm: a trim that costs more than it saves over the
    expected requests is not made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionConfig:
    """When the history is summarized, how, and what stays."""

    enabled: bool = True
    """If false, the history is never summarized."""
    auto: bool = True
    """If false, it is only summarized when the caller says so."""
    threshold_ratio: float = 0.8
    """The fill of the context limit at which it is summarized: above 0, at most 1."""
    context_limit: int | None = None
    """The most tokens of the conversation. A limit that is not known is an `InvalidInputError`, not a guess;
    the tasks `Budget` and `Manage` take the window if None."""
    model: str | None = None
    """The model that writes summaries; that of the agent if None."""
    summary_context_limit: int | None = None
    """The context limit of that model; ``context_limit`` if None."""
    max_summary_tokens: int = 4_096
    """The most tokens of a summary, with what it retains: at least 64; an eighth of the context limit if that
    is less."""
    summary_prompt: str | None = None
    """Replaces the prompt for the summary: at most 64 KiB."""
    summary_directives: Sequence[str] = ()
    """Added to the prompt, as a list: at most 1,000."""
    retain_prompt: str | None = None
    """The prompt for what is retained word for word: at most 64 KiB. If None, nothing is asked for."""
    retain_directives: Sequence[str] = ()
    """Added to that prompt, as a list: at most 1,000."""
    retain_last_turns: int = 1
    """How many of the newest turns stay. If they alone are too large, their newest steps stay."""
    max_user_bytes: int = 8 * 1024
    """The most bytes of the user's own words that are carried along, and at most about a tenth of the context
    limit."""
    max_references: int = 50
    """The most artifacts that are named as readable."""


@dataclass(frozen=True, slots=True)
class BucketCap:
    """The cap of a bucket."""

    max_tokens: int
    """The most tokens."""
    on_overflow: Overflow
    """What is done beyond them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """A layer of the eviction cascade. A layer acts only if those before it did not suffice."""

    target: Bucket
    """The bucket that is made smaller: ``tool_outputs`` or ``history``."""
    strategy: Strategy
    """How."""
    at_pct: int
    """The fill in percent at which the layer acts: 1 to 100. The fill is that of its bucket, or that of the
    window without its headroom, whichever is more."""
    to_pct: int
    """The fill in percent at which it stops: below ``at_pct``."""
    keep_recent_turns: int = 8
    """How many of the newest turns a sliding window keeps."""
    evict_pct: int = 70
    """How much of the messages a summary replaces, in percent: 1 to 100."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetConfig:
    """The buckets of a context window, and what is done when they overflow.

    `Tuckaway.budget_preset` returns one for a kind of agent, `dataclasses.replace` changes it.
    """

    total_window: int
    """The context window in tokens, at least 1."""
    system: BucketCap
    """The system prompt."""
    tools: BucketCap
    """The definitions of tools."""
    history: BucketCap
    """What user and model say, and the calls."""
    tool_outputs: BucketCap
    """The results."""
    working: BucketCap
    """What is reserved for the answer."""
    headroom_tokens: int
    """What is never planned to be used."""
    layers: Sequence[Layer]
    """The cascade, in order."""
    unused_turns: int
    """The turns in which a tool has to be called for its definition to stay."""


@dataclass(frozen=True, slots=True)
class AccountOnly:
    """Plans nothing: the plan is empty, and has the account of the conversation."""

    _tag: ClassVar[str] = "account"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trim:
    """Plans placeholders for results if all of them have more tokens than their budget."""

    context_window: int
    """The context window in tokens, at least 1."""
    config: CacheConfig = field(default_factory=CacheConfig)
    """The limits."""

    _tag: ClassVar[str] = "trim"


@dataclass(frozen=True, slots=True)
class Compact:
    """Plans a summary of what is older than the newest turns, whether or not that is due."""

    config: CompactionConfig
    """How, and what stays."""

    _tag: ClassVar[str] = "compact"
    _is_wrapper: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Plans to evict what a budget does not allow."""

    config: BudgetConfig
    """The buckets and the cascade."""
    compaction: CompactionConfig = field(default_factory=CompactionConfig)
    """How the history is summarized, if the cascade comes to that. Its context limit is the window if it
    names none."""

    _tag: ClassVar[str] = "budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manage:
    """Plans to trim, evict and summarize, in this order, as far as each is due: everything for one look at a
    conversation in an agent loop."""

    context_window: int
    """The context window in tokens, at least 1."""
    cache: CacheConfig = field(default_factory=CacheConfig)
    """What is trimmed."""
    budget: BudgetConfig | None = None
    """What is evicted; nothing if None."""
    compaction: CompactionConfig = field(default_factory=CompactionConfig)
    """What is summarized. Its context limit is the window if it names none."""

    _tag: ClassVar[str] = "manage"


Task = AccountOnly | Trim | Compact | Budget | Manage
"""What is planned."""
