"""Writes tables into docs/performance.md, each between its markers: `<!-- bench:NAME -->` and `<!--
/bench:NAME -->`."""

from __future__ import annotations

import os
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

PAGE = Path(__file__).resolve().parents[2] / "docs" / "performance.md"


def table(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Returns a Markdown table."""
    lines = [columns, ["---"] * len(columns), *rows]
    return (
        "".join(f"| {' | '.join(line)} |\n" for line in lines)
        .replace("| --- ", "|---")
        .replace("--- |", "---|")
    )


def named(strategy: str, distribution: str) -> str:
    """Returns the name of a row: the strategy, after the name and version of its package on PyPI, if any."""
    return f"{distribution} {version(distribution)}, {strategy}" if distribution else strategy


def headed(command: str, text: str) -> str:
    """Returns a text under the command that made it and the machine that it ran on."""
    where = (
        f"{os.cpu_count()} cores, Python {platform.python_version()}, {sys.platform} on {platform.machine()}"
    )
    return f"`{command}`, {where}:\n\n{text}"


def write(name: str, text: str) -> None:
    """Replaces the text between the markers of a name. Fails if a marker is missing."""
    PAGE.write_text(replaced(PAGE.read_text(encoding="utf-8"), name, text), encoding="utf-8")


def replaced(page: str, name: str, text: str) -> str:
    """Returns the page with another text between the markers of a name."""
    begin, end = f"<!-- bench:{name} -->", f"<!-- /bench:{name} -->"
    for marker in (begin, end):
        if marker not in page:
            raise ValueError(f"the marker {marker} is missing in {PAGE.name}")
    before, rest = page.split(begin, 1)
    after = rest.split(end, 1)[1]
    return f"{before}{begin}\n{text.rstrip()}\n{end}{after}"


def progress(text: str) -> None:
    """Shows how far a script is, if somebody watches it on a terminal."""
    if sys.stderr.isatty():
        print(text, file=sys.stderr)
