"""Runs a session with a Python client, and prints the client's messages as JSON.

Reads from standard input: {"client": "mcp" or "fastmcp", "server": a command or a URL,
"steps": the session, "files": the root}. A step that the client has no method for is null.
"""

import asyncio
import json
import sys

import mcp.types as types
from fastmcp import Client as FastClient
from fastmcp.client.elicitation import ElicitResult as FastElicitResult
from fastmcp.client.transports import StdioTransport, StreamableHttpTransport
from mcp import ClientSession, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client

ANSWER = "An answer with ü."
CONTENT = {"name": "Ada", "check": True}


async def with_mcp(server, steps, files):
    """The official SDK, which introduces itself with `initialize`."""

    async def sampling(_context, _params):
        content = types.TextContent(type="text", text=ANSWER)
        return types.CreateMessageResult(role="assistant", model="none", content=content, stop_reason="endTurn")

    async def elicitation(_context, params):
        is_form = getattr(params, "mode", "form") != "url"
        return types.ElicitResult(action="accept", content=CONTENT if is_form else None)

    async def roots(_context):
        return types.ListRootsResult(roots=[types.Root(uri=f"file://{files}", name="files")])

    if isinstance(server, str):
        transport = streamable_http_client(server)
    else:
        transport = stdio_client(StdioServerParameters(**server), errlog=sys.stderr)
    async with transport as (read, write, *_):
        callbacks = {"sampling_callback": sampling, "elicitation_callback": elicitation, "list_roots_callback": roots}
        async with ClientSession(read, write, **callbacks) as session:
            await session.initialize()
            # The everything server asks for the roots a while after its initialization.
            await asyncio.sleep(0.7)
            methods = {
                "ping": lambda _: session.send_ping(),
                "tools/list": lambda _: session.list_tools(),
                "resources/list": lambda _: session.list_resources(),
                "resources/templates/list": lambda _: session.list_resource_templates(),
                "prompts/list": lambda _: session.list_prompts(),
                "tools/call": lambda p: session.call_tool(p["name"], p["arguments"]),
                "resources/read": lambda p: session.read_resource(p["uri"]),
                "prompts/get": lambda p: session.get_prompt(p["name"], p.get("arguments")),
                "logging/setLevel": lambda p: session.set_logging_level(p["level"]),
                "resources/subscribe": lambda p: session.subscribe_resource(p["uri"]),
                "resources/unsubscribe": lambda p: session.unsubscribe_resource(p["uri"]),
                "completion/complete": lambda p: session.complete(reference(p["ref"]), p["argument"], context(p)),
            }
            return [await answer(methods, step) for step in steps]


async def with_fastmcp(server, steps, files):
    """fastmcp's client, which speaks the newest revision that the server has."""

    async def sampling(_messages, _params, _context):
        return ANSWER

    async def elicitation(_message, _type, params, _context):
        is_form = getattr(params, "mode", "form") != "url"
        return FastElicitResult(action="accept", content=CONTENT if is_form else None)

    transport = StreamableHttpTransport(server) if isinstance(server, str) else StdioTransport(**server)
    roots = [types.Root(uri=f"file://{files}", name="files")]
    client = FastClient(transport, roots=roots, sampling_handler=sampling, elicitation_handler=elicitation)
    async with client:
        await asyncio.sleep(0.7)
        methods = {
            "tools/list": lambda _: client.list_tools_mcp(),
            "resources/list": lambda _: client.list_resources_mcp(),
            "resources/templates/list": lambda _: client.list_resource_templates_mcp(),
            "prompts/list": lambda _: client.list_prompts_mcp(),
            "tools/call": lambda p: client.call_tool_mcp(p["name"], p["arguments"]),
            "resources/read": lambda p: client.read_resource_mcp(p["uri"]),
            "prompts/get": lambda p: client.get_prompt_mcp(p["name"], p.get("arguments")),
            "completion/complete": lambda p: client.complete_mcp(reference(p["ref"]), p["argument"], context(p)),
        }
        return [await answer(methods, step) for step in steps]


def reference(ref):
    if ref["type"] == "ref/prompt":
        return types.PromptReference(type="ref/prompt", name=ref["name"])
    return types.ResourceTemplateReference(type="ref/resource", uri=ref["uri"])


def context(params):
    return params.get("context", {}).get("arguments")


async def answer(methods, step):
    method = methods.get(step["method"])
    # These clients can neither cancel a request nor ask for a task.
    if method is None or "cancelAfter" in step or "task" in step:
        return None
    try:
        result = await asyncio.wait_for(method(step.get("params")), 60)
    except MCPError as error:
        return {"error": {"code": error.code, "message": error.message, "data": error.data}}
    except Exception as error:  # The error of a client that does not accept an answer.
        return {"thrown": f"{type(error).__name__}: {error}"}
    return {"result": result.model_dump(mode="json", by_alias=True, exclude_unset=True)}


def main():
    task = json.load(sys.stdin)
    run = {"mcp": with_mcp, "fastmcp": with_fastmcp}[task["client"]]
    print(json.dumps(asyncio.run(run(task["server"], task["steps"], task["files"]))))


main()
