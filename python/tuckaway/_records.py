# Written by `cargo xtask contract` from wit/; do not edit.

"""The records of the contract. `tuckaway.records`, `tuckaway.conversation` and `tuckaway.extraction`
export them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from ._convert import JSON_TEXT
from ._extras import (
    OF_DIALECT,
    DecisionExtras,
    PolicyExtras,
    Record,
    ShapeExtras,
    TokenUsageExtras,
    ViewExtras,
)


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Artifact(Record):
    """The metadata of an artifact."""

    id: str
    """The id in the store."""
    tool: str
    """The tool that produced it."""
    media_type: str
    """``application/json``, ``text/plain``, ``image/png``, …"""
    size_bytes: int
    """The size in bytes."""
    line_count: int
    """The number of line feeds in the text, as ``artifacts`` reads it in UTF-8, plus one if the last line
    has none."""
    created_at: int
    """When it was created, in Unix seconds of the host's clock."""


Role = Literal["system", "user", "assistant", "tool"]
"""The sender of a message.

- ``system``: The developer of the agent: counted as part of the system prompt, never removed.
- ``user``: The user. A message that has only tool results continues the turn, whichever role the
  provider gives it.
- ``assistant``: The model.
- ``tool``: A tool.
"""


@dataclass(frozen=True, slots=True, repr=False)
class ToolCall(Record):
    """A tool call by the model."""

    id: str
    """The id that its result refers to."""
    name: str
    """The name of the tool."""
    arguments: str
    """The arguments as JSON text."""
    pinned: bool = False
    """Whether the arguments must stay unchanged, such as those that a provider has signed. Default: false."""

    _tag: ClassVar[str] = "tool_call"


@dataclass(frozen=True, slots=True, repr=False)
class ToolResult(Record):
    """The result of a tool call."""

    call_id: str
    """The id of the call."""
    text: str
    """The text that the model sees."""
    is_error: bool = False
    """Whether the tool reports an error. Default: false."""
    artifact: str | None = None
    """The artifact that has the full output."""

    _tag: ClassVar[str] = "tool_result"


@dataclass(frozen=True, slots=True, repr=False)
class Text(Record):
    """Text."""

    text: str
    """Text."""

    _tag: ClassVar[str] = "text"
    _is_wrapper: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, repr=False)
class Media(Record):
    """An image, audio or a document."""

    tokens: int
    """Its size in tokens."""
    bytes: int = 0
    """Its size in bytes, as sent. Default: 0."""
    label: str | None = None
    """A description in a few words, such as ``image/png, 1280 x 720``. Default: none."""
    artifact: str | None = None
    """The artifact that has it. Default: none."""

    _tag: ClassVar[str] = "media"


@dataclass(frozen=True, slots=True, repr=False)
class Opaque(Record):
    """Content that is kept unchanged, such as calls that the provider runs: its size in bytes."""

    size_bytes: int
    """Content that is kept unchanged, such as calls that the provider runs: its size in bytes."""

    _tag: ClassVar[str] = "opaque"
    _is_wrapper: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, repr=False)
class Thinking(Record):
    """The model's thinking, which is kept unchanged unless ``cache-config.keep-thinking`` says otherwise:
    its size in bytes."""

    size_bytes: int
    """The model's thinking, which is kept unchanged unless ``cache-config.keep-thinking`` says otherwise:
    its size in bytes."""

    _tag: ClassVar[str] = "thinking"
    _is_wrapper: ClassVar[bool] = True


Part = Text | ToolCall | ToolResult | Media | Opaque | Thinking
"""A part of a message."""


@dataclass(frozen=True, slots=True, repr=False)
class Message(Record):
    """A message of a conversation."""

    role: Role
    """The sender."""
    parts: Sequence[Part]
    """The parts, in order."""
    tokens: int | None = None
    """The token count, if known."""
    pinned: bool = False
    """Whether the message must stay unchanged. Default: false."""
    inserted: bool = False
    """Whether an earlier plan inserted the message. Such a message neither starts a turn nor counts as the
    user's own words. Default: false."""
    joined: bool = False
    """Whether this message and the next one stay or go together, such as thinking and the call that it
    belongs to. Default: false."""
    kept: bool = False
    """Whether the message must stay, although parts of it may be trimmed. Default: false."""


@dataclass(frozen=True, slots=True, repr=False)
class ToolSpec(Record):
    """The definition of a tool that the model can call."""

    name: str
    """The name of the tool."""
    definition: str
    """The definition as JSON text."""
    tokens: int | None = None
    """The token count, if known."""
    pinned: bool = False
    """Whether the definition stays even if the tool is unused. Default: false."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class TokenUsage(TokenUsageExtras):
    """The token counts that a provider reported. The total is their sum."""

    input_tokens: int = 0
    """Input tokens outside the prompt cache. Default: 0."""
    output_tokens: int = 0
    """Tokens of the answer. Default: 0."""
    cache_creation_tokens: int = 0
    """Tokens written to the provider's prompt cache. Default: 0."""
    cache_read_tokens: int = 0
    """Tokens read from the provider's prompt cache. Default: 0."""


@dataclass(frozen=True, slots=True, repr=False)
class Usage(Record):
    """A reported usage and the messages that it covers. The host counts only the messages after those. A
    usage is ignored, with an alarm, if it is less than an eighth or more than eight times the estimate
    for its messages."""

    tokens: TokenUsage
    """The reported token counts."""
    messages: int
    """The number of messages that it covers: all up to and including the answer that it was reported with."""


@dataclass(frozen=True, slots=True, repr=False)
class Conversation(Record):
    """The conversation of an agent."""

    messages: Sequence[Message]
    """The messages, including those of the developer."""
    tools: Sequence[ToolSpec] = ()
    """The tools sent with every request. Default: none."""
    usage: Usage | None = None
    """The latest usage that the provider reported."""


Bucket = Literal["system", "tools", "history", "tool_outputs", "working"]
"""The parts of a context window.

- ``system``: Messages of the developer.
- ``tools``: Definitions of tools.
- ``history``: Messages of user and model, and tool calls.
- ``tool_outputs``: Tool results.
- ``working``: Reserved for the model's answer.
"""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Account(Record):
    """The tokens of a conversation, by bucket."""

    system: int
    """The system prompt."""
    tools: int
    """The definitions of tools."""
    history: int
    """Messages of user and model, and tool calls."""
    tool_outputs: int
    """Tool results."""
    total: int
    """The sum of the above."""
    cache_breakpoint: int
    """The index of the first message that is not the developer's. A cache breakpoint belongs before it."""


@dataclass(frozen=True, slots=True, repr=False)
class Span(Record):
    """A range of message indexes, ``end`` excluded."""

    start: int
    """The index of the first message."""
    end: int
    """The index after the last message."""


@dataclass(frozen=True, slots=True, repr=False)
class TextMessage(Record):
    """A message with a single text. Messages that a plan inserts have the role ``user``."""

    role: Role
    """The sender."""
    text: str
    """The text."""


@dataclass(frozen=True, slots=True, repr=False)
class Keep(Record):
    """Messages to keep."""

    start: int
    """The index of the first message."""
    end: int
    """The index after the last message."""

    _tag: ClassVar[str] = "keep"


@dataclass(frozen=True, slots=True, repr=False)
class Insert(Record):
    """A new message."""

    role: Role
    """The sender."""
    text: str
    """The text."""

    _tag: ClassVar[str] = "insert"


Entry = Keep | Insert
"""A piece of the new history."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Replacement(Record):
    """A part whose text changes: a tool result; a call, whose arguments change; a text of the user; or a
    medium, which becomes a text. If a result has the same text as before, only its artifact is new."""

    message: int
    """The index of the message."""
    part: int
    """The index of the part in the message."""
    text: str
    """The new text; for a call, the new arguments as JSON text."""
    artifact: str
    """The artifact that has the previous content."""


@dataclass(frozen=True, slots=True, repr=False)
class PartPlace(Record):
    """The position of a part."""

    message: int
    """The index of the message."""
    part: int
    """The index of the part in the message."""


Removal = Literal["trimmed", "evicted", "summarized", "pruned", "cleared"]
"""How a part of the conversation was removed.

