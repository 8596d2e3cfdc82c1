"""`TuckawayMiddleware` in agents of LangChain and deepagents."""

from __future__ import annotations

import asyncio
import base64
from typing import Annotated, Any

import pytest
from deepagents import create_deep_agent
from langchain.agents import create_agent
from langchain.tools.tool_node import ToolCallRequest
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import InjectedToolCallId, StructuredTool, ToolException, tool
from langgraph.types import Command
from pydantic import Field

from tuckaway import AsyncTuckaway, InvalidInputError, Tuckaway
from tuckaway.conversation import SummaryRequest
from tuckaway.integrations.langchain import TuckawayMiddleware

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

IMAGE = {"type": "image", "base64": base64.b64encode(PNG).decode(), "mime_type": "image/png"}


class ScriptedModel(BaseChatModel):
    """Makes the calls of a script."""

    script: Any
    used_tokens: int = 1_000
    offered: list[str] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        self.offered[:] = [each.name for each in tools]
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        last = max(index for index, each in enumerate(messages) if not isinstance(each, ToolMessage))
        step = self.script.step([each.text for each in messages[last + 1 :]])
        usage = {"input_tokens": self.used_tokens - 1, "output_tokens": 1, "total_tokens": self.used_tokens}
        if isinstance(step, str):
            message = AIMessage(step, usage_metadata=usage)
        else:
            calls = [{"name": call.name, "args": call.arguments, "id": call.id} for call in step]
            message = AIMessage("", tool_calls=calls, usage_metadata=usage)
        return ChatResult(generations=[ChatGeneration(message=message)])


@tool
def get_log() -> str:
    """Returns the log."""
    return LOG


@tool
def get_orders() -> dict[str, Any]:
    """Returns the orders."""
    return ORDERS


def run(
    script: Any, tools: list[Any], tuckaway: Any = None, used_tokens: int = 1_000, **options: Any
) -> list[Any]:
    """Returns the messages of a run."""
    middleware = TuckawayMiddleware(tuckaway or Tuckaway(), **options)
    agent = create_agent(
        ScriptedModel(script=script, used_tokens=used_tokens), tools, middleware=[middleware]
    )
    return agent.invoke({"messages": [HumanMessage("Go.")]})["messages"]


def results(messages: list[Any]) -> list[ToolMessage]:
    return [message for message in messages if isinstance(message, ToolMessage)]


def long_history(turns: int) -> list[Any]:
    """Returns messages of earlier turns, each with a result of about 2,000 tokens."""
    return [
        message
        for n in range(turns)
        for message in (
            HumanMessage(f"Read log {n}.", id=f"user_{n}"),
            AIMessage(
                "", tool_calls=[{"name": "get_log", "args": {"n": n}, "id": f"old_{n}"}], id=f"call_{n}"
            ),
            ToolMessage(f"line of log {n}\n" * 500, tool_call_id=f"old_{n}", id=f"result_{n}"),
            AIMessage("It is fine.", id=f"answer_{n}"),
        )
    ]


@pytest.mark.parametrize("is_async", [False, True])
def test_the_history_is_kept_within_the_window(is_async: bool) -> None:
    tuckaway: Any = (AsyncTuckaway if is_async else Tuckaway)(context_window=40_000)
    asked: list[str] = []

    def summarize(request: SummaryRequest) -> str:
        asked.append(request.prompt)
        return "<summary>All logs are fine.</summary>"

    middleware = TuckawayMiddleware(tuckaway, manage=True, summarize=summarize)
    agent = create_agent(ScriptedModel(script=Turns()), [get_log], middleware=[middleware])
    given = {"messages": [*long_history(30), HumanMessage("And now?", id="last")]}
    state = asyncio.run(agent.ainvoke(given)) if is_async else agent.invoke(given)
    messages = state["messages"]
    assert (messages[-2].content, messages[-1].content) == ("And now?", "done")
    assert "tuckaway_memory" not in state
    texts = "".join(message.text for message in messages)
    assert len(texts) < 160_000
    assert "ref=art_get_log_" in texts or asked


