"""Libraries that an agent's loop calls, and a framework with a model of its own for tests: the script is that loop."""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

from outputs import Output
from peers.agents import found
from script import FETCH, Call, Script, Seen
from server import MODEL, ModelServer


def pydantic_ai_harness(_: ModelServer, output: Output, text: str) -> Seen:
    """The capability `ToolOutputLimits` of pydantic-ai-harness: results from 10,000 characters. Its store has no default
    without a workspace: files on this machine."""
    from pydantic_ai import Agent, Tool
    from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart, ToolReturnPart
    from pydantic_ai.models.function import AgentInfo, FunctionModel
    from pydantic_ai_harness.tool_output_limits import LocalFileStore, ToolOutputLimits

    name = "read_tool_result"

    def queries(view: str) -> Generator[Call, str, None]:
        handle = found(r"stored to handle '(.+?)'\.", view)
        yield Call(name, {"handle": handle, "pattern": output.key})
        # A search has no line numbers, so that what follows a line can only be found by reading.
        for page in range(Script.MAX_CALLS):
            yield Call(name, {"handle": handle, "offset": 200 * page, "limit": 200})

    script = Script(queries, output.answer)

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        tools = [tool for tool in info.function_tools if tool.name == name]
        script.seen.tools = json.dumps(
            [_definition(t.name, t.description, t.parameters_json_schema) for t in tools]
        )
        parts = [part for message in messages for part in message.parts]
        results = [part.model_response_str() for part in parts if isinstance(part, ToolReturnPart)]
        call = script.next(results)
        if call is None:
            return ModelResponse(parts=[TextPart("Done.")])
        return ModelResponse(parts=[ToolCallPart(call.tool, call.arguments)])

    with tempfile.TemporaryDirectory() as folder:
        limits = ToolOutputLimits(store=LocalFileStore(Path(folder)))
        fetch = Tool(lambda: text, name=FETCH, description="Returns the report.")
        Agent(FunctionModel(model), tools=[fetch], capabilities=[limits]).run_sync(output.question)
    return script.seen


def ctxtual(_: ModelServer, output: Output, text: str) -> Seen:
    """The middleware `Offload` of ctxtual in a FastMCP server: results above 20,000 characters."""
    from ctxtual.mcp import Offload
    from fastmcp import Client, FastMCP

    def queries(view: str) -> Generator[Call, str, None]:
        result = found(r'"result_id":\s*"(.+?)"', view)
        reply = yield Call("result_search", {"result_id": result, "query": output.key})
        index = re.search(r'"index":\s*(\d+)', reply)
        if index:
            reply = yield Call("result_read", {"result_id": result, "index": int(index[1])})
        page = re.search(r'"page":\s*(\d+)', reply)
        if page:
            yield Call("result_read", {"result_id": result, "page": int(page[1])})

    async def run() -> Seen:
        mcp = FastMCP("bench")
        mcp.tool(lambda: text, name=FETCH)
        mcp.add_middleware(Offload())
        script = Script(queries, output.answer)
        async with Client(mcp) as client:
            tools = [tool for tool in await client.list_tools() if tool.name != FETCH]
            script.seen.tools = json.dumps([_definition(t.name, t.description, _schema(t)) for t in tools])
            results: list[str] = []
            while call := script.next(results):
                reply = await client.call_tool(call.tool, call.arguments, raise_on_error=False)
                results.append("".join(getattr(block, "text", "") for block in reply.content))
        return script.seen

    return asyncio.run(run())


def headroom(_: ModelServer, output: Output, text: str) -> Seen:
    """`compress` of headroom-ai on the messages, without the models that it downloads, and its tool for the whole
    original."""
    from headroom import compress
    from headroom.ccr import CCR_TOOL_NAME, CCRResponseHandler, CCRToolCall, create_ccr_tool_definition

    def queries(view: str) -> Generator[Call, str, None]:
        for key in dict.fromkeys(re.findall(r"(?:hash=|<<ccr:)([0-9a-f]{12,24})", view)):
            yield Call(CCR_TOOL_NAME, {"hash": key})

    def reply(call: Call) -> str:
        if call.tool == FETCH:
            return compress(_messages(output, text), model=MODEL).messages[-1]["content"]
        # The method that its proxy calls when a model calls the tool; there is no public one for a loop of one's own.
        wanted = CCRToolCall(tool_call_id="call_1", hash_key=call.arguments["hash"])
        return CCRResponseHandler()._execute_retrieval(wanted).content

    script = looped(Script(queries, output.answer), reply)
    script.seen.tools = json.dumps([create_ccr_tool_definition("openai")])
    return script.seen


def tooltrim(_: ModelServer, output: Output, text: str) -> Seen:
    """`ToolCompressor` of tooltrim: results above 512 tokens, and its tool that returns 8,000 characters of the
    original."""
    from tooltrim import ToolCompressor, compressed_tool

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

    script = looped(Script(queries, output.answer), reply)
    script.seen.tools = json.dumps([compressor.expand_tool_spec()])
    return script.seen


def looped(script: Script, reply: Callable[[Call], str]) -> Script:
    """Runs a script against a function that answers calls."""
    results: list[str] = []
    while call := script.next(results):
        results.append(reply(call))
    return script


def _messages(output: Output, text: str) -> list[dict[str, Any]]:
    function = {"name": FETCH, "arguments": "{}"}
    calls = [{"id": "call_0", "type": "function", "function": function}]
    return [
        {"role": "user", "content": output.question},
        {"role": "assistant", "content": None, "tool_calls": calls},
        {"role": "tool", "tool_call_id": "call_0", "content": text},
    ]


def _definition(name: str, description: str | None, schema: Any) -> dict[str, Any]:
    return {"type": "function", "function": {"name": name, "description": description, "parameters": schema}}


def _schema(tool: Any) -> Any:
    return tool.input_schema if hasattr(tool, "input_schema") else tool.inputSchema
