"""The tokens that tuckaway and other packages put into the context for the same twelve outputs.

    python python/bench/side_by_side.py DATA [--write]

`DATA` is the folder that docs/performance.md describes. Needs the packages of
python/requirements/bench.txt. No time is measured. `--write` replaces the tables in
docs/performance.md.
"""

from __future__ import annotations

import argparse
import statistics
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import command
import page
from outputs import OUTPUTS, Output
from peers import (
    agno,
    ctxtual,
    deepagents,
    halo,
    haystack,
    headroom,
    own,
    pydantic_ai_harness,
    strands,
    tooltrim,
)
from script import Seen
from server import ModelServer

from tuckaway import Tiktoken


@dataclass(frozen=True)
class Package:
    """A column of the comparison."""

    distribution: str
    """Its name on PyPI."""
    see: Callable[[ModelServer, Output, str], Seen]
    """Runs one session."""
    setting: str = ""
    """The difference from another row of the same package."""

    @property
    def name(self) -> str:
        """Returns its name in the tables."""
        return f"{self.distribution}, {self.setting}" if self.setting else self.distribution

    @property
    def row(self) -> str:
        """Returns its name with the version of a peer."""
        return self.name if self.setting else f"{self.name} {version(self.distribution)}"


PACKAGES = (
    Package("tuckaway", own.see, "defaults"),
    Package("tuckaway", own.see_small, f"a window of {own.SMALL_WINDOW:,}"),
    Package("ctxtual", ctxtual.see),
    Package("strands-agents", strands.see),
    Package("agno", agno.see),
    Package("deepagents", deepagents.see),
    Package("pydantic-ai-harness", pydantic_ai_harness.see),
    Package("headroom-ai", headroom.see),
    Package("tooltrim", tooltrim.see),
    Package("halo-format-openai", halo.see),
    Package("haystack-ai", haystack.see),
)

tokens = Tiktoken("o200k_base")


@dataclass(frozen=True)
class Result:
    """One session, counted."""

    seen: Seen
    bytes: int
    tokens: int
    reply_tokens: int
    has_fact: bool
    has_answer: bool

    @staticmethod
    def of(seen: Seen, output: Output) -> Result:
        """Counts the context of a session."""
        return Result(
            seen=seen,
            bytes=len(seen.view.encode()),
            tokens=tokens(seen.view),
            reply_tokens=sum(tokens(reply) for reply in seen.replies),
            has_fact=seen.failure is None and all(fact in seen.view for fact in output.needed),
            has_answer=output.answer in seen.context,
        )

    def cell(self) -> str:
        """Returns the tokens of the view, whether it contains the fact, and the cost of the answer."""
        if self.seen.failure:
            return "the run fails"
        fact = "fact" if self.has_fact else "no fact"
        calls = len(self.seen.replies)
        if not self.has_answer:
            answer = "no answer"
        elif calls == 0:
            answer = "answer"
        else:
            answer = f"{calls} call{'s' if calls > 1 else ''}, {self.reply_tokens:,}"
        return f"{self.tokens:,}; {fact}; {answer}"


def summary(package: Package, results: list[Result]) -> list[str]:
    """Returns the row of a package over all outputs."""
    done = [result for result in results if result.seen.failure is None]
    reached = [result for result in done if result.has_answer]
    calls = [len(result.seen.replies) for result in reached]
    cost = statistics.median(result.tokens + result.reply_tokens for result in reached) if reached else None
    return [
        package.row,
        spread([result.bytes for result in done]),
        spread([result.tokens for result in done]),
        f"{sum(result.has_fact for result in results)} of {len(results)}",
        f"{len(reached)} of {len(results)}",
        "" if cost is None else f"{statistics.median(calls):.0f}, at most {max(calls)}; {cost:,.0f} tokens",
        f"{tokens(done[0].seen.tools):,}" if done[0].seen.tools != "[]" else "none",
    ]


def spread(counts: list[int]) -> str:
    """Returns the median and the highest of some counts."""
    return f"{statistics.median(counts):,.0f}, at most {max(counts):,}"


def run(folder: Path) -> str:
    """Runs all sessions and returns the tables."""
    results: dict[str, list[Result]] = {}
    texts = [output.read(folder) for output in OUTPUTS]
    with ModelServer() as server:
        for package in PACKAGES:
            row = results.setdefault(package.name, [])
            for output, text in zip(OUTPUTS, texts, strict=True):
                row.append(Result.of(package.see(server, output, text), output))
                print(f"{package.name}: {output.file}: {row[-1].cell()}", file=sys.stderr)
    columns = ["package", "bytes of the view", "tokens of the view", "needed fact in it", "answer reached"]
    columns += ["calls for it; view and replies", "its tools, tokens"]
    overall = page.table(columns, [summary(package, results[package.name]) for package in PACKAGES])
    single = []
    for index, (output, text) in enumerate(zip(OUTPUTS, texts, strict=True)):
        whole = f"{output.file}, {tokens(text):,} tokens; {output.lead}; {output.question}"
        single.append([whole, *(results[package.name][index].cell() for package in PACKAGES)])
    return f"{overall}\n{page.table(['output', *(package.name for package in PACKAGES)], single)}"


def main() -> None:
    """Reads the arguments, runs the comparison and prints or writes it."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder with json/, csv/ and logs/")
    parser.add_argument("--write", action="store_true", help="replace the tables in docs/performance.md")
    options = parser.parse_args()
    command.silence()
    text = page.headed("python python/bench/side_by_side.py", run(options.data))
    print(text)
    if options.write:
        page.write("python-packages", text)


if __name__ == "__main__":
    main()
