"""tuckaway in a loop of the same kind: with its defaults, a window of 200,000 tokens in which results up to
200,000 bytes pass, and in a small window."""

from __future__ import annotations

import json
from collections.abc import Generator

from outputs import Output
from script import FETCH, Call, Script, Seen, definition, definitions
from server import ModelServer

from tuckaway import Tuckaway

SMALL_WINDOW = 32_000


def see(_: ModelServer, output: Output, text: str) -> Seen:
    return _session(Tuckaway(), output, text)


def see_small(_: ModelServer, output: Output, text: str) -> Seen:
    return _session(Tuckaway(context_window=SMALL_WINDOW), output, text)


def _session(tuckaway: Tuckaway, output: Output, text: str) -> Seen:
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

    script = Script(queries, output.answer)
    tools = tuckaway.tool_definitions()
    script.seen.tools = definitions(definition(t.name, t.description, t.input_schema) for t in tools)
    return script.run(reply)


def _filter(output: Output) -> str:
    """Returns the filter for the record of a question. An id is compared as text, because it may be a number
    or a string."""
    where = output.records
    if where is None:
        raise ValueError(f"{output.file} has no records")
    if where.id is None:
        return f'.{where.path}["{output.key}"].{where.value}'
    return f'.{where.path}[] | select((.{where.id} | tostring) == "{output.key}") | .{where.value}'
