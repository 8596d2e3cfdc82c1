"""`compressed_tool` of tooltrim: results above 512 tokens, and its tool, which returns the original in pages
of 8,000 characters."""

from __future__ import annotations

import re
from collections.abc import Generator

from outputs import Output
from script import FETCH, Call, Script, Seen, definitions, found
from server import ModelServer
from tooltrim import ToolCompressor, compressed_tool


def see(_: ModelServer, output: Output, text: str) -> Seen:
    compressor = ToolCompressor()
    fetch = compressed_tool(compressor=compressor)(lambda: text)

    def queries(view: str) -> Generator[Call, str, None]:
        reference = found(r"full output ref=(\w+)", view)
        start: int | None = 0
        while start is not None:
            page = yield Call(compressor.EXPAND_TOOL_NAME, {"ref": reference, "start": start})
            more = re.search(r"start=(\d+)\) for more\]$", page)
            start = int(more[1]) if more else None

    def reply(call: Call) -> str:
        return fetch() if call.tool == FETCH else compressor.handle_expand(**call.arguments)

    script = Script(queries, output.answer)
    script.seen.tools = definitions([compressor.expand_tool_spec()])
    return script.run(reply)
