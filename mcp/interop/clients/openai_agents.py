"""An agent of the OpenAI Agents SDK: a question, then the command of an MCP server."""

import asyncio
import sys

from agents import Agent, Runner
from agents.mcp import MCPServerStdio


async def main(question: str, command: str, *args: str) -> None:
    async with MCPServerStdio({"command": command, "args": list(args)}, client_session_timeout_seconds=60) as server:
        result = Runner.run_streamed(Agent(name="Clerk", mcp_servers=[server]), question)
        async for _ in result.stream_events():
            pass
        print(result.final_output)


asyncio.run(main(*sys.argv[1:]))
