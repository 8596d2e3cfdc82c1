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

ExtractionMode = Literal["auto", "full-chunked", "read-grep", "truncate"]
"""How the answer is found.

- ``auto``: chosen by the size of the artifact and the length of its lines.
- ``full-chunked``: a model reads all of it, in chunks if it is large, and combines the findings of all
  chunks.
- ``read-grep``: a model reads and searches it with the tools ``Read`` and ``Grep``.
- ``truncate``: its head and tail, without a model.
"""

ExtractionOutcome = Literal["found", "not_found", "truncated", "failed"]
"""The outcome of an extraction.

- ``found``: there is an answer.
- ``not_found``: the answer says that the artifact contains nothing relevant.
- ``truncated``: the strategy failed, or truncation was requested: the answer is the artifact's head and tail.
- ``failed``: there is no answer; the text says why.
"""


@dataclass(frozen=True, slots=True)
class Question:
    """A question about an artifact.

    >>> Question("art_sql_query_0", "all order numbers of the customer Smith").mode
    'auto'
    """

    artifact: str
    """The artifact."""
    extract: str
    """The question: what to extract, 1 byte to 16 KiB."""
    mode: ExtractionMode = "auto"
    """The strategy."""
    tool_arguments: str | None = None
    """The arguments of the tool call that produced the artifact, as JSON text."""
    nonce: str | None = None
    """Delimits the model's answer: 8 to 64 letters and digits; random if None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionConfig:
    """The limits of the model and of an extraction. `Tuckaway.extraction_config` returns the defaults for a
    context window, `dataclasses.replace` changes them."""

    context_tokens: int
    """The context window of the model in tokens: 2,048 to 2^32."""
    max_output_tokens: int = 4_096
    """Maximum tokens of one answer: 64 to half of the window. `Tuckaway.extraction_config` uses an eighth of
    the window, at most this default."""
    max_full_chunks: int = 1
    """``auto`` reads the whole artifact if it fits into this many chunks."""
    long_line_bytes: int = 1_000
    """``auto`` also reads the whole artifact if its lines are longer than this many bytes on average."""
    max_chunks: int = 64
    """An artifact with more chunks is not read as a whole but searched."""
    overlap_pct: int = 10
    """The part of a chunk that overlaps with the previous chunk, in percent."""
    max_parallel: int = 4
    """Maximum concurrent requests."""
    max_requests: int = 150
    """Maximum requests in total."""
    max_tokens: int | None = None
    """Maximum tokens of all requests and answers."""
    max_turns: int = 12
    """Maximum turns of a model with ``Read`` and ``Grep``."""
    max_tool_calls: int = 40
    """Maximum calls of ``Read`` and ``Grep``."""
    max_reply_bytes: int = 16_384
    """Maximum bytes of a reply to such a call."""
    max_answer_bytes: int = 32_768
    """Maximum bytes of the answer."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The event that a request was answered."""

    request: str
    """The id of the request."""
    reply: ModelReply
    """The reply."""

    _tag: ClassVar[str] = "reply"


@dataclass(frozen=True, slots=True)
class Failed:
    """The event that a request failed."""

    request: str
    """The id of the request."""
    why: str
    """Why, in a sentence or two."""

    _tag: ClassVar[str] = "failed"


@dataclass(frozen=True, slots=True)
class Resume:
    """The event that the caller has lost track of its requests: all unanswered ones are returned again."""

    _tag: ClassVar[str] = "resume"


@dataclass(frozen=True, slots=True)
class Cancel:
    """The event that no more requests are to be made."""

    _tag: ClassVar[str] = "cancel"


ExtractionEvent = Reply | Failed | Resume | Cancel
"""An event of an extraction."""


@dataclass(frozen=True, slots=True)
class ByteSpan:
    """Bytes of the artifact, ``end`` excluded."""

    start: int
    """The offset of the first byte."""
    end: int
    """The offset after the last byte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Coverage:
    """How much of the artifact the answer is based on."""

    chunks: int
    """Number of chunks; 0 if the artifact was not read in chunks."""
    chunks_done: int
    """Number of chunks that a model has read."""
    chunks_failed: int
    """Number of chunks for which every attempt failed."""
    chunks_skipped: int
    """Number of chunks that were not sent because a limit was reached, or not answered before the extraction
    was canceled."""
    size_bytes: int
    """The size of the artifact's text."""
    read: tuple[ByteSpan, ...]
    """The bytes that the model has read, in order, without overlaps."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quote:
    """A passage of the answer in quotation marks, searched for in the artifact."""

    text: str
    """The passage."""
    line: int | None
    """The first line that contains it, from 1; None if no line does."""
    byte_offset: int | None
    """The offset of the passage, in bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionUsage:
    """The cost of an extraction."""

    requests: int
    """Number of requests."""
    input_tokens: int
    """The tokens of the requests."""
    output_tokens: int
    """The tokens of the answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """The answer."""

    text: str
    """The answer for the agent's model."""
    content: str
    """The model's answer without its wrapper. Without an answer, the artifact's head and tail, or the message
    of a failure."""
    outcome: ExtractionOutcome
    """The outcome."""
    strategy: ExtractionMode
    """The strategy that led to the answer: ``auto`` only in a failure before one was chosen."""
    is_partial: bool
    """Whether part of the artifact, or of the extracted text, is missing."""
    coverage: Coverage
    """How much of the artifact the answer is based on."""
    quotes: tuple[Quote, ...]
    """The quotes in the answer, in order."""
    warnings: tuple[str, ...]
    """Warnings for the reader, a sentence each."""
    usage: ExtractionUsage
    """The cost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionStep:
    """The next actions of the caller."""

    state: str
    """The state for the next step; empty if there is an answer."""
    requests: tuple[ModelRequest, ...]
    """New requests, which may be sent in parallel, also to those that are still open."""
    answer: Answer | None
    """The answer, at the end."""

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtractionEstimate:
    """The estimated cost of an extraction."""

    strategy: ExtractionMode
    """The strategy."""
    reason: str
    """Why this strategy, in a sentence."""
    size_bytes: int
    """The size of the artifact's text."""
    line_count: int
    """The number of lines."""
    tokens: int
    """The artifact's tokens; estimated from samples if it is large."""
    chunks: int
    """Number of chunks; 0 if the artifact is not read in chunks, or empty."""
    requests: int
    """The number of requests, if none fails; the maximum for ``read-grep``."""
    input_tokens: int
    """The tokens of the requests; the maximum for ``read-grep``."""
    output_tokens: int
    """Maximum tokens of the answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """The progress of an extraction since this call began."""

    answered: int
    """Number of requests that a model has answered."""
    failed: int
    """Number of requests that failed, after all attempts."""
    open: int
    """Number of requests that are not answered yet."""
    input_tokens: int
    """The tokens of the requests that were answered."""
    output_tokens: int
    """The tokens of the answers, if the provider counts them."""
