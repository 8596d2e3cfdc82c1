"""An agent over Anthropic's Messages API, with tools that run in parallel and whose outputs do not fit.

It needs the package anthropic. Run it in a folder with a package-lock.json:

    ANTHROPIC_API_KEY=… python anthropic_messages.py 'Which packages have an install script?'
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

from anthropic import AsyncAnthropic, BadRequestError
from anthropic.types import Message

from tuckaway import AsyncTuckaway, DirStore
from tuckaway.integrations.anthropic import run_tool_calls_async, tool_definitions

MODEL = "claude-haiku-4-5"

TOOLS: list[Any] = [
    {
        "name": "get_lockfile",
        "description": "The package-lock.json of this project.",
        "input_schema": {"type": "object"},
    },
    {
        "name": "list_files",
        "description": "All files of this project.",
        "input_schema": {"type": "object"},
    },
]


async def get_lockfile() -> Path:
    return Path("package-lock.json")


def list_files() -> str:
    return "\n".join(sorted(str(path) for path in Path().rglob("*")))


async def answer(question: str) -> str:
    handlers = {"get_lockfile": get_lockfile, "list_files": list_files}
    messages: list[Any] = [{"role": "user", "content": question}]
    # Outputs stored in the folder can be read again later, even by the command line.
    async with AsyncTuckaway(DirStore("outputs")) as tuckaway, AsyncAnthropic() as client:
        tools = [*TOOLS, *tool_definitions(tuckaway)]
        memory: Any = None

        async def ask() -> Message:
            return await client.messages.create(model=MODEL, max_tokens=4096, messages=messages, tools=tools)

        async def manage(usage: Any = None, refusal: object = None) -> bool:
            """Keeps the history within the window, and returns whether it changed."""
            nonlocal messages, memory
            managed = await tuckaway.manage_history(messages, memory=memory, usage=usage, refusal=refusal)
            messages, memory = managed.history, managed.memory
            return managed.report.is_changed

        while True:
            try:
                message = await ask()
            except BadRequestError as error:
                # A history that is refused because of its size is shortened and sent once more.
                if not await manage(refusal=error):
                    raise
                message = await ask()
            results = await run_tool_calls_async(tuckaway, message, handlers)
            if not results:
                return "".join(block.text for block in message.content if block.type == "text")
            messages += [
                {"role": "assistant", "content": message.content},
                {"role": "user", "content": results},
            ]
            await manage(usage=message.usage)


if __name__ == "__main__":
    question = sys.argv[1] if len(sys.argv) > 1 else "How many packages does this project depend on?"
    print(asyncio.run(answer(question)))
