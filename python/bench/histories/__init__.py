"""The handling of a history by each package: one module each.

The packages run their own code. A history is a list of messages in the format of Chat Completions, without a
system prompt. Summaries are written by the same stand-in for a model everywhere.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any

# The packages read these variables when they are imported. None of them should send reports.
os.environ.update(DO_NOT_TRACK="1", LANGSMITH_TRACING="false")

Message = dict[str, Any]
"""A message of Chat Completions."""

Manage = Callable[[list[Message]], list[Message]]
"""Returns the next history for one. It may keep state between calls."""

HEAD_CHARS = 90
SUMMARY_CHARS = 1_200


def summarized(texts: Iterable[str]) -> str:
    """Returns a summary as compaction-conformance-kit simulates one: the first 90 characters of each text,
    1,200 characters in all. Texts that are lines of an earlier summary are heads already."""
    lines: list[str] = []
    left = SUMMARY_CHARS
    for text in texts:
        head = " ".join(text.split())[:HEAD_CHARS]
        left -= len(head) + 1
        if left < 0:
            break
        lines.append(head)
    return "\n".join(lines)


def lines_of(texts: Iterable[str]) -> list[str]:
    """Returns the lines of texts, so that an earlier summary is not summarized as one text."""
    return [line for text in texts for line in text.splitlines() if line.strip()]
