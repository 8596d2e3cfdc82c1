"""What to do to a conversation, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal, TypeVar

from ._clip import short_repr
from ._messages import Role, TextMessage, Usage

Bucket = Literal["system", "tools", "history", "tool_outputs", "working"]
"""The parts of a context window: messages of the developer, definitions of tools, what user and model said
and the calls, results of tools, room for the model's answer."""

Removal = Literal["trimmed", "evicted", "summarized", "pruned"]
"""What was done to a part of the conversation: a placeholder replaced the text of a tool result, messages
were removed, messages were replaced by a summary, the definition of a tool was removed."""

AlarmKind = Literal[
    "headroom",
    "over_cap",
    "not_stored",
    "prefix_changed",
    "usage_ignored",
    "tokens_estimated",
    "no_summary",
    "setting",
]
"""What the caller should know about a plan.

- ``headroom``: the conversation has entered the headroom.
- ``over_cap``: a bucket has more tokens than its cap, and no allowed step changes that.
- ``not_stored``: the store did not accept what was to be removed, so it stays.
- ``prefix_changed``: the tools or the system prompt differ from those of the last plan.
- ``usage_ignored``: the reported usage contradicts the messages and was not used.
- ``tokens_estimated``: the token counter failed, and tokens are estimated.
- ``no_summary``: a summary was not usable; the plan does without.
- ``setting``: a setting contradicts a rule, but can be kept: the shares of the buckets.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The tokens of a conversation, by bucket."""

    system: int
    """The system prompt."""
    tools: int
    """The definitions of tools."""
    history: int
    """What user and model said, and the calls."""
    tool_outputs: int
    """The results."""
    total: int
    """All of these."""
    cache_breakpoint: int
    """The messages that count as the prefix which stays the same: the index of the first message that is not
    of the developer. A cache breakpoint belongs before it."""


@dataclass(frozen=True, slots=True)
class Span:
    """A range of messages by index, ``end`` excluded."""

    start: int
    """The first."""
    end: int
    """The one behind the last."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Messages that stay, as a piece of the new history."""

    start: int
    """The first."""
    end: int
    """The one behind the last."""

    _tag: ClassVar[str] = "keep"


@dataclass(frozen=True, slots=True)
class Insert:
    """A message that is new, as a piece of the new history."""

    role: Role
    """Who speaks."""
    text: str
    """Its text."""

    _tag: ClassVar[str] = "insert"

    def __repr__(self) -> str:
        return short_repr(self)


Entry = Keep | Insert
"""A piece of the new history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Replacement:
    """A tool result whose text changes."""

    message: int
    """The index of the message."""
    part: int
    """The index of the part in it."""
    text: str
    """The new text."""
    artifact: str
    """The artifact from which the old one can be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What a plan takes from the conversation, and where it can be read."""

    removal: Removal
    """What was done."""
    messages: Span
    """The messages that it was done to; none for a definition."""
    tool: str | None
    """The tool whose result or definition it is."""
    tokens_before: int
    """Their tokens before."""
    tokens_after: int
    """Their tokens after, with what was inserted for them."""
    artifact: str | None
    """The artifact from which it can be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """What the caller should know about a plan."""

    kind: AlarmKind
    """What it is about."""
    bucket: Bucket | None
    """The bucket, if it is about one."""
    message: str
    """One or two sentences for people."""


@dataclass(frozen=True, slots=True)
class PlanState:
    """What a caller keeps between two plans."""

    prefix: str | None = None
    """A fingerprint of tools and system prompt; none at first."""
    failures: int = 0
    """Compactions in a row that did not make the conversation smaller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What to do to a conversation. The new history is ``history``, in order, with the replaced texts of
    results."""

    is_empty: bool
    """Whether the conversation stays as it is."""
    history: tuple[Entry, ...]
    """The new history."""
    replacements: tuple[Replacement, ...]
    """The results whose text changes, in order. Only in messages that stay."""
    removed_tools: tuple[str, ...]
    """The names of the tools whose definitions are removed."""
    before: Account
    """The account of the conversation as it came."""
    after: Account
    """The account of the conversation as it will be."""
    usage: Usage | None
    """The usage for the new history, so that the next plan counts as this one did."""
    receipts: tuple[Receipt, ...]
    """What went, and where it can be read."""
    alarms: tuple[Alarm, ...]
    """What the caller should know."""
    state: PlanState
    """What the caller passes to the next plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRequest:
    """A request for the model that writes summaries. It takes no tools, and neither it nor its answer becomes
    part of the history."""

    model: str | None
    """The model that is asked; that of the agent if None."""
    messages: tuple[TextMessage, ...]
    """The messages to be summarized as texts that every provider takes, calls and results too: they begin
    with the user's, and roles alternate."""
    prompt: str
    """The last message, of the user: what to write."""
    through: int
    """How many messages of the history this request covers. A caller that wants to use its prompt cache may
    send these as they are, if ``is_whole``, before ``prompt``."""
    is_whole: bool
    """Whether one request covers everything that is to be summarized, and ``messages`` are all of it."""
    remaining: int
    """How many requests follow, as far as can be known now."""
    max_output_tokens: int
    """The most tokens of the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What a caller does next: applies the plan and then, if there is a request, asks the model and plans
    again with the new history and one more answer."""

    plan: Plan
    """What needs no model."""
    request: SummaryRequest | None
    """What the model is asked for the rest."""
    refusal: str | None
    """Why a summary was refused, if the plan had to do without; it then stores and removes what should have
    been summarized."""


@dataclass(frozen=True, slots=True)
class CacheView:
    """The view of an output in the conversation."""

    text: str
    """The text; never empty."""
    is_cut: bool
    """Whether something was cut."""

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What one look at a history led to."""

    before: Account
    """The account of the history as it came."""
    after: Account
    """The account of the new history."""
    receipts: tuple[Receipt, ...]
    """What went, and where it can be read. Messages are those of the history before each of the ``plans``."""
    alarms: tuple[Alarm, ...]
    """What the caller should know."""
    requests: int
    """How many summaries were asked for."""
    summary_errors: tuple[str, ...]
    """Why summaries could not be had. The plan does without, and says so in ``alarms``."""
    refusal: str | None
    """Why the summary was refused; None if none was, or none was needed."""
    originals: tuple[str, ...]
    """Artifacts with the original items that had images or files and are gone, as NDJSON. Their texts are in
    the artifacts of ``receipts``."""
    plans: tuple[Plan, ...]
    """The plans that were applied, one after the other."""


H = TypeVar("H", str, bytes, "list[Any]", "dict[str, Any]")
"""A history: JSON text, its bytes, a list of messages, or a request with its messages."""


@dataclass(frozen=True, slots=True)
class Managed(Generic[H]):
    """A history that was managed."""

    history: H
    """The history that the agent goes on with, of the type that was passed."""
    memory: str
    """What to pass to the next call, as JSON text."""
    report: Report
    """What was done."""

    def __repr__(self) -> str:
        return short_repr(self)
