"""`TuckawayCapability` in agents of Pydantic AI."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from typing import Any

import pytest
from pydantic import BaseModel
from pydantic_ai import Agent, BinaryContent, ModelRetry, Tool, ToolFailed, ToolReturn
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    SystemPromptPart,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.usage import RequestUsage

from tuckaway import AsyncTuckaway, InvalidInputError, Tuckaway
from tuckaway.conversation import CacheConfig, Manage, SummaryRequest, Trim, UserMessages
from tuckaway.integrations._pydantic_history import items_of, messages_of
from tuckaway.integrations.pydantic_ai import TuckawayCapability

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

IMAGE = BinaryContent(PNG, media_type="image/png")


def get_log() -> str:
    """Returns the log."""
    return LOG


async def get_orders() -> dict[str, Any]:
    """Returns the orders."""
    return ORDERS


def scripted(script: Any, used_tokens: int = 1_000) -> FunctionModel:
    """Returns a model that makes the calls of a script."""

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        last = messages[-1]
        parts = [part for part in last.parts if isinstance(part, ToolReturnPart)]
        step = script.step([part.model_response_str(wrap_if_error=False) for part in parts])
        usage = RequestUsage(input_tokens=used_tokens - 1, output_tokens=1)
        if isinstance(step, str):
            return ModelResponse([TextPart(step)], usage=usage)
        return ModelResponse([ToolCallPart(call.name, call.json, call.id) for call in step], usage=usage)

    return FunctionModel(respond)


def run(script: Any, tools: list[Any], tuckaway: Any = None, used_tokens: int = 1_000, **options: Any) -> Any:
    """Returns the result of a run."""
    capability = TuckawayCapability(tuckaway or Tuckaway(), **options)
    agent = Agent(scripted(script, used_tokens), tools=tools, capabilities=[capability], retries=2)
    return asyncio.run(agent.run("Go."))


def returns(result: Any) -> list[ToolReturnPart]:
    requests = [message for message in result.all_messages() if isinstance(message, ModelRequest)]
    return [part for request in requests for part in request.parts if isinstance(part, ToolReturnPart)]


def long_history(turns: int) -> list[ModelMessage]:
    """Returns messages of earlier turns, each with a result of about 2,000 tokens."""
    return [
        message
        for n in range(turns)
        for message in (
            ModelRequest(
                [SystemPromptPart("Be brief.")] * (n == 0) + [UserPromptPart([f"Read log {n}.", IMAGE])]
            ),
            ModelResponse([ThinkingPart("Hm."), ToolCallPart("get_log", {"n": n}, f"old_{n}")]),
            ModelRequest([ToolReturnPart("get_log", [f"line of log {n}\n" * 500, IMAGE], f"old_{n}")]),
            ModelResponse([TextPart("It is fine.")]),
        )
    ]


@pytest.mark.parametrize("kind", [Tuckaway, AsyncTuckaway])
def test_the_history_is_kept_within_the_window(kind: Any) -> None:
    given, sent = long_history(30), list[list[ModelMessage]]()
    asked: list[str] = []

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        sent.append(list(messages))
        return ModelResponse([TextPart("done")])

    def summarize(request: SummaryRequest) -> str:
        asked.append(request.prompt)
        return "<summary>All logs are fine.</summary>"

    capability = TuckawayCapability(kind(context_window=12_000), manage=True, summarize=summarize)
    agent = Agent(FunctionModel(respond), capabilities=[capability])
    first = asyncio.run(agent.run("And now?", message_history=given))
    second = asyncio.run(agent.run("And then?", message_history=first.all_messages()))
    assert asked
    for messages in sent:
        parts = [part for message in messages for part in message.parts]
        calls = [part.tool_call_id for part in parts if isinstance(part, ToolCallPart)]
        assert [part.tool_call_id for part in parts if isinstance(part, ToolReturnPart)] == calls
        assert len(str(parts)) < 160_000
        assert any(isinstance(part, SystemPromptPart) for part in parts)
    assert "All logs are fine." in str(second.all_messages())


@pytest.mark.parametrize("kind", [Tuckaway, AsyncTuckaway])
def test_a_history_that_is_refused_is_shortened_and_sent_once_more(kind: Any) -> None:
    sent: list[int] = []

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        sent.append(len(str(messages)))
        if sent[-1] > 30_000:
            raise ModelHTTPError(
                400, "m", {"error": {"message": "prompt is too long: 12000 tokens > 6000 maximum"}}
            )
        return ModelResponse([TextPart("done")])

    agent = Agent(FunctionModel(respond), capabilities=[TuckawayCapability(kind(), manage=True)])
    first = asyncio.run(agent.run("And now?", message_history=long_history(5)))
    assert first.output == "done"
    assert len(sent) == 2
    # The history of the run is the shorter one.
    second = asyncio.run(agent.run("And then?", message_history=first.all_messages()))
    assert second.output == "done"
    assert len(sent) == 3
    assert "And now?" in str(second.all_messages())


@pytest.mark.parametrize("manage", [False, True])
def test_other_errors_of_the_model_are_not_answered(manage: bool) -> None:
    sent: list[int] = []

    def respond(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        sent.append(1)
        raise ModelHTTPError(529, "m", {"error": {"message": "Overloaded"}})

    agent = Agent(FunctionModel(respond), capabilities=[TuckawayCapability(Tuckaway(), manage=manage)])
    with pytest.raises(ModelHTTPError, match="Overloaded"):
        asyncio.run(agent.run("And now?", message_history=long_history(10)))
    assert sent == [1]


def test_a_trimmed_result_says_where_it_and_its_files_are() -> None:
    manage = Manage(context_window=400_000, cache=CacheConfig(context_budget_tokens=10_000))
    capability = TuckawayCapability(Tuckaway(), manage=manage)
    agent = Agent(FunctionModel(lambda *_: ModelResponse([TextPart("done")])), capabilities=[capability])
    messages = asyncio.run(agent.run("And now?", message_history=long_history(10))).all_messages()
    results = [part for message in messages for part in message.parts if isinstance(part, ToolReturnPart)]
    assert len(results) == 10
    assert "ref=art_get_log_" in str(results[0].content)
    assert results[0].files == []
    assert "[PNG image" in str(results[0].content)
    assert results[9].files == [IMAGE]
    assert "line of log 9" in str(results[9].content)


def test_large_arguments_of_old_calls_become_notes() -> None:
    given: list[Any] = [ModelRequest([UserPromptPart("Write the files.")])]
    for n in range(6):
        arguments = {"path": f"{n}.py", "content": f"print({n})\n" * 400}
        given.append(ModelResponse([ToolCallPart("write_file", arguments, f"call_{n}")]))
        given.append(ModelRequest([ToolReturnPart("write_file", "ok", f"call_{n}")]))
    given.append(ModelResponse([TextPart("Done.")]))
    trim = Trim(400_000, CacheConfig(context_budget_tokens=2_000))
    managed = Tuckaway().manage_history(items_of(given), trim, format="neutral")
    messages = messages_of(managed.history, given)
    first, last = messages[1].parts[0], messages[11].parts[0]
    assert isinstance(first, ToolCallPart)
    assert first.args_as_dict()["path"] == "0.py"
    assert "ref=art_write_file_" in first.args_as_dict()["content"]
    assert last is given[11].parts[0]


def test_a_large_text_of_the_user_is_shortened() -> None:
    pasted = "Sum this up.\n" + "a pasted line\n" * 4_000
    given: list[Any] = [
        ModelRequest([UserPromptPart([pasted, IMAGE, "Now."])]),
        ModelResponse([TextPart("Done.")]),
    ]
    trim = Trim(400_000, CacheConfig(context_budget_tokens=0, user_messages=UserMessages()))
    managed = Tuckaway().manage_history(items_of(given), trim, format="neutral")
    (prompt,) = messages_of(managed.history, given)[0].parts
    assert isinstance(prompt, UserPromptPart)
    text, image, last = prompt.content
    assert isinstance(text, str)
    assert text.startswith("Sum this up.\n")
    assert text.endswith("a pasted line")
    assert "omitted; ref=art_user_message_" in text
    assert (image, last) == (IMAGE, "Now.")


def test_old_images_are_stored_and_lines_take_their_places() -> None:
    ask = ModelRequest([UserPromptPart(["What is this?", IMAGE])])
    call = ModelResponse([ToolCallPart("screenshot", {}, "c")])
    result = ModelRequest([ToolReturnPart("screenshot", ["A page.", IMAGE, {"width": 1}], "c")])
    given: list[Any] = [ask, call, result, ModelResponse([TextPart("Done.")])]
    trim = Trim(400_000, CacheConfig(max_media=1, keep_media=0))
    tuckaway = Tuckaway()
    managed = tuckaway.manage_history(items_of(given), trim, format="neutral")
    (prompt,), _, (returned,), _ = (message.parts for message in messages_of(managed.history, given))
    assert isinstance(prompt, UserPromptPart)
    assert isinstance(returned, ToolReturnPart)
    question, line = prompt.content
    assert question == "What is this?"
    assert re.fullmatch(r"\[PNG image: .*, trimmed; ref=art_media_\S+\]", str(line))
    *before, of_result = returned.content
    assert before == ["A page.", {"width": 1}]
    assert re.fullmatch(r"\[PNG image: .*, trimmed; ref=art_media_\S+\]", str(of_result))
    for receipt in managed.report.receipts:
        reply = tuckaway.call_tool("artifact_read", {"artifact_id": receipt.artifact})
        assert reply.media is not None
        assert tuckaway.media_bytes(reply.media) == PNG


def test_the_limits_of_the_model_s_provider_apply() -> None:
    images = [ModelRequest([UserPromptPart([f"Page {page}.", IMAGE])]) for page in range(101)]
    given: list[Any] = [*images, ModelResponse([TextPart("Done.")])]
    request = {"model": "claude-sonnet-4-5", "messages": items_of(given)}
    trim = Trim(400_000, CacheConfig(context_budget_tokens=1_000_000))
    managed = Tuckaway().manage_history(request, trim, format="neutral")
    messages = messages_of(managed.history["messages"], given)
    prompts = [part for message in messages for part in message.parts if isinstance(part, UserPromptPart)]
    assert sum(IMAGE in prompt.content for prompt in prompts) == 50


def test_a_result_that_repeats_an_earlier_one_refers_to_it() -> None:
    history = long_history(1)
    call = ModelResponse([ToolCallPart("get_log", {"n": 0}, "again")])
    result = next(part for message in history for part in message.parts if isinstance(part, ToolReturnPart))
    again = ModelRequest([ToolReturnPart("get_log", result.content, "again")])
    given = [*history, call, again]
    managed = Tuckaway().manage_history(items_of(given), format="neutral")
    messages = messages_of(managed.history, given)
    assert all(same is message for same, message in zip(messages[:-1], given[:-1], strict=True))
    (reference,) = messages[-1].parts
    assert isinstance(reference, ToolReturnPart)
    text, image = reference.content
    assert text.startswith("[same output as ")
    assert image == IMAGE


def test_messages_without_changes_are_the_same_objects() -> None:
    given = long_history(3)
    assert all(
        same is message for same, message in zip(messages_of(items_of(given), given), given, strict=True)
    )


def test_an_aborted_turn_is_repaired() -> None:
    given = [ModelRequest([UserPromptPart("Read.")]), ModelResponse([ToolCallPart("get_log", {}, "call_1")])]
    orphan = ModelRequest([ToolReturnPart("get_log", "late", "call_0"), UserPromptPart("Go on.")])
    managed = Tuckaway().manage_history(items_of([*given, orphan]), format="neutral")
    messages = messages_of(managed.history, [*given, orphan])
    parts = [part for message in messages[2:] for part in message.parts]
    result, *prompts = parts
    assert (result.tool_name, result.tool_call_id, result.outcome) == ("get_log", "call_1", "interrupted")
    assert "late" in prompts[0].content
    assert prompts[-1].content == "Go on."
    assert messages[0] is given[0]


@pytest.mark.parametrize("kind", kinds())
def test_an_agent_finds_facts_that_are_not_in_its_context(kind: Any) -> None:
    script, views = Investigation(), []
    tools = [get_log, get_orders]
    result = run(script, tools, kind(), on_view=views.append)
    assert result.output == ANSWER
    assert all(is_envelope(text) for text in script.seen[0])
    assert are_of_both_tools(views)


@pytest.fixture
def event_loop() -> Iterator[None]:
    """The event loop of this thread, which ``run_sync`` uses and does not close."""
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    yield
    asyncio.set_event_loop(None)
    loop.run_until_complete(loop.shutdown_default_executor())
    loop.close()


@pytest.mark.usefixtures("event_loop")
@pytest.mark.parametrize("kind", kinds())
def test_a_synchronous_run_does_the_same(kind: Any) -> None:
    agent = Agent(
        scripted(Investigation()), tools=[get_log, get_orders], capabilities=[TuckawayCapability(kind())]
    )
    assert agent.run_sync("Go.").output == ANSWER


class Row(BaseModel):
    """A value that a tool returns."""

    name: str


def test_values_that_pass_stay() -> None:
    def get_row() -> ToolReturn[Row]:
        return ToolReturn(Row(name="a"), content="Note.", metadata={"rows": 1})

    [part] = returns(run(Turns([Call("get_row")]), [get_row]))
    assert part.content == Row(name="a")
    assert part.metadata == {"rows": 1}


def test_the_metadata_of_a_tool_return_are_kept() -> None:
    def get_log() -> ToolReturn[str]:
        return ToolReturn(LOG, content=["See the log:", LOG, IMAGE], metadata={"lines": 20_000})

    result = run(Turns([Call("get_log")]), [get_log])
    [part] = returns(result)
    assert is_envelope(part.content)
    assert part.metadata == {"lines": 20_000}
    [prompt] = [part for part in result.all_messages()[2].parts if part.part_kind == "user-prompt"]
    assert prompt.content[0].startswith('See the log:\n{\n  "artifact_id"')
    assert prompt.content[1:] == [IMAGE]


def test_images_stay() -> None:
    def screenshot(text: str) -> list[Any]:
        return [LOG if text == "long" else text, IMAGE]

    turns = Turns([Call("screenshot", {"text": "long"})], [Call("screenshot", {"text": SMALL})])
    long, short = returns(run(turns, [screenshot]))
    assert is_envelope(long.content[0])
    assert long.content[1] == IMAGE
    assert short.content == [SMALL, IMAGE]


@pytest.mark.parametrize(("error", "outcome"), [(ToolFailed, "failed"), (ModelRetry, "retried")])
def test_errors_stay_errors(error: Any, outcome: str) -> None:
    def fail(text: str) -> str:
        raise error(LONG_ERROR if text == "long" else text)

    turns = Turns([Call("fail", {"text": "no disk"})], [Call("fail", {"text": "long"})])
    short, long = returns(run(turns, [fail], Tuckaway(policy=BARE)))
    assert (short.content, short.outcome) == ("no disk", outcome)
    assert (is_error_envelope(long.content), long.outcome) == (True, outcome)


def test_an_exception_of_a_tool_ends_the_run() -> None:
    def fail() -> str:
        raise OSError("no disk")

    with pytest.raises(OSError, match="no disk"):
        run(Turns([Call("fail")]), [fail])


def test_mistakes_of_the_model_are_errors_that_help() -> None:
    [part] = returns(run(Turns([Call("artifact_read", {"artifact_id": "art_none"})]), []))
    assert part.outcome == "failed"
    assert part.content.startswith('There is no artifact "art_none"')


@pytest.mark.parametrize("kind", kinds())
def test_calls_of_one_turn_share_the_headroom(kind: Any) -> None:
    def rows(part: int) -> str:
        return HALF

    turn = [Call("rows", {"part": 1}), Call("rows", {"part": 2})]
    tuckaway = kind(context_window=20_000, policy=FAIR)
    together = [is_envelope(part.content) for part in returns(run(Turns(turn), [rows], tuckaway))]
    assert sorted(together) == [False, True]
    apart = [is_envelope(part.content) for part in returns(run(Turns(turn[:1], turn[1:]), [rows], tuckaway))]
    assert apart == [False, False]
    [full] = returns(run(Turns(turn[:1]), [rows], tuckaway, used_tokens=13_000))
    assert is_envelope(full.content)


@pytest.mark.parametrize("name", ["artifact_jq", "artifact_grep"])
def test_names_of_artifact_tools_are_reserved(name: str) -> None:
    foreign = Tool(get_log, name=name)
    with pytest.raises(InvalidInputError, match=f"{name}: reserved for tuckaway's own tools"):
        run(Turns(), [foreign], AsyncTuckaway(tools=["read"]))
