"""The arguments and results of calls: frozen dataclasses with the field names of the contract.

The records of conversations are in `tuckaway.conversation`, those of extractions in `tuckaway.extraction`.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ._clip import short_repr
from ._convert import JSON_TEXT
from ._html import decision_html, view_html
from .policy import Dialect, Mode, Policy, Tool, ToolOverride

__all__ = [
    "Action",
    "Artifact",
    "Block",
    "Content",
    "Decision",
    "Dialect",
    "ErrorKind",
    "Failure",
    "Garbage",
    "Gate",
    "Match",
    "Matches",
    "Mode",
    "Outputs",
    "Page",
    "Policy",
    "Shape",
    "Stored",
    "Tool",
    "ToolDefinition",
    "ToolOutput",
    "ToolOverride",
    "ToolReply",
    "View",
]

Action = Literal["inline", "artifact", "truncate"]
"""How an output was handled: passed unchanged, stored (the view is an envelope), or truncated (head and
tail)."""

Gate = Literal[
    "disabled",
    "exempt",
    "artifact_tool",
    "below_floor",
    "ceiling",
    "per_output",
    "token_cap",
    "headroom",
    "fits",
]
"""The rule that decided. Rules are checked in this order:

- ``disabled``: the policy is not enabled.
- ``exempt``: an override exempts the tool.
- ``artifact_tool``: the output is a reply of a tool of the policy's dialect.
- ``below_floor``: the output is smaller than the floor.
- ``ceiling``: the output is larger than the ceiling.
- ``per_output``: the output is larger than its share of the context window.
- ``token_cap``: the output has more tokens than `Policy.max_output_tokens`.
- ``headroom``: the output does not fit into the remaining headroom.
- ``fits``: no other rule applies.
"""

ErrorKind = Literal["invalid_input", "not_found", "expired", "unsupported", "limit", "store", "tokens"]
"""The kind of an error, for programs."""


@dataclass(frozen=True, slots=True)
class Stored:
    """Content that is already in the store."""

    id: str
    """The id of the artifact."""


Content = (
    str
    | bytes
    | bytearray
    | memoryview
    | os.PathLike[str]
    | Mapping[str, Any]
    | list[Any]
    | tuple[Any, ...]
    | Stored
)
"""The output of a tool: a text, bytes, the path of a file that contains them, or JSON data, which is written
as compact JSON.

