"""Tasks to plan for a conversation, and their limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from ._plans import Bucket

Overflow = Literal["reject", "summarize", "truncate", "prune_unused"]
"""The action when a bucket exceeds its cap.

- ``reject``: an alarm is raised, and the agent has to shrink the bucket.
- ``summarize``: a model summarizes the bucket.
- ``truncate``: the oldest content is removed first.
- ``prune_unused``: definitions of tools that were not called recently are removed.
"""

Strategy = Literal["truncate_largest", "sliding_window", "recursive_summarize"]
"""How a layer of the cascade frees tokens.

- ``truncate_largest``: placeholders replace tool results, the largest first.
- ``sliding_window``: the oldest turns are removed.
- ``recursive_summarize``: a model summarizes the oldest part together with earlier summaries.
"""

Preset = Literal["general", "customer_support", "code_editing", "research", "voice", "automation"]
"""A budget for a kind of agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptCache:
    """The cost of changing earlier messages when the provider's prompt cache is warm: everything after the
    change is written to the cache again."""

    remaining_turns: int = 20
    """Expected number of further requests."""
    read_price: float = 0.1
    """The price of a token read from the cache, relative to an uncached one: 0 to 100."""
    write_price: float = 1.25
    """The price of a token written to the cache, relative to an uncached one: 0 to 100."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CacheConfig:
    """The limits of views, and of the sum of all results."""

    enabled: bool = True
    """If false, nothing is trimmed."""
    context_budget_tokens: int | None = None
    """The total of tokens of tool results above which the oldest are trimmed; a quarter of the context
    window, at least 20,000 and at most 60,000, if None."""
    max_message_bytes: int = 50 * 1024
    """Maximum bytes of a view: at least 512."""
    max_line_length: int = 2_000
    """Maximum characters of a line in a view: at least 16."""
    target_ratio: float = 0.5
    """The fraction of the budget to which a trim reduces results: 0 to 1. Rare, large trims invalidate the
    prompt cache less often."""
    clear_at_least_tokens: int = 0
    """Minimum tokens that a trim must save."""
    keep_last: int = 1
    """Number of newest results that are kept."""
    protected_tools: Sequence[str] = ()
    """Globs of tools whose results are kept: at most 1,000."""
    prompt_cache: PromptCache | None = None
    """The prices of the provider's prompt cache, if it is warm: a trim that costs more than it saves over the
    expected requests is skipped."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CompactionConfig:
    """When and how the history is summarized, and what is kept."""

    enabled: bool = True
    """If false, the history is never summarized."""
    auto: bool = True
    """If false, the history is only summarized on request."""
    threshold_ratio: float = 0.8
    """The fraction of the context limit at which the history is summarized: above 0, at most 1."""
    context_limit: int | None = None
    """Maximum tokens of the conversation. An unknown limit is an `InvalidInputError` and is never guessed;
    the tasks `Budget` and `Manage` use the window if None."""
    model: str | None = None
    """The model that writes summaries; the agent's model if None."""
    summary_context_limit: int | None = None
    """The context limit of the model that writes summaries; ``context_limit`` if None."""
    max_summary_tokens: int = 4_096
    """Maximum tokens of a summary, including the text it retains: at least 64; an eighth of the context limit
    if that is less."""
    summary_prompt: str | None = None
    """Replaces the prompt for the summary: at most 64 KiB."""
    summary_directives: Sequence[str] = ()
    """Added to the prompt, as a list: at most 1,000."""
    retain_prompt: str | None = None
    """The prompt for text to retain verbatim: at most 64 KiB. If None, the model is not asked for any."""
    retain_directives: Sequence[str] = ()
    """Added to the prompt for retained text, as a list: at most 1,000."""
    retain_last_turns: int = 1
    """Number of newest turns that are kept. If they alone are too large, only their newest steps are kept."""
    max_user_bytes: int = 8 * 1024
    """Maximum bytes of the user's own messages that are carried over, and at most about a tenth of the
    context limit."""
    max_references: int = 50
    """Maximum number of artifacts that are listed as readable."""


@dataclass(frozen=True, slots=True)
class BucketCap:
    """The cap of a bucket."""

    max_tokens: int
    """Maximum tokens."""
    on_overflow: Overflow
    """The action above the cap."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """A layer of the eviction cascade. It acts only if the layers before it did not suffice."""

    target: Bucket
    """The bucket to shrink: ``tool_outputs`` or ``history``."""
    strategy: Strategy
    """How tokens are freed."""
    at_pct: int
    """The fill in percent at which the layer acts: 1 to 100. The fill is the bucket's, or the fill of the
    window without ``headroom_tokens`` and ``working``, whichever is higher."""
    to_pct: int
    """The fill in percent at which the layer stops: below ``at_pct``."""
    keep_recent_turns: int = 8
    """Number of newest turns that a sliding window keeps."""
    evict_pct: int = 70
    """The share of the history that a summary replaces, in percent: 1 to 100."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BudgetConfig:
    """The buckets of a context window, and the actions when they overflow.

    `Tuckaway.budget_preset` returns a budget for a kind of agent; `dataclasses.replace` changes it.
    """

    total_window: int
    """The context window in tokens, at least 1."""
    system: BucketCap
    """The system prompt."""
    tools: BucketCap
    """The definitions of tools."""
    history: BucketCap
    """The messages of user and model, and tool calls."""
    tool_outputs: BucketCap
    """The results of tools."""
    working: BucketCap
    """The space reserved for the answer."""
    headroom_tokens: int
    """Reserved tokens, which no plan uses."""
    layers: Sequence[Layer]
    """The cascade, in order."""
    unused_turns: int
    """Number of turns without a call after which a tool's definition is unused."""


@dataclass(frozen=True, slots=True)
class AccountOnly:
    """Counts tokens only: the plan is empty, and contains the account of the conversation."""

    _tag: ClassVar[str] = "account"


@dataclass(frozen=True, slots=True, kw_only=True)
class Trim:
    """Plans placeholders for results if their total exceeds the token budget."""

    context_window: int
    """The context window in tokens, at least 1."""
    config: CacheConfig = field(default_factory=CacheConfig)
    """Limits of the tool output cache."""

    _tag: ClassVar[str] = "trim"


@dataclass(frozen=True, slots=True)
class Compact:
    """Plans a summary of everything before the newest turns, whether or not that is due."""

    config: CompactionConfig
    """How the history is summarized, and what is kept."""

    _tag: ClassVar[str] = "compact"
    _is_wrapper: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """Plans to evict content that exceeds a budget."""

    config: BudgetConfig
    """The buckets and the cascade."""
    compaction: CompactionConfig = field(default_factory=CompactionConfig)
    """How the history is summarized if the cascade requires it. The context limit defaults to the window."""

    _tag: ClassVar[str] = "budget"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manage:
    """Plans to trim, evict and summarize, in this order, each only if it is due: one pass over a conversation
    in an agent loop."""

    context_window: int
    """The context window in tokens, at least 1."""
    cache: CacheConfig = field(default_factory=CacheConfig)
    """Trimming of tool results."""
    budget: BudgetConfig | None = None
    """Caps and eviction; no budget if None."""
    compaction: CompactionConfig = field(default_factory=CompactionConfig)
    """Summaries. Their context limit defaults to the window."""

    _tag: ClassVar[str] = "manage"


Task = AccountOnly | Trim | Compact | Budget | Manage
"""A task to plan."""
