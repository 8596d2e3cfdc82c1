"""The values at hand in the long-context sessions of the Berkeley Function Calling Leaderboard.

    python python/bench/long_context.py [--json | --write]

A scripted model makes the calls of the ground truth on the executable back ends of bfcl-eval, in a window
that the plain history overflows. Needs the packages of python/requirements/, bench.txt and judges.txt, and
no model. `--write` replaces the table in docs/performance.md.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from functools import cache
from typing import Any

import command
import page
from histories import Message, langchain, loops, strands
from leaderboard import Session, Turn, sessions
from needed import occurs

from tuckaway import Tiktoken

WINDOWS = (16_000, 8_000)
"""The context windows in tokens, definitions of tools included."""

MESSAGE_TOKENS = 4
"""The tokens that a provider adds to each text."""

tokens = Tiktoken("o200k_base")


Strategy = command.Strategy[Callable[[int, int], loops.Loop]]
"""A row of the table. `make` gets the window, and the part of it that the history may take."""

STRATEGIES = (
    Strategy("nothing", lambda _window, _space: loops.Nothing()),
    Strategy("results cut, oldest turns removed", loops.Truncation),
    Strategy(
        "ClearToolUsesEdit", lambda _, space: loops.Packaged(langchain.clear(space), space), "langchain"
    ),
    Strategy(
        "SlidingWindowConversationManager",
        lambda _, space: loops.Packaged(strands.window(), space),
        "strands-agents",
    ),
    Strategy("tuckaway", lambda window, _: loops.Tuckaway(window)),
)


@dataclass
class Result:
    """A strategy over all sessions."""

    sessions: int
    """How many there are."""
    turns: int = 0
    """The turns that need a value of an earlier message."""
    in_context: int = 0
    """The turns whose needed values were all in the context."""
    by_query: int = 0
    """The turns whose other values took one query each."""
    ended: int = 0
    """The sessions that ended because a request exceeded the window."""
    requests: int = 0
    """Requests to the model, including queries."""
    queries: int = 0
    """Calls of the tools that read stored outputs."""
    sent: int = 0
    """The tokens of all requests."""


class WindowError(Exception):
    """A request exceeds the window."""


class Play:
    """One session under one strategy."""

    def __init__(self, session: Session, strategy: Strategy, window: int, result: Result) -> None:
        self._session, self._window, self._result = session, window, result
        self._loop = strategy.make(window, window - fixed_tokens(session.tools))
        self._tools = [*session.tools, *self._loop.tools]
        self._fixed = fixed_tokens(self._tools)
        self._history: list[Message] = []
        self._calls = 0

    def run(self) -> None:
        """Plays all turns. If a request exceeds the window, the later turns do not get their values."""
        has_ended = False
        for turn in self._session.turns:
            needs_values = any(step.needed for step in turn.steps)
            self._result.turns += needs_values
            before = self._result.queries
            try:
                found = not has_ended and self._turn(turn)
            except WindowError:
                has_ended, found = True, False
            if needs_values and found:
                by_query = self._result.queries > before
                self._result.by_query += by_query
                self._result.in_context += not by_query
        self._result.ended += has_ended

    def _turn(self, turn: Turn) -> bool:
        """Plays one turn. Returns whether all values were at hand."""
        self._history.append({"role": "user", "content": turn.said})
        found = True
        for step in turn.steps:
            self._request()
            for value in step.needed:
                if not occurs(value, self._context()):
                    found = self._query(value) and found
            name, arguments = step.call.name, step.call.arguments
            self._add(name, arguments, self._loop.view(name, step.result, self._size()))
        self._request()
        self._history.append({"role": "assistant", "content": "Done."})
        return found

    def _query(self, value: str) -> bool:
        """Has the model query a stored output. Returns whether the reply has the value."""
        made = self._loop.query(value, self._context())
        if made is None:
            return False
        call, reply = made
        self._result.queries += 1
        self._add(call.tool, call.arguments, reply)
        self._request()
        return occurs(value, reply)

    def _request(self) -> None:
        """Sends the history to the model. Raises `WindowError` if it is too large."""
        self._history = self._loop.manage(self._history, self._tools, history_tokens)
        size = self._size()
        if size > self._window:
            raise WindowError
        self._result.requests += 1
        self._result.sent += size

    def _add(self, name: str, arguments: dict[str, Any], result: str) -> None:
        self._calls += 1
        call = f"call_{self._calls}"
        function = {"name": name, "arguments": json.dumps(arguments)}
        calls = [{"id": call, "type": "function", "function": function}]
        self._history.append({"role": "assistant", "content": None, "tool_calls": calls})
        self._history.append({"role": "tool", "tool_call_id": call, "content": result})

    def _size(self) -> int:
        return self._fixed + history_tokens(self._history)

    def _context(self) -> str:
        return "\n".join(text for message in self._history for text in texts(message))


def texts(message: Message) -> list[str]:
    """Returns the texts of a message that a model reads."""
    calls = message.get("tool_calls") or []
    return [
        message.get("content") or "",
        *(text for call in calls for text in (call["function"]["name"], call["function"]["arguments"])),
    ]


def history_tokens(history: list[Message]) -> int:
    """Returns the tokens of a history."""
    return sum(text_tokens(text) + MESSAGE_TOKENS for message in history for text in texts(message))


def fixed_tokens(tools: list[dict[str, Any]]) -> int:
    """Returns the tokens of definitions of tools."""
    return sum(text_tokens(json.dumps(tool, separators=(",", ":"))) for tool in tools)


@cache
def text_tokens(text: str) -> int:
    """Returns the tokens of a text."""
    return tokens(text)


def plain_tokens(session: Session) -> int:
    """Returns the tokens of a session if nothing is removed."""
    plain = [turn.said for turn in session.turns]
    plain += [text for turn in session.turns for step in turn.steps for text in (step.call.text, step.result)]
    return fixed_tokens(session.tools) + sum(map(text_tokens, plain))


def played(strategy: Strategy, window: int, chosen: list[Session]) -> Result:
    """Plays the sessions in a window."""
    result = Result(sessions=len(chosen))
    for number, session in enumerate(chosen, 1):
        Play(session, strategy, window, result).run()
        page.progress(f"{strategy.row}, {window:,} tokens: {number} of {len(chosen)} sessions")
    return result


def cells(strategy: Strategy, window: int, result: Result) -> list[str]:
    """Returns the row of a strategy in a window."""
    reached = result.in_context + result.by_query
    return [
        f"{window:,}",
        strategy.row,
        f"{reached} of {result.turns}, {reached / result.turns:.0%}".replace("%", " %"),
        f"{result.in_context}",
        f"{result.by_query}, with {result.queries} queries" if result.queries else "0",
        f"{result.ended} of {result.sessions}",
        f"{result.sent // max(result.requests, 1):,}",
    ]


def report() -> command.Report:
    """Plays the sessions under each strategy in each window."""
    everything = list(sessions())
    results: list[tuple[int, Strategy, Result]] = []
    for window in WINDOWS:
        chosen = [session for session in everything if plain_tokens(session) > window]
        results += [(window, strategy, played(strategy, window, chosen)) for strategy in STRATEGIES]
    columns = ["window", "strategy", "values at hand", "in the context", "by query", "sessions that ended"]
    columns += ["tokens of a request, mean"]
    return command.Report(
        page.table(columns, [cells(strategy, window, result) for window, strategy, result in results]),
        [{"window": window, "strategy": of.row, **asdict(result)} for window, of, result in results],
    )


if __name__ == "__main__":
    command.run("long_context.py", __doc__, "long-context", report)