A `str` is always text, never a path. Text that is not valid UTF-8 is stored unchanged, and shown with U+FFFD.
Binary content is shown as a one-line description. `Stored` content must be the only block of its output.
"""


@dataclass(frozen=True, slots=True)
class Block:
    """One part of an output."""

    content: Content
    """The content of the block."""
    media_type: str | None = None
    """A hint at the format; if it is None or wrong, the format is detected from the content. Blocks of
    ``image/…``, ``audio/…`` and ``video/…`` are passed on unchanged, as are bytes without a media type that
    are detected as such."""

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutput:
    """The output of a tool, in blocks.

    >>> ToolOutput.of({"rows": []}, tool="sql_query").blocks
    (Block(content={'rows': []}, media_type=None),)
    """

    tool: str
    """The tool's name as the model called it. The names of the dialect's tools are reserved: outputs under
    them always pass."""
    is_error: bool = False
    """Whether the output is an error message of the tool."""
    blocks: Sequence[Block]
    """The blocks, in order; an empty list is an empty output. Each block that is not plain text is reduced
    and stored separately. A single block that is a JSON-encoded tool result (an MCP ``CallToolResult``, or
    content parts of OpenAI or Anthropic) passes inline unchanged; if it is reduced or stored, its inner
    blocks are used instead."""
    structured: str | Mapping[str, Any] | None = None
    """The result as JSON, in addition to the blocks: MCP's ``structuredContent``. If it repeats the blocks,
    it is counted and stored once; otherwise it is treated as one more block."""

    @classmethod
    def of(
        cls,
        content: Content,
        *,
        tool: str = "tool",
        is_error: bool = False,
        media_type: str | None = None,
        structured: str | Mapping[str, Any] | None = None,
    ) -> ToolOutput:
        """Returns an output of a single block."""
        return cls(tool=tool, is_error=is_error, blocks=(Block(content, media_type),), structured=structured)


@dataclass(frozen=True, slots=True, kw_only=True)
class Artifact:
    """Metadata of one artifact."""

    id: str
    """The artifact's id in the store: 1 to 64 characters of ``A-Z a-z 0-9 _ -``."""
    tool: str
    """The tool that produced it."""
    media_type: str
    """``application/json``, ``text/plain``, ``image/png``, …"""
    size_bytes: int
    """Its size in bytes."""
    line_count: int
    """Line feeds, plus one if the last line does not end in one."""
    created_at: int
    """When it was created, in Unix seconds."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A failure that did not end the call."""

    kind: ErrorKind
    """The kind of failure, for programs."""
    message: str
    """One or two sentences for people and models, at most 1 KiB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """The record of a decision: the measurements, and the limits they were compared with."""

    action: Action
    """How the output is handled."""
    gate: Gate
    """The rule that decided."""
    size_bytes: int
    """The size of the output in bytes as it came, without the blocks that are passed on unchanged."""
    line_count: int
    """Number of lines of the output."""
    token_count: int | None
    """Tokens of the output; None if no count could change the decision."""
    tokens_estimated: bool
    """Whether ``token_count`` is the size divided by `Policy.bytes_per_token`, because the counter failed."""
    min_threshold_bytes: int
    """The floor in bytes, which an override may have lowered."""
    threshold_bytes: int
    """The per-output threshold: the fraction of the window in bytes, clamped to floor and ceiling."""
    max_threshold_bytes: int
    """The ceiling in bytes, which an override may have replaced."""
    max_output_tokens: int | None
    """The policy's limit in tokens, if it has one."""
    headroom_tokens: int | None
    """Tokens that the headroom gate left for this output; negative if the conversation already exceeds the
    headroom, None if the gate is off. In a turn, the tokens of the other outputs are subtracted."""
    kept_tokens: int | None
    """Tokens of the blocks that are passed on unchanged; None if there are none. They, too, are subtracted
    from the headroom."""
    matched_override: str | None
    """The glob of the override that applied."""
    failures: tuple[Failure, ...]
    """Failures that were worked around: if the store rejected the output or a part, it is truncated instead;
    if the counter failed, tokens are estimated instead."""

    def _repr_html_(self) -> str:
        return decision_html(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """The replacement for an output, as the model sees it. Notebooks show its decision, its sizes and its
    text."""

    text: str
    """The text that replaces the output's text in the conversation."""
    kept: tuple[int, ...]
    """Blocks to pass on unchanged (images), as indexes into `ToolOutput.blocks`."""
    artifacts: tuple[Artifact, ...]
    """The stored artifacts, in the order of the output's parts: at least one if the action is ``artifact``,
    one for every part if `Policy.keep_all` is set, otherwise none."""
    decision: Decision
    """The decision that led to this view."""

    def __repr__(self) -> str:
        return short_repr(self)

    def _repr_html_(self) -> str:
        return view_html(self)


@dataclass(frozen=True, slots=True)
class Shape:
    """A description of a text's content."""

    media_type: str
    """The detected format: ``application/json``, ``text/plain``, …"""
    json: str
    """A JSON value that summarizes the content for a model, of at most the requested size."""

    @property
    def value(self) -> Any:
        """The value of ``json``, parsed."""
        return json.loads(self.json)


@dataclass(frozen=True, slots=True)
class Page:
    """Part of an artifact."""

    text: str
    """The text, with line ends as stored; invalid UTF-8 is replaced with U+FFFD."""
    next: str | None
    """The cursor of the next page; None on the last one."""

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """One matching line. A long line is an excerpt centred on its first match."""

    line: int
    """The number of the line, from 1."""
    column: int
    """Where the match begins, in characters from 1: the line's first match without ``each_match``; 1 if
    inverted."""
    byte_offset: int
    """Where the match begins, in bytes from the artifact's start."""
    text: str
    """The line, without its line end."""
    clipped: bool
    """Whether ``text``, ``before`` or ``after`` contain excerpts; the whole lines can be read."""
    before: tuple[str, ...]
    """Lines before the match, in order. A line appears only once in a page."""
    after: tuple[str, ...]
    """Lines after the match, in order, up to the next match."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches:
    """One page of matching lines."""

    matches: tuple[Match, ...]
    """The matching lines, in the order of the artifact."""
    total: int | None
    """Matching lines in the whole artifact; None on pages after the first."""
    match_count: int | None
    """With ``each_match``: the total including every match in a long line; None if there are too many to
    count."""
    next: str | None
    """The cursor of the next page; None on the last one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """One page of a filter's outputs."""

    text: str
    """The outputs in order, each terminated by a line feed."""
    next: str | None
    """The cursor of the next page; None on the last one."""
    failure: Failure | None
    """Why the filter stopped, after these outputs or before the first one: an error that the filter raised,
    or a value to which it cannot be applied. If present, ``next`` is None."""
    hint: str | None
    """If the filter returned nothing, or only nulls: where its path leaves the document, and which keys exist
    there. After other outputs, and together with a failure: a requested key that no object has, and the most
    similar existing key. On first pages only."""
    parsed_as: str | None
    """How the content was read if it is not a single JSON document, such as ``CSV read as an array of 2000
    objects, keyed by its header``, and what was skipped."""

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool, in the form that model providers expect."""

    name: str
    """The tool's name."""
    description: str
    """A description of the tool for the model."""
    input_schema: dict[str, Any] = field(metadata=JSON_TEXT)
    """Its arguments: a JSON Schema of type object."""


@dataclass(frozen=True, slots=True)
class ToolReply:
    """The reply of a tool to the model."""

    text: str
    """The result, or how the model can correct its mistake."""
    is_error: bool
    """Whether ``text`` reports a mistake that the model can correct."""

    def __repr__(self) -> str:
        return short_repr(self)


@dataclass(frozen=True, slots=True, kw_only=True)
class Garbage:
    """A report of removed garbage."""

    expired: int
    """Artifacts whose content was removed. For a while their ids still report that they have expired."""
    abandoned: int
    """Artifacts that crashed writers left unsealed."""
    forgotten: int
    """Ids that no longer report that they have expired."""
    freed_bytes: int
    """Bytes of content that were freed."""
