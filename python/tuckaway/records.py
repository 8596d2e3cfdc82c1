"""The arguments and results of calls: frozen dataclasses with the field names of the contract.

Records of conversations are in `tuckaway.conversation`, records of extractions in `tuckaway.extraction`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ._extras import Record
from ._records import (
    Action,
    AllMatches,
    Artifact,
    ArtifactMatches,
    Decision,
    Dialect,
    ErrorKind,
    Failure,
    Gate,
    Match,
    Matches,
    MediaKind,
    Mode,
    Outputs,
    Page,
    Policy,
    SavedOutputs,
    Shape,
    SkippedArtifact,
    StoredMedia,
    Tool,
    ToolDefinition,
    ToolOverride,
    ToolReply,
    View,
)

__all__ = [
    "Action",
    "AllMatches",
    "Artifact",
    "ArtifactMatches",
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
    "MediaKind",
    "Mode",
    "Outputs",
    "Page",
    "Policy",
    "SavedOutputs",
    "Shape",
    "SkippedArtifact",
    "Stored",
    "StoredMedia",
    "Tool",
    "ToolDefinition",
    "ToolOutput",
    "ToolOverride",
    "ToolReply",
    "View",
]


@dataclass(frozen=True, slots=True)
class Stored:
    """Content that is already in the store."""

    id: str
    """The id of the artifact."""


Content = Any
"""The output of a tool: a text, bytes, the path of a file or an open file that contains them, `Stored`
content, or a value that is written as compact JSON.

- A `str` is always text, never a path. Text that is not valid UTF-8 is stored unchanged, and shown with
  U+FFFD. Binary content is shown as a one-line description.
- A generator of texts or of bytes is joined; any other one is an array.
- JSON is written from dicts, lists, numbers, None, dataclasses, Pydantic models, enums, dates, `Decimal`,
  `UUID` and sets; from tables and arrays of pandas, Polars, PyArrow and NumPy, a table as an array of
  records. NaN and infinities are null. ``default=`` converts the rest.
- `Stored` content must be the only block of its output.
"""


@dataclass(frozen=True, slots=True, repr=False)
class Block(Record):
    """One part of an output."""

    content: Content
    """The content of the block."""
    media_type: str | None = None
    """A hint at the format; if it is None or wrong, the format is detected from the content. Blocks of
    ``image/…``, ``audio/…`` and ``video/…`` are passed on unchanged, as are bytes without a media type that
    are detected as such."""


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
    it is counted and stored once; if its only string is the text of a block, the text counts once; otherwise
    it is treated as one more block."""

    @classmethod
    def of(
        cls,
        content: Content,
        *,
        tool: str,
        is_error: bool = False,
        media_type: str | None = None,
        structured: str | Mapping[str, Any] | None = None,
    ) -> ToolOutput:
        """Returns an output of a single block."""
        return cls(tool=tool, is_error=is_error, blocks=(Block(content, media_type),), structured=structured)


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
