"""The requests of an extraction to a model, and the model's answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from ._clip import short_repr
from .records import ToolDefinition

RequestPurpose = Literal["extract", "synthesize", "search"]
"""Why a request is made: to extract from a chunk, to combine extracts, or to answer with ``Read`` and
``Grep``."""

StopReason = Literal["finished", "length"]
"""Why a model stopped: it had finished or calls a tool, or its answer was truncated at its output limit."""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A call of a tool by the model."""

    id: str
    """The id that the result refers to."""
    name: str
    """The tool's name."""
    arguments: str
    """The arguments as JSON text."""


@dataclass(frozen=True, slots=True)
class ModelTurn:
    """A turn of the model."""

    text: str = ""
    """Its text."""
    calls: Sequence[ModelCall] = ()
    """The calls that the model made."""


@dataclass(frozen=True, slots=True)
class CallResult:
    """The result of a tool call, for the model."""

    call_id: str
    """The id of the call."""
    text: str
    """The text."""
    is_error: bool
    """Whether ``text`` reports a mistake."""


@dataclass(frozen=True, slots=True)
class UserMessage:
    """A message of the user, in a request."""

    text: str
    """The text."""

    _tag: ClassVar[str] = "user"
    _is_wrapper: ClassVar[bool] = True

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, slots=True)
class ModelMessage:
    """An earlier turn of the model, in a request."""

    turn: ModelTurn
    """The text."""

    _tag: ClassVar[str] = "model"
    _is_wrapper: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class ResultsMessage:
    """The results of all calls of the model's last turn, in a request."""

    results: Sequence[CallResult]
    """The results."""

    _tag: ClassVar[str] = "results"
    _is_wrapper: ClassVar[bool] = True


RequestMessage = UserMessage | ModelMessage | ResultsMessage
"""A message of a request."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelRequest:
    """A request for the model."""

    id: str
    """The id that the event with the answer refers to."""
    purpose: RequestPurpose
    """The purpose of the request."""
    system: str
    """The system prompt."""
    messages: tuple[RequestMessage, ...]
    """The messages; the first one is the user's."""
    tools: tuple[ToolDefinition, ...]
    """The tools of the calls in the messages: some providers require them as long as a message has a call."""
    may_call: bool
    """Whether the model may call a tool now; if not, it must answer."""
    input_tokens: int
    """The request's tokens, as counted by this package."""
    max_output_tokens: int
    """Maximum tokens of the answer."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The reply of a model."""

    turn: ModelTurn
    """The model's turn."""
    stop: StopReason = "finished"
    """Why the model stopped."""
    input_tokens: int | None = None
    """The tokens of the request, as the provider counted them."""
    output_tokens: int | None = None
    """The tokens of the answer, as the provider counted them."""


Model = Callable[[ModelRequest], ModelReply | str]
"""A model that answers the requests of an extraction. A `str` is a finished answer without calls.

It raises `ModelError` if it cannot answer. A model is called from several threads at once, at most
`ExtractionConfig.max_parallel`.
"""

AsyncModel = Callable[[ModelRequest], Awaitable[ModelReply | str]]
"""A `Model` that is awaited on the event loop of the call, for `AsyncTuckaway`."""
