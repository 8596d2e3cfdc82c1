"""The records of extractions: a second model reads a stored output and answers a question about it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal

from ._asking import (
    AsyncModel,
    CallResult,
    Model,
    ModelCall,
    ModelMessage,
    ModelReply,
    ModelRequest,
    ModelTurn,
    RequestMessage,
    RequestPurpose,
    ResultsMessage,
    StopReason,
    UserMessage,
)
from ._clip import short_repr

__all__ = [
    "Answer",
    "AsyncModel",
    "ByteSpan",
    "CallResult",
    "Cancel",
    "Coverage",
    "ExtractionConfig",
    "ExtractionEstimate",
    "ExtractionEvent",
    "ExtractionMode",
    "ExtractionOutcome",
    "ExtractionStep",
    "ExtractionUsage",
    "Failed",
    "Model",
    "ModelCall",
    "ModelMessage",
    "ModelReply",
    "ModelRequest",
    "ModelTurn",
    "Progress",
    "Question",
    "Quote",
    "Reply",
    "RequestMessage",
    "RequestPurpose",
    "ResultsMessage",
    "Resume",
    "StopReason",
    "UserMessage",
]

ExtractionMode = Literal["auto", "full_chunked", "read_grep", "truncate"]
"""How the answer is found.

- ``auto``: chosen by the size of the artifact and the length of its lines.
- ``full_chunked``: a model reads all of it, in chunks if it is large.
- ``read_grep``: a model reads and searches it with the tools ``Read`` and ``Grep``.
- ``truncate``: its head and tail, without a model.
"""

ExtractionOutcome = Literal["found", "not_found", "truncated", "failed"]
"""How an extraction ended.

- ``found``: with an answer.
- ``not_found``: with an answer that says that there is nothing of the kind.
- ``truncated``: the strategy failed, or this was asked for; the answer is the artifact's head and tail.
- ``failed``: there is no answer; the text says why.
"""


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked.

    >>> Question("art_sql_query_0", "all order numbers of the customer Smith").mode
    'auto'
    """

    artifact: str
    """The artifact."""
    extract: str
    """What to extract: 1 byte to 16 KiB."""
    mode: ExtractionMode = "auto"
    """How."""
    tool_arguments: str | None = None
    """The arguments of the call that the artifact is the output of, as JSON text."""
    nonce: str | None = None
    """Marks what the model answers: 8 to 64 letters and digits; random if None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionConfig:
    """The model's limits, and those of an extraction. `Tuckaway.extraction_config` returns the defaults for a
    context window, `dataclasses.replace` changes them."""

    context_tokens: int
    """The context window of the model that is asked, in tokens: 2,048 to 2^32."""
    max_output_tokens: int = 4_096
    """The most tokens of one of its answers: 64 to half of the window. The default for a window is an eighth
    of it, at most this."""
    max_full_chunks: int = 1
    """``auto`` reads everything if it fits into this many chunks."""
    long_line_bytes: int = 1_000
    """``auto`` also reads everything if the lines are longer than this in the mean."""
    max_chunks: int = 64
    """An artifact of more chunks is not read as a whole."""
    overlap_pct: int = 10
    """How much of a chunk repeats the end of the one before, in percent."""
    max_parallel: int = 4
    """The most requests that are not answered at the same time."""
    max_requests: int = 150
    """The most requests of all."""
    max_tokens: int | None = None
    """The most tokens of all requests and their answers."""
    max_turns: int = 12
    """The most turns of a model with ``Read`` and ``Grep``."""
    max_tool_calls: int = 40
    """The most calls of ``Read`` and ``Grep``."""
    max_reply_bytes: int = 16_384
    """The most bytes of a reply to one of them."""
    max_answer_bytes: int = 32_768
    """The most bytes of the answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A request was answered, as an event."""

    request: str
    """The id of the request."""
    reply: ModelReply
    """The answer."""

    _tag: ClassVar[str] = "reply"


@dataclass(frozen=True, slots=True)
class Failed:
    """A request failed, as an event."""

    request: str
    """The id of the request."""
    why: str
    """Why, in a sentence or two."""

    _tag: ClassVar[str] = "failed"


@dataclass(frozen=True, slots=True)
class Resume:
    """All requests that are not answered are returned again."""

    _tag: ClassVar[str] = "resume"


@dataclass(frozen=True, slots=True)
class Cancel:
    """No more requests shall be made."""

    _tag: ClassVar[str] = "cancel"


ExtractionEvent = Reply | Failed | Resume | Cancel
"""What happened."""


@dataclass(frozen=True, slots=True)
class ByteSpan:
    """Bytes of the artifact, ``end`` excluded."""

    start: int
    """The first."""
    end: int
    """The one behind the last."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of the artifact the answer rests on."""

    chunks: int
    """Chunks; 0 if it was not read in chunks."""
    chunks_done: int
    """Chunks that a model has read."""
    chunks_failed: int
    """Chunks for which every attempt failed."""
    chunks_skipped: int
    """Chunks that were not sent because a limit was reached, or not answered when the extraction was
    canceled."""
    size_bytes: int
    """The size of the artifact's text."""
    read: tuple[ByteSpan, ...]
    """The bytes that the model has read, in order, not overlapping."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A passage of the answer in quotation marks, searched for in the artifact."""

    text: str
    """The passage."""
    line: int | None
    """The first line that has it, from 1; None if no line has."""
    byte_offset: int | None
    """The offset of that, in bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionUsage:
    """What was used."""

    requests: int
    """Requests that were made."""
    input_tokens: int
    """Their tokens."""
    output_tokens: int
    """The tokens of the answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer."""

    text: str
    """For the agent's model."""
    content: str
    """What the extraction's model answered."""
    outcome: ExtractionOutcome
    """How it ended."""
    strategy: ExtractionMode
    """The strategy that led to it: ``auto`` only in a failure before one was chosen."""
    is_partial: bool
    """Whether part of the artifact, or of what was extracted, is not in it."""
    coverage: Coverage
    """How much of the artifact it rests on."""
    quotes: tuple[Quote, ...]
    """Its quotes, in order."""
    warnings: tuple[str, ...]
    """What the reader should know, a sentence each."""
    usage: ExtractionUsage
    """What it took."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionStep:
    """What the caller does next."""

    state: str
    """The state for the next step; empty with an answer."""
    requests: tuple[ModelRequest, ...]
    """New requests, which may be sent side by side and beside those that are not answered yet."""
    answer: Answer | None
    """The answer, at the end."""

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionEstimate:
    """What an extraction would take."""

    strategy: ExtractionMode
    """The strategy."""
    reason: str
    """Why, in a sentence."""
    size_bytes: int
    """The size of the artifact's text."""
    line_count: int
    """Its lines."""
    tokens: int
    """Its tokens; estimated from samples if it is large."""
    chunks: int
    """Chunks; 0 if it is not read in chunks, or empty."""
    requests: int
    """The requests, if none fails; the most of them for ``read_grep``."""
    input_tokens: int
    """Their tokens; the most of them for ``read_grep``."""
    output_tokens: int
    """The most tokens of the answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far an extraction is, since this call began."""

    answered: int
    """Requests that a model has answered."""
    failed: int
    """Requests that failed, after all that was tried."""
    open: int
    """Requests that are not answered."""
    input_tokens: int
    """The tokens of the requests that were answered."""
    output_tokens: int
    """The tokens of the answers, if the provider counts them."""
