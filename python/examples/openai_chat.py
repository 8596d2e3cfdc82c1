"""An agent over OpenAI's Chat Completions, with a tool whose output does not fit the context window.

It needs the package openai. Run it in a folder with a package-lock.json:

    OPENAI_API_KEY=… python openai_chat.py 'Which packages have an install script?'
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from openai import BadRequestError, OpenAI
from openai.types.chat import ChatCompletion

from tuckaway import Tuckaway
from tuckaway.conversation import Manage, SummaryRequest
from tuckaway.integrations.openai import chat_tool_definitions, run_chat_tool_calls

MODEL = "gpt-5-mini"
WINDOW = 128_000

client = OpenAI()
tuckaway = Tuckaway(context_window=WINDOW)


def get_lockfile() -> Path:
    return Path("package-lock.json")


def summarize(request: SummaryRequest) -> str:
    messages: list[Any] = [{"role": each.role, "content": each.text} for each in request.messages]
    messages.append({"role": "user", "content": request.prompt})
    limit = request.max_output_tokens
    completion = client.chat.completions.create(model=MODEL, messages=messages, max_completion_tokens=limit)
    return completion.choices[0].message.content or ""


def answer(question: str) -> str:
    own: Any = {"name": "get_lockfile", "description": "The package-lock.json of this project."}
    tools: list[Any] = [{"type": "function", "function": own}, *chat_tool_definitions(tuckaway)]
    messages: list[Any] = [{"role": "user", "content": question}]
    memory: Any = None

    def ask() -> ChatCompletion:
        return client.chat.completions.create(model=MODEL, messages=messages, tools=tools)

    def manage(usage: Any = None, refusal: object = None) -> bool:
        """Keeps the history within the window: outputs that are too old or too large become references.
        Returns whether it changed."""
        nonlocal messages, memory
        task = Manage(context_window=WINDOW)
        managed = tuckaway.manage_history(
            messages, task, memory=memory, usage=usage, summarize=summarize, refusal=refusal
        )
        messages, memory = managed.history, managed.memory
        return managed.report.is_changed

    while True:
        try:
            completion = ask()
        except BadRequestError as error:
            # A history that is refused because of its size is shortened and sent once more.
            if not manage(refusal=error):
                raise
            completion = ask()
        message = completion.choices[0].message
        replies = run_chat_tool_calls(tuckaway, completion, {"get_lockfile": get_lockfile})
        if not replies:
            return message.content or ""
        messages += [message, *replies]
        manage(usage=completion.usage)


if __name__ == "__main__":
    print(answer(sys.argv[1] if len(sys.argv) > 1 else "How many packages does this project depend on?"))
