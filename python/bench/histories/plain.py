"""Strategies without a package: one summary of everything, and the newest messages."""

from __future__ import annotations

from collections.abc import Callable

from . import Message, lines_of, summarized


def summary() -> Callable[[list[Message]], list[Message]]:
    """Replaces all messages by a summary."""

    def manage(history: list[Message]) -> list[Message]:
        text = summarized(lines_of(message["content"] for message in history))
        return [{"role": "user", "content": text}]

    return manage
