"""Frameworks that run the whole agent: the tool, the offloading and the tools for the rest are called by their loop."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Generator
from pathlib import Path

from outputs import Output
from script import FETCH, Call, Queries, Script, Seen
from server import MODEL, ModelServer

_KEY = "none"
_DESCRIPTION = "Returns the report."


def deepagents(server: ModelServer, output: Output, text: str) -> Seen:
    """`create_deep_agent`: results above 80,000 characters become files of the agent's own file system."""
    from deepagents import create_deep_agent
    from langchain_core.tools import StructuredTool
    from langchain_openai import ChatOpenAI

    def queries(view: str) -> Generator[Call, str, None]:
        path = found(r"at this path: (\S+)", view)
        reply = yield Call("grep", {"pattern": output.key, "path": path, "output_mode": "content"})
        for first, last in around(re.search(r"^\s*(\d+):", reply, re.MULTILINE)):
            yield Call("read_file", {"file_path": path, "offset": first - 1, "limit": last - first + 1})

    def run(url: str) -> None:
        tool = StructuredTool.from_function(lambda: text, name=FETCH, description=_DESCRIPTION)
        model = ChatOpenAI(model=MODEL, base_url=url, api_key=_KEY, max_retries=0)
        create_deep_agent(model=model, tools=[tool]).invoke({"messages": [("user", output.question)]})

    return session(server, output, queries, run, ("grep", "read_file"))


def strands(server: ModelServer, output: Output, text: str) -> Seen:
    """The plugin `ContextOffloader` of Strands Agents: results above 2,500 tokens."""
    from strands import Agent, tool
    from strands.models.openai import OpenAIModel
    from strands.vended_plugins.context_offloader import ContextOffloader

    name = "retrieve_offloaded_content"

    def queries(view: str) -> Generator[Call, str, None]:
        reference = found(r"\[Stored references:\]\s+(\S+)", view)
        reply = yield Call(name, {"reference": reference, "pattern": output.key})
        for first, last in around(re.search(r"^>\s*(\d+)\|", reply, re.MULTILINE)):
            yield Call(name, {"reference": reference, "line_range": {"start": first, "end": last}})

    def run(url: str) -> None:
        model = OpenAIModel(client_args={"base_url": url, "api_key": _KEY, "max_retries": 0}, model_id=MODEL)
        fetch = tool(name=FETCH, description=_DESCRIPTION)(lambda: text)
        Agent(model=model, tools=[fetch], plugins=[ContextOffloader()], callback_handler=None)(
            output.question
        )

    return session(server, output, queries, run, (name,))


def agno(server: ModelServer, output: Output, text: str) -> Seen:
    """Agno with `offload_tool_results=True`: results above 16,000 characters."""
    from agno.agent import Agent
    from agno.db.sqlite import SqliteDb
    from agno.models.openai import OpenAIChat
    from agno.tools.function import Function

    def queries(view: str) -> Generator[Call, str, None]:
        reference = found(r'<result id="(\S+?)"', view)
        reply = yield Call("search_result", {"result_id": reference, "pattern": output.key})
        for first, last in around(re.search(r"^(\d+): ", reply, re.MULTILINE)):
            yield Call("read_result", {"result_id": reference, "start_line": first, "end_line": last})

    def run(url: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            fetch = Function(name=FETCH, description=_DESCRIPTION, entrypoint=lambda: text)
            model = OpenAIChat(id=MODEL, base_url=url, api_key=_KEY, max_retries=0)
            db = SqliteDb(db_file=str(Path(folder, "agno.db")))
            Agent(model=model, tools=[fetch], db=db, offload_tool_results=True, telemetry=False).run(
                output.question
            )

    return session(server, output, queries, run, ("search_result", "read_result"))


def haystack(server: ModelServer, output: Output, text: str) -> Seen:
    """The hook `ToolResultOffloadHook` of Haystack, which has no default: the threshold of its documentation, 8,000
    characters. It brings no tool for the rest."""
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

    def run(url: str) -> None:
        with tempfile.TemporaryDirectory() as folder:
            hook = ToolResultOffloadHook(FileSystemToolResultStore(folder), {"*": OffloadOverChars(8_000)})
            generator = OpenAIChatGenerator(
                model=MODEL, api_base_url=url, api_key=Secret.from_token(_KEY), max_retries=0
            )
            parameters = {"type": "object", "properties": {}}
            fetch = Tool(name=FETCH, description=_DESCRIPTION, parameters=parameters, function=lambda: text)
            agent = Agent(chat_generator=generator, tools=[fetch], hooks={"after_tool": [hook]})
            agent.run(messages=[ChatMessage.from_user(output.question)])

    return session(server, output, nothing, run, ())


def halo(server: ModelServer, output: Output, text: str) -> Seen:
    """halo-format-openai in the OpenAI Agents SDK: results from 2,048 bytes become a map of their fields. A document with
    whole numbers beyond 2^53 ends the run with its error."""
    import agents
    from halo_format import HaloError
    from halo_format_openai import install_halo
    from openai import AsyncOpenAI

    def run(url: str) -> None:
        agents.set_tracing_disabled(True)
        fetch = agents.function_tool(lambda: text, name_override=FETCH, description_override=_DESCRIPTION)
        installed = install_halo(tools=[fetch])
        client = AsyncOpenAI(base_url=url, api_key=_KEY, max_retries=0)
        model = agents.OpenAIChatCompletionsModel(model=MODEL, openai_client=client)
        agent = agents.Agent(name="assistant", tools=installed.tools, model=model)
        config = agents.RunConfig(call_model_input_filter=installed.call_model_input_filter)
        agents.Runner.run_sync(agent, output.question, run_config=config, max_turns=Script.MAX_CALLS + 2)

    try:
        return session(server, output, _halo_queries(output), run, ("halo_fetch",))
    except HaloError as error:
        return Seen(failure=str(error))


def _halo_queries(output: Output) -> Queries:
    """There is no search. A record of an object is fetched by its name; an array has chunks of 25 records, which are
    fetched one by one; a text is one value."""

    def queries(view: str) -> Generator[Call, str, None]:
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

    return queries


def session(
    server: ModelServer, output: Output, queries: Queries, run: Callable[[str], None], tools: tuple[str, ...]
) -> Seen:
    """Runs an agent against the server with the script of one session."""
    server.begin(Script(queries, output.answer))
    run(server.url)
    return server.end(tools)


def around(match: re.Match[str] | None) -> list[tuple[int, int]]:
    """Returns the lines to read around a match, part by part: what is near it, then what follows."""
    if match is None:
        return []
    line = int(match[1])
    return [(max(1, line - 20), line + 79), (line + 80, line + 279), (line + 280, line + 679)]


def nothing(view: str) -> Generator[Call, str, None]:
    """Asks nothing: there is no tool for the rest."""
    yield from ()


def found(pattern: str, text: str) -> str:
    """Returns what the first group matches. Fails if a view does not look as the script expects."""
    match = re.search(pattern, text)
    if match is None:
        raise ValueError(f"{pattern} is not in {text[:500]!r}")
    return match[1]
