"""The helpers for OpenAI's APIs, with the real client."""

from __future__ import annotations

import asyncio
import base64
import json
from pathlib import Path
from typing import Any

import pytest
from openai import AsyncOpenAI, OpenAI
from pydantic import BaseModel

from tuckaway import AsyncTuckaway, InvalidInputError, Policy, Stored, StoreError, Tuckaway
from tuckaway.integrations.openai import (
    ToolResult,
    chat_tool_definitions,
    responses_tool_definitions,
    run_chat_tool_calls,
    run_chat_tool_calls_async,
    run_responses_tool_calls,
    run_responses_tool_calls_async,
    used_tokens,
)

from .provider import provider
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
    is_envelope,
    is_error_envelope,
    kinds,
)

IMAGE = {"type": "input_image", "image_url": f"data:image/png;base64,{base64.b64encode(PNG).decode()}"}
HANDLERS = {"get_log": lambda: LOG, "get_orders": lambda: ORDERS}


def chat_completion(step: list[Call] | str, tokens: int = 1_000) -> dict[str, Any]:
    """Returns a completion as the API sends it."""
    message: dict[str, Any] = {"role": "assistant", "content": step if isinstance(step, str) else None}
    if not isinstance(step, str):
        functions = [(call.id, {"name": call.name, "arguments": call.json}) for call in step]
        message["tool_calls"] = [
            {"id": call_id, "type": "function", "function": each} for call_id, each in functions
        ]
    usage = {"prompt_tokens": tokens - 1, "completion_tokens": 1, "total_tokens": tokens}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    return {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [choice],
        "usage": usage,
    }


def response(step: list[Call] | str) -> dict[str, Any]:
    """Returns a response as the API sends it."""
    if isinstance(step, str):
        text = {"type": "output_text", "text": step, "annotations": []}
        output = [
            {"id": "m", "type": "message", "role": "assistant", "status": "completed", "content": [text]}
        ]
    else:
        output = [
            {
                "id": "f",
                "type": "function_call",
                "call_id": each.id,
                "name": each.name,
                "arguments": each.json,
            }
            for each in step
        ]
    usage = {"input_tokens": 999, "output_tokens": 1, "total_tokens": 1_000}
    return {"id": "r", "object": "response", "created_at": 0, "model": "m", "output": output, "usage": usage}


def chat(script: Any) -> Any:
    """Answers requests of Chat Completions according to a script."""

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        messages = request["messages"]
        last = max(index for index, each in enumerate(messages) if each["role"] != "tool")
        assert {"artifact_read", "artifact_grep", "artifact_jq"} == {
            tool["function"]["name"] for tool in request["tools"]
        }
        return chat_completion(script.step([each["content"] for each in messages[last + 1 :]]))

    return answer


def responses(script: Any) -> Any:
    """Answers requests of Responses according to a script."""

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        items = [
            item for item in request["input"] if item.get("type") in ("function_call", "function_call_output")
        ]
        calls = [index for index, item in enumerate(items) if item["type"] == "function_call"]
        return response(script.step([item["output"] for item in items[max(calls, default=-1) + 1 :]]))

    return answer


def test_a_chat_finds_facts_that_are_not_in_its_context() -> None:
    tuckaway, script, views = Tuckaway(), Investigation(), []
    with provider(chat(script)) as url, OpenAI(base_url=url, api_key="none") as client:
        messages: list[Any] = [{"role": "user", "content": "Go."}]
        while True:
            completion = client.chat.completions.create(
                model="m", messages=messages, tools=chat_tool_definitions(tuckaway)
            )
            replies = run_chat_tool_calls(tuckaway, completion, HANDLERS, on_view=views.append)
            if not replies:
                break
            messages += [completion.choices[0].message, *replies]
    assert completion.choices[0].message.content == ANSWER
    assert all(is_envelope(text) for text in script.seen[0])
    assert [seen.tool for seen in views] == [
        "get_log",
        "get_orders",
        "artifact_grep",
        "artifact_jq",
        "artifact_read",
    ]


@pytest.mark.parametrize("kind", kinds())
def test_responses_find_the_same_facts(kind: Any) -> None:
    async def get_orders() -> Any:
        return ORDERS

    async def main(url: str) -> str:
        tuckaway = kind()
        async with AsyncOpenAI(base_url=url, api_key="none") as client:
            items: list[Any] = [{"role": "user", "content": "Go."}]
            while True:
                made = await client.responses.create(
                    model="m", input=items, tools=responses_tool_definitions(tuckaway)
                )
                handlers = {"get_log": HANDLERS["get_log"], "get_orders": get_orders}
                outputs = await run_responses_tool_calls_async(tuckaway, made, handlers)
                if not outputs:
                    return made.output_text
                items += [*made.output, *outputs]

    with provider(responses(Investigation())) as url:
        assert asyncio.run(main(url)) == ANSWER


