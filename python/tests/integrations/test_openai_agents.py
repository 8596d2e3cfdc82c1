"""`with_tuckaway` for agents of the OpenAI Agents SDK."""

from __future__ import annotations

import asyncio
import base64
import sys
from pathlib import Path
from typing import Any

import pytest
from agents import (
    Agent,
    FunctionTool,
    Runner,
    ToolOutputImage,
    ToolOutputText,
    WebSearchTool,
    function_tool,
)
from agents.mcp import MCPServerStdio
from agents.testing import ModelStep, ScriptedModel, assistant_message, function_call
from agents.usage import Usage

from tuckaway import InvalidInputError, Tuckaway
from tuckaway.integrations.openai_agents import with_tuckaway

from .scenario import (
    ANSWER,
    FAIR,
    HALF,
    LOG,
    LONG_ERROR,
    ORDERS,
    PNG,
    SMALL,
    Call,
    Investigation,
    Turns,
    are_of_both_tools,
    is_envelope,
    kinds,
)

IMAGE_URL = f"data:image/png;base64,{base64.b64encode(PNG).decode()}"


@function_tool
def get_log() -> str:
    """Returns the log."""
    return LOG


@function_tool
async def get_orders() -> dict[str, Any]:
    """Returns the orders."""
    return ORDERS


def scripted(script: Any, used_tokens: int = 1_000) -> ScriptedModel:
    """Returns a model that makes the calls of a script."""

    def respond(call: Any) -> ModelStep:
        items = call.input if isinstance(call.input, list) else []
        last = max(
            (index for index, item in enumerate(items) if item.get("type") == "function_call"), default=-1
        )
        step = (
            script.step([_text(item["output"]) for item in items[last + 1 :]])
            if last >= 0
            else script.step([])
        )
        usage = Usage(requests=1, input_tokens=used_tokens - 1, output_tokens=1, total_tokens=used_tokens)
        if isinstance(step, str):
            return ModelStep(output=[assistant_message(step)], usage=usage)
        calls = [function_call(each.name, each.arguments, call_id=each.id) for each in step]
        return ModelStep(output=calls, usage=usage)

    return ScriptedModel([ModelStep.respond(respond) for _ in range(8)])


def _text(output: Any) -> str:
    return output if isinstance(output, str) else "".join(part.get("text", "") for part in output)


def run(script: Any, tools: list[Any], tuckaway: Any = None, used_tokens: int = 1_000, **options: Any) -> Any:
    """Returns the result of a run."""
    agent = Agent(name="Analyst", model=scripted(script, used_tokens), tools=tools)
    return asyncio.run(Runner.run(with_tuckaway(agent, tuckaway or Tuckaway(), **options), "Go."))


def outputs(result: Any) -> list[Any]:
    """Returns the model's views of the tools' outputs, in order."""
    items = [item.to_input_item() for item in result.new_items]
    return [item["output"] for item in items if item.get("type") == "function_call_output"]


@pytest.mark.parametrize("kind", kinds())
def test_an_agent_finds_facts_that_are_not_in_its_context(kind: Any) -> None:
    script, views = Investigation(), []
    tools = [get_log, get_orders]
    result = run(script, tools, kind(), on_view=views.append)
    assert result.final_output == ANSWER
    assert all(is_envelope(text) for text in script.seen[0])
    assert are_of_both_tools(views)


def test_a_synchronous_run_does_the_same() -> None:
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    try:
        agent = Agent(name="Analyst", model=scripted(Investigation()), tools=[get_log, get_orders])
        assert Runner.run_sync(with_tuckaway(agent, Tuckaway()), "Go.").final_output == ANSWER
    finally:
        asyncio.set_event_loop(None)
        loop.run_until_complete(loop.shutdown_default_executor())
        loop.close()


SERVER = f"""
import sys
sys.path.insert(0, {str(Path(__file__).parents[1])!r})
from fastmcp import FastMCP
from integrations.scenario import LOG, ORDERS
server = FastMCP("scenario")
server.tool(lambda: LOG, name="get_log")
server.tool(lambda: ORDERS, name="get_orders")
server.tool(lambda: LOG, name=sys.argv[1])
server.run(show_banner=False)
"""


def over_mcp(script: Any, name: str) -> Any:
    """Returns the result of a run with the tools of an MCP server."""

    async def main() -> Any:
        # -P: the installed package, not the sources in this folder.
        params: Any = {"command": sys.executable, "args": ["-P", "-c", SERVER, name]}
        async with MCPServerStdio(params, client_session_timeout_seconds=30) as server:
            agent = Agent(name="Analyst", model=scripted(script), mcp_servers=[server])
            return await Runner.run(with_tuckaway(agent, Tuckaway()), "Go.")

    return asyncio.run(main())


def test_results_of_mcp_servers_are_replaced() -> None:
    assert over_mcp(Investigation(), "other").final_output == ANSWER


def test_names_of_artifact_tools_are_reserved_in_mcp_servers() -> None:
    with pytest.raises(InvalidInputError, match="artifact_jq: reserved for tuckaway's own tools"):
        over_mcp(Turns(), "artifact_jq")


