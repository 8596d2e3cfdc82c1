"""The cost of tuckaway in a Python process, compared with Python and its packages for the same work.

    python python/bench/overhead.py DATA dist/tuckaway-….whl [--write]

`DATA` is the folder that docs/performance.md describes. Needs the package, installed from the wheel, `jq`
of python/requirements/bench.txt, which contains jq 1.8.2, and the command `jaq`. Actions take turns, and the
median counts. `--write` replaces the table in docs/performance.md. `--quick` measures as little as
possible."""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import page
from measures import calls, documents, memory, size, threads
from measures.timing import Rounds, Row


def _jaq() -> str:
    return subprocess.run(["jaq", "--version"], check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    """Reads the arguments, measures, and prints or writes the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("data", type=Path, help="the folder with json/ and logs/")
    parser.add_argument("wheel", type=Path, help="the wheel that is installed")
    parser.add_argument("--write", action="store_true", help="replace the table in docs/performance.md")
    parser.add_argument("--quick", action="store_true", help="only show that it runs to the end")
    options = parser.parse_args()
    if options.write and options.quick:
        parser.error("--quick measures too little for --write")
    rounds = Rounds.quick() if options.quick else Rounds()
    data: Path = options.data
    parts: list[Callable[[], list[Row]]] = [
        lambda: calls.rows(rounds),
        lambda: documents.process_rows(data, rounds),
        lambda: documents.jq_rows(data, rounds),
        lambda: documents.grep_rows(data, rounds),
        lambda: memory.rows(data),
        lambda: threads.rows(data, rounds),
        lambda: size.rows(options.wheel),
    ]
    rows: list[Row] = []
    for part in parts:
        for row in part():
            print(": ".join(row), file=sys.stderr)
            rows.append(row)
    peers = f"the package jq {version('jq')} (jq 1.8.2), {_jaq()}, `re` and `json"
    command = f"python python/bench/overhead.py` with {peers}"
    text = page.headed(command, page.table(["what", "measured", "against"], rows))
    print(text)
    if options.write:
        page.write("python", text)


if __name__ == "__main__":
    main()