@pytest.mark.parametrize("kind", kinds())
def test_an_asynchronous_chat_does_the_same(kind: Any) -> None:
    async def main() -> Any:
        tuckaway, script, results = kind(), Investigation(), []
        while not isinstance(step := script.step(results), str):
            replies = await run_chat_tool_calls_async(tuckaway, chat_completion(step), HANDLERS)
            results = [reply["content"] for reply in replies]
        return step

    assert asyncio.run(main()) == ANSWER


def replies_to(
    *calls: Call, handlers: Any, tuckaway: Any = None, tokens: int = 1_000, **options: Any
) -> list[Any]:
    """Returns the messages for calls of one turn."""
    made = chat_completion(list(calls), tokens)
    return run_chat_tool_calls(tuckaway or Tuckaway(), made, handlers, **options)


def test_results_of_handlers_are_written_for_the_model(tmp_path: Path) -> None:
    class Row(BaseModel):
        name: str

    (tmp_path / "notes.txt").write_text("in a file")
    values = {
        "text": SMALL,
        "raw": b"bytes",
        "view": memoryview(b"memory"),
        "nothing": None,
        "data": {"rows": [1, "é"]},
        "model": Row(name="a"),
        "path": tmp_path / "notes.txt",
        "result": ToolResult("in a result"),
    }
    calls = [Call("get", {"name": name}) for name in values]
    replies = replies_to(*calls, handlers={"get": lambda name: values[name]})
    assert [reply["content"] for reply in replies] == [
        SMALL, "bytes", "memory", "", '{"rows":[1,"é"]}', '{"name":"a"}', "in a file", "in a result",
    ]  # fmt: skip
    assert replies[0] == {"role": "tool", "tool_call_id": calls[0].id, "content": SMALL}


def test_images_stay() -> None:
    def show(text: str) -> ToolResult:
        return ToolResult([{"type": "input_text", "text": LOG if text == "long" else text}, IMAGE])

    made = response([Call("show", {"text": "long"}), Call("show", {"text": SMALL})])
    long, short = (item["output"] for item in run_responses_tool_calls(Tuckaway(), made, {"show": show}))
    assert long[0]["type"] == "input_text"
    assert is_envelope(long[0]["text"])
    assert long[1:] == [IMAGE]
    assert short == [{"type": "input_text", "text": SMALL}, IMAGE]


def test_errors_are_replies_and_do_not_affect_other_calls() -> None:
    def fail(text: str) -> str:
        raise OSError(LONG_ERROR if text == "long" else text)

    errors: list[tuple[str, str]] = []
    calls = [Call("fail", {"text": "no disk"}), Call("fail", {"text": "long"}), Call("other"), Call("count")]
    replies = replies_to(
        *calls,
        handlers={"fail": fail, "count": lambda: SMALL},
        tuckaway=Tuckaway(policy=BARE),
        on_error=lambda name, error: errors.append((name, type(error).__name__)),
    )
    short, long, other, count = (reply["content"] for reply in replies)
    assert short == "OSError: no disk"
    assert is_error_envelope(long)
    names = "fail, count, artifact_read, artifact_grep, artifact_jq"
    assert other == f"LookupError: there is no tool 'other'. The tools are: {names}."
    assert count == SMALL
    assert errors == [("fail", "OSError"), ("fail", "OSError"), ("other", "LookupError")]


@pytest.mark.parametrize(
    ("arguments", "content"),
    [
        ("", "called with {}"),
        ("{oops", "ValueError: the arguments are not valid JSON"),
        ("[1]", "ValueError: the arguments are not a JSON object. Call the tool again with one."),
        ({"name": "a"}, "called with {'name': 'a'}"),
    ],
)
def test_arguments_are_read_as_models_write_them(arguments: Any, content: str) -> None:
    made = chat_completion([Call("get")])
    made["choices"][0]["message"]["tool_calls"][0]["function"]["arguments"] = arguments
    [reply] = run_chat_tool_calls(Tuckaway(), made, {"get": lambda **given: f"called with {given}"})
    assert str(reply["content"]).startswith(content)


def test_custom_tools_take_a_text() -> None:
    handlers = {"shell": lambda text: f"ran {text}"}
    made = chat_completion([Call("shell")])
    call = {"id": "c1", "type": "custom", "custom": {"name": "shell", "input": "ls -l"}}
    made["choices"][0]["message"]["tool_calls"] = [call]
    assert run_chat_tool_calls(Tuckaway(), made, handlers)[0]["content"] == "ran ls -l"
    item = {"type": "custom_tool_call", "call_id": "c2", "name": "shell", "input": "pwd"}
    [output] = run_responses_tool_calls(Tuckaway(), {"output": [item]}, handlers)
    assert output == {"type": "custom_tool_call_output", "call_id": "c2", "output": "ran pwd"}


