"""The plugin `ContextOffloader` of Strands Agents: results above 2,500 tokens."""

from __future__ import annotations

import re
from collections.abc import Generator

from outputs import Output
from script import DESCRIPTION, FETCH, Call, Seen, around, found
from server import KEY, MODEL, ModelServer
from strands import Agent, tool
from strands.models.openai import OpenAIModel
from strands.vended_plugins.context_offloader import ContextOffloader

_RETRIEVE = "retrieve_offloaded_content"


def see(server: ModelServer, output: Output, text: str) -> Seen:
    def queries(view: str) -> Generator[Call, str, None]:
        reference = found(r"\[Stored references:\]\s+(\S+)", view)
        reply = yield Call(_RETRIEVE, {"reference": reference, "pattern": output.key})
        for first, last in around(re.search(r"^>\s*(\d+)\|", reply, re.MULTILINE)):
            yield Call(_RETRIEVE, {"reference": reference, "line_range": {"start": first, "end": last}})

    def run(url: str) -> None:
        model = OpenAIModel(client_args={"base_url": url, "api_key": KEY, "max_retries": 0}, model_id=MODEL)
        fetch = tool(name=FETCH, description=DESCRIPTION)(lambda: text)
        Agent(model=model, tools=[fetch], plugins=[ContextOffloader()], callback_handler=None)(
            output.question
        )

    return server.session(output, queries, run, (_RETRIEVE,))