class SmallModel(ScriptedModel):
    """Refuses requests of more than ``limit`` characters, as a model with a smaller window than expected."""

    limit: int = 40_000
    sent: list[int] = Field(default_factory=list)

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        self.sent.append(sum(len(message.text) for message in messages))
        if self.sent[-1] > self.limit:
            raise ValueError(f"prompt is too long: {self.sent[-1] // 4} tokens > {self.limit // 4} maximum")
        return super()._generate(messages, *args, **kwargs)


@pytest.mark.parametrize("kind", [None, Tuckaway, AsyncTuckaway])
def test_a_history_that_is_refused_is_shortened_and_sent_once_more(kind: Any) -> None:
    model = SmallModel(script=Turns([Call("get_log", {})]))
    middleware = TuckawayMiddleware((kind or Tuckaway)(), manage=True)
    agent = create_agent(model, [get_log], middleware=[middleware])
    given = {"messages": [*long_history(10), HumanMessage("And now?", id="last")]}
    state = agent.invoke(given) if kind is None else asyncio.run(agent.ainvoke(given))
    refused, again, after = model.sent
    assert refused > model.limit
    assert again < model.limit
    # The state has the shorter history: the next request is not refused.
    assert again < after < model.limit
    *_, question, call, result, answer = state["messages"]
    assert (question.content, answer.content) == ("And now?", "done")
    assert result.tool_call_id == call.tool_calls[0]["id"]
    made = [each for each in state["messages"] if isinstance(each, AIMessage)]
    ids = [call["id"] for each in made for call in each.tool_calls]
    assert [each.tool_call_id for each in results(state["messages"])] == ids


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("manage", [False, True])
def test_other_errors_of_the_model_are_not_answered(manage: bool, is_async: bool) -> None:
    class Failing(SmallModel):
        def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
            self.sent.append(1)
            raise ValueError("prompt is too long" if self.limit == 0 else "Overloaded")

    def asked(model: Failing, given: list[Any]) -> list[int]:
        agent = create_agent(model, [], middleware=[TuckawayMiddleware(Tuckaway(), manage=manage)])
        state: Any = {"messages": given}
        with pytest.raises(ValueError, match=r"Overloaded|prompt is too long"):
            asyncio.run(agent.ainvoke(state)) if is_async else agent.invoke(state)
        return model.sent

    assert asked(Failing(script=Turns()), long_history(10)) == [1]
    # Nothing can be removed from a history of one message.
    assert asked(Failing(script=Turns(), limit=0), [HumanMessage("Hi.")]) == [1]
    # The second request is refused, too.
    refused = [*long_history(10), HumanMessage("And now?")]
    assert asked(Failing(script=Turns(), limit=0), refused) == [1] * (2 if manage else 1)


def test_an_asynchronous_tuckaway_needs_an_asynchronous_run() -> None:
    middleware = TuckawayMiddleware(AsyncTuckaway(), manage=True)
    agent = create_agent(ScriptedModel(script=Turns()), [], middleware=[middleware])
    with pytest.raises(InvalidInputError, match="needs ainvoke"):
        agent.invoke({"messages": [HumanMessage("Go.")]})


def test_an_agent_finds_facts_that_are_not_in_its_context() -> None:
    script, views = Investigation(), []
    messages = run(script, [get_log, get_orders], on_view=views.append)
    assert messages[-1].content == ANSWER
    assert all(is_envelope(text) for text in script.seen[0])
    assert are_of_both_tools(views)
    assert max(len(message.text) for message in messages) < 5_000


@pytest.mark.parametrize("kind", kinds())
def test_an_asynchronous_agent_does_the_same(kind: Any) -> None:
    async def main() -> Any:
        model = ScriptedModel(script=Investigation())
        agent = create_agent(model, [get_log, get_orders], middleware=[TuckawayMiddleware(kind())])
        return await agent.ainvoke({"messages": [HumanMessage("Go.")]})

    assert asyncio.run(main())["messages"][-1].content == ANSWER


def test_a_synchronous_agent_rejects_an_asynchronous_tuckaway() -> None:
    with pytest.raises(InvalidInputError, match="Pass a Tuckaway, or run the agent asynchronously"):
        run(Investigation(), [get_log, get_orders], AsyncTuckaway())