- ``trimmed``: A placeholder replaced the text of a tool result (with its summary, if
  ``manage-task.pairs`` has one), large texts in the arguments of a call, the middle of a text of
  the user, or a medium; or a reference to an earlier result replaced one that repeats it.
- ``evicted``: Messages were removed.
- ``summarized``: A summary replaced messages.
- ``pruned``: The definition of a tool was removed.
- ``cleared``: The thinking of a message was removed. It is not stored.
"""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Receipt(Record):
    """A part that a plan removes from the conversation, and the artifact that has it."""

    removal: Removal
    """How the part was removed."""
    messages: Span
    """The messages concerned; an empty range for a definition."""
    tool: str | None
    """The tool whose result, arguments or definition were removed; none for a medium or a text."""
    tokens_before: int
    """Tokens of the part before."""
    tokens_after: int
    """Tokens of the part after, including its replacement."""
    artifact: str | None
    """The artifact that has the removed content."""


AlarmKind = Literal[
    "headroom",
    "over_cap",
    "not_stored",
    "prefix_changed",
    "usage_ignored",
    "tokens_estimated",
    "no_summary",
    "setting",
    "refused",
    "cannot_fit",
    "image_too_wide",
]
"""The cause of an alarm.

- ``headroom``: The conversation uses part of the headroom.
- ``over_cap``: A bucket exceeds its cap, and no permitted step can shrink it.
- ``not_stored``: The store did not accept content that was to be removed, so the content stays.
- ``prefix_changed``: The tools or the system prompt differ from those of the last plan.
- ``usage_ignored``: The reported usage contradicts the messages and was ignored.
- ``tokens_estimated``: The host's tokenizer failed, so token counts are estimates.
- ``no_summary``: A summary was unusable; the plan has none.
- ``setting``: A setting is valid but unusual, such as buckets that add up to more than 90 % of the
  window, or a window above the provider's limit.
- ``refused``: The provider refused a request for a reason that a plan does not remove.
- ``cannot_fit``: The provider refused the conversation as too large, and it still does not fit
  although everything that is permitted was removed.
- ``image_too_wide``: An image has a longer side than the provider accepts. It was replaced, even if
  it is new, or it stays because it is pinned or could not be stored.
"""


@dataclass(frozen=True, slots=True, repr=False)
class Alarm(Record):
    """A warning about a plan."""

    kind: AlarmKind
    """The cause."""
    bucket: Bucket | None
    """The bucket concerned, if any."""
    message: str
    """One or two sentences for people, at most 1 KiB."""


@dataclass(frozen=True, slots=True, repr=False)
class PairSummary(Record):
    """The answer to a request for the summary of a call and its result."""

    pair: int
    """The call and its result: ``summary-request.pair``."""
    text: str
    """The text of the answer."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class PlanState(Record):
    """The state that a caller keeps between plans."""

    prefix: str | None = None
    """A fingerprint of the tools and the system prompt; none at first."""
    failures: int = 0
    """Consecutive compactions that did not make the conversation smaller. Default: 0."""
    requested: Sequence[int] = ()
    """The calls and results whose summaries were requested, as ``summary-request.pair``, as long as they
    are in the conversation. Default: none."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Plan(Record):
    """The changes to make to a conversation."""

    is_empty: bool
    """Whether the plan changes nothing."""
    history: tuple[Entry, ...]
    """The new history, in order. ``replacements`` apply to the kept messages."""
    replacements: tuple[Replacement, ...]
    """The parts whose text changes, in order; only in kept messages."""
    removed_tools: tuple[str, ...]
    """The names of the tools whose definitions are removed."""
    before: Account
    """The account of the conversation before the plan."""
    after: Account
    """The account of the conversation after the plan."""
    usage: Usage | None
    """The usage for the new history, so that the next plan counts from the same figures."""
    receipts: tuple[Receipt, ...]
    """The removed parts, and the artifacts that have them."""
    alarms: tuple[Alarm, ...]
    """Warnings for the caller."""
    state: PlanState
    """The state to pass to the next plan."""
    removed_parts: tuple[PartPlace, ...]
    """The thinking that is removed, in order; only in kept messages, each of which keeps another part. The
    indexes are those before the plan."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class SummaryRequest(Record):
    """A request to the model that writes summaries. It offers no tools, and neither the request nor its
    answer becomes part of the history."""

    model: str | None
    """The model to ask; none means the agent's model."""
    messages: tuple[TextMessage, ...]
    """The messages to summarize as texts that every provider accepts, including calls and results. The
    first is the user's, and roles alternate."""
    prompt: str
    """The last message, with the role ``user``: the instructions for the summary."""
    through: int
    """The number of history messages that this request covers."""
    is_whole: bool
    """Whether this request covers everything to be summarized. If so, a host that wants to use its prompt
    cache may send the history's messages up to ``through`` unchanged, followed by ``prompt``."""
    remaining: int
    """The number of requests expected to follow."""
    max_output_tokens: int
    """Maximum tokens of the answer."""
    pair: int | None
    """For a request of ``step.background``, a fingerprint of its call and result, below 2^53; ``through``
    is 0."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Step(Record):
    """The host's next step: it applies the plan and then, if there is a request, asks the model and calls
    again with the new history and one more answer."""

    plan: Plan
    """The changes that need no model."""
    request: SummaryRequest | None
    """The request for the changes that need a model."""
    refusal: str | None
    """Why a summary was refused, if the plan proceeds without one. It then stores and removes the messages
    that should have been summarized."""
    background: tuple[SummaryRequest, ...]
    """With ``manage-task.pairs``, the requests for summaries of calls and their results that the next trim
    will remove, each made once. The host need not wait for the answers: it passes them to later plans.
    Empty if there is a ``request``."""


ErrorKind = Literal["invalid_input", "not_found", "expired", "unsupported", "limit", "store", "tokens"]
"""The kind of an error, for programs. ``error.message`` is for people and models.

- ``invalid_input``: An argument is malformed: a bad range, pattern, filter or policy.
- ``not_found``: The store never held this artifact.
- ``expired``: The artifact has expired; the store no longer holds it.
- ``unsupported``: The artifact's content does not support the query (jq on text).
- ``limit``: The query reached one of its limits; a narrower query may succeed.
- ``store``: The host's store failed.
- ``tokens``: The host's tokenizer failed.
"""


@dataclass(frozen=True, slots=True, repr=False)
class Failure(Record):
    """The only error of every export."""

    kind: ErrorKind
    """The kind of the error."""
    message: str
    """One or two sentences: what is wrong and what to do. At most 1 KiB."""
    arguments: tuple[str, ...]
    """The parameters of the function, or fields of its records, that the message is about. If the message
    names them, it spells them in the same way."""


Tool = Literal["read", "grep", "jq"]
"""A kind of artifact tool; each dialect has its own name for it. Tools are listed in this order.

- ``read``: Reads part of an artifact.
- ``grep``: Searches an artifact for a pattern.
- ``jq``: Runs a jq filter on an artifact.
"""

Dialect = Literal["artifact", "cache", "handle", "file"]
"""The tool names, arguments and texts through which a model reaches stored outputs. Each dialect follows
an existing system, so that its prompts can stay unchanged; the queries are the same in all of them. A
tool is identified by its name, and no two dialects share a name.

