"""The records of conversations: messages, tasks with their limits, plans, and histories of providers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from ._extras import Record
from ._records import (
    Account,
    AccountOnly,
    Alarm,
    AlarmKind,
    Bucket,
    BucketCap,
    Budget,
    BudgetConfig,
    CacheConfig,
    CacheView,
    Compact,
    CompactionConfig,
    Conversation,
    Entry,
    HistoryFormat,
    HistoryInput,
    HistoryItem,
    HistoryReport,
    HistoryStep,
    ImageLimits,
    Insert,
    InsertItem,
    Keep,
    KnownArtifact,
    Layer,
    Manage,
    ManagedHistory,
    Media,
    Message,
    Opaque,
    Overflow,
    PairConfig,
    PairSummary,
    Part,
    PartPlace,
    Plan,
    PlanState,
    Preset,
    PromptCache,
    ProviderRefusal,
    Receipt,
    RefusalKind,
    Removal,
    Repeats,
    Replacement,
    Role,
    Span,
    Step,
    Strategy,
    SummaryAnswer,
    SummaryCompacted,
    SummaryFailed,
    SummaryRequest,
    Task,
    Text,
    TextMessage,
    Thinking,
    TokenUsage,
    ToolCall,
    ToolResult,
    ToolSpec,
    Trim,
    Usage,
    UserMessages,
)

__all__ = [
    "Account",
    "AccountOnly",
    "Alarm",
    "AlarmKind",
    "Bucket",
    "BucketCap",
    "Budget",
    "BudgetConfig",
    "CacheConfig",
    "CacheView",
    "Compact",
    "CompactionConfig",
    "Conversation",
    "Entry",
    "HistoryFormat",
    "HistoryInput",
    "HistoryItem",
    "HistoryReport",
    "HistoryStep",
    "ImageLimits",
    "Insert",
    "InsertItem",
    "Keep",
    "KnownArtifact",
    "Layer",
    "Manage",
    "Managed",
    "ManagedHistory",
    "Media",
    "Message",
    "Opaque",
    "Overflow",
    "PairConfig",
    "PairSummary",
    "Part",
    "PartPlace",
    "Plan",
    "PlanState",
    "Preset",
    "PromptCache",
    "ProviderRefusal",
    "Receipt",
    "RefusalKind",
    "Removal",
    "Repeats",
    "Replacement",
    "Role",
    "Span",
    "Step",
    "Strategy",
    "SummaryAnswer",
    "SummaryCompacted",
    "SummaryFailed",
    "SummaryRequest",
    "Task",
    "Text",
    "TextMessage",
    "Thinking",
    "TokenUsage",
    "ToolCall",
    "ToolResult",
    "ToolSpec",
    "Trim",
    "Usage",
    "UserMessages",
]

H = TypeVar("H", str, bytes, "list[Any]", "dict[str, Any]")
"""A history: JSON text, its bytes, a list of items, or a request with its items."""


@dataclass(frozen=True, slots=True, repr=False)
class Managed(Record, Generic[H]):
    """A managed history."""

    history: H
    """The history for the next request, of the same type as the given one."""
    memory: dict[str, Any]
    """The memory to pass to the next call: small, plain JSON without texts, which Rust and JavaScript can
    read, too."""
    report: HistoryReport
    """The changes that were made."""
    format: HistoryFormat
    """The format that was read."""
    background: list[SummaryRequest]
    """With `Manage.pairs`, the requests for summaries of single calls. Do not wait for the answers: pass
    them to later calls, each as a `PairSummary` in `PairConfig.answers`."""