def test_a_deep_agent_does_the_same() -> None:
    script = Investigation()
    model = ScriptedModel(script=script)
    agent = create_deep_agent(model, [get_log, get_orders], middleware=[TuckawayMiddleware(Tuckaway())])
    state = agent.invoke({"messages": [HumanMessage("Go.")]})
    assert state["messages"][-1].content == ANSWER
    assert {"artifact_read", "artifact_grep", "artifact_jq", "read_file"} <= set(model.offered)
    assert not state.get("files")


def test_small_outputs_and_artifacts_of_messages_stay() -> None:
    kept = ToolMessage(SMALL, tool_call_id="call", artifact={"raw": 1})
    middleware = TuckawayMiddleware(Tuckaway())
    request = _request()
    assert middleware.wrap_tool_call(request, lambda _: kept) is kept
    large = ToolMessage(LOG, tool_call_id="call", artifact={"raw": 1}, id="message", status="success")
    view = middleware.wrap_tool_call(request, lambda _: large)
    assert is_envelope(view.content)
    assert (view.artifact, view.id, view.tool_call_id) == ({"raw": 1}, "message", "call")
    assert large.content == LOG


def test_images_stay() -> None:
    screenshot = StructuredTool.from_function(
        lambda: [{"type": "text", "text": LOG}, IMAGE], name="screenshot", description="A picture."
    )
    [message] = results(run(Turns([Call("screenshot")]), [screenshot]))
    text, image = message.content
    assert is_envelope(text["text"])
    assert image == IMAGE
    [message] = results(
        run(Turns([Call("screenshot")]), [_returning([{"type": "text", "text": SMALL}, IMAGE])])
    )
    assert message.content == [{"type": "text", "text": SMALL}, IMAGE]


def _returning(value: Any) -> StructuredTool:
    return StructuredTool.from_function(lambda: value, name="screenshot", description="A picture.")


def test_errors_stay_errors() -> None:
    @tool
    def fail(text: str) -> str:
        """Fails."""
        raise ToolException(LONG_ERROR if text == "long" else text)

    fail.handle_tool_error = True
    short, long = results(
        run(
            Turns([Call("fail", {"text": "no disk"})], [Call("fail", {"text": "long"})]),
            [fail],
            Tuckaway(policy=BARE),
        )
    )
    assert (short.content, short.status) == ("no disk", "error")
    assert (is_error_envelope(long.content), long.status) == (True, "error")


def test_mistakes_of_the_model_are_errors_that_help() -> None:
    call = Call("artifact_read", {"artifact_id": "art_none"})
    [message] = results(run(Turns([call]), []))
    assert message.status == "error"
    assert message.content.startswith('There is no artifact "art_none"')


def test_messages_in_commands_are_replaced() -> None:
    @tool
    def delegate(tool_call_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
        """Asks another agent."""
        return Command(
            update={"messages": [ToolMessage(LOG, tool_call_id=tool_call_id), HumanMessage("Note.")]}
        )

    messages = run(Turns([Call("delegate")]), [delegate])
    assert is_envelope(results(messages)[0].content)
    assert messages[-2].content == "Note."


def test_calls_of_one_turn_share_the_headroom() -> None:
    @tool
    def rows(part: int) -> str:
        """Returns rows."""
        return HALF

    turn = [Call("rows", {"part": 1}), Call("rows", {"part": 2})]
    tuckaway = Tuckaway(context_window=20_000, policy=FAIR)
    together = [is_envelope(each.text) for each in results(run(Turns(turn), [rows], tuckaway))]
    assert sorted(together) == [False, True]
    apart = [is_envelope(each.text) for each in results(run(Turns(turn[:1], turn[1:]), [rows], tuckaway))]
    assert apart == [False, False]
    full = results(run(Turns(turn[:1]), [rows], tuckaway, used_tokens=13_000))
    assert is_envelope(full[0].text)


@pytest.mark.parametrize("name", ["artifact_read", "artifact_jq"])
def test_names_of_artifact_tools_are_reserved(name: str) -> None:
    foreign = StructuredTool.from_function(lambda: SMALL, name=name, description="Foreign.")
    with pytest.raises(InvalidInputError, match=f"{name}: reserved for tuckaway's own tools"):
        run(Turns(), [foreign], Tuckaway(tools=["read"]))


def _request() -> Any:
    call: Any = {"name": "get_log", "args": {}, "id": "call", "type": "tool_call"}
    return ToolCallRequest(tool_call=call, tool=get_log, state={"messages": []}, runtime=None)