| tool | ``artifact`` | ``cache`` | ``handle`` | ``file`` |
|---|---|---|---|---|
| ``read`` | ``artifact_read`` | ``tool_output_cache`` | ``tool_output`` | ``read_large_output`` |
| ``grep`` | ``artifact_grep`` | ``tool_output_cache_grep`` | ``tool_output`` | ``search_large_output`` |
| ``jq`` | ``artifact_jq`` | | ``tool_output`` | ``query_large_output`` |

- ``artifact``: A JSON envelope with the id, the size and the shape of an output; lines, patterns
  and jq filters.
- ``cache``: The first lines of an output, and a reference for reading the others by line.
- ``handle``: A message with the sizes and a handle; one tool, which extracts the information that
  the model describes in words.
- ``file``: A message with the name of a file and its first characters; reads by character, patterns
  and jq filters.
"""

Overflow = Literal["reject", "summarize", "truncate", "prune_unused"]
"""The action taken when a bucket exceeds its cap.

- ``reject``: An alarm reports it; the agent has to shrink the bucket.
- ``summarize``: A model summarizes the bucket.
- ``truncate``: The oldest entries are removed.
- ``prune_unused``: Definitions of tools that were not called recently are removed.
"""


@dataclass(frozen=True, slots=True, repr=False)
class BucketCap(Record):
    """The cap of a bucket."""

    max_tokens: int
    """Maximum tokens."""
    on_overflow: Overflow
    """The action taken when the bucket exceeds them."""


Strategy = Literal["truncate_largest", "sliding_window", "recursive_summarize"]
"""How a layer of the eviction cascade frees tokens.

- ``truncate_largest``: Replaces tool results with placeholders, largest first.
- ``sliding_window``: Removes the oldest turns.
- ``recursive_summarize``: Has a model summarize the oldest part, including earlier summaries.
"""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Layer(Record):
    """A layer of the cascade. It acts only if the earlier layers did not suffice."""

    target: Bucket
    """The bucket to shrink: ``tool_outputs`` or ``history``."""
    strategy: Strategy
    """How to shrink it."""
    at_pct: int
    """The fill level, in percent, at which the layer acts: 1 to 100. It compares the fill level of the
    bucket, or of the window without headroom and working, whichever is higher."""
    to_pct: int
    """The fill level, in percent, at which the layer stops: below ``at_pct``."""
    keep_recent_turns: int
    """The number of newest turns that a sliding window keeps."""
    evict_pct: int
    """The share of the history that a summary replaces, in percent: 1 to 100."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class BudgetConfig(Record):
    """The token budget of a context window."""

    total_window: int
    """The context window in tokens, at least 1."""
    system: BucketCap
    """The system prompt."""
    tools: BucketCap
    """The definitions of tools."""
    history: BucketCap
    """Messages of user and model, and tool calls."""
    tool_outputs: BucketCap
    """Tool results."""
    working: BucketCap
    """Reserved for the model's answer."""
    headroom_tokens: int
    """Reserved; plans never use these tokens."""
    layers: Sequence[Layer]
    """The layers of the cascade, in order: at most 1,000."""
    unused_turns: int
    """A tool that was not called in this many turns counts as unused."""


Preset = Literal["general", "customer_support", "code_editing", "research", "voice", "automation"]
"""Budgets for common kinds of agents.

- ``general``: General use: a window of 128,000 tokens, with 8,000 of headroom.
- ``customer_support``: Customer support: 128,000.
- ``code_editing``: Code editing: 200,000.
- ``research``: Research with web search: 256,000.
- ``voice``: Voice agents: 32,000.
- ``automation``: Long-running automation: 128,000.
"""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class PromptCache(Record):
    """What changing earlier messages costs with a warm prompt cache: everything after the change is
    written to the cache again."""

    remaining_turns: int = 20
    """The number of requests expected to follow. Default: 20."""
    read_price: float = 0.1
    """The price of a token read from the cache, relative to an uncached token: 0 to 100. Default: 0.1."""
    write_price: float = 1.25
    """The price of a token written to the cache, relative to an uncached token: 0 to 100. Default: 1.25."""


Repeats = Literal["off", "equal", "diff"]
"""How a new result is handled if the same tool already returned an identical or nearly identical one that
is still in the conversation.

- ``off``: It stays.
- ``equal``: If it is equal, a line that refers to the earlier result replaces it.
- ``diff``: As ``equal``. If a call with the same arguments has returned a text that differs in few
  lines, a line and the lines that differ replace it, as a unified diff without context.
"""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class UserMessages(Record):
    """How large texts in messages of the user are trimmed, such as pasted files. Their start and end stay,
    cut at the ends of lines, around a line with the size and the artifact of the whole text. Messages
    that are pinned or that a plan inserted stay."""

    threshold: int = 16_384
    """Minimum bytes of a text that is trimmed: at least 1,024. Default: 16384."""
    keep_bytes: int = 2048
    """Maximum bytes of the start and the end together: at most half of the threshold. Default: 2048."""
    with_newest: bool = False
    """If true, messages that the model has not read yet are trimmed too, at once, whatever the budget.
    Default: false."""


@dataclass(frozen=True, slots=True, repr=False)
class ImageLimits(Record):
    """The sides that the images of a request may have, in pixels."""

    side: int
    """Maximum length of a side."""
    many: int
    """The number of images and files up to which ``side`` applies alone."""
    side_of_many: int
    """Maximum length of a side in a request with more than ``many`` images and files."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CacheConfig(Record):
    """Limits for each view, and for all results, large arguments and media together."""

    enabled: bool = True
    """If false, nothing is trimmed. Default: true."""
    context_budget_tokens: int | None = None
    """The token budget for all tool results, large arguments and media; beyond it, the oldest are trimmed.
    Default: a quarter of the context window, clamped to between 20,000 and 60,000."""
    max_message_bytes: int = 51_200
    """Maximum bytes of a view: at least 512. Default: 51200."""
    max_line_length: int = 2000
    """Maximum characters of a line in a view: at least 16. Default: 2000."""
    target_ratio: float = 0.5
    """The fraction of the budget that a trim leaves in use: 0 to 1. Rare, large trims invalidate the
    prompt cache less often. Default: 0.5."""
    clear_at_least_tokens: int = 0
    """Trims that would save fewer tokens are skipped. Default: 0."""
    keep_last: int = 1
    """The number of newest results that are never trimmed, and of newest calls whose arguments never are.
    Default: 1."""
    protected_tools: Sequence[str] = ()
    """Globs of tools whose results and arguments are never trimmed: at most 1,000. Default: none."""
    keep_errors: bool = False
    """If true, results that report errors are never trimmed: a model repeats a mistake less often while it
    sees it. Default: false."""
    trim_arguments: bool = True
    """If true, large texts in the arguments of old calls are trimmed too, such as a file that was written.
    The arguments keep their other members. Default: true."""
    argument_tools: Sequence[str] = ()
    """Globs of the tools whose arguments are trimmed: at most 1,000. If empty, those of all tools are.
    Default: none."""
    min_argument_bytes: int = 2048
    """Minimum bytes of a text in arguments that is trimmed: at least 256. Default: 2048."""
    keep_media: int = 3
    """The number of newest images, files and recordings that are never trimmed. Default: 3."""
    max_media: int | None = None
    """Maximum number of images, files and recordings in a request; beyond it, the oldest are trimmed.
    Default: the limit of the history's provider, if known."""
    max_request_bytes: int | None = None
    """Maximum bytes of a request; beyond nine tenths of it, the oldest media are trimmed. Default: the
    limit of the history's provider, if known."""
    user_messages: UserMessages | None = None
    """How large texts of the user are trimmed. They then belong to the budget, and the oldest parts are
    trimmed first. Default: they are not."""
    repeats: Repeats = "equal"
    """How a new result of at least 1 KiB that repeats an earlier one is replaced. Results of artifact
    tools and of ``protected_tools`` stay. Default: ``equal``."""
    prompt_cache: PromptCache | None = None
    """The costs of a warm prompt cache: a trim that costs more than it saves over the expected requests is
    skipped. Default: none."""
    keep_thinking: int | None = None
    """The number of newest turns that keep their thinking; 0 counts as 1. The thinking of older turns is
    removed, not stored, whatever the budget; ``clear_at_least_tokens`` and ``prompt_cache`` apply. A
    message of the user that interrupts a tool loop does not begin a turn here. Default: all turns keep
    theirs."""
    image_limits: ImageLimits | None = None
    """The sides that images may have. An image with a longer side is trimmed even if it is new, with an
    alarm. If a request with more than ``many`` images has one with a side above ``side_of_many``, the
    oldest media are trimmed first, as for ``max_media``. Default: the limits of the history's provider,
    if known."""


