"""The hook `ToolResultOffloadHook` of Haystack. It has no default threshold: this is the one of its
documentation, 8,000 characters. It has no tool for reading the rest."""

from __future__ import annotations

import tempfile

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.hooks.tool_result_offloading import (
    FileSystemToolResultStore,
    OffloadOverChars,
    ToolResultOffloadHook,
)
from haystack.tools import Tool
from haystack.utils import Secret
from outputs import Output
from script import DESCRIPTION, FETCH, Seen
from server import KEY, MODEL, ModelServer

_NO_PARAMETERS = {"type": "object", "properties": {}}


def see(server: ModelServer, output: Output, text: str) -> Seen:
    def run(url: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            hook = ToolResultOffloadHook(FileSystemToolResultStore(folder), {"*": OffloadOverChars(8_000)})
            key = Secret.from_token(KEY)
            generator = OpenAIChatGenerator(model=MODEL, api_base_url=url, api_key=key, max_retries=0)
            fetch = Tool(FETCH, DESCRIPTION, _NO_PARAMETERS, lambda: text)
            agent = Agent(chat_generator=generator, tools=[fetch], hooks={"after_tool": [hook]})
            agent.run(messages=[ChatMessage.from_user(output.question)])

    return server.session(output, lambda _: None, run, ())