def test_programs_receive_the_whole_output() -> None:
    made = response([Call("get_log")])
    made["output"][0]["caller"] = {"type": "program", "caller_id": "p"}
    [item] = run_responses_tool_calls(Tuckaway(), made, HANDLERS)
    assert item["output"] == LOG
    assert item["caller"] == {"type": "program", "caller_id": "p"}


def test_the_outputs_of_a_turn_share_the_headroom() -> None:
    tuckaway = Tuckaway(context_window=20_000, policy=FAIR)
    calls = [Call("rows", {"part": part}) for part in (1, 2)]
    handlers = {"rows": lambda part: HALF}
    replies = replies_to(*calls, handlers=handlers, tuckaway=tuckaway)
    assert sorted(is_envelope(reply["content"]) for reply in replies) == [False, True]
    [alone] = replies_to(calls[0], handlers=handlers, tuckaway=tuckaway)
    assert alone["content"] == HALF
    [full] = replies_to(calls[0], handlers=handlers, tuckaway=tuckaway, tokens=13_000)
    assert is_envelope(full["content"])


def test_stored_content_is_described() -> None:
    tuckaway = Tuckaway()
    artifact = tuckaway.process(LOG, tool="tool").artifacts[0].id
    [reply] = replies_to(
        Call("get"), handlers={"get": lambda: ToolResult(Stored(artifact))}, tuckaway=tuckaway
    )
    assert json.loads(reply["content"])["artifact_id"] == artifact


def test_a_store_that_fails_is_not_described_to_the_model() -> None:
    class Broken:
        def fail(self, *args: Any) -> Any:
            raise StoreError("password of the bucket: hunter2")

        create = append = seal = stat = read = list_artifacts = delete = fail

    [reply] = replies_to(
        Call("artifact_read", {"artifact_id": "art_a"}), handlers={}, tuckaway=Tuckaway(Broken())
    )
    assert reply["content"] == (
        "Error: the store failed. Try the call again, or continue without the output."
    )


def test_questions_about_handles_are_answered_without_a_model() -> None:
    tuckaway = Tuckaway(policy=Policy(dialect="handle"))
    [tool] = chat_tool_definitions(tuckaway)
    assert tool["function"]["name"] == "tool_output"
    artifact = tuckaway.process(LOG, tool="tool").artifacts[0].id
    call = Call("tool_output", {"handle": artifact, "extract": "the refused request"})
    [reply] = replies_to(call, handlers={}, tuckaway=tuckaway)
    assert "04:00:00 INFO request 0 served" in reply["content"]
    assert reply["content"].endswith(
        "[warning: no extraction model is configured, so this is the head and tail of the output]"
    )


def test_callbacks_that_raise_do_not_end_the_turn() -> None:
    def on_view(seen: Any) -> None:
        raise OSError("no disk")

    [reply] = replies_to(Call("get_log"), handlers=HANDLERS, on_view=on_view)
    assert is_envelope(reply["content"])


def test_no_tools_are_offered_in_the_final_turn() -> None:
    assert chat_tool_definitions(Tuckaway(), is_final_turn=True) == []
    assert [tool["name"] for tool in responses_tool_definitions(Tuckaway(tools=["jq"]))] == ["artifact_jq"]


def test_mistakes_of_the_caller_are_rejected() -> None:
    async def get() -> str:
        return SMALL

    made = chat_completion([Call("get")])
    with pytest.raises(InvalidInputError, match="artifact_jq: reserved for tuckaway's own tools"):
        run_chat_tool_calls(Tuckaway(tools=["read"]), made, {"artifact_jq": get})
    with pytest.raises(InvalidInputError, match="get: asynchronous"):
        run_chat_tool_calls(Tuckaway(), made, {"get": get})
    with pytest.raises(InvalidInputError, match="Pass a Tuckaway, or run the agent asynchronously"):
        run_chat_tool_calls(AsyncTuckaway(), made, {})
    not_callable: Any = {"get": 1}
    with pytest.raises(InvalidInputError, match="get: a tool must be a function"):
        run_chat_tool_calls(Tuckaway(), made, not_callable)
    with pytest.raises(InvalidInputError, match=r"completion\.choices is not a list"):
        run_chat_tool_calls(Tuckaway(), {"error": "overloaded"}, {})
    with pytest.raises(InvalidInputError, match=r"response\.output is not a list"):
        run_responses_tool_calls(Tuckaway(), made, {})


def test_usage_records_of_both_apis_are_read() -> None:
    assert used_tokens({"input_tokens": 900, "output_tokens": 100}) == 1_000
    assert used_tokens({"prompt_tokens": 900, "total_tokens": 950}) == 950
    assert used_tokens({"prompt_tokens": 900}) == 900
    assert used_tokens(None) == 0
