"""`create_deep_agent`: results above 80,000 characters become files of the agent's own file system."""

from __future__ import annotations

import re
from collections.abc import Generator

from deepagents import create_deep_agent
from langchain_core.tools import StructuredTool
from langchain_openai import ChatOpenAI
from outputs import Output
from script import DESCRIPTION, FETCH, Call, Seen, around, found
from server import KEY, MODEL, ModelServer


def see(server: ModelServer, output: Output, text: str) -> Seen:
    def queries(view: str) -> Generator[Call, str, None]:
        path = found(r"at this path: (\S+)", view)
        reply = yield Call("grep", {"pattern": output.key, "path": path, "output_mode": "content"})
        for first, last in around(re.search(r"^\s*(\d+):", reply, re.MULTILINE)):
            yield Call("read_file", {"file_path": path, "offset": first - 1, "limit": last - first + 1})

    def run(url: str) -> None:
        fetch = StructuredTool.from_function(lambda: text, name=FETCH, description=DESCRIPTION)
        model = ChatOpenAI(model=MODEL, base_url=url, api_key=KEY, max_retries=0)
        create_deep_agent(model=model, tools=[fetch]).invoke({"messages": [("user", output.question)]})

    return server.session(output, queries, run, ("grep", "read_file"))
