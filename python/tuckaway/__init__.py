"""tuckaway keeps LLM agents inside their context window.

It stores tool outputs that are too large for a model to read, and gives the model a small envelope that
describes the content. The model then reads lines, greps, or runs a jq filter on the stored output.

    >>> from tuckaway import Tuckaway
    >>> tuckaway = Tuckaway(context_window=200_000)
    >>> view = tuckaway.process([{"id": n} for n in range(100_000)], tool="sql_query")
    >>> view.decision.action
    'artifact'
    >>> tuckaway.jq(view.artifacts[0].id, "length").text
    '100000\\n'

- `Tuckaway` and `AsyncTuckaway`: the clients.
- `MemoryStore`, `DirStore`, `BucketStore`, `Store`: where outputs are kept.
- `tuckaway.records`, `tuckaway.conversation`, `tuckaway.extraction`: the arguments and results of calls.
- `tuckaway.errors`: the exceptions, by kind.
- `tuckaway.integrations`: for agent frameworks. Importing `tuckaway` imports none of them.
"""

from __future__ import annotations

from ._version import __version__
from .aio import AsyncTuckaway
from .client import Tuckaway
from .errors import (
    ExpiredError,
    InvalidInputError,
    LimitError,
    ModelError,
    NotFoundError,
    QuotaExceededError,
    StoreError,
    TokensError,
    TuckawayError,
    UnsupportedError,
)
from .extraction import Answer, ModelReply, ModelRequest, Question
from .models import AnthropicModel, OpenAIModel
from .records import (
    Action,
    AllMatches,
    Artifact,
    ArtifactMatches,
    Block,
    Content,
    Decision,
    Dialect,
    Failure,
    Garbage,
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
    Stored,
    StoredMedia,
    Tool,
    ToolDefinition,
    ToolOutput,
    ToolOverride,
    ToolReply,
    View,
)
from .stores import AsyncStore, BucketStore, DirStore, MemoryStore, Store, mint
from .tokens import Tiktoken, estimate_tokens

__all__ = [
    "Action",
    "AllMatches",
    "Answer",
    "AnthropicModel",
    "Artifact",
    "ArtifactMatches",
    "AsyncStore",
    "AsyncTuckaway",
    "Block",
    "BucketStore",
    "Content",
    "Decision",
    "Dialect",
    "DirStore",
    "ExpiredError",
    "Failure",
    "Garbage",
    "Gate",
    "InvalidInputError",
    "LimitError",
    "Match",
    "Matches",
    "MediaKind",
    "MemoryStore",
    "Mode",
    "ModelError",
    "ModelReply",
    "ModelRequest",
    "NotFoundError",
    "OpenAIModel",
    "Outputs",
    "Page",
    "Policy",
    "Question",
    "QuotaExceededError",
    "SavedOutputs",
    "Shape",
    "SkippedArtifact",
    "Store",
    "StoreError",
    "Stored",
    "StoredMedia",
    "Tiktoken",
    "TokensError",
    "Tool",
    "ToolDefinition",
    "ToolOutput",
    "ToolOverride",
    "ToolReply",
    "Tuckaway",
    "TuckawayError",
    "UnsupportedError",
    "View",
    "__version__",
    "estimate_tokens",
    "mint",
]
