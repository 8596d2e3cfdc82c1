"""A program that uses the public API, for type checkers. It also runs."""

from __future__ import annotations

import asyncio
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typing_extensions import assert_type

import tuckaway
from tuckaway import (
    Answer,
    Artifact,
    AsyncStore,
    AsyncTuckaway,
    Block,
    Decision,
    MemoryStore,
    ModelReply,
    ModelRequest,
    Policy,
    Question,
    Store,
    Tiktoken,
    ToolDefinition,
    ToolOutput,
    ToolOverride,
    Tuckaway,
    TuckawayError,
    View,
)
from tuckaway.conversation import (
    CompactionConfig,
    Conversation,
    HistoryFormat,
    HistoryInput,
    HistoryReport,
    HistoryStep,
    Insert,
    InsertItem,
    Keep,
    KnownArtifact,
    Manage,
    Managed,
    Message,
    Step,
    SummaryFailed,
    SummaryRequest,
    Text,
    TokenUsage,
    ToolCall,
    ToolResult,
)
from tuckaway.extraction import ModelTurn, Progress
from tuckaway.records import Dialect, Mode


class OwnStore:
    """A custom store."""

    def __init__(self) -> None:
        self.inner = MemoryStore()

    def create(self, tool: str, media_type: str) -> str:
        return self.inner.create(tool, media_type)

    def append(self, id: str, data: bytes) -> None:
        self.inner.append(id, data)

    def seal(self, id: str, line_count: int) -> Artifact:
        return self.inner.seal(id, line_count)

    def stat(self, id: str) -> Artifact:
        return self.inner.stat(id)

    def read(self, id: str, offset: int, length: int) -> bytes:
        return self.inner.read(id, offset, length)

    def list_artifacts(self) -> Sequence[Artifact]:
        return self.inner.list_artifacts()

    def delete(self, id: str) -> None:
        self.inner.delete(id)


class OwnAsyncStore:
    """A custom store that is awaited."""

    def __init__(self) -> None:
        self.inner = OwnStore()

    async def create(self, tool: str, media_type: str) -> str:
        return self.inner.create(tool, media_type)

    async def append(self, id: str, data: bytes) -> None:
        self.inner.append(id, data)

    async def seal(self, id: str, line_count: int) -> Artifact:
        return self.inner.seal(id, line_count)

    async def stat(self, id: str) -> Artifact:
        return self.inner.stat(id)

    async def read(self, id: str, offset: int, length: int) -> bytes:
        return self.inner.read(id, offset, length)

    async def list_artifacts(self) -> Sequence[Artifact]:
        return self.inner.list_artifacts()

    async def delete(self, id: str) -> None:
        self.inner.delete(id)


def answered(request: ModelRequest) -> str:
    tag = re.search(r"ai-agent-\w+-FINAL", request.system)
    return f'<{tag[0]} format="text">It is well.</{tag[0]}>' if tag else ""


async def model(request: ModelRequest) -> ModelReply:
    return ModelReply(ModelTurn(answered(request)), input_tokens=request.input_tokens)


async def summarize(request: SummaryRequest) -> str:
    return f"<summary>{len(request.messages)} messages</summary>"


async def count(text: str) -> int:
    return len(text) // 4


def offloads(path: os.PathLike[str]) -> None:
    stores: list[Store] = [OwnStore(), MemoryStore(max_bytes=10_000)]
    mode: Mode = "auto"
    dialect: Dialect = "artifact"
    policy = Policy(
        dialect=dialect, mode=mode, keep_all=True, overrides=[ToolOverride(tools="skill_*", exempt=True)]
    )
    for store in stores:
        with Tuckaway(store, tokens=Tiktoken(), context_window=128_000, policy=policy) as client:
            assert_type(client, Tuckaway)
            for output in ("text", b"bytes", {"a": [1, 2.5, None]}, [1, "b"], path):
                assert_type(client.process(output, tool="t"), View)
            blocks = ToolOutput(tool="t", blocks=[Block("one"), Block(b"two", "image/png")])
            assert_type(client.process_turn([blocks, ToolOutput.of({"a": 1}, tool="tool")]), list[View])
            assert_type(client.decide(blocks), Decision)
            assert_type(client.tool_definitions(tools=["read"])[0], ToolDefinition)
            ref = client.list_artifacts()[0].id
            assert_type(client.read(ref, lines=(1, None)).next, str | None)
            assert_type(client.grep(ref, "t", before_context=1).matches[0].before, tuple[str, ...])
            assert_type(client.jq(client.process([1], tool="tool").artifacts[0].id, ".").text, str)


def plans() -> None:
    client = Tuckaway(tokens=len)
    conversation = Conversation(
        [
            Message("user", [Text("Hi")]),
            Message("assistant", [Text("Let me see."), ToolCall("c", "t", "{}")]),
            Message("tool", [ToolResult("c", "nothing")]),
        ]
    )
    step = client.plan(conversation, Manage(context_window=100_000))
    assert_type(step, Step)
    for entry in step.plan.history:
        if isinstance(entry, Keep):
            assert_type(entry.start, int)
        else:
            assert_type(entry, Insert)
    messages: list[Any] = [{"role": "user", "content": "Hi"}]
    task = Manage(context_window=100_000, compaction=CompactionConfig(retain_last_turns=2))
    assert_type(client.manage_history(messages, task), Managed[list[Any]])
    assert_type(client.manage_history("[]", task, usage=TokenUsage(input_tokens=5)), Managed[str])
    managed = client.manage_history(b"[]", task, usage={"input_tokens": 5}, strict=True)
    assert_type(managed.history, bytes)
    assert_type(managed.memory, dict[str, Any])
    assert_type(client.manage_history({"messages": messages}, task).history, dict[str, Any])
    again = client.manage_history("[]", task, memory=managed.memory, artifacts={"c": "art_t_0"})
    assert_type(again.report, HistoryReport)
    assert_type(client.histories.detect_format(messages), HistoryFormat)
    assert_type(client.histories.read_usage({"input_tokens": 5}), TokenUsage)
    history = HistoryInput(json="[]", artifacts=[KnownArtifact("c", "art_t_0", "nothing")])
    step_of_history = client.histories.start(history, task, again.memory)
    assert_type(step_of_history, HistoryStep)
    if step_of_history.request is not None:
        client.histories.step(history, task, step_of_history.state, SummaryFailed("no model"))
    for item in step_of_history.history.items:
        if isinstance(item, InsertItem):
            assert_type(item.json, str)
        else:
            assert_type(item, Keep)


async def extracts() -> Answer:
    store: AsyncStore = OwnAsyncStore()
    shown: list[Progress] = []
    async with AsyncTuckaway(store, tokens=count, policy=Policy(keep_all=True)) as client:
        view = await client.process("All is well.", tool="tool")
        assert_type(view, View)
        managed = await client.manage_history([], Manage(context_window=100_000), summarize=summarize)
        assert_type(managed.memory, dict[str, Any])
        assert_type(await client.histories.detect_format("[]"), HistoryFormat)
        question = Question(view.artifacts[0].id, "how is it?")
        answer = await client.extract(question, model, on_progress=shown.append)
        assert_type(answer, Answer)
        assert_type(await client.extract(question, answered), Answer)
        return answer


def fails() -> None:
    try:
        Tuckaway().read("art_tool_0")
    except tuckaway.NotFoundError as error:
        assert_type(error.kind, str)
        base: TuckawayError = error
        assert base.message


if __name__ == "__main__":
    offloads(Path(__file__))
    plans()
    assert asyncio.run(extracts()).content == "It is well."
    fails()
