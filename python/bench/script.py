"""The model of the comparison: a script that calls the tool, and then asks for the rest as a model would."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

FETCH = "fetch_report"
"""The tool that returns the output."""

DESCRIPTION = "Returns the report."

MAX_CALLS = 20
"""Maximum number of calls for the rest."""


@dataclass(frozen=True)
class Call:
    """A call of a tool."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)


Queries = Callable[[str], Generator[Call, str, None] | None]
"""The calls of a model that sees a view: yields calls and receives their replies. It ends if there is nothing
more to try; it is None if there is no tool to call."""


@dataclass
class Seen:
    """The texts that a package put into the context of one session."""

    view: str = ""
    """The view that replaces the output."""
    replies: list[str] = field(default_factory=list)
    """The replies to the calls for the rest, in order."""
    tools: str = ""
    """The definitions of the tools for the rest, as JSON."""
    failure: str | None = None
    """Why the package ended the run, if it did."""

    @property
    def context(self) -> str:
        """All texts, without the definitions."""
        return "\n".join([self.view, *self.replies])


class Script:
    """Answers each request of an agent by the results that it contains.

    The first request has none: the script calls the tool. The first result is the view, the others are
    replies. The script ends when one of them contains the answer, or the queries end, or after `MAX_CALLS`.
    """

    def __init__(self, queries: Queries, answer: str) -> None:
        self.seen = Seen()
        self._queries = queries
        self._answer = answer
        self._asking: Generator[Call, str, None] | None = None
        self._results = 0
        self._call: Call | None = Call(FETCH)

    def next(self, results: list[str]) -> Call | None:
        """Returns the next call; None ends the session. A repeated request gets the same answer."""
        if len(results) == self._results:
            return self._call
        if len(results) != self._results + 1:
            raise ValueError(f"{len(results)} results in a request after one with {self._results}")
        self._results = len(results)
        self._call = self._after(results[-1])
        return self._call

    def run(self, reply: Callable[[Call], str]) -> Seen:
        """Runs the session against a function that answers calls."""
        results: list[str] = []
        while call := self.next(results):
            results.append(reply(call))
        return self.seen

    def _after(self, result: str) -> Call | None:
        if self._results == 1:
            self.seen.view = result
            self._asking = None if self._answer in result else self._queries(result)
            return None if self._asking is None else next(self._asking, None)
        self.seen.replies.append(result)
        if self._asking is None or self._answer in result or len(self.seen.replies) == MAX_CALLS:
            return None
        try:
            return self._asking.send(result)
        except StopIteration:
            return None


def around(match: re.Match[str] | None) -> list[tuple[int, int]]:
    """Returns the lines to read around a match, part by part: first the lines near it, then the following
    ones."""
    if match is None:
        return []
    line = int(match[1])
    return [(max(1, line - 20), line + 79), (line + 80, line + 279), (line + 280, line + 679)]


def found(pattern: str, text: str) -> str:
    """Returns the text of the first group. Fails if a view is not as the script expects."""
    match = re.search(pattern, text)
    if match is None:
        raise ValueError(f"{pattern} is not in {text[:500]!r}")
    return match[1]


def definition(name: str, description: str | None, schema: object) -> dict[str, Any]:
    """Returns the definition of a tool in the format of Chat Completions."""
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


def definitions(tools: Iterable[dict[str, Any]]) -> str:
    """Returns the definitions of tools in the format of a request."""
    return json.dumps(list(tools))
