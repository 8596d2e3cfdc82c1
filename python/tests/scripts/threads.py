"""Programs with many threads or tasks."""

from __future__ import annotations

import asyncio
import contextvars
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from support.stores import AsyncDictStore, DictStore, SqliteStore

from tuckaway import (
    AsyncTuckaway,
    DirStore,
    InvalidInputError,
    LimitError,
    MemoryStore,
    Policy,
    Tiktoken,
    Tuckaway,
)

from .endless import FILTER, LIMITS, new_async_client, new_client

THREADS = 64

KEEP_ALL = Policy(keep_all=True)


def rows(count: int) -> str:
    """Returns an output with this many rows."""
    return "".join(f'{{"id": {n}, "name": "row {n} é🦀"}}\n' for n in range(count))


def progress_during(work: Callable[[], Any]) -> tuple[int, float]:
    """Returns how often another thread runs during a call, and the seconds of the call."""
    ticks, ended = 0, threading.Event()

    def tick() -> None:
        nonlocal ticks
        while not ended.wait(0.001):
            ticks += 1

    thread = threading.Thread(target=tick)
    thread.start()
    begun = time.monotonic()
    work()
    seconds = time.monotonic() - begun
    ended.set()
    thread.join()
    return ticks, seconds


def lock_of_the_interpreter(method: str) -> None:
    """Another thread continues while a call works."""
    big = rows(400_000)
    tuckaway = Tuckaway(MemoryStore(), policy=KEEP_ALL, deadline=60, memory_limit=2 << 30)
    stored = tuckaway.process(big, tool="tool").artifacts[0].id
    calls: dict[str, Callable[[], Any]] = {
        "process": lambda: tuckaway.process(big * 5, tool="tool"),
        "truncate": lambda: tuckaway.truncate(big, 10_000),
        "infer_shape": lambda: tuckaway.infer_shape(big),
        "grep": lambda: [tuckaway.grep(stored, "row [0-9]+$", ignore_case=True) for _ in range(10)],
        "jq": lambda: tuckaway.jq(stored, "[inputs.id] | add", null_input=True, max_steps=10**9),
        "tiktoken": lambda: Tiktoken()(big),
    }
    ticks, seconds = progress_during(calls[method])
    # A thread that had to wait for each call would run once before and once after it.
    assert ticks > max(seconds * 20, 30), f"{ticks} ticks in {seconds} s"


def answers_of(tuckaway: Tuckaway, id: str, n: int) -> tuple[Any, ...]:
    """Makes calls of all kinds, and returns the parts that do not depend on ids."""
    view = tuckaway.process(f"output {n}\n" * 20_000, tool=f"tool{n}")
    own = view.artifacts[0]
    return (
        own.size_bytes,
        view.decision,
        tuckaway.read(own.id, lines=(n + 1, n + 3)),
        tuckaway.grep(id, f"row {n}[0-9] "),
        tuckaway.jq(id, f"select(.id == {n}) | .name"),
        tuckaway.truncate(rows(n), 600),
        tuckaway.call_tool("artifact_read", {"artifact_id": id, "start_line": n + 1, "end_line": n + 2}),
    )


def same_answers(store: str, directory: str) -> None:
    """Many threads at once get the same answers as one."""
    stores: dict[str, Callable[[], Any]] = {
        "memory": MemoryStore,
        "directory": lambda: DirStore(directory),
        "dict": DictStore,
    }
    tuckaway = Tuckaway(stores[store](), context_window=100_000, deadline=120)
    stored = tuckaway.process(rows(5_000), tool="tool").artifacts[0].id
    expected = [answers_of(tuckaway, stored, n) for n in range(THREADS)]
    barrier = threading.Barrier(THREADS)

    def answers(n: int) -> tuple[Any, ...]:
        barrier.wait()
        return answers_of(tuckaway, stored, n)

    with ThreadPoolExecutor(THREADS) as pool:
        assert list(pool.map(answers, range(THREADS))) == expected
    assert len(tuckaway.list_artifacts()) == 1 + 2 * THREADS