@dataclass(frozen=True, slots=True, repr=False)
class CacheView(Record):
    """An output as it appears in the conversation."""

    text: str
    """The text; never empty."""
    is_cut: bool
    """Whether anything was truncated."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class CompactionConfig(Record):
    """When and how the history is summarized, and the content to keep."""

    enabled: bool = True
    """If false, the history is never summarized. Default: true."""
    auto: bool = True
    """If false, it is summarized only when the caller asks for it. Default: true."""
    threshold_ratio: float = 0.8
    """The share of the context limit at which it is summarized: above 0, at most 1. Default: 0.8."""
    context_limit: int | None = None
    """Maximum tokens of the conversation: ``max_input_tokens`` or ``max_tokens`` of the model. An unknown
    limit is ``invalid_input``; it is never guessed. Default: none."""
    model: str | None = None
    """The model that writes summaries. Default: the agent's model."""
    summary_context_limit: int | None = None
    """The context limit of the summary model. Default: ``context_limit``."""
    max_summary_tokens: int = 4096
    """Maximum tokens of a summary answer: at least 64. An eighth of the context limit applies instead if
    it is lower. Default: 4096."""
    summary_prompt: str | None = None
    """Replaces the summary prompt: at most 64 KiB. Default: none."""
    summary_directives: Sequence[str] = ()
    """Items of a list added to the summary prompt: at most 1,000. Default: none."""
    retain_prompt: str | None = None
    """The prompt for content to retain word for word: at most 64 KiB. Default: none, and the model is not
    asked to retain anything."""
    retain_directives: Sequence[str] = ()
    """Items of a list added to the retain prompt: at most 1,000. Default: none."""
    retain_last_turns: int = 1
    """The number of newest turns to keep: exactly this many if a compaction was requested, at least this
    many if it is due. In the latter case, as many of the newest turns stay as fit, together with the
    summary, into half of the threshold. If this many turns are too large, only their newest steps are
    kept. Default: 1."""
    max_user_bytes: int = 8192
    """Maximum bytes of the user's own words to carry over; about a tenth of the context limit applies
    instead if it is lower. Default: 8192."""
    max_references: int = 50
    """Maximum number of artifacts listed as readable. Default: 50."""


Mode = Literal["auto", "artifact", "truncate"]
"""How a large output is reduced.

- ``auto``: ``artifact`` if the model can call an artifact tool, otherwise ``truncate``.
- ``artifact``: Stores the output; the model sees an envelope that describes it, or the dialect's
  equivalent.
- ``truncate``: Keeps the head and the tail; nothing is stored.
"""


@dataclass(frozen=True, slots=True, repr=False)
class ToolOverride(Record):
    """Changes the policy for tools whose names match a glob."""

    tools: str
    """The glob, 1 to 256 bytes: ``*`` matches any run of characters, ``?`` one character, everything else
    itself (``sql_*``)."""
    exempt: bool = False
    """Passes every output: for a skill, or a file that the user asked for. Default: false."""
    mode: Mode | None = None
    """Replaces the policy's mode; omitted, the policy's mode applies."""
    max_threshold_bytes: int | None = None
    """Replaces the policy's ceiling and lowers a floor above it; omitted, the policy's ceiling applies."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Policy(PolicyExtras):
    """All limits and switches. The defaults below are those of the dialect ``artifact``;
    ``default-policy`` returns those of any dialect. A policy that contradicts itself is
    ``invalid_input``, and the message names every violation."""

    enabled: bool = OF_DIALECT
    """If false, every output passes inline. Default: true."""
    dialect: Dialect = "artifact"
    """The format of views, and the tools that they name. Outputs of this dialect's tools always pass;
    outputs of other dialects' tools are treated like any other. Default: ``artifact``."""
    mode: Mode = OF_DIALECT
    """How large outputs are reduced. Default: ``auto``."""
    keep_all: bool = OF_DIALECT
    """Also stores outputs that pass inline, so that a reference can replace them later. Default: false."""
    context_percentage: float = OF_DIALECT
    """The per-output gate, as a fraction of the context window: 0 to 1. Larger outputs are reduced.
    Default: 0.25."""
    min_threshold_bytes: int = OF_DIALECT
    """The floor in bytes: smaller outputs always pass. At most ``max_threshold_bytes``. Default: 4096."""
    max_threshold_bytes: int = OF_DIALECT
    """The ceiling in bytes: larger outputs never pass. Default: 1048576."""
    headroom_percentage: float = OF_DIALECT
    """The headroom gate, as a fraction of the context window: 0 to 1. Outputs that would fill the window
    beyond it are reduced; 1 turns the gate off. Default: 0.7."""
    max_output_tokens: int | None = OF_DIALECT
    """Maximum tokens of an output, and of its view: at least 1. Views are counted by the host and
    truncated again until they fit, but not below 512 bytes (768 bytes for each part of an envelope).
    Default: no limit."""
    bytes_per_token: float = OF_DIALECT
    """Bytes per token, for texts that are not tokenized: above 0, at most 1024. Default: 4."""
    max_view_bytes: int | None = OF_DIALECT
    """Maximum bytes of a truncated view, and of any view in the dialect ``cache``; values below 512 are
    raised to 512. Default: the per-output threshold."""
    preview_bytes: int = OF_DIALECT
    """Maximum bytes of the preview in an envelope, including escapes; 0 omits the preview. In the dialect
    ``file``, the preview also has at most half as many characters as ``max_output_tokens`` (10000 if
    omitted). The dialects ``cache`` and ``handle`` have no preview. Default: 384."""
    image_tokens: int = OF_DIALECT
    """Tokens that the headroom gate counts for each block that is passed on. Default: 1600. This is close
    to Anthropic's maximum for an image (width x height / 750, scaled down to 1568 pixels); OpenAI
    counts 765 for 1024 x 1024."""
    overrides: Sequence[ToolOverride] = OF_DIALECT
    """Exceptions by tool name; the first match applies. At most 1,000. Default: none."""


Action = Literal["inline", "artifact", "truncate"]
"""How an output was handled.

- ``inline``: Passed unchanged.
- ``artifact``: Stored; the view is an envelope.
- ``truncate``: Truncated; the view is the output's head and tail.
"""

