"""Histories that contain objects of the providers' clients and of LangChain."""

from __future__ import annotations

from typing import Any

import pytest
from anthropic.types import Message as AnthropicMessage
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from openai.types.chat import ChatCompletion
from openai.types.responses import ResponseFunctionToolCall

from tuckaway import Tuckaway
from tuckaway.conversation import CacheConfig, Compact, CompactionConfig, Trim

from .scenario import Call
from .test_anthropic import message
from .test_openai import chat_completion

TRIM = Trim(context_window=100_000, config=CacheConfig(context_budget_tokens=10_000))


def result(n: int) -> str:
    return f"{n} " * 5_000


def turns(user: Any, call: Any, answer: Any) -> list[Any]:
    """Returns a history of ten calls, from functions of the number of the call."""
    return [user, *(item for n in range(10) for item in (call(n), answer(n))), call(10)]


def chat() -> tuple[list[Any], Any]:
    def completion(n: int) -> ChatCompletion:
        return ChatCompletion.model_validate(
            chat_completion([Call("shell", {"n": n})] if n < 10 else "Done.")
        )

    def answer(n: int) -> dict[str, Any]:
        return {"role": "tool", "tool_call_id": Call("shell", {"n": n}).id, "content": result(n)}

    user = {"role": "user", "content": "Go on."}
    return turns(user, lambda n: completion(n).choices[0].message, answer), completion(10).usage


def responses() -> tuple[list[Any], Any]:
    def call(n: int) -> Any:
        if n == 10:
            return {"role": "assistant", "content": "Done."}
        return ResponseFunctionToolCall(type="function_call", call_id=f"c{n}", name="shell", arguments="{}")

    def answer(n: int) -> dict[str, Any]:
        return {"type": "function_call_output", "call_id": f"c{n}", "output": result(n)}

    return turns({"role": "user", "content": "Go on."}, call, answer), None


def anthropic() -> tuple[list[Any], Any]:
    def said(n: int) -> AnthropicMessage:
        return AnthropicMessage.model_validate(message([Call("shell", {"n": n})] if n < 10 else "Done."))

    def answer(n: int) -> dict[str, Any]:
        block = {"type": "tool_result", "tool_use_id": Call("shell", {"n": n}).id, "content": result(n)}
        return {"role": "user", "content": [block]}

    def call(n: int) -> dict[str, Any]:
        return {"role": "assistant", "content": said(n).content}

    return turns({"role": "user", "content": "Go on."}, call, answer), said(10).usage


def langchain() -> tuple[list[Any], Any]:
    usage = {"input_tokens": 9, "output_tokens": 1, "total_tokens": 10}

    def call(n: int) -> AIMessage:
        if n == 10:
            return AIMessage("Done.", usage_metadata=usage)  # type: ignore[arg-type]
        return AIMessage("", tool_calls=[{"name": "shell", "args": {}, "id": f"c{n}"}])

    def answer(n: int) -> ToolMessage:
        return ToolMessage(result(n), tool_call_id=f"c{n}")

    return turns(HumanMessage("Go on."), call, answer), usage


HISTORIES = {
    "openai-chat": chat,
    "openai-responses": responses,
    "anthropic": anthropic,
    "langchain": langchain,
}


@pytest.mark.parametrize("format", HISTORIES)
def test_objects_of_clients_stay(format: str) -> None:
    history, usage = HISTORIES[format]()
    managed = Tuckaway().manage_history(history, TRIM, usage=usage)
    assert managed.format == format
    changed = [index for index, item in enumerate(managed.history) if item is not history[index]]
    assert changed
    assert all(index % 2 == 0 for index in changed), "only results"


def test_messages_of_langchain_are_inserted_into_its_histories() -> None:
    history, _ = langchain()
    task = Compact(CompactionConfig(context_limit=100_000, retain_last_turns=1))
    more = [*history, HumanMessage("And now?"), AIMessage("Nothing.")]
    managed = Tuckaway().manage_history(more, task, summarize=lambda _: "<summary>All is well.</summary>")
    assert managed.report.is_changed
    assert all(isinstance(each, BaseMessage) for each in managed.history)
    assert any("All is well." in str(each.content) for each in managed.history)
    assert managed.history[-1] is more[-1]
