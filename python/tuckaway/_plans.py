"""Plans for a conversation, as data."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ._clip import short_repr
from ._messages import Role, TextMessage, Usage

Bucket = Literal["system", "tools", "history", "tool_outputs", "working"]
"""The parts of a context window: the developer's messages, the definitions of tools, the messages of user and
model with the calls of tools, the results of tools, and the space reserved for the model's answer."""

Removal = Literal["trimmed", "evicted", "summarized", "pruned"]
"""How a part of the conversation was changed: a placeholder replaced the text of a tool result, messages were
removed, messages were replaced by a summary, or the definition of a tool was removed."""

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
"""The subject of an alarm.

- ``headroom``: the conversation has entered the headroom.
- ``over_cap``: a bucket exceeds its cap, and no permitted step changes that.
- ``not_stored``: the store rejected content that was to be removed, so it stays.
- ``prefix_changed``: the tools or the system prompt differ from those of the last plan.
- ``usage_ignored``: the reported usage contradicts the messages and was ignored.
- ``tokens_estimated``: the token counter failed, and tokens are estimated.
- ``no_summary``: a summary was not usable; the plan proceeds without one.
- ``setting``: a setting is unusual but valid, such as buckets that sum up to more than 90 % of the window.
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """The tokens of a conversation, by bucket."""

    system: int
    """The system prompt."""
    tools: int
    """The definitions of tools."""
    history: int
    """The messages of user and model, and tool calls."""
    tool_outputs: int
    """The results of tools."""
    total: int
    """The sum of all these."""
    cache_breakpoint: int
    """The index of the first message that is not the developer's: the messages before it are the prefix that
    stays the same. A cache breakpoint belongs before it."""


@dataclass(frozen=True, slots=True)
class Span:
    """A range of messages by index, ``end`` excluded."""

    start: int
    """The index of the first message."""
    end: int
    """The index after the last message."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Messages that are kept, as a piece of the new history."""

    start: int
    """The index of the first message."""
    end: int
    """The index after the last message."""

    _tag: ClassVar[str] = "keep"


@dataclass(frozen=True, slots=True)
class Insert:
    """A new message, as a piece of the new history."""

    role: Role
    """The role of the author."""
    text: str
    """The text."""

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
    """The index of the part within the message."""
    text: str
    """The new text."""
    artifact: str
    """The artifact from which the old text can be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """A record of removed content, and where it can be read."""

    removal: Removal
    """How it was removed."""
    messages: Span
    """The affected messages; none for a definition."""
    tool: str | None
    """The tool whose result or definition was removed."""
    tokens_before: int
    """The tokens of these messages before."""
    tokens_after: int
    """The tokens of these messages after, including inserted text."""
    artifact: str | None
    """The artifact from which the removed content can be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Alarm:
    """A warning about a plan, for the caller."""

    kind: AlarmKind
    """The subject."""
    bucket: Bucket | None
    """The bucket, if the alarm concerns one."""
    message: str
    """One or two sentences for people."""


@dataclass(frozen=True, slots=True)
class PlanState:
    """State that a caller keeps between two plans."""

    prefix: str | None = None
    """A fingerprint of the tools and the system prompt; none at first."""
    failures: int = 0
    """Number of consecutive compactions that did not make the conversation smaller."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The changes to make to a conversation. The new history is ``history``, in order, with the replaced
    texts of results."""

    is_empty: bool
    """Whether the conversation stays unchanged."""
    history: tuple[Entry, ...]
    """The new history."""
    replacements: tuple[Replacement, ...]
    """The results whose text changes, in order; only in messages that are kept."""
    removed_tools: tuple[str, ...]
    """The names of tools whose definitions are removed."""
    before: Account
    """The account of the conversation before the plan."""
    after: Account
    """The account of the conversation after the plan."""
    usage: Usage | None
    """The usage to pass with the new history, so that the next plan counts as this one did."""
    receipts: tuple[Receipt, ...]
    """The removed content, and where it can be read."""
    alarms: tuple[Alarm, ...]
    """Warnings for the caller."""
    state: PlanState
    """The state to pass to the next plan."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryRequest:
    """A request for the model that writes summaries. It uses no tools, and neither the request nor its answer
    becomes part of the history."""

    model: str | None
    """The model to ask; the agent's model if None."""
    messages: tuple[TextMessage, ...]
    """The history to summarize, including calls and results, as texts that every provider accepts. The first
    message is the user's, and roles alternate."""
    prompt: str
    """The last message, from the user: the instructions for the summary."""
    through: int
    """Number of messages of the history that this request covers. If ``is_whole``, a caller that wants to use
    its prompt cache may send these messages unchanged, before ``prompt``."""
    is_whole: bool
    """Whether this request covers everything that is to be summarized."""
    remaining: int
    """Number of requests that follow, as far as known."""
    max_output_tokens: int
    """Maximum tokens of the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """The caller's next actions: it applies the plan and then, if there is a request, asks the model and
    plans again with the new history and one more answer."""

    plan: Plan
    """The changes that need no model."""
    request: SummaryRequest | None
    """The request for the model, if one is needed."""
    refusal: str | None
    """Why a summary was rejected, if the plan had to proceed without one; the plan then stores and removes
    the messages that should have been summarized."""


@dataclass(frozen=True, slots=True)
class CacheView:
    """The view of an output in the conversation."""

    text: str
    """The text; never empty."""
    is_cut: bool
    """Whether the text was truncated."""

    def __repr__(self) -> str:
        return short_repr(self)
