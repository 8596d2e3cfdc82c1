"""Work on documents: `process`, `jq` and `grep`, compared with Python and the package `jq`."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import jq

from measures.inputs import Input, file, lines, statuses
from measures.timing import Rounds, Row, duration, interleaved, rate, times
from tuckaway import MemoryStore, Policy, Tuckaway

_LARGE = 10_000_000


def process_rows(folder: Path, rounds: Rounds) -> list[Row]:
    """Returns the rows of `process` for text and bytes, compared with `json.loads` of the same text."""
    documents = (file(folder, "json/twitter.json"), statuses(folder, 20), statuses(folder, 200))
    return [row for document in documents for row in _process(document, rounds)]


def jq_rows(folder: Path, rounds: Rounds) -> list[Row]:
    """Returns the rows of `jq`. Its peers parse the text for each query, because they store no document."""
    documents = (file(folder, "json/twitter.json"), statuses(folder, 200))
    stored = [_Stored(document) for document in documents]
    return [_jq(each, query, rounds) for each in stored for query in _FILTERS]


def grep_rows(folder: Path, rounds: Rounds) -> list[Row]:
    """Returns the rows of `grep`, compared with `re` on the lines of a text that is in memory."""
    documents = (file(folder, "logs/Hadoop.log"), lines(folder, "logs/Hadoop.log", 250))
    stored = [_Stored(document) for document in documents]
    return [_grep(each, *pattern, rounds) for each in stored for pattern in _PATTERNS]


@dataclass(frozen=True)
class _Filter:
    """A jq filter, and the equivalent Python code."""

    what: str
    filter: str
    python: Callable[[Any], object]


_FILTERS = (
    _Filter("a path", ".statuses[50].user.screen_name", lambda d: d["statuses"][50]["user"]["screen_name"]),
    _Filter(
        "select and count",
        "[.statuses[] | select(.retweet_count > 100)] | length",
        lambda d: sum(1 for each in d["statuses"] if each["retweet_count"] > 100),
    ),
    _Filter(
        "a sum",
        "[.statuses[].user.followers_count] | add",
        lambda d: sum(each["user"]["followers_count"] for each in d["statuses"]),
    ),
)

_PATTERNS = (("a literal", "for 120 seconds"), ("a pattern", r"for 1\d0 seconds"))


class _Stored:
    """A document that a client has stored."""

    def __init__(self, document: Input) -> None:
        self.document = document
        self._tuckaway = Tuckaway(policy=Policy(keep_all=True))
        self._artifact = self._tuckaway.process(document.text, tool="api").artifacts[0].id

    def jq(self, filter: str) -> str:
        return self._tuckaway.jq(self._artifact, filter, compact=True).text.strip()

    def grep(self, pattern: str) -> int | None:
        return self._tuckaway.grep(self._artifact, pattern).total


def _process(document: Input, rounds: Rounds) -> list[Row]:
    store = MemoryStore()
    tuckaway = Tuckaway(store, policy=Policy(mode="artifact", max_threshold_bytes=4096))

    def process(output: str | bytes) -> None:
        store.delete(tuckaway.process(output, tool="api").artifacts[0].id)

    found = interleaved(
        {
            "json.loads()": partial(json.loads, document.text),
            "process() of a str": partial(process, document.text),
            "process() of bytes": partial(process, document.text.encode()),
        },
        _rounds(document, rounds),
    )
    parsed = found["json.loads()"]
    table: list[Row] = []
    for name, seconds in found.items():
        measured = f"{rate(document.size, seconds)}, {duration(seconds)}"
        against = "" if name == "json.loads()" else f"{parsed / seconds:.2g} x as fast as json.loads()"
        table.append([f"{name}, {document.title}", measured, against])
    return table


def _jq(stored: _Stored, query: _Filter, rounds: Rounds) -> Row:
    """Compares with the package `jq`, with Python, and with the command `jaq`, which reads a file."""
    with tempfile.NamedTemporaryFile("w", encoding="utf-8", suffix=".json") as file:
        file.write(stored.document.text)
        file.flush()
        return _jq_of_file(stored, query, rounds, file.name)


def _jq_of_file(stored: _Stored, query: _Filter, rounds: Rounds, path: str) -> Row:
    document = stored.document
    program = jq.compile(query.filter)
    command = ["jaq", "--compact-output", query.filter, path]

    def peer() -> str:
        return program.input_text(document.text).text()

    def python() -> str:
        return json.dumps(query.python(json.loads(document.text)))

    def jaq() -> str:
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    mine = partial(stored.jq, query.filter)
    _agree(mine(), peer(), python(), jaq())
    actions = {"mine": mine, "jq": peer, "python": python, "jaq": jaq}
    found = interleaved(actions, _rounds(document, rounds))
    seconds = found["mine"]
    against = (
        f"the command jaq {duration(found['jaq'])}, {times(found['jaq'], seconds)} as long; "
        f"the package jq {duration(found['jq'])}, {times(found['jq'], seconds)} as long; "
        f"json.loads() and Python {duration(found['python'])}, {times(found['python'], seconds)} as long"
    )
    return [f"jq(), {query.what}, {document.title}", duration(seconds), against]


def _grep(stored: _Stored, what: str, pattern: str, rounds: Rounds) -> Row:
    document = stored.document
    compiled = re.compile(pattern)

    def peer() -> int:
        return sum(1 for line in document.text.splitlines() if compiled.search(line))

    mine = partial(stored.grep, pattern)
    _agree(mine(), peer())
    found = interleaved({"mine": mine, "re": peer}, _rounds(document, rounds))
    against = f"re and splitlines() {duration(found['re'])}, {times(found['re'], found['mine'])} as long"
    return [f"grep(), {what}, {document.title}", duration(found["mine"]), against]


def _agree(*answers: object) -> None:
    """Fails if the answers differ, since the times would not be comparable."""
    if len(set(answers)) != 1:
        raise ValueError(f"the answers differ: {answers}")


def _rounds(document: Input, rounds: Rounds) -> int:
    return rounds.large if document.size >= _LARGE else rounds.files
