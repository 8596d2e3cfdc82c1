"""tuckaway: `manage_history` with the task `compact`, and with the task `manage`."""

from __future__ import annotations

import re

from tuckaway import Tuckaway
from tuckaway.conversation import Compact, CompactionConfig, SummaryRequest

from . import Manage, Message, lines_of, summarized

RULES = ("SAFETY RULE:", "HARD CONSTRAINT:")
"""How the statements begin that a host would pin."""

STATEMENTS = (*RULES, "FACT:", "GOAL STATE:", "USER PREFERENCE:")
"""How the statements begin that the model is asked to retain."""

_STATEMENT = re.compile(rf"(?:{'|'.join(STATEMENTS)}).*")


def summary(tuckaway: Tuckaway, config: CompactionConfig, *, pins: tuple[str, ...] = ()) -> Manage:
    """Summarizes all but the newest turn, the default. `pins` are the beginnings of messages that are
    pinned."""
    memory = None

    def manage(history: list[Message]) -> list[Message]:
        nonlocal memory
        pinned = [index for index, message in enumerate(history) if message["content"].startswith(pins)]
        managed = tuckaway.manage_history(
            history, Compact(config), memory=memory, pinned=pinned if pins else (), summarize=_answer
        )
        memory = managed.memory
        return managed.history

    return manage


def _answer(request: SummaryRequest) -> str:
    """Answers a request for a summary. If the request asks for it, the statements are retained: each once,
    the first as it was made."""
    lines = lines_of(message.text for message in request.messages)
    answer = f"<summary>\n{summarized(lines)}\n</summary>"
    if "<retain>" not in request.prompt:
        return answer
    statements = dict.fromkeys(found[0] for line in lines if (found := _STATEMENT.search(line)))
    return "<retain>\n" + "\n".join(statements) + f"\n</retain>\n{answer}"
