"""The middleware `Offload` of ctxtual in a FastMCP server: results above 20,000 characters."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Generator
from typing import Any

from ctxtual.mcp import Offload
from fastmcp import Client, FastMCP
from outputs import Output
from script import DESCRIPTION, FETCH, Call, Script, Seen, definition, definitions, found
from server import ModelServer


def see(_: ModelServer, output: Output, text: str) -> Seen:
    def queries(view: str) -> Generator[Call, str, None]:
        result = found(r'"result_id":\s*"(.+?)"', view)
        reply = yield Call("result_search", {"result_id": result, "query": output.key})
        index = re.search(r'"index":\s*(\d+)', reply)
        page = re.search(r'"page":\s*(\d+)', reply)
        if index:
            yield Call("result_read", {"result_id": result, "index": int(index[1])})
        elif page:
            yield Call("result_read", {"result_id": result, "page": int(page[1])})

    return asyncio.run(_session(Script(queries, output.answer), text))


async def _session(script: Script, text: str) -> Seen:
    mcp = FastMCP("bench")
    mcp.tool(lambda: text, name=FETCH, description=DESCRIPTION)
    mcp.add_middleware(Offload())
    async with Client(mcp) as client:
        tools = [tool for tool in await client.list_tools() if tool.name != FETCH]
        script.seen.tools = definitions(definition(t.name, t.description, _schema(t)) for t in tools)
        results: list[str] = []
        while call := script.next(results):
            reply = await client.call_tool(call.tool, call.arguments, raise_on_error=False)
            results.append("".join(getattr(block, "text", "") for block in reply.content))
    return script.seen


def _schema(tool: Any) -> Any:
    return tool.input_schema if hasattr(tool, "input_schema") else tool.inputSchema
