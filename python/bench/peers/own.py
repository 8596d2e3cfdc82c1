"""tuckaway, in a loop of the same kind."""

from __future__ import annotations

import json
from collections.abc import Generator

from outputs import Output
from peers.libraries import looped
from script import FETCH, Call, Script, Seen
from server import ModelServer

from tuckaway import Tuckaway

SMALL_WINDOW = 32_000


def tuckaway(_: ModelServer, output: Output, text: str) -> Seen:
    """tuckaway with its defaults: a window of 200,000 tokens, in which results up to 200,000 bytes pass."""
    return _seen(Tuckaway(), output, text)


def tuckaway_small(_: ModelServer, output: Output, text: str) -> Seen:
    """tuckaway for a window of 32,000 tokens."""
    return _seen(Tuckaway(context_window=SMALL_WINDOW), output, text)


def _seen(tuckaway: Tuckaway, output: Output, text: str) -> Seen:
    def queries(view: str) -> Generator[Call, str, None]:
        artifact = json.loads(view)["artifact_id"]
        if output.records is None:
            yield Call("artifact_grep", {"artifact_id": artifact, "pattern": output.key})
        else:
            yield Call("artifact_jq", {"artifact_id": artifact, "filter": _filter(output)})

    def reply(call: Call) -> str:
        if call.tool == FETCH:
            return tuckaway.process(text, tool=FETCH).text
        return tuckaway.call_tool(call.tool, call.arguments).text

    script = looped(Script(queries, output.answer), reply)
    definitions = tuckaway.tool_definitions()
    script.seen.tools = json.dumps(
        [
            {
                "type": "function",
                "function": {"name": d.name, "description": d.description, "parameters": d.input_schema},
            }
            for d in definitions
        ]
    )
    return script.seen


def _filter(output: Output) -> str:
    """Returns the filter for the record of a question. An id is compared as a text, as its type may be either."""
    where = output.records
    if where is None:
        raise ValueError(f"{output.file} has no records")
    if where.id is None:
        return f'.{where.path}["{output.key}"].{where.value}'
    return f'.{where.path}[] | select((.{where.id} | tostring) == "{output.key}") | .{where.value}'
