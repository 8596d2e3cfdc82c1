"""`TuckawayPlugin` in agents of Strands."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any

import pytest
from strands import Agent, tool
from strands.models import Model

from tuckaway import InvalidInputError, Tuckaway
from tuckaway.integrations.strands import TuckawayPlugin

from .scenario import (
    ANSWER,
    BARE,
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
    is_error_envelope,
    kinds,
)

IMAGE = {"image": {"format": "png", "source": {"bytes": PNG}}}


class ScriptedModel(Model):
    """Makes the calls of a script."""

    def __init__(self, script: Any, used_tokens: int = 1_000) -> None:
        self.script, self.used_tokens = script, used_tokens

    def update_config(self, **model_config: Any) -> None: ...

    def get_config(self) -> Any:
        return {}

    def structured_output(self, *args: Any, **kwargs: Any) -> Any:
        raise NotImplementedError

    async def stream(self, messages: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        found = [block["toolResult"] for block in messages[-1]["content"] if "toolResult" in block]
        step = self.script.step(["".join(part.get("text", "") for part in each["content"]) for each in found])
        yield {"messageStart": {"role": "assistant"}}
        for call in [] if isinstance(step, str) else step:
            yield {"contentBlockStart": {"start": {"toolUse": {"name": call.name, "toolUseId": call.id}}}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": call.json}}}}
            yield {"contentBlockStop": {}}
        if isinstance(step, str):
            yield {"contentBlockDelta": {"delta": {"text": step}}}
            yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn" if isinstance(step, str) else "tool_use"}}
        usage = {"inputTokens": self.used_tokens - 1, "outputTokens": 1, "totalTokens": self.used_tokens}
        yield {"metadata": {"usage": usage, "metrics": {"latencyMs": 1}}}


@tool
def get_log() -> str:
    """Returns the log."""
    return LOG


@tool
def get_orders() -> Any:
    """Returns the orders."""
    return {"status": "success", "content": [{"json": ORDERS}]}


def make(
    script: Any, tools: list[Any], tuckaway: Any = None, used_tokens: int = 1_000, **options: Any
) -> Agent:
    """Returns an agent."""
    plugin = TuckawayPlugin(tuckaway or Tuckaway(), **options)
    model = ScriptedModel(script, used_tokens)
    return Agent(model=model, tools=tools, plugins=[plugin], callback_handler=None)


def run(*args: Any, **kwargs: Any) -> list[Any]:
    """Returns the tool results of a run, in order."""
    agent = make(*args, **kwargs)
    agent("Go.")
    blocks = [block for message in agent.messages for block in message["content"]]
    return [block["toolResult"] for block in blocks if "toolResult" in block]


def text_of(result: Any) -> str:
    return result["content"][0]["text"]


@pytest.mark.parametrize("kind", kinds())
def test_an_agent_finds_facts_that_are_not_in_its_context(kind: Any) -> None:
    script, views = Investigation(), []
    agent = make(script, [get_log, get_orders], kind(), on_view=views.append)
    assert str(agent("Go.")).strip() == ANSWER
    assert all(is_envelope(text) for text in script.seen[0])
    assert are_of_both_tools(views)


@pytest.mark.parametrize("kind", kinds())
def test_an_asynchronous_run_does_the_same(kind: Any) -> None:
    async def main() -> Any:
        return await make(Investigation(), [get_log, get_orders], kind()).invoke_async("Go.")

    assert str(asyncio.run(main())).strip() == ANSWER


def test_one_plugin_serves_several_agents() -> None:
    plugin = TuckawayPlugin(Tuckaway())
    for _ in range(2):
        model = ScriptedModel(Investigation())
        agent = Agent(model=model, tools=[get_log, get_orders], plugins=[plugin], callback_handler=None)
        assert str(agent("Go.")).strip() == ANSWER


def test_small_results_images_and_documents_stay() -> None:
    document = {"document": {"format": "pdf", "name": "report", "source": {"bytes": b"%PDF-1.7"}}}

    @tool
    def show(text: str) -> Any:
        """Shows."""
        shown = LOG if text == "long" else text
        return {"status": "success", "content": [{"text": shown}, IMAGE, document]}

    long, short = run(Turns([Call("show", {"text": "long"})], [Call("show", {"text": SMALL})]), [show])
    assert is_envelope(text_of(long))
    assert long["content"][1:] == [IMAGE, document]
    assert short["content"] == [{"text": SMALL}, IMAGE, document]


def test_errors_stay_errors() -> None:
    @tool
    def fail(text: str) -> str:
        """Fails."""
        raise OSError(LONG_ERROR if text == "long" else text)

    turns = Turns([Call("fail", {"text": "no disk"})], [Call("fail", {"text": "long"})])
    short, long = run(turns, [fail], Tuckaway(policy=BARE))
    assert (text_of(short), short["status"]) == ("Error: OSError - no disk", "error")
    assert (is_error_envelope(text_of(long)), long["status"]) == (True, "error")


def test_mistakes_of_the_model_are_errors_that_help() -> None:
    [result] = run(Turns([Call("artifact_read", {"artifact_id": "art_none"})]), [])
    assert result["status"] == "error"
    assert text_of(result).startswith('There is no artifact "art_none"')


@pytest.mark.parametrize("kind", kinds())
def test_calls_of_one_turn_share_the_headroom(kind: Any) -> None:
    @tool
    def rows(part: int) -> str:
        """Returns rows."""
        return HALF

    turn = [Call("rows", {"part": 1}), Call("rows", {"part": 2})]
    tuckaway = kind(context_window=20_000, policy=FAIR)
    together = [is_envelope(text_of(each)) for each in run(Turns(turn), [rows], tuckaway)]
    assert sorted(together) == [False, True]
    apart = [is_envelope(text_of(each)) for each in run(Turns(turn[:1], turn[1:]), [rows], tuckaway)]
    assert apart == [False, False]
    [full] = run(Turns(turn[:1]), [rows], tuckaway, used_tokens=13_000)
    assert is_envelope(text_of(full))


def test_names_of_artifact_tools_are_reserved() -> None:
    @tool
    def artifact_read() -> str:
        """Foreign."""
        return SMALL

    with pytest.raises(InvalidInputError, match="artifact_read: reserved for tuckaway's own tools"):
        make(Turns(), [artifact_read])
    agent = make(Turns(), [], Tuckaway(tools=["grep"]))
    agent.tool_registry.register_tool(artifact_read)
    with pytest.raises(InvalidInputError, match="artifact_read: reserved for tuckaway's own tools"):
        agent("Go.")
