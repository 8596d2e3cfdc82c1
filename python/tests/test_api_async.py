"""`AsyncTuckaway`: callbacks on the event loop, cancellation, and the same methods."""

from __future__ import annotations

import asyncio
import inspect
import re
import threading
from collections.abc import Awaitable, Callable, Coroutine
from contextvars import ContextVar
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tuckaway import (
    Artifact,
    AsyncTuckaway,
    InvalidInputError,
    LimitError,
    MemoryStore,
    ModelError,
    ModelReply,
    ModelRequest,
    NotFoundError,
    Policy,
    Question,
    StoreError,
    ToolOutput,
    Tuckaway,
)
from tuckaway.conversation import Compact, CompactionConfig, SummaryRequest
from tuckaway.extraction import ExtractionConfig, ModelTurn, Progress

KEEP = Policy(keep_all=True)
# The words below may have more tokens than this, so they are counted.
COUNTED = Policy(max_output_tokens=1_000)
T = TypeVar("T")


class AsyncMemoryStore:
    """A store with async methods, which records where they run."""

    def __init__(self) -> None:
        self.inner = MemoryStore()
        self.seen: list[tuple[str, Any, Any]] = []

    async def _note(self, method: str) -> None:
        await asyncio.sleep(0)
        self.seen.append((method, asyncio.get_running_loop(), REQUEST.get()))

    async def create(self, tool: str, media_type: str) -> str:
        await self._note("create")
        return self.inner.create(tool, media_type)

    async def append(self, id: str, data: bytes) -> None:
        await self._note("append")
        self.inner.append(id, data)

    async def seal(self, id: str, line_count: int) -> Artifact:
        await self._note("seal")
        return self.inner.seal(id, line_count)

    async def stat(self, id: str) -> Artifact:
        await self._note("stat")
        return self.inner.stat(id)

    async def read(self, id: str, offset: int, length: int) -> bytes:
        await self._note("read")
        return self.inner.read(id, offset, length)

    async def list_artifacts(self) -> list[Artifact]:
        await self._note("list_artifacts")
        return self.inner.list_artifacts()

    async def delete(self, id: str) -> None:
        await self._note("delete")
        self.inner.delete(id)


REQUEST: ContextVar[str] = ContextVar("REQUEST", default="none")


