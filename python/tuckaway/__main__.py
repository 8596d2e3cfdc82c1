"""``python -m tuckaway FILE``: shows a model's view of a file, or of the standard input."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import get_args

from . import Dialect, Policy, Tuckaway, TuckawayError, __version__
from ._convert import to_plain


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the view of an output, and on stderr the decision that led to it. Nothing is kept."""
    parser = argparse.ArgumentParser(prog="python -m tuckaway", description=main.__doc__)
    parser.add_argument("file", help="the output of a tool; - is the standard input")
    parser.add_argument("--tool", default="tool", help="the name of the tool (default: %(default)s)")
    parser.add_argument(
        "--window", type=int, default=200_000, help="tokens of the window (default: %(default)s)"
    )
    parser.add_argument(
        "--used", type=int, default=0, help="tokens that are used already (default: %(default)s)"
    )
    parser.add_argument(
        "--dialect", choices=get_args(Dialect), default="artifact", help="(default: %(default)s)"
    )
    parser.add_argument("--json", action="store_true", help="print the view with its decision as JSON")
    parser.add_argument("--version", action="version", version=__version__)
    given = parser.parse_args(arguments)
    content = sys.stdin.buffer if given.file == "-" else Path(given.file)
    try:
        with Tuckaway(context_window=given.window, policy=Policy(dialect=given.dialect)) as tuckaway:
            view = tuckaway.process(content, tool=given.tool, used_tokens=given.used)
    except TuckawayError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    if given.json:
        print(json.dumps(to_plain(view), ensure_ascii=False, indent=2))
        return 0
    decision = view.decision
    print(view.text)
    print(f"{decision.action} ({decision.gate}): {decision.size_bytes:,} bytes", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