Gate = Literal[
    "disabled",
    "exempt",
    "artifact_tool",
    "below_floor",
    "fits",
    "ceiling",
    "per_output",
    "token_cap",
    "headroom",
]
"""The rule that decided. Rules are checked in this order: ``disabled``, ``exempt``, ``artifact_tool``,
``below_floor``, ``ceiling``, ``per_output``, ``token_cap``, ``headroom``, ``fits``.

- ``disabled``: The policy is not enabled.
- ``exempt``: An override exempts the tool.
- ``artifact_tool``: The output comes from a tool of the policy's dialect.
- ``below_floor``: The output is smaller than the floor. For this rule, ``ceiling`` and ``per_output``,
  each byte that is not valid UTF-8 counts as three, the size of U+FFFD.
- ``fits``: No other rule applies.
- ``ceiling``: The output is larger than the ceiling.
- ``per_output``: The output is larger than its share of the context window.
- ``token_cap``: The output has more tokens than ``max_output_tokens``.
- ``headroom``: The output does not fit into the remaining headroom.
"""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Decision(DecisionExtras):
    """A decision, with the measurements and limits behind it."""

    action: Action
    """How the output is handled."""
    gate: Gate
    """The rule that decided."""
    size_bytes: int
    """The original size of the output, without the blocks that are passed on."""
    line_count: int
    """Lines of the output."""
    token_count: int | None
    """Tokens of the output; none if no count could change the decision."""
    tokens_estimated: bool
    """True if ``token_count`` is the size divided by ``bytes_per_token``, because the tokenizer failed."""
    min_threshold_bytes: int
    """The floor, which an override may have lowered."""
    threshold_bytes: int
    """The per-output threshold: the fraction of the window in bytes, clamped to floor and ceiling."""
    max_threshold_bytes: int
    """The ceiling, which an override may have replaced."""
    max_output_tokens: int | None
    """The policy's limit in tokens, if it has one."""
    headroom_tokens: int | None
    """Tokens that the headroom gate leaves for this output; negative if the conversation already exceeds
    the limit, none if the gate is off. In a turn, the tokens of the other outputs are subtracted."""
    kept_tokens: int | None
    """Tokens of the blocks that are passed on, ``image_tokens`` for each; none if there are no such
    blocks. They are subtracted from the headroom, too."""
    matched_override: str | None
    """The glob of the applied override."""
    failures: tuple[Failure, ...]
    """Failures that did not prevent a view: if the store did not accept the output or a part of it, that
    part is truncated instead; if the tokenizer failed for the output or its view, tokens are estimated."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class View(ViewExtras):
    """The text that the model sees instead of an output."""

    text: str
    """Replaces the output's text in the conversation."""
    kept: tuple[int, ...]
    """Blocks to pass on unchanged (images), as indexes into ``blocks``."""
    artifacts: tuple[Artifact, ...]
    """The stored artifacts, in the order of the output's parts: at least one if the action is
    ``artifact``, one for every part if ``keep_all`` is set, otherwise none."""
    decision: Decision
    """The decision that led to this view."""


@dataclass(frozen=True, slots=True, repr=False)
class PairConfig(Record):
    """Summaries of single calls and their results, which a model writes in the background before these
    have to leave. When a trim would replace the result, the summary takes its place, and names the
    artifact that has it."""

    min_tokens: int = 500
    """Minimum tokens of a result whose summary is requested. Default: 500."""
    answers: Sequence[PairSummary] = ()
    """The answers so far to the requests in ``step.background``: the state does not have them. An answer
    is ignored if its call or result has changed or gone, if it has nothing usable, or if it would not
    make the result smaller. Default: none."""


RefusalKind = Literal[
    "unknown",
    "rate_limit",
    "too_many_tokens",
    "request_too_large",
    "too_many_images",
    "image_too_large",
    "image_too_wide",
]
"""Why a provider refused a request.

- ``unknown``: The text names no known reason. Nothing is planned because of it.
- ``rate_limit``: The caller sent too much in a short time. A later request may succeed; nothing is
  planned because of it.
- ``too_many_tokens``: The conversation and the requested answer exceed the context window, or a
  single request exceeds the tokens allowed in a minute. Figures are tokens.
- ``request_too_large``: The request is too large. Figures are bytes.
- ``too_many_images``: The request has too many images or files. Figures are their number.
- ``image_too_large``: An image is too large. Figures are bytes.
- ``image_too_wide``: A side of an image is too long. Figures are pixels.
"""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ProviderRefusal(Record):
    """The figures in the error with which a provider refused a request. A figure that the error lacks is
    none."""

    kind: RefusalKind
    """Why the request was refused."""
    limit: int | None
    """The limit of the provider, including the answer."""
    actual: int | None
    """The figure of the request, without the answer. If the error names only the sum of both, it is the
    sum."""
    answer: int | None
    """The tokens that the request asks for as its answer."""
    excess: int | None
    """The excess over the limit, if the error names only that."""


@dataclass(frozen=True, slots=True, repr=False)
class AccountOnly(Record):
    """Measures only: the plan is empty and has the account of the conversation."""

    _tag: ClassVar[str] = "account"


@dataclass(frozen=True, slots=True, repr=False)
class Trim(Record):
    """If results, large arguments and media together exceed their token budget, or media a limit of the
    provider, replaces them with placeholders: first results that a later call with the same arguments
    superseded, then the oldest. Content without an artifact is stored first. Then replaces new results
    that repeat earlier ones."""

    context_window: int
    """The context window in tokens, at least 1."""
    config: CacheConfig = field(default_factory=CacheConfig)
    """Limits for tool results."""

    _tag: ClassVar[str] = "trim"


@dataclass(frozen=True, slots=True, repr=False)
class Compact(Record):
    """Replaces messages older than the newest turns with retained content and a summary, whether or not
    that is due. Pinned messages stay. A history that does not fit the model's window is summarized in
    steps, each continuing the previous summary. A summary is refused if an answer has nothing usable,
    which ends the requests; if the history would not become smaller, and then the messages stay; and
    after three consecutive compactions without progress. Messages that earlier plans inserted are
    summarized again only with others."""

    config: CompactionConfig
    """Replaces messages older than the newest turns with retained content and a summary, whether or not
    that is due. Pinned messages stay. A history that does not fit the model's window is summarized in
    steps, each continuing the previous summary. A summary is refused if an answer has nothing usable,
    which ends the requests; if the history would not become smaller, and then the messages stay; and
    after three consecutive compactions without progress. Messages that earlier plans inserted are
    summarized again only with others."""

    _tag: ClassVar[str] = "compact"
    _is_wrapper: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, repr=False)
class Budget(Record):
    """Evicts the part of the conversation that exceeds the budget. Removed messages are stored first, as
    an artifact of the tool ``conversation``: NDJSON, one message with its index per line."""

    config: BudgetConfig
    """The buckets and the cascade."""
    compaction: CompactionConfig = field(default_factory=CompactionConfig)
    """How the history is summarized, if the cascade gets that far. Its context limit defaults to the
    window."""

    _tag: ClassVar[str] = "budget"


@dataclass(frozen=True, slots=True, repr=False)
class Manage(Record):
    """Trims, evicts and summarizes, in this order, each only if due. Then replaces new results that repeat
    earlier ones. If the conversation is at the threshold nevertheless, views replace the largest
    results that the model has not read yet."""

    context_window: int
    """The context window in tokens, at least 1."""
    cache: CacheConfig = field(default_factory=CacheConfig)
    """When tool results are trimmed."""
    budget: BudgetConfig | None = None
    """The budget by which messages are evicted; nothing is evicted if omitted."""
    compaction: CompactionConfig = field(default_factory=CompactionConfig)
    """When the history is summarized. Its context limit defaults to the window."""
    refusal: str | None = None
    """The provider's error for the last request, as text or as JSON, if the provider refused this
    conversation. If it has too many tokens, everything that is permitted is done at once: the
    provider's limit lowers the window, its count replaces a lower one, and results are trimmed and
    messages summarized until the conversation has at most 60 % of the limit, whether or not that is due
    and ``auto`` is set. Default: none."""
    pairs: PairConfig | None = None
    """How single calls and their results are summarized. Default: they are not."""

    _tag: ClassVar[str] = "manage"


Task = AccountOnly | Trim | Compact | Budget | Manage
"""A task to plan."""

