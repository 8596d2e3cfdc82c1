"""Agno with `offload_tool_results=True`: results above 16,000 characters."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Generator
from pathlib import Path

from agno.agent import Agent
from agno.db.sqlite import SqliteDb
from agno.models.openai import OpenAIChat
from agno.tools.function import Function
from outputs import Output
from script import DESCRIPTION, FETCH, Call, Seen, around, found
from server import KEY, MODEL, ModelServer


def see(server: ModelServer, output: Output, text: str) -> Seen:
    def queries(view: str) -> Generator[Call, str, None]:
        reference = found(r'<result id="(\S+?)"', view)
        reply = yield Call("search_result", {"result_id": reference, "pattern": output.key})
        for first, last in around(re.search(r"^(\d+): ", reply, re.MULTILINE)):
            yield Call("read_result", {"result_id": reference, "start_line": first, "end_line": last})

    def run(url: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            fetch = Function(name=FETCH, description=DESCRIPTION, entrypoint=lambda: text)
            model = OpenAIChat(id=MODEL, base_url=url, api_key=KEY, max_retries=0)
            db = SqliteDb(db_file=str(Path(folder, "agno.db")))
            agent = Agent(model=model, tools=[fetch], db=db, offload_tool_results=True, telemetry=False)
            agent.run(output.question)

    return server.session(output, queries, run, ("search_result", "read_result"))