def run(main: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Runs a coroutine to its end, and checks that no task is left."""

    async def watched() -> T:
        result = await main()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        assert not others
        return result

    return asyncio.run(watched())


def test_an_async_store_is_awaited_on_the_loop_in_the_context_of_the_caller() -> None:
    store = AsyncMemoryStore()

    async def main() -> None:
        REQUEST.set("of the caller")
        async with AsyncTuckaway(store, policy=KEEP) as client:
            ref = (await client.process("one\ntwo\n", tool="tool")).artifacts[0].id
            assert (await client.read(ref)).text == "one\ntwo\n"
            assert [artifact.id for artifact in await client.list_artifacts()] == [ref]
            with pytest.raises(NotFoundError):
                await client.read("art_tool_0")
        methods = {method for method, _, _ in store.seen}
        assert methods >= {"create", "append", "seal", "stat", "read", "list_artifacts"}
        loop = asyncio.get_running_loop()
        assert {(seen, context) for _, seen, context in store.seen} == {(loop, "of the caller")}

    run(main)


def test_a_plain_function_runs_in_a_thread_in_the_context_of_the_caller() -> None:
    seen: list[tuple[threading.Thread, str]] = []

    def count(text: str) -> int:
        seen.append((threading.current_thread(), REQUEST.get()))
        return 7

    async def main() -> int | None:
        REQUEST.set("of the caller")
        view = await AsyncTuckaway(tokens=count, policy=COUNTED).process("word " * 1_000, tool="tool")
        return view.decision.token_count

    assert run(main) == 7
    assert {context for _, context in seen} == {"of the caller"}
    assert threading.main_thread() not in {thread for thread, _ in seen}


async def count_async(text: str) -> int:
    await asyncio.sleep(0)
    return 7


class Counter:
    async def __call__(self, text: str) -> int:
        return await count_async(text)


async def count_with(unit: int, text: str) -> int:
    return unit


def count_later(text: str) -> Awaitable[int]:
    return count_async(text)


COUNTERS: list[Callable[[str], Awaitable[int]]] = [
    count_async,
    Counter(),
    partial(count_with, 7),
    count_later,
]


@pytest.mark.parametrize("counter", COUNTERS, ids=["function", "object", "partial", "later"])
def test_all_awaitable_functions_are_awaited(counter: Callable[[str], Awaitable[int]]) -> None:
    async def main() -> int | None:
        return (
            await AsyncTuckaway(tokens=counter, policy=COUNTED).decide("word " * 1_000, tool="tool")
        ).token_count

    assert run(main) == 7


def test_calls_run_in_parallel() -> None:
    both = threading.Barrier(2, timeout=10)

    def count(text: str) -> int:
        both.wait()
        return 1

    async def main() -> list[int | None]:
        client = AsyncTuckaway(tokens=count, policy=COUNTED)
        decisions = await asyncio.gather(*(client.decide("word " * 1_000, tool="tool") for _ in range(2)))
        return [decision.token_count for decision in decisions]

    assert run(main) == [1, 1]


def test_the_loop_continues_during_a_call() -> None:
    async def main() -> int:
        client = AsyncTuckaway(policy=KEEP, deadline=0.5)
        ref = (await client.process("[0]", tool="tool")).artifacts[0].id
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.01)
                ticks += 1

        ticking = asyncio.create_task(tick())
        with pytest.raises(LimitError):
            await client.jq(ref, "reduce range(1e12) as $n (0; . + $n)", max_steps=10**11)
        ticking.cancel()
        await asyncio.gather(ticking, return_exceptions=True)
        return ticks

    assert run(main) > 10


def test_cancelling_a_task_ends_its_call_and_its_callbacks() -> None:
    ended: list[str] = []

    async def count(text: str) -> int:
        try:
            started.set()
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            ended.append("cancelled")
            raise
        return 1

    started = asyncio.Event()

    async def main() -> None:
        client = AsyncTuckaway(tokens=count, policy=COUNTED, deadline=60)
        task = asyncio.create_task(client.decide("word " * 1_000, tool="tool"))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert ended == ["cancelled"]

    run(main)


def test_a_callback_that_takes_too_long_is_cancelled() -> None:
    ended: list[str] = []

    class Hanging(AsyncMemoryStore):
        async def _note(self, method: str) -> None:
            try:
                await asyncio.sleep(60)
            except asyncio.CancelledError:
                ended.append(method)
                raise

    async def main() -> None:
        client = AsyncTuckaway(Hanging(), deadline=4)
        with pytest.raises(StoreError, match="did not answer in time"):
            await client.read("art_tool_0")
        assert ended == ["stat"]
        view = await client.process("x\n" * 100_000, tool="tool")
        assert view.decision.action == "truncate"
        assert ended == ["stat", "create"]

    run(main)


def test_an_exception_that_is_meant_for_the_program_ends_the_call() -> None:
    class Stop(BaseException):
        pass

    async def stop(text: str) -> int:
        raise Stop

    def stop_in_thread(text: str) -> int:
        raise Stop

    async def main(counter: Any) -> None:
        with pytest.raises(Stop):
            await AsyncTuckaway(tokens=counter, policy=COUNTED).decide("word " * 1_000, tool="tool")

    run(lambda: main(stop))
    run(lambda: main(stop_in_thread))


def test_contents_are_converted_as_in_the_synchronous_client(tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text('[{"a":1}]')
    contents: list[Any] = ["text", b"\xff", path, [{"a": 1}], ToolOutput.of({"b": 2}, tool="t")]
    synchronous = Tuckaway()

    async def main() -> None:
        client = AsyncTuckaway()
        for content in contents:
            tool = {} if isinstance(content, ToolOutput) else {"tool": "tool"}
            assert await client.process(content, **tool) == synchronous.process(content, **tool)
            assert await client.decide(content, **tool) == synchronous.decide(content, **tool)
        outputs = [ToolOutput.of(content, tool="tool") for content in contents[:4]]
        assert await client.process_turn(outputs) == synchronous.process_turn(outputs)
        assert await client.infer_shape(path) == synchronous.infer_shape(path)
        assert await client.truncate(path, 600) == '[{"a":1}]'
        assert await client.default_policy("cache") == Policy(dialect="cache")
        assert await client.tool_definitions() == synchronous.tool_definitions()
        assert client.is_artifact_tool("artifact_jq")
        with pytest.raises(InvalidInputError, match="used_tokens"):
            await client.process("x", used_tokens=-1, tool="tool")

    run(main)


def test_calls_of_a_closed_client_fail_with_a_clear_error() -> None:
    async def main() -> None:
        async with AsyncTuckaway() as client:
            assert (await client.process("x", tool="tool")).text == "x"
        with pytest.raises(InvalidInputError, match="This AsyncTuckaway is closed"):
            await client.process("x", tool="tool")

    run(main)


def answered(request: ModelRequest, text: str) -> str:
    """Returns a final answer in the form that the prompt requires."""
    tag = re.search(r"ai-agent-\w+-FINAL", request.system)
    assert tag is not None
    return f'<{tag[0]} format="text">{text}</{tag[0]}>'


LOG = "".join(f"{n}: all is well with part {n}\n" for n in range(4_000))
CHUNKS = ExtractionConfig(context_tokens=8_192, max_output_tokens=512, max_full_chunks=64, max_parallel=4)


def test_an_async_model_is_asked_in_parallel_and_states_come_in_order() -> None:
    open_requests, most, states = 0, 0, list[str]()
    progress: list[Progress] = []

    async def model(request: ModelRequest) -> ModelReply | str:
        nonlocal open_requests, most
        open_requests += 1
        most = max(most, open_requests)
        await asyncio.sleep(0.01)
        open_requests -= 1
        if request.purpose == "extract":
            return answered(request, "nothing stopped")
        return ModelReply(ModelTurn(answered(request, "All is well.")), input_tokens=5, output_tokens=3)

    async def on_state(state: str) -> None:
        await asyncio.sleep(0.001 * (len(states) % 2))
        states.append(state)

    async def main() -> None:
        client = AsyncTuckaway(policy=KEEP)
        ref = (await client.process(LOG, tool="log")).artifacts[0].id
        question = Question(ref, "what stopped?", "full-chunked")
        answer = await client.extract(
            question, model, config=CHUNKS, on_progress=progress.append, on_state=on_state
        )
        assert (answer.outcome, answer.content) == ("found", "All is well.")
        assert answer.coverage.chunks == answer.coverage.chunks_done > 4
        assert most == 4
        counts = [each.answered for each in progress]
        assert counts == sorted(counts)
        assert counts[-1] == answer.usage.requests
        resumed = await client.resume_extraction(states[-1], model)
        assert resumed.content == answer.content

    run(main)


def test_a_model_is_not_asked_again_after_a_permanent_error() -> None:
    asked = 0

    def model(request: ModelRequest) -> str:
        nonlocal asked
        asked += 1
        raise ModelError("The key was refused.", permanent=True)

    async def main() -> None:
        client = AsyncTuckaway(policy=KEEP)
        ref = (await client.process(LOG, tool="tool")).artifacts[0].id
        config = ExtractionConfig(context_tokens=8_192, max_output_tokens=512, max_parallel=1)
        answer = await client.extract(Question(ref, "x", "full-chunked"), model, config=config)
        assert answer.outcome == "truncated"
        assert "The key was refused." in " ".join(answer.warnings)

    run(main)
    assert asked == 1


def test_an_exception_of_a_listener_ends_the_extraction() -> None:
    async def on_progress(progress: Progress) -> None:
        raise StopIteration if progress.answered else RuntimeError("the disk is full")

    async def main() -> None:
        client = AsyncTuckaway(policy=KEEP)
        ref = (await client.process(LOG, tool="tool")).artifacts[0].id
        with pytest.raises(RuntimeError):
            await client.extract(
                Question(ref, "x"), lambda request: answered(request, "y"), on_progress=on_progress
            )

    run(main)


def test_summaries_may_be_async() -> None:
    requests: list[SummaryRequest] = []

    async def summarize(request: SummaryRequest) -> str:
        requests.append(request)
        await asyncio.sleep(0)
        return "<summary>They talked about parts, and all of them are well.</summary>"

    history = [
        {"role": role, "content": f"{text} {n} " + "and so on " * 100}
        for n in range(40)
        for role, text in (("user", "How is part"), ("assistant", "All is well with part"))
    ]

    async def main() -> None:
        client = AsyncTuckaway()
        task = Compact(CompactionConfig(context_limit=20_000))
        managed = await client.manage_history(history, task, summarize=summarize)
        assert requests
        assert managed.report.requests == len(requests)
        assert managed.report.after.total < managed.report.before.total
        assert "all of them are well" in str(managed.history)
        assert managed.history[-1] is history[-1]
        assert await client.histories.detect_format(history) == managed.format == "openai-chat"
        assert (await client.histories.read_usage({"prompt_tokens": 5})).input_tokens == 5

    run(main)


def test_both_clients_have_the_same_methods() -> None:
    def methods(client: type) -> dict[str, Any]:
        return {name: member for name, member in inspect.getmembers(client) if not name.startswith("_")}

    synchronous, asynchronous = methods(Tuckaway), methods(AsyncTuckaway)
    assert synchronous.keys() == asynchronous.keys()
    for name, method in synchronous.items():
        if not inspect.isfunction(method):
            continue
        assert inspect.iscoroutinefunction(asynchronous[name]) == (name != "is_artifact_tool")
        parameters = [
            [(each.name, each.kind, each.default) for each in inspect.signature(of).parameters.values()]
            for of in (method, asynchronous[name])
        ]
        assert parameters[0] == parameters[1], name
        assert method.__doc__
        assert asynchronous[name].__doc__