HistoryFormat = Literal[
    "openai-chat",
    "openai-responses",
    "anthropic",
    "ai-sdk",
    "ai-sdk-ui",
    "gemini",
    "bedrock",
    "langchain",
    "neutral",
]
"""The format of a history.

- ``openai-chat``: Messages of OpenAI's Chat Completions and of compatible servers.
- ``openai-responses``: Input items of OpenAI's Responses.
- ``anthropic``: Messages of Anthropic.
- ``ai-sdk``: Model messages of the AI SDK.
- ``ai-sdk-ui``: UI messages of the AI SDK.
- ``gemini``: Contents of Gemini.
- ``bedrock``: Messages of Amazon Bedrock's Converse.
- ``langchain``: LangChain's messages, as ``messages_to_dict`` writes them.
- ``neutral``: A conversation of this contract, with names in snake case.
"""


@dataclass(frozen=True, slots=True, repr=False)
class KnownArtifact(Record):
    """An artifact that has the result of a call."""

    call_id: str
    """The id of the call."""
    artifact: str
    """The artifact."""
    text: str | None = None
    """The text of the result in the history. With a text, the artifact belongs only to a result with this
    text; without one, only to a result whose call id no other result has."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class HistoryInput(Record):
    """A history, and the facts known about it."""

    json: str
    """The history as JSON: the list of items, or an object with the items as ``items`` or under the
    provider's name (``messages``, ``input``, ``contents``), and optionally with the system prompt
    (``system`` or the provider's name) and ``tools``."""
    format: HistoryFormat | None = None
    """The format; detected if omitted."""
    usage: str | None = None
    """The usage of the last answer, as the provider reported it, as JSON. If omitted, the member ``usage``
    of the object counts."""
    artifacts: Sequence[KnownArtifact] = ()
    """Artifacts that have results. Default: none."""
    pinned: Sequence[int] = ()
    """The indexes of items that must stay unchanged. Default: none."""
    is_strict: bool = False
    """If true, a call without a result before the next message, and a result without a call, are
    ``invalid_input``. If false, they are repaired: the call gets a result that says that it was
    interrupted, and the result becomes a text. Default: false."""
    with_json: bool = False
    """Whether the new history is also returned as JSON. Default: false."""


@dataclass(frozen=True, slots=True, repr=False)
class InsertItem(Record):
    """A new or changed item, as JSON."""

    json: str
    """A new or changed item, as JSON."""

    _tag: ClassVar[str] = "insert"
    _is_wrapper: ClassVar[bool] = True


HistoryItem = Keep | InsertItem
"""A piece of the new history."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class HistoryReport(Record):
    """The changes to a history, and their figures."""

    is_changed: bool
    """Whether the history or its tools changed."""
    item_count: int
    """The number of items of the given history."""
    before: Account
    """The account of the given history."""
    after: Account
    """The account of the new history."""
    receipts: tuple[Receipt, ...]
    """The removed parts, and the artifacts that have them. Messages are items of the given history."""
    alarms: tuple[Alarm, ...]
    """Warnings for the caller."""
    requests: int
    """The number of answered requests for summaries."""
    summary_errors: tuple[str, ...]
    """Why summaries could not be obtained."""
    refusal: str | None
    """Why a summary was refused; none if it was not refused or not needed."""
    originals: tuple[str, ...]
    """Artifacts with the removed items that had images or files, as NDJSON. Their texts are in the
    artifacts of ``receipts``."""
    repairs: tuple[str, ...]
    """Repairs, one sentence each."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ManagedHistory(Record):
    """A history after the steps so far."""

    format: HistoryFormat
    """The format that was read."""
    items: tuple[HistoryItem, ...]
    """The new history, in order."""
    kept_tools: tuple[int, ...] | None
    """The indexes of the tools that stay: elements of the list, or members of the object. None if all
    stay."""
    json: str | None
    """The new history as JSON, in the form of the given one, if it was asked for. Everything that stays is
    preserved byte for byte."""
    memory: dict[str, Any] = field(metadata=JSON_TEXT)
    """The memory for the next call, as JSON: small, without texts, and the same in every home."""
    report: HistoryReport
    """The changes and their figures."""
    background: tuple[SummaryRequest, ...]
    """The requests of ``step.background``."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class HistoryStep(Record):
    """A step of managing a history."""

    state: str
    """The state for the next step; empty if this is the last one."""
    request: SummaryRequest | None
    """The request to send to the model; none if this is the last step."""
    compactable: tuple[HistoryItem, ...]
    """The items that the provider's own compaction may replace instead: those that the request covers,
    without messages of the developer. Empty if the format's provider has none, if the summary needs
    several requests, or if the run has already answered one."""
    history: ManagedHistory
    """The history after the steps so far. The host may end with it at any time."""


@dataclass(frozen=True, slots=True, repr=False)
class SummaryFailed(Record):
    """Why the model could not be asked. The history is then planned without a summary."""

    why: str
    """Why the model could not be asked. The history is then planned without a summary."""

    _tag: ClassVar[str] = "failed"
    _is_wrapper: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, repr=False)
class SummaryCompacted(Record):
    """The items that the provider's own compaction returned for ``compactable``, as a JSON list; one of
    them is the compaction. They replace the items that the request covers, followed by pinned items and
    a message with the artifacts that can still be read. If they are malformed, or the history would not
    become smaller, ``summary_errors`` says so, and the next step repeats the request with
    ``compactable`` empty."""

    items: str
    """The items that the provider's own compaction returned for ``compactable``, as a JSON list; one of
    them is the compaction. They replace the items that the request covers, followed by pinned items and
    a message with the artifacts that can still be read. If they are malformed, or the history would not
    become smaller, ``summary_errors`` says so, and the next step repeats the request with
    ``compactable`` empty."""

    _tag: ClassVar[str] = "compacted"
    _is_wrapper: ClassVar[bool] = True


SummaryAnswer = str | SummaryFailed | SummaryCompacted
"""The model's answer to a request for a summary."""


@dataclass(frozen=True, slots=True, repr=False)
class Shape(ShapeExtras):
    """A description of content."""

    media_type: str
    """The detected format: ``application/json``, ``text/plain``, …"""
    json: str
    """A JSON value that a model can read at a glance, at most ``max_bytes``."""


@dataclass(frozen=True, slots=True, repr=False)
class Page(Record):
    """Part of an artifact."""

    text: str
    """Line endings are kept as stored; invalid UTF-8 is replaced with U+FFFD."""
    next: str | None
    """The cursor of the next page; none on the last page."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Match(Record):
    """One matching line. A long line is an excerpt centred on its match."""

    line: int
    """The number of the line, from 1."""
    column: int
    """Where the match begins, in characters from 1; without ``each_match``, where the line's first match
    begins. Always 1 if inverted."""
    byte_offset: int
    """Where the match begins, in bytes from the start of the artifact."""
    text: str
    """The line, without its line ending."""
    clipped: bool
    """True if ``text``, ``before`` or ``after`` contains excerpts. ``read`` returns the whole lines."""
    before: tuple[str, ...]
    """The lines before the match. A line appears only once in a page."""
    after: tuple[str, ...]
    """The lines after the match, up to the next match."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Matches(Record):
    """One page of matching lines."""

    matches: tuple[Match, ...]
    """The matching lines, in the order of the artifact."""
    total: int | None
    """Matching lines in the whole artifact; none on pages after the first."""
    match_count: int | None
    """With ``each_match``: the same count, but with every match of a long line; none if there were too
    many to count."""
    next: str | None
    """The cursor of the next page; none on the last page."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ArtifactMatches(Record):
    """The matching lines of one artifact, in a search of all."""

    artifact: Artifact
    """The artifact."""
    matches: tuple[Match, ...]
    """The matching lines, at least one, in the order of the artifact."""
    total: int | None
    """Matching lines in the whole artifact; none if an earlier page has the first of them."""
    match_count: int | None
    """With ``each_match``: the same count, but with every match of a long line; none if there were too
    many to count."""


@dataclass(frozen=True, slots=True, repr=False)
class SkippedArtifact(Record):
    """An artifact that a search of all could not read."""

    artifact: Artifact
    """The artifact."""
    error: Failure
    """Why: ``unsupported`` if its content is binary; ``not_found``, ``expired`` or ``store`` from the
    store."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class AllMatches(Record):
    """One page of a search of all artifacts."""

    groups: tuple[ArtifactMatches, ...]
    """The artifacts with matching lines, newest first. An artifact whose lines take several pages is in
    each of them."""
    searched: int
    """The artifacts whose search ended on this page, whether or not they have matching lines."""
    searched_bytes: int
    """The sizes of these artifacts, added up."""
    skipped: tuple[SkippedArtifact, ...]
    """The artifacts of this page that could not be read."""
    remaining: int
    """The artifacts that are left for the next pages, including one whose first lines are on this page."""
    next: str | None
    """The cursor of the next page; none on the last page."""


@dataclass(frozen=True, slots=True, repr=False)
class JqVariable(Record):
    """A variable of a filter, whose value is another artifact."""

    name: str
    """The name without the dollar sign: a letter or an underscore, then letters, digits and underscores,
    at most 64 bytes. ``ENV`` and ``__loc__`` are reserved."""
    artifact: str
    """The artifact, read as ``jq`` reads its input. If it has one document, that is the value; otherwise
    the value is an array of its documents."""


@dataclass(frozen=True, slots=True, repr=False)
class SavedOutputs(Record):
    """The outputs of a filter, stored as an artifact."""

    artifact: Artifact
    """The new artifact. Its media type is that of the outputs: JSON, NDJSON or, with ``raw``, any text."""
    count: int
    """The number of outputs."""
    shape: Shape
    """The description of the outputs, at most 2048 bytes."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Outputs(Record):
    """One page of a filter's outputs."""

    text: str
    """The outputs in order, each terminated by a line feed."""
    next: str | None
    """The cursor of the next page; none on the last page."""
    failure: Failure | None
    """Why the filter stopped, after these outputs or before the first one: it raised an error, or it does
    not apply to a value. If present, ``next`` is none."""
    hint: str | None
    """If the filter returned nothing or only nulls: where its path leaves the document, and the keys that
    exist there, such as ``.row: no such key; keys here: rows, next_cursor``. After other outputs, and
    with a failure: a requested key that no object has, and the most similar key that exists. On the
    first page only; at most 1024 bytes."""
    parsed_as: str | None
    """How the content was read if it is not a single JSON document, such as
    ``CSV read as an array of 2000 objects, keyed by its header``, and the skipped parts: text around
    JSON, or the incomplete end of a document. At most 200 bytes, which do not count towards
    ``max_bytes``."""
    saved: SavedOutputs | None
    """With ``save_as``: the artifact with the outputs. ``text`` is empty, and ``next`` and ``failure`` are
    none."""


@dataclass(frozen=True, slots=True, repr=False)
class ToolDefinition(Record):
    """A tool, in the form that model providers expect."""

    name: str
    """The name; each name belongs to one dialect only."""
    description: str
    """A description for the model."""
    input_schema: dict[str, Any] = field(metadata=JSON_TEXT)
    """The JSON Schema, of type object, of its arguments."""


MediaKind = Literal["image", "pdf", "audio"]
"""A kind of stored file that a model may be able to see or hear.

- ``image``: PNG, JPEG, GIF or WebP, which all providers accept.
- ``pdf``: A PDF document.
- ``audio``: WAV, MP3, Ogg or FLAC.
"""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class StoredMedia(Record):
    """A stored file that a model may be able to see or hear."""

    artifact_id: str
    """The artifact's id."""
    kind: MediaKind
    """The kind of file."""
    media_type: str
    """The media type, detected from the bytes: providers refuse a file of another type than its declared
    one."""
    size_bytes: int
    """The size of the file: at most 3932160 bytes, which are 5 MiB as base64."""


@dataclass(frozen=True, slots=True, repr=False)
class ToolReply(Record):
    """The reply of a tool to the model."""

    text: str
    """The result, or an explanation of how to correct the call."""
    is_error: bool
    """Whether ``text`` reports a mistake that the model can correct."""
    media: StoredMedia | None
    """The image, PDF document or recording that the call reads; ``text`` describes it. A host whose
    results may contain files reads the bytes from its store and adds them to the result.

    None for a call that asks for some of the bytes or characters only. A line range asks for the whole
    file, because an image has no lines. None, too, for a larger file than a reply may have, as ``text``
    then says, and for an artifact whose media type does not claim such a file."""


ExtractionMode = Literal["auto", "full-chunked", "read-grep", "truncate"]
"""The strategy for finding the answer.

- ``auto``: Chosen by the size of the artifact and the length of its lines.
- ``full-chunked``: A model reads the whole artifact, in chunks if it is large, and combines its
  findings.
- ``read-grep``: A model reads and searches the artifact with the tools ``Read`` and ``Grep``.
- ``truncate``: Returns the artifact's head and tail, without a model.
"""


@dataclass(frozen=True, slots=True, repr=False)
class Question(Record):
    """A question about an artifact."""

    artifact: str
    """The artifact."""
    extract: str
    """The information to extract, in words: 1 byte to 16 KiB."""
    mode: ExtractionMode = "auto"
    """The strategy. Default: ``auto``."""
    tool_arguments: str | None = None
    """The arguments of the call that produced the artifact, as JSON text for the model: truncated to 4
    KiB. Omitted if unknown."""
    nonce: str | None = None
    """Marks the model's answer: 8 to 64 letters and digits that nobody could have put into the artifact on
    purpose. Default: derived from the artifact's id, which is unguessable."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ExtractionConfig(Record):
    """Limits of the model and of the extraction."""

    context_tokens: int
    """The context window of the extraction's model, in tokens: 2048 to 2^32."""
    max_output_tokens: int = 4_096
    """Maximum tokens of each of its answers: at least 64, at most half of the context window. Default:
    4096, or an eighth of the window if that is less."""
    max_full_chunks: int = 1
    """``auto`` reads the whole artifact if it fits into this many chunks: at least 1. Default: 1."""
    long_line_bytes: int = 1000
    """``auto`` also reads the whole artifact if its lines are longer than this many bytes on average.
    Default: 1000."""
    max_chunks: int = 64
    """An artifact of more chunks is read with ``Read`` and ``Grep`` instead of as a whole, and the answer
    says so: 1 to 1024. Default: 64."""
    overlap_pct: int = 10
    """The share of a chunk that repeats the end of the previous chunk, in percent: 0 to 50. Default: 10."""
    max_parallel: int = 4
    """Maximum concurrent requests: 1 to 64. Default: 4."""
    max_requests: int = 150
    """Maximum requests in total: at least 1. Default: 150."""
    max_tokens: int | None = None
    """Maximum tokens of all requests and their answers, counted before a request is made. Default: no
    limit."""
    max_turns: int = 12
    """Maximum turns of a model with ``Read`` and ``Grep``: 2 to 64. Default: 12."""
    max_tool_calls: int = 40
    """Maximum calls of ``Read`` and ``Grep``: 1 to 256. Default: 40."""
    max_reply_bytes: int = 16_384
    """Maximum bytes of the reply to such a call: 256 to 65536. Default: 16384."""
    max_answer_bytes: int = 32_768
    """Maximum bytes of the answer: 1024 to 1048576. Default: 32768."""


RequestPurpose = Literal["extract", "synthesize", "search"]
"""The purpose of a request.

- ``extract``: To extract from a chunk.
- ``synthesize``: To combine the extracts of several chunks.
- ``search``: To answer with ``Read`` and ``Grep``.
"""


@dataclass(frozen=True, slots=True, repr=False)
class ModelCall(Record):
    """A call of a tool by the model."""

    id: str
    """The id that its result refers to."""
    name: str
    """The name of the tool."""
    arguments: str
    """The arguments as JSON text."""


@dataclass(frozen=True, slots=True, repr=False)
class ModelTurn(Record):
    """A turn of the model."""

    text: str
    """The text; empty if the model only calls tools."""
    calls: Sequence[ModelCall] = ()
    """The tool calls. Default: none."""


@dataclass(frozen=True, slots=True, repr=False)
class CallResult(Record):
    """The result of a tool call."""

    call_id: str
    """The id of the call."""
    text: str
    """The text."""
    is_error: bool
    """Whether ``text`` reports a mistake."""


@dataclass(frozen=True, slots=True, repr=False)
class UserMessage(Record):
    """A message of the user."""

    text: str
    """A message of the user."""

    _tag: ClassVar[str] = "user"
    _is_wrapper: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, repr=False)
