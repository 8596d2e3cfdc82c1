"""What the scripts that compare packages share: rows of a table, and the command line."""

from __future__ import annotations

import argparse
import json
import logging
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import page

Make = TypeVar("Make")


@dataclass(frozen=True)
class Strategy(Generic[Make]):
    """A row of a table."""

    name: str
    """A description of the strategy."""
    make: Make
    """Makes the strategy for one session."""
    distribution: str = ""
    """The package on PyPI, if it is not tuckaway."""

    @property
    def row(self) -> str:
        """Returns its name with the version of the package."""
        return page.named(self.name, self.distribution)


@dataclass(frozen=True)
class Report:
    """What a script has measured."""

    table: str
    """The table, in Markdown."""
    rows: dict[str, Any] | list[dict[str, Any]]
    """The same as values for JSON."""


def silence() -> None:
    """Turns off the output of the packages during the runs, which is not part of a comparison."""
    logging.disable(logging.CRITICAL)
    warnings.simplefilter("ignore")


def run(script: str, about: str | None, table: str, measure: Callable[[], Report]) -> None:
    """Reads the arguments of a script, measures, and prints the table or JSON. `about` is the script's
    documentation, `table` the name of its table in docs/performance.md."""
    parser = argparse.ArgumentParser(description=(about or "").splitlines()[0])
    output = parser.add_mutually_exclusive_group()
    output.add_argument("--json", action="store_true", help="print JSON instead of the table")
    output.add_argument("--write", action="store_true", help="replace the table in docs/performance.md")
    options = parser.parse_args()
    silence()
    report = measure()
    if options.json:
        print(json.dumps(report.rows, indent=2))
        return
    text = page.headed(f"python python/bench/{script}", report.table)
    print(text)
    if options.write:
        page.write(table, text)
