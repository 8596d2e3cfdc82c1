"""All limits and switches of a decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, Literal, cast, get_args

from .errors import InvalidInputError

__all__ = ["Dialect", "Mode", "Policy", "Tool", "ToolOverride"]

Tool = Literal["read", "grep", "jq"]
"""A kind of artifact tool. Its name depends on the dialect."""

Dialect = Literal["artifact", "cache", "handle", "file"]
"""The names, arguments and texts through which a model uses stored outputs. Each dialect reproduces those of
an existing system, so that its prompts need no changes.

- ``artifact``: a JSON envelope with the id, the size and the shape of an output; ``artifact_read``,
  ``artifact_grep`` and ``artifact_jq``.
- ``cache``: the first lines of an output, and a reference; ``tool_output_cache`` and
  ``tool_output_cache_grep``.
- ``handle``: a message with the sizes and a handle; ``tool_output`` extracts what the model asks for in plain
  language.
- ``file``: a message with the name of a file and its first characters; ``read_large_output``,
  ``search_large_output`` and ``query_large_output``.
"""

Mode = Literal["auto", "artifact", "truncate"]
"""How an oversized output is reduced.

- ``auto``: ``artifact`` if the model can call any artifact tool, else ``truncate``.
- ``artifact``: stores the output; the model sees an envelope that describes it, or the dialect's equivalent.
- ``truncate``: keeps head and tail; nothing is stored.
"""


class _OfDialect:
    """A default that depends on the dialect."""

    def __repr__(self) -> str:
        return "<the dialect's>"


_OF_DIALECT: Any = _OfDialect()

_ARTIFACT: Mapping[str, object] = {
    "keep_all": False,
    "context_percentage": 0.25,
    "max_threshold_bytes": 1024 * 1024,
    "headroom_percentage": 0.7,
    "max_output_tokens": None,
    "max_view_bytes": None,
    "preview_bytes": 1024,
}
_DEFAULTS: Mapping[Dialect, Mapping[str, object]] = {
    "artifact": _ARTIFACT,
    "cache": {**_ARTIFACT, "keep_all": True, "max_threshold_bytes": 50 * 1024, "max_view_bytes": 50 * 1024},
    "handle": _ARTIFACT,
    "file": {
        **_ARTIFACT,
        "context_percentage": 1.0,
        "headroom_percentage": 1.0,
        "max_output_tokens": 10_000,
        "preview_bytes": 20_000,
    },
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOverride:
    """Changes the policy for the tools whose name matches a glob."""

    tools: str
    """The glob, 1 to 256 bytes: ``*`` matches any run of characters, ``?`` one character, everything else
    itself (``sql_*``)."""
    exempt: bool = False
    """Passes every output unchanged, for example a skill or a file that the user asked for."""
    mode: Mode | None = None
    """Replaces `Policy.mode`; the policy's if None."""
    max_threshold_bytes: int | None = None
    """Replaces `Policy.max_threshold_bytes`, and lowers a floor above it; the policy's if None."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """All limits and switches. Omitted fields have the defaults of the dialect.

    If a policy contradicts itself, the call that uses it raises an `InvalidInputError`; the message names
    every violation.

    >>> Policy().max_output_tokens is None
    True
    >>> Policy(dialect="file").max_output_tokens
    10000
    """

    enabled: bool = True
    """If false, every output passes inline."""
    dialect: Dialect = "artifact"
    """The form of the view, and the tools it names. Outputs of the tools of this dialect always pass; outputs
    of other dialects' tools are treated like any other."""
    mode: Mode = "auto"
    """How oversized outputs are reduced."""
    keep_all: bool = _OF_DIALECT
    """Also stores outputs that pass inline, so that they can be replaced by a reference later. False; true
    for ``cache``."""
    context_percentage: float = _OF_DIALECT
    """The per-output gate, as a fraction of the context window: 0 to 1. Larger outputs are reduced. 0.25; 1
    for ``file``."""
    min_threshold_bytes: int = 4096
    """The floor in bytes: smaller outputs always pass. At most ``max_threshold_bytes``."""
    max_threshold_bytes: int = _OF_DIALECT
    """The ceiling in bytes: larger outputs never pass. 1,048,576; 51,200 for ``cache``."""
    headroom_percentage: float = _OF_DIALECT
    """The headroom gate, as a fraction of the context window: 0 to 1. Outputs that would fill the window
    beyond it are reduced; 1 turns the gate off. 0.7; 1 for ``file``."""
    max_output_tokens: int | None = _OF_DIALECT
    """Maximum tokens of an output, and of its view; at least 1; no limit if None. None; 10,000 for ``file``.
    A view is not cut below 512 bytes (an envelope: 768 bytes for each part)."""
    bytes_per_token: float = 4.0
    """Bytes per token, used for texts that are not tokenized: above 0, at most 1024."""
    max_view_bytes: int | None = _OF_DIALECT
    """Maximum bytes of a truncated view, and of any view of ``cache``: raised to 512 if smaller; the
    per-output threshold if None. None; 51,200 for ``cache``."""
    preview_bytes: int = _OF_DIALECT
    """Maximum bytes of the preview in an envelope, escapes counted; 0 omits the preview. 1024; 20,000 for
    ``file``, where the preview also has at most half as many characters as ``max_output_tokens``. ``cache``
    and ``handle`` have none."""
    image_tokens: int = 1600
    """Tokens that the headroom gate counts for each block that is passed on unchanged."""
    overrides: Sequence[ToolOverride] = ()
    """Exceptions by tool name; the first match applies. At most 1,000."""

    def __post_init__(self) -> None:
        defaults = _DEFAULTS.get(self.dialect)
        if defaults is None:
            names = ", ".join(get_args(Dialect))
            raise InvalidInputError(f"dialect is {cast(object, self.dialect)!r}; use one of {names}.")
        for name, value in defaults.items():
            if getattr(self, name) is _OF_DIALECT:
                object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        defaults = {field.name: field.default for field in fields(self)} | dict(_DEFAULTS[self.dialect])
        values = {name: getattr(self, name) for name in defaults}
        changed = (f"{name}={value!r}" for name, value in values.items() if value != defaults[name])
        return f"Policy({', '.join(changed)})"