class ModelMessage(Record):
    """An earlier turn of the model."""

    turn: ModelTurn
    """An earlier turn of the model."""

    _tag: ClassVar[str] = "model"
    _is_wrapper: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, repr=False)
class ResultsMessage(Record):
    """The results of all its calls."""

    results: Sequence[CallResult]
    """The results of all its calls."""

    _tag: ClassVar[str] = "results"
    _is_wrapper: ClassVar[bool] = True


RequestMessage = UserMessage | ModelMessage | ResultsMessage
"""A message of a request."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ModelRequest(Record):
    """A request to the model. It never becomes part of the agent's history."""

    id: str
    """Identifies the request in the event that answers it."""
    purpose: RequestPurpose
    """The purpose."""
    system: str
    """The system prompt."""
    messages: tuple[RequestMessage, ...]
    """The messages; the first one is the user's."""
    tools: tuple[ToolDefinition, ...]
    """The tools that calls in the messages refer to. Some providers require them as long as a message has
    a call."""
    may_call: bool
    """Whether the model may call a tool now; if not, it has to answer."""
    input_tokens: int
    """The tokens of the request as the host counts them."""
    max_output_tokens: int
    """Maximum tokens of the answer."""


StopReason = Literal["finished", "length"]
"""The reason why a model stopped.

- ``finished``: The answer is complete, or calls a tool.
- ``length``: The answer reached the output limit and is incomplete.
"""