def test_the_agent_and_its_other_tools_are_not_changed() -> None:
    search = WebSearchTool()
    agent = Agent(name="Analyst", tools=[get_log, search])
    copied = with_tuckaway(agent, Tuckaway(tools=["grep"]))
    assert agent.tools == [get_log, search]
    assert copied.tools[1] is search
    assert [tool.name for tool in copied.tools] == ["get_log", "web_search", "artifact_grep"]
    assert isinstance(copied, Agent)
    assert type(copied).__name__ == "Agent"
    assert type(copied.clone(name="Other")) is type(copied)


def test_small_outputs_and_images_stay() -> None:
    @function_tool
    def show(text: str) -> list[Any]:
        """Shows."""
        image = ToolOutputImage(image_url=IMAGE_URL, detail="low")
        return [ToolOutputText(text=LOG if text == "long" else text), image]

    long, short = outputs(
        run(Turns([Call("show", {"text": "long"})], [Call("show", {"text": SMALL})]), [show])
    )
    image = {"type": "input_image", "image_url": IMAGE_URL, "detail": "low"}
    assert is_envelope(long[0]["text"])
    assert long[1:] == [image]
    assert short == [{"type": "input_text", "text": SMALL}, image]


def test_data_that_pass_stay_as_the_sdk_writes_them() -> None:
    @function_tool
    def get_row() -> dict[str, Any]:
        """Returns a row."""
        return {"name": "a"}

    assert outputs(run(Turns([Call("get_row")]), [get_row])) == ["{'name': 'a'}"]


def test_errors_stay_errors() -> None:
    @function_tool(failure_error_function=lambda _, error: f"It failed: {error}")
    def fail(text: str) -> str:
        """Fails."""
        raise OSError(LONG_ERROR if text == "long" else text)

    @function_tool(failure_error_function=None)
    def crash() -> str:
        """Crashes."""
        raise OSError("no disk")

    short, long = outputs(
        run(Turns([Call("fail", {"text": "no disk"})], [Call("fail", {"text": "long"})]), [fail])
    )
    assert short == "It failed: no disk"
    assert is_envelope(long)
    with pytest.raises(Exception, match="no disk"):
        run(Turns([Call("crash")]), [crash])


def test_mistakes_of_the_model_are_errors_that_help() -> None:
    [text] = outputs(run(Turns([Call("artifact_read", {"artifact_id": "art_none"})]), []))
    assert text.startswith('There is no artifact "art_none"')


@pytest.mark.parametrize("kind", kinds())
def test_calls_of_one_turn_share_the_headroom(kind: Any) -> None:
    @function_tool
    def rows(part: int) -> str:
        """Returns rows."""
        return HALF

    turn = [Call("rows", {"part": 1}), Call("rows", {"part": 2})]
    tuckaway = kind(context_window=20_000, policy=FAIR)
    together = [is_envelope(each) for each in outputs(run(Turns(turn), [rows], tuckaway))]
    assert sorted(together) == [False, True]
    apart = [is_envelope(each) for each in outputs(run(Turns(turn[:1], turn[1:]), [rows], tuckaway))]
    assert apart == [False, False]
    [full] = outputs(run(Turns(turn[:1]), [rows], tuckaway, used_tokens=13_000))
    assert is_envelope(full)


def test_approvals_are_asked_for_as_before() -> None:
    asked: list[dict[str, Any]] = []

    def policy(context: Any, arguments: dict[str, Any], call_id: str) -> bool:
        asked.append(arguments)
        return arguments["path"] == "/etc"

    @function_tool(needs_approval=policy)
    def remove(path: str, depth: int = 1) -> str:
        """Removes."""
        return "removed"

    whole = {"path": "/tmp", "depth": 1}
    assert outputs(run(Turns([Call("remove", whole)]), [remove])) == ["removed"]
    assert asked == [whole]
    result = run(Turns([Call("remove", {"path": "/etc", "depth": 1})]), [remove])
    assert [item.name for item in result.interruptions] == ["remove"]
    # The SDK would fill in the default, and asks a person in that case, not the function.
    result = run(Turns([Call("remove", {"path": "/tmp"})]), [remove])
    assert [item.name for item in result.interruptions] == ["remove"]
    assert len(asked) == 2


def test_names_of_artifact_tools_are_reserved() -> None:
    @function_tool(name_override="artifact_jq")
    def foreign() -> str:
        """Foreign."""
        return SMALL

    with pytest.raises(InvalidInputError, match="artifact_jq: reserved for tuckaway's own tools"):
        run(Turns(), [foreign])


def test_outputs_for_programs_stay() -> None:
    @function_tool(output_json_schema={"type": "object", "properties": {}}, allowed_callers=["programmatic"])
    def rows() -> str:
        """Returns rows to a program."""
        return "{}"

    agent = with_tuckaway(Agent(name="Analyst", tools=[rows]), Tuckaway())
    kept = agent.tools[0]
    assert isinstance(kept, FunctionTool)
    assert kept is rows
