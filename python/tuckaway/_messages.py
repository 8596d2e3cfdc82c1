"""The messages of a conversation, and what a provider reports about them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from ._clip import short_repr

Role = Literal["system", "user", "assistant", "tool"]
"""The role of a message's author.

- ``system``: the developer of the agent; counted as part of the system prompt, never removed.
- ``user``: the user. A message of only tool results continues the turn, whichever role a provider gives it.
- ``assistant``: the model.
- ``tool``: a tool.
"""


@dataclass(frozen=True, slots=True)
class Text:
    """Text, as a part of a message."""

    text: str
    """The text."""

    _tag: ClassVar[str] = "text"
    _is_wrapper: ClassVar[bool] = True

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool by the model, as a part of a message."""

    id: str
    """The id that the result refers to."""
    name: str
    """The tool's name."""
    arguments: str
    """The arguments as JSON text."""

    _tag: ClassVar[str] = "tool_call"


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The output of a tool, as a part of a message."""

    call_id: str
    """The id of the call."""
    text: str
    """The text that the model sees."""
    is_error: bool = False
    """Whether the tool reports an error."""
    artifact: str | None = None
    """The artifact from which the output can be read."""

    _tag: ClassVar[str] = "tool_result"

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, slots=True)
class Media:
    """An image, a sound or a document, as a part of a message."""

    tokens: int
    """Its tokens."""

    _tag: ClassVar[str] = "media"
    _is_wrapper: ClassVar[bool] = True


@dataclass(frozen=True, slots=True)
class Opaque:
    """Opaque content that is preserved, such as thinking, as a part of a message."""

    size_bytes: int
    """Its size in bytes."""

    _tag: ClassVar[str] = "opaque"
    _is_wrapper: ClassVar[bool] = True


Part = Text | ToolCall | ToolResult | Media | Opaque
"""A part of a message."""


@dataclass(frozen=True, slots=True)
class Message:
    """A message of a conversation."""

    role: Role
    """The role of the author."""
    parts: Sequence[Part]
    """The parts of the message."""
    tokens: int | None = None
    """The message's tokens, if known."""
    pinned: bool = False
    """Whether the message must be kept unchanged."""
    inserted: bool = False
    """Whether an earlier plan inserted the message: it neither starts a turn nor counts as the user's own
    words."""
    joined: bool = False
    """Whether this message and the next one stay or go together, such as thinking and the call that it
    belongs to."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """The definition of a tool that the model can call."""

    name: str
    """The tool's name."""
    definition: str
    """The definition as JSON text."""
    tokens: int | None = None
    """The definition's tokens, if known."""
    pinned: bool = False
    """Whether the definition is kept even if unused."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenUsage:
    """The tokens that a provider reported.

    >>> TokenUsage(input_tokens=1_000, cache_read_tokens=9_000, output_tokens=500).total_tokens
    10500
    """

    input_tokens: int = 0
    """Input tokens that no prompt cache held."""
    output_tokens: int = 0
    """Tokens of the answer."""
    cache_creation_tokens: int = 0
    """Tokens written to the provider's prompt cache."""
    cache_read_tokens: int = 0
    """Tokens read from the provider's prompt cache."""

    @property
    def total_tokens(self) -> int:
        """The sum of all four."""
        return self.input_tokens + self.output_tokens + self.cache_creation_tokens + self.cache_read_tokens


@dataclass(frozen=True, slots=True)
class Usage:
    """A usage, and the messages that it counts."""

    tokens: TokenUsage
    """The tokens that the provider reported."""
    messages: int
    """The number of messages that the usage counts: all messages up to the answer with which it was reported,
    that answer included."""


@dataclass(frozen=True, slots=True)
class Conversation:
    """The conversation of an agent.

    >>> Conversation([Message("user", [Text("Hello")])]).messages[0].role
    'user'
    """

    messages: Sequence[Message]
    """The messages, including the developer's."""
    tools: Sequence[ToolSpec] = ()
    """The tools that are sent with every request."""
    usage: Usage | None = None
    """The usage that the provider reported last."""


@dataclass(frozen=True, slots=True)
class TextMessage:
    """A message that consists of one text."""

    role: Role
    """The role of the author."""
    text: str
    """The text."""

    def __repr__(self) -> str:
        return short_repr(self)