def clients_at_once() -> None:
    """Many threads create the first clients of a process at once."""
    barrier = threading.Barrier(THREADS)

    def length(n: int) -> int:
        barrier.wait()
        with Tuckaway(tokens=Tiktoken()) as tuckaway:
            return len(tuckaway.truncate("x" * 10_000, 600 + n))

    with ThreadPoolExecutor(THREADS) as pool:
        lengths = list(pool.map(length, range(THREADS)))
    assert all(0 < each <= 600 + n for n, each in enumerate(lengths)), lengths


def nested_calls() -> None:
    """A method of a store calls the client that is calling the store."""
    kinds: list[str] = []

    class Nested(DictStore):
        depth = 0

        def append(self, id: str, data: bytes) -> None:
            super().append(id, data)
            self.depth += 1
            if self.depth <= 5:
                kinds.append(tuckaway.infer_shape(data[:12]).media_type)
                tuckaway.process(data, tool="tool")

    tuckaway = Tuckaway(Nested(), policy=KEEP_ALL)
    view = tuckaway.process('{"rows": []}', tool="tool")
    assert view.text == '{"rows": []}'
    assert kinds == ["application/json"] * 5
    assert len(tuckaway.list_artifacts()) == 6


def nested_async_calls() -> None:
    """Like `nested_calls`, with an async store."""

    class Nested(AsyncDictStore):
        depth = 0

        async def append(self, id: str, data: bytes) -> None:
            await super().append(id, data)
            self.depth += 1
            if self.depth <= 5:
                await tuckaway.process(data, tool="tool")

    tuckaway = AsyncTuckaway(Nested(), policy=KEEP_ALL)

    async def main() -> int:
        await tuckaway.process('{"rows": []}', tool="tool")
        return len(await tuckaway.list_artifacts())

    assert asyncio.run(main()) == 6


def thread_of_callbacks() -> None:
    """A synchronous client calls its store and counter on the thread of the call, even from other threads."""

    def work(n: int) -> int:
        # A connection of sqlite3 rejects threads other than its own.
        store, threads = SqliteStore(), set[int]()

        def count(text: str) -> int:
            threads.add(threading.get_ident())
            return len(text) // 4

        tuckaway = Tuckaway(store, tokens=count, policy=KEEP_ALL)
        view = tuckaway.process("x" * 10_000, context_window=10_000, tool="tool")
        assert view.decision.failures == (), view.decision.failures
        assert threads == {threading.get_ident()}
        return tuckaway.list_artifacts()[0].size_bytes

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(32))) == [10_000] * 32


def closed_during_a_call() -> None:
    """A call that is in progress completes although the client is closed."""
    tuckaway, stored = new_client(deadline=1)
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(tuckaway.jq, stored, FILTER, **LIMITS)
        time.sleep(0.2)
        tuckaway.close()
        assert isinstance(answer.exception(), LimitError)
    with pytest.raises(InvalidInputError, match="closed"):
        tuckaway.list_artifacts()


def end_of_the_interpreter() -> None:
    """The interpreter ends while threads call: natively, and in callbacks."""

    class Slow(DictStore):
        def list_artifacts(self) -> Any:
            time.sleep(0.001)
            return super().list_artifacts()

    def call_for_ever(tuckaway: Tuckaway) -> None:
        while True:
            tuckaway.list_artifacts()

    tuckaway, stored = new_client()
    python = Tuckaway(Slow(), tokens=lambda text: 1)
    for target, arguments in (
        (tuckaway.jq, (stored, FILTER)),
        (call_for_ever, (tuckaway,)),
        (call_for_ever, (python,)),
        (call_for_ever, (python,)),
    ):
        named = LIMITS if target == tuckaway.jq else {}
        threading.Thread(target=target, args=arguments, kwargs=named, daemon=True).start()
    time.sleep(0.3)
    print("the end")


