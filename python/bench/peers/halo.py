"""halo-format-openai in the OpenAI Agents SDK: results from 2,048 bytes become a map of their fields."""

from __future__ import annotations

import re
from collections.abc import Generator

import agents
from halo_format import HaloError
from halo_format_openai import install_halo
from openai import AsyncOpenAI
from outputs import Output
from script import DESCRIPTION, FETCH, MAX_CALLS, Call, Seen, found
from server import KEY, MODEL, ModelServer


def see(server: ModelServer, output: Output, text: str) -> Seen:
    def run(url: str) -> None:
        agents.set_tracing_disabled(True)
        fetch = agents.function_tool(lambda: text, name_override=FETCH, description_override=DESCRIPTION)
        installed = install_halo(tools=[fetch])
        client = AsyncOpenAI(base_url=url, api_key=KEY, max_retries=0)
        model = agents.OpenAIChatCompletionsModel(model=MODEL, openai_client=client)
        agent = agents.Agent(name="assistant", tools=installed.tools, model=model)
        config = agents.RunConfig(call_model_input_filter=installed.call_model_input_filter)
        agents.Runner.run_sync(agent, output.question, run_config=config, max_turns=MAX_CALLS + 2)

    try:
        return server.session(output, lambda view: _queries(view, output), run, ("halo_fetch",))
    except HaloError as error:
        # The package rejects documents with whole numbers beyond 2^53.
        return Seen(failure=str(error))


def _queries(view: str, output: Output) -> Generator[Call, str, None]:
    """There is no search. A record of an object is fetched by its name; an array has chunks of 25 records,
    which are fetched one by one; a text is one value."""
    root = found(r'\[halo\] map "(\S+)"', view)
    where = output.records
    if where is None:
        yield Call("halo_fetch", {"refs": [root]})
    elif where.id is None:
        record = f"{root}.{where.path}.{output.key}"
        yield Call("halo_fetch", {"refs": [f"{record}.{where.value}"]})
        yield Call("halo_fetch", {"refs": [record]})
    else:
        records, listed = root, view
        if where.path:
            records = f"{root}.{where.path}"
            listed = yield Call("halo_fetch", {"refs": [records]})
        chunks = re.findall(rf"{re.escape(records)}\.(\d+)\b", listed)
        for chunk in sorted({int(chunk) for chunk in chunks}):
            yield Call("halo_fetch", {"refs": [f"{records}.{chunk}"]})
