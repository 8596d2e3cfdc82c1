"""The model of the comparison: a script that calls the tool, and then asks for the rest as a model would."""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass, field
from typing import Any

FETCH = "fetch_report"
"""The tool that returns the output."""


@dataclass(frozen=True)
class Call:
    """A call of a tool."""

    tool: str
    arguments: dict[str, Any] = field(default_factory=dict)


Queries = Callable[[str], Generator[Call, str, None]]
"""What a model asks, given what it sees in place of the output: it yields calls and receives their replies. It ends if
there is nothing more to try."""


@dataclass
class Seen:
    """What a package put into the context of one session."""

    view: str = ""
    """In place of the output."""
    replies: list[str] = field(default_factory=list)
    """To the calls for the rest, in order."""
    tools: str = ""
    """The definitions of the tools for the rest, as JSON."""
    failure: str | None = None
    """Why the package ended the run, if it did."""

    @property
    def context(self) -> str:
        """All of it, without the definitions."""
        return "\n".join([self.view, *self.replies])


class Script:
    """Answers each request of an agent by the results that it contains.

    The first request has none: the script calls the tool. The first result is the view, the others are replies. The
    script ends when a reply contains the answer, or the queries end, or after `MAX_CALLS`.
    """

    MAX_CALLS = 20

    def __init__(self, queries: Queries, answer: str) -> None:
        self.seen = Seen()
        self._queries = queries
        self._answer = answer
        self._asking: Generator[Call, str, None] | None = None
        self._results = 0
        self._call: Call | None = Call(FETCH)

    def next(self, results: list[str]) -> Call | None:
        """Returns the next call; None ends the session. A request that is repeated has the same answer."""
        if len(results) == self._results:
            return self._call
        if len(results) != self._results + 1:
            raise ValueError(f"{len(results)} results in a request after one of {self._results}")
        self._results = len(results)
        self._call = self._after(results[-1])
        return self._call

    def _after(self, result: str) -> Call | None:
        if self._asking is None:
            self.seen.view = result
            if self._answer in result:
                return None
            self._asking = self._queries(result)
            return next(self._asking, None)
        self.seen.replies.append(result)
        if self._answer in result or len(self.seen.replies) == self.MAX_CALLS:
            return None
        try:
            return self._asking.send(result)
        except StopIteration:
            return None
