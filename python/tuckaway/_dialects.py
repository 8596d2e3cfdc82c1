"""The tool names of each dialect, as the component defines them."""

from __future__ import annotations

from collections.abc import Mapping

from .records import Dialect

TOOL_NAMES: Mapping[Dialect, tuple[str, ...]] = {
    "artifact": ("artifact_read", "artifact_grep", "artifact_jq"),
    "cache": ("tool_output_cache", "tool_output_cache_grep"),
    "handle": ("tool_output",),
    "file": ("read_large_output", "search_large_output", "query_large_output"),
}
"""The names of the tools of each dialect, in the order read, grep, jq."""
