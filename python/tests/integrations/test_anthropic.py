"""The helpers for Anthropic's Messages API, with the real client."""

from __future__ import annotations

import asyncio
import base64
from typing import Any

import pytest
from anthropic import Anthropic, AsyncAnthropic

from tuckaway import InvalidInputError, Tuckaway
from tuckaway.integrations.anthropic import (
    ToolResult,
    run_tool_calls,
    run_tool_calls_async,
    tool_definitions,
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

SOURCE = {"type": "base64", "media_type": "image/png", "data": base64.b64encode(PNG).decode()}
IMAGE = {"type": "image", "source": SOURCE}
HANDLERS = {"get_log": lambda: LOG, "get_orders": lambda: ORDERS}


def message(step: list[Call] | str, tokens: int = 1_000) -> dict[str, Any]:
    """Returns a message as the API sends it."""
    if isinstance(step, str):
        content: list[dict[str, Any]] = [{"type": "text", "text": step}]
    else:
        content = [
            {"type": "tool_use", "id": call.id, "name": call.name, "input": call.arguments} for call in step
        ]
    usage = {"input_tokens": 9, "cache_read_input_tokens": tokens - 10, "output_tokens": 1}
    reason = "end_turn" if isinstance(step, str) else "tool_use"
    return {
        "id": "m",
        "type": "message",
        "role": "assistant",
        "model": "m",
        "content": content,
        "stop_reason": reason,
        "stop_sequence": None,
        "usage": usage,
    }


def scripted(script: Any) -> Any:
    """Answers requests according to a script."""

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        content = request["messages"][-1]["content"]
        results = [] if isinstance(content, str) else [block["content"] for block in content]
        return message(script.step(results))

    return answer


def test_a_loop_finds_facts_that_are_not_in_its_context() -> None:
    tuckaway, script = Tuckaway(), Investigation()
    with provider(scripted(script)) as url, Anthropic(base_url=url, api_key="none") as client:
        messages: list[Any] = [{"role": "user", "content": "Go."}]
        while True:
            reply = client.messages.create(
                model="m", max_tokens=100, messages=messages, tools=tool_definitions(tuckaway)
            )
            results = run_tool_calls(tuckaway, reply, HANDLERS)
            if not results:
                break
            messages += [
                {"role": "assistant", "content": reply.content},
                {"role": "user", "content": results},
            ]
    assert reply.content[0].text == ANSWER
    assert all(is_envelope(text) for text in script.seen[0])


@pytest.mark.parametrize("kind", kinds())
def test_an_asynchronous_loop_does_the_same(kind: Any) -> None:
    async def main(url: str) -> str:
        tuckaway = kind()
        async with AsyncAnthropic(base_url=url, api_key="none") as client:
            messages: list[Any] = [{"role": "user", "content": "Go."}]
            while True:
                reply = await client.messages.create(
                    model="m", max_tokens=100, messages=messages, tools=tool_definitions(tuckaway)
                )
                results = await run_tool_calls_async(tuckaway, reply, HANDLERS)
                if not results:
                    return reply.content[0].text
                messages += [
                    {"role": "assistant", "content": reply.content},
                    {"role": "user", "content": results},
                ]

    with provider(scripted(Investigation())) as url:
        assert asyncio.run(main(url)) == ANSWER


def test_small_outputs_and_images_stay() -> None:
    def show(text: str) -> ToolResult:
        return ToolResult([{"type": "text", "text": LOG if text == "long" else text}, IMAGE])

    made = message([Call("show", {"text": "long"}), Call("show", {"text": SMALL}), Call("count")])
    long, short, count = run_tool_calls(Tuckaway(), made, {"show": show, "count": lambda: SMALL})
    assert is_envelope(long["content"][0]["text"])
    assert long["content"][1:] == [IMAGE]
    assert short["content"] == [{"type": "text", "text": SMALL}, IMAGE]
    assert count == {"type": "tool_result", "tool_use_id": Call("count").id, "content": SMALL}


def test_errors_stay_errors() -> None:
    def fail(text: str) -> str:
        raise OSError(LONG_ERROR if text == "long" else text)

    calls = [Call("fail", {"text": "no disk"}), Call("fail", {"text": "long"}), Call("artifact_read")]
    short, long, reply = run_tool_calls(Tuckaway(policy=BARE), message(calls), {"fail": fail})
    assert (short["content"], short["is_error"]) == ("OSError: no disk", True)
    assert (is_error_envelope(long["content"]), long["is_error"]) == (True, True)
    assert (reply["is_error"], "artifact_id" in reply["content"]) == (True, True)


def test_programs_receive_the_whole_output() -> None:
    made = message([Call("get_log"), Call("get_log", {"direct": True})])
    made["content"][0]["caller"] = {"type": "code_execution_20250825", "tool_id": "t"}
    made["content"][0]["toolset_name"] = "logs"
    made["content"][1]["caller"] = {"type": "direct"}
    program, direct = run_tool_calls(Tuckaway(), made, {"get_log": lambda direct=False: LOG})
    assert program["content"] == LOG
    assert program["toolset_name"] == "logs"
    assert is_envelope(direct["content"])


def test_the_outputs_of_a_turn_share_the_headroom() -> None:
    tuckaway = Tuckaway(context_window=20_000, policy=FAIR)
    calls = [Call("rows", {"part": part}) for part in (1, 2)]
    handlers = {"rows": lambda part: HALF}
    results = run_tool_calls(tuckaway, message(calls), handlers)
    assert sorted(is_envelope(result["content"]) for result in results) == [False, True]
    [full] = run_tool_calls(tuckaway, message(calls[:1], tokens=13_000), handlers)
    assert is_envelope(full["content"])


def test_definitions_are_in_the_format_of_messages() -> None:
    [jq] = tool_definitions(Tuckaway(tools=["jq"]))
    assert jq["name"] == "artifact_jq"
    assert jq["input_schema"]["required"] == ["artifact_id", "filter"]
    assert tool_definitions(Tuckaway(), is_final_turn=True) == []


def test_mistakes_of_the_caller_are_rejected() -> None:
    with pytest.raises(InvalidInputError, match="artifact_grep: reserved for tuckaway's own tools"):
        run_tool_calls(Tuckaway(), message([]), {"artifact_grep": lambda: SMALL})
    with pytest.raises(InvalidInputError, match=r"message\.content is not a list"):
        run_tool_calls(Tuckaway(), {"content": "Hello."}, {})


def test_a_message_without_calls_has_no_results() -> None:
    assert run_tool_calls(Tuckaway(), message("Hello."), {}) == []
    assert used_tokens(None) == 0