@dataclass(frozen=True, slots=True, repr=False)
class ModelReply(Record):
    """A model's answer to a request."""

    turn: ModelTurn
    """The turn, without content that the provider marks as thinking."""
    stop: StopReason = "finished"
    """The reason why the model stopped. Default: ``finished``."""
    input_tokens: int | None = None
    """The tokens of the request as the provider counted them."""
    output_tokens: int | None = None
    """The tokens of the answer as the provider counted them."""


@dataclass(frozen=True, slots=True, repr=False)
class Reply(Record):
    """A request was answered."""

    request: str
    """The id of the request."""
    reply: ModelReply
    """The answer."""

    _tag: ClassVar[str] = "reply"


@dataclass(frozen=True, slots=True, repr=False)
class Failed(Record):
    """A request failed."""

    request: str
    """The id of the request."""
    why: str
    """The reason: one or two sentences; only the first 300 bytes are kept."""

    _tag: ClassVar[str] = "failed"


@dataclass(frozen=True, slots=True, repr=False)
class Resume(Record):
    """The host has lost track of its open requests: the next step returns all unanswered requests again."""

    _tag: ClassVar[str] = "resume"


@dataclass(frozen=True, slots=True, repr=False)
class Cancel(Record):
    """Stops the extraction: no more requests are made, and the answer has the findings so far. Without
    any, its outcome is ``failed``."""

    _tag: ClassVar[str] = "cancel"


ExtractionEvent = Reply | Failed | Resume | Cancel
"""An event that the host reports."""


@dataclass(frozen=True, slots=True, repr=False)
class ByteSpan(Record):
    """A range of bytes of the artifact, ``end`` excluded."""

    start: int
    """The first byte."""
    end: int
    """The end, excluded."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Coverage(Record):
    """The part of the artifact that the answer is based on."""

    chunks: int
    """Number of chunks; 0 if the artifact was not read in chunks."""
    chunks_done: int
    """Chunks that a model has read."""
    chunks_failed: int
    """Chunks for which every attempt failed."""
    chunks_skipped: int
    """Chunks that were not sent because a limit was reached, or that had no answer when the extraction was
    canceled."""
    size_bytes: int
    """The size of the artifact's text in bytes."""
    read: tuple[ByteSpan, ...]
    """The ranges that the model has read, in order, without overlaps. Ranges that only ``Grep`` has
    searched do not count. At most 100; further ranges are merged."""


@dataclass(frozen=True, slots=True, repr=False)
class Quote(Record):
    """A passage in quotation marks from the answer, looked up in the artifact."""

    text: str
    """The passage."""
    line: int | None
    """The first line that contains the passage, from 1; none if no line does."""
    byte_offset: int | None
    """The byte offset of that occurrence."""


ExtractionOutcome = Literal["found", "not_found", "truncated", "failed"]
"""The outcome of an extraction.

- ``found``: The answer was found.
- ``not_found``: The answer says that the artifact has no such data.
- ``truncated``: The strategy failed, or truncation was requested: the answer is the artifact's head
  and tail.
- ``failed``: There is no answer; the text says why.
"""


@dataclass(frozen=True, slots=True, repr=False)
class ExtractionUsage(Record):
    """Requests and tokens used."""

    requests: int
    """Requests that were made."""
    input_tokens: int
    """Tokens of the requests: the provider's count, or else the host's."""
    output_tokens: int
    """Tokens of the answers: the provider's count, or else the host's."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class Answer(Record):
    """The answer to a question."""

    text: str
    """The text for the agent's model: a line with tool, artifact and strategy, then the content with notes
    on quotes and on missing parts. At most ``max_answer_bytes``."""
    content: str
    """The answer of the extraction's model without its wrapper. If the model did not combine the extracts
    of several chunks, all of them in order. If it did not answer, the artifact's head and tail, or the
    message of a failure."""
    outcome: ExtractionOutcome
    """The outcome."""
    strategy: ExtractionMode
    """The strategy used; ``auto`` only if the extraction failed before choosing one."""
    is_partial: bool
    """Whether the answer lacks part of the artifact or of the extracts."""
    coverage: Coverage
    """The part of the artifact that the answer is based on."""
    quotes: tuple[Quote, ...]
    """The quotes in the answer, in order: at most 32."""
    warnings: tuple[str, ...]
    """Warnings for the reader, one sentence each: a strategy was replaced, chunks are missing, or a limit
    was reached."""
    usage: ExtractionUsage
    """Requests and tokens used."""


@dataclass(frozen=True, slots=True, repr=False)
class ExtractionStep(Record):
    """The host's next step."""

    state: str
    """The state for the next step; empty if there is an answer."""
    requests: tuple[ModelRequest, ...]
    """New requests. They may be sent concurrently, even while earlier requests are still unanswered. There
    may be none while others are unanswered."""
    answer: Answer | None
    """The answer, once the extraction has ended."""


@dataclass(frozen=True, slots=True, repr=False, kw_only=True)
class ExtractionEstimate(Record):
    """The expected cost of an extraction."""

    strategy: ExtractionMode
    """The strategy."""
    reason: str
    """Why it was chosen, in one sentence."""
    size_bytes: int
    """The size of the artifact's text in bytes."""
    line_count: int
    """Lines of the artifact."""
    tokens: int
    """Tokens of the artifact; estimated from samples if it is large."""
    chunks: int
    """Number of chunks; 0 if the artifact is empty or is not read in chunks."""
    requests: int
    """Requests if none fails; for ``read-grep``, the maximum."""
    input_tokens: int
    """Tokens of the requests; for ``read-grep``, the maximum."""
    output_tokens: int
    """Maximum tokens of the answers."""
