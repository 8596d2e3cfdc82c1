"""What a model is asked in an extraction, and what it answers."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from ._clip import short_repr
from .records import ToolDefinition

RequestPurpose = Literal["extract", "synthesize", "search"]
"""Why a request is made: to extract from a chunk, to put together what was extracted, to answer with ``Read``
and ``Grep``."""

StopReason = Literal["finished", "length"]
"""Why a model stopped: it had finished or calls a tool, or its answer was cut at the limit of its output."""


@dataclass(frozen=True, slots=True)
class ModelCall:
    """A call of a tool by the model."""

    id: str
    """The id that its result refers to."""
    name: str
    """The tool."""
    arguments: str
    """The arguments as JSON text."""


@dataclass(frozen=True, slots=True)
class ModelTurn:
    """What a model said."""

    text: str = ""
    """Its text."""
    calls: Sequence[ModelCall] = ()
    """The tools that it called."""


@dataclass(frozen=True, slots=True)
class CallResult:
    """What a tool returned to the model."""

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
    """What it said."""

    _tag: ClassVar[str] = "model"
    _is_wrapper: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class ResultsMessage:
    """The results of the model's calls, in a request: all of them."""

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
    """Names the request in the event that answers it."""
    purpose: RequestPurpose
    """Why it is made."""
    system: str
    """The system prompt."""
    messages: tuple[RequestMessage, ...]
    """The messages; the first one is the user's."""
    tools: tuple[ToolDefinition, ...]
    """The tools that its calls are of: some providers want them as long as a message has a call."""
    may_call: bool
    """Whether the model may call one of them now; if not, it has to answer."""
    input_tokens: int
    """Its tokens, as they are counted here."""
    max_output_tokens: int
    """The most tokens of the answer."""


@dataclass(frozen=True, slots=True)
class ModelReply:
    """The answer of a model."""

    turn: ModelTurn
    """What it said."""
    stop: StopReason = "finished"
    """Why it stopped."""
    input_tokens: int | None = None
    """The tokens of the request as the provider counted them."""
    output_tokens: int | None = None
    """The tokens of the answer as the provider counted them."""


Model = Callable[[ModelRequest], ModelReply | str]
"""A model that answers the requests of an extraction. A `str` is a finished answer without calls.

Raise `ModelError` if it does not answer. A model is called from several threads at once, at most
`ExtractionConfig.max_parallel`.
"""

AsyncModel = Callable[[ModelRequest], Awaitable[ModelReply | str]]
"""A `Model` that is awaited on the event loop of the call, for `AsyncTuckaway`."""
