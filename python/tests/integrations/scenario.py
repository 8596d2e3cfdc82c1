"""An agent whose model is a script: the outputs of the tools, the calls of the model, and the expected
answer."""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from tuckaway import AsyncTuckaway, Policy, Tuckaway

LOG = "\n".join(
    f"04:{n // 60 % 60:02}:{n % 60:02} INFO request {n} {'refused, card expired' if n == 7776 else 'served'}"
    for n in range(20_000)
)
ORDERS = {"orders": [{"id": n, "total": n % 1000} for n in range(20_000)]}
ANSWER = "request 7776 was refused at 04:09:36 after request 7775 was served; 180 orders"

SMALL = "42 files"

PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
"""An image of one pixel."""

BARE = Policy(preview_bytes=0)
"""Envelopes have no preview, except for errors."""
LONG_ERROR = "\n".join(f"Traceback line {n}: something broke" for n in range(20_000))

FAIR = Policy(context_percentage=1.0)
"""Only the headroom decides: with a window of 20,000 tokens, 14,000 of them."""
HALF = "one line of plain words\n" * 1_400
"""About 8,400 tokens: one of them fits into that headroom, two do not."""


def kinds() -> list[Any]:
    """Both kinds of tuckaway, for asynchronous tests."""
    return [Tuckaway, AsyncTuckaway]


@dataclass
class Call:
    """A call that the scripted model makes."""

    name: str
    arguments: dict[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return f"call_{self.name}_{zlib.crc32(self.json.encode())}"

    @property
    def json(self) -> str:
        return json.dumps(self.arguments)


class Investigation:
    """The model of an agent with the tools ``get_log`` and ``get_orders``, which return `LOG` and `ORDERS`.

    It calls both in one turn, queries the envelopes with all three artifact tools, and answers with its
    findings. ``seen`` has the texts that it was shown.
    """

    def __init__(self) -> None:
        self.seen: list[list[str]] = []

    def step(self, results: Sequence[str]) -> list[Call] | str:
        """Returns the next calls, or the answer. ``results`` are the texts of the results of the last
        calls."""
        if not results:
            return [Call("get_log"), Call("get_orders")]
        self.seen.append(list(results))
        if len(self.seen) == 1:
            log, orders = (json.loads(text)["artifact_id"] for text in results)
            self.log = log
            dear = "[.orders[] | select(.total > 990)] | length"
            return [
                Call("artifact_grep", {"artifact_id": log, "pattern": "refused"}),
                Call("artifact_jq", {"artifact_id": orders, "filter": dear}),
            ]
        if len(self.seen) == 2:
            self.orders = results[1].strip()
            line = int(results[0].split(":")[0])
            lines = {"start_line": line - 1, "end_line": line}
            return [Call("artifact_read", {"artifact_id": self.log, **lines})]
        before, after = (line.split("\t")[1].split() for line in results[0].splitlines()[:2])
        refused = f"request {after[3]} was {after[4].strip(',')} at {after[0]}"
        return f"{refused} after request {before[3]} was {before[4]}; {self.orders} orders"


class Turns:
    """A model that makes the given calls, turn by turn, and then says "done"."""

    def __init__(self, *turns: Sequence[Call]) -> None:
        self.turns = list(turns)
        self.seen: list[list[str]] = []

    def step(self, results: Sequence[str]) -> list[Call] | str:
        if results:
            self.seen.append(list(results))
        return list(self.turns.pop(0)) if self.turns else "done"


def are_of_both_tools(views: Sequence[Any]) -> bool:
    """Returns whether views come from the first turn of an `Investigation`."""
    made = sorted((seen.tool, seen.call_id) for seen in views)
    return made == [(call.name, call.id) for call in (Call("get_log"), Call("get_orders"))]


def is_error_envelope(text: str) -> bool:
    """Returns whether a text is the envelope of an error, under the policy `BARE`."""
    return is_envelope(text) and json.loads(text)["preview"].split("Traceback line ")[1].startswith("0")


def is_envelope(text: str) -> bool:
    """Returns whether a text is the envelope of an artifact."""
    return text.startswith("{") and "artifact_id" in json.loads(text)
