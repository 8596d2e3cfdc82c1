"""The records of extractions: a second model reads a stored output and answers a question about it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from ._records import (
    Answer,
    ByteSpan,
    CallResult,
    Cancel,
    Coverage,
    ExtractionConfig,
    ExtractionEstimate,
    ExtractionEvent,
    ExtractionMode,
    ExtractionOutcome,
    ExtractionStep,
    ExtractionUsage,
    Failed,
    ModelCall,
    ModelMessage,
    ModelReply,
    ModelRequest,
    ModelTurn,
    Question,
    Quote,
    Reply,
    RequestMessage,
    RequestPurpose,
    ResultsMessage,
    Resume,
    StopReason,
    UserMessage,
)

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

Model = Callable[[ModelRequest], ModelReply | str]
"""A model that answers the requests of an extraction. A `str` is a finished answer without calls.

It raises `ModelError` if it cannot answer. A model is called from several threads at once, at most
`ExtractionConfig.max_parallel`.
"""

AsyncModel = Callable[[ModelRequest], Awaitable[ModelReply | str]]
"""A `Model` that is awaited on the event loop of the call, for `AsyncTuckaway`."""


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