def many_tasks() -> None:
    """Many tasks at once get the same answers as one, and the event loop continues in the meantime."""

    async def main() -> None:
        store = MemoryStore()
        tuckaway = AsyncTuckaway(store, context_window=100_000, deadline=120)
        stored = (await tuckaway.process(rows(5_000), tool="tool")).artifacts[0].id

        async def answers(n: int) -> tuple[Any, ...]:
            view = await tuckaway.process(f"output {n}\n" * 20_000, tool="tool")
            own = view.artifacts[0]
            page = await tuckaway.read(own.id, lines=(n + 1, n + 3))
            found = await tuckaway.jq(stored, f"select(.id == {n}) | .name")
            return own.size_bytes, page, found, await tuckaway.grep(stored, f"row {n}[0-9] ")

        expected = [await answers(n) for n in range(200)]
        ticks = 0

        async def tick() -> None:
            nonlocal ticks
            while True:
                await asyncio.sleep(0.001)
                ticks += 1

        ticker = asyncio.create_task(tick())
        begun = time.monotonic()
        assert list(await asyncio.gather(*(answers(n) for n in range(200)))) == expected
        seconds = time.monotonic() - begun
        ticker.cancel()
        assert ticks > seconds * 10, f"{ticks} ticks in {seconds} s"
        assert len(store.list_artifacts()) == 401

    asyncio.run(main())


def cancelled_task() -> None:
    """Cancelling a task ends its work."""

    async def main() -> None:
        tuckaway, stored = new_async_client()
        tasks = [asyncio.create_task(tuckaway.jq(stored, FILTER, **LIMITS)) for _ in range(8)]
        await asyncio.sleep(0.5)
        for task in tasks:
            task.cancel()
        ended = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(each) for each in ended] == [asyncio.CancelledError] * 8
        # The last step of each may take a moment.
        await asyncio.sleep(0.3)
        before = time.process_time()
        await asyncio.sleep(1)
        used = time.process_time() - before
        assert used < 0.3, f"{used} s of work go on"
        assert (await tuckaway.jq(stored, ".a")).text == "1\n"

    asyncio.run(main())


def timeouts() -> None:
    """A call that its caller has abandoned leaves nothing in the store or on the loop."""

    class Slow(AsyncDictStore):
        begun = ended = 0

        async def list_artifacts(self) -> Any:
            Slow.begun += 1
            try:
                await asyncio.sleep(3600)
            finally:
                # The call waits for the store's last methods.
                await asyncio.sleep(0.01)
                Slow.ended += 1

    async def main() -> None:
        tuckaway = AsyncTuckaway(Slow(), deadline=3600)
        for _ in range(20):
            try:
                await asyncio.wait_for(tuckaway.list_artifacts(), 0.02)
            except asyncio.TimeoutError:
                continue
            raise AssertionError("the store answered")
        # On a busy machine a call may be given up before it reaches the store.
        assert Slow.ended == Slow.begun > 0
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())


def several_loops() -> None:
    """One client serves event loops of several threads, one after the other and at once."""
    tuckaway, stored = new_async_client()

    async def value() -> list[str]:
        pages = await asyncio.gather(*(tuckaway.jq(stored, ".a") for _ in range(20)))
        return [page.text for page in pages]

    for _ in range(3):
        assert asyncio.run(value()) == ["1\n"] * 20
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(lambda n: asyncio.run(value()), range(32))) == [["1\n"] * 20] * 32


def context_of_callbacks() -> None:
    """Callbacks see the context variables of the task that made the call."""
    session = contextvars.ContextVar("session", default="none")

    class Watching(AsyncDictStore):
        async def create(self, tool: str, media_type: str) -> str:
            assert session.get() == tool, (session.get(), tool)
            return await super().create(tool, media_type)

    def count(text: str) -> int:
        assert session.get() != "none"
        return len(text)

    async def process(tuckaway: AsyncTuckaway, name: str) -> None:
        session.set(name)
        view = await tuckaway.process("x" * 5_000, tool=name, used_tokens=6_000, context_window=10_000)
        assert view.decision.failures == (), view.decision.failures

    async def main() -> None:
        tuckaway = AsyncTuckaway(Watching(), tokens=count, policy=KEEP_ALL)
        await asyncio.gather(*(process(tuckaway, f"tool{n}") for n in range(20)))

    asyncio.run(main())


def loop_that_is_closed() -> None:
    """A loop that ends in the middle of a call leaves nothing that hangs."""
    tuckaway, stored = new_async_client(deadline=1)
    loop = asyncio.new_event_loop()
    task = loop.create_task(tuckaway.jq(stored, FILTER, **LIMITS))
    loop.run_until_complete(asyncio.sleep(0.1))
    task.cancel()
    loop.run_until_complete(asyncio.gather(task, return_exceptions=True))
    loop.close()
    time.sleep(1)
    assert asyncio.run(tuckaway.jq(stored, ".a")).text == "1\n"
