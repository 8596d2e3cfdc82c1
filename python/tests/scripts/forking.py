"""Programs that fork after they have used clients."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import subprocess
import sys
import threading
import traceback
import warnings
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from support.stores import DictStore

from tuckaway import AsyncTuckaway, BucketStore, DirStore, MemoryStore, Policy, Tiktoken, Tuckaway

# Python warns that forking with several threads may hang. Here it must not.
warnings.filterwarnings("ignore", category=DeprecationWarning, message=".*fork")

FORKS = 10

KEEP_ALL = Policy(keep_all=True)


def in_child(work: Callable[[], Any]) -> int:
    """Forks, does some work in the child, and returns the id of the child."""
    child = os.fork()
    if child != 0:
        return child
    try:
        work()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        os._exit(1)
    os._exit(0)


def join(*children: int) -> None:
    """Waits for children, which must have succeeded."""
    for child in children:
        _, status = os.waitpid(child, 0)
        assert status == 0, f"a child ended with {status}"


def use(tuckaway: Tuckaway) -> None:
    """Makes calls of all kinds."""
    content = "".join(f"line {n} of {os.getpid()}\n" for n in range(1000))
    artifact = tuckaway.process(content, tool="tool").artifacts[0]
    assert tuckaway.read(artifact.id, lines=(1000, 1000)).text == f"line 999 of {os.getpid()}\n"
    assert tuckaway.grep(artifact.id, "line 99[0-9]").total == 10
    assert tuckaway.jq(tuckaway.process('{"a": 1}', tool="tool").artifacts[0].id, ".a").text == "1\n"
    assert artifact in tuckaway.list_artifacts()


def stores(directory: str) -> dict[str, Callable[[], Any]]:
    """Returns a function that creates a store, by name."""
    return {"memory": MemoryStore, "directory": lambda: DirStore(directory), "dict": DictStore}


def after_use(store: str, directory: str) -> None:
    """Both sides of a fork continue, as do forks of forks."""
    tuckaway = Tuckaway(stores(directory)[store](), tokens=Tiktoken(), policy=KEEP_ALL)

    def fork_again() -> None:
        use(tuckaway)
        join(in_child(lambda: use(tuckaway)))
        use(tuckaway)

    use(tuckaway)
    for _ in range(FORKS):
        child = in_child(fork_again)
        use(tuckaway)
        join(child)
        use(tuckaway)


def memory_of_the_parent() -> None:
    """A child has the content of the memory store, and each side then stores separately."""
    tuckaway = Tuckaway(policy=KEEP_ALL)
    stored = tuckaway.process("of both", tool="tool").artifacts[0].id

    def child() -> None:
        assert tuckaway.read(stored).text == "of both"
        tuckaway.process("of the child", tool="tool")
        assert len(tuckaway.list_artifacts()) == 2

    join(in_child(child))
    assert [artifact.id for artifact in tuckaway.list_artifacts()] == [stored]


def during_calls(store: str, directory: str) -> None:
    """A fork while other threads make calls does not hang either side."""
    tuckaway = Tuckaway(stores(directory)[store](), policy=KEEP_ALL)
    ended = threading.Event()
    failures: list[BaseException] = []

    def call() -> None:
        try:
            while not ended.is_set():
                use(tuckaway)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=call) for _ in range(4)]
    for thread in threads:
        thread.start()
    for _ in range(FORKS):
        # If another thread changes a dict in the middle of a fork, that is the program's own responsibility.
        own = Tuckaway(policy=KEEP_ALL) if store == "dict" else tuckaway
        join(in_child(lambda own=own: use(own)))
    ended.set()
    for thread in threads:
        thread.join()
    assert not failures, failures


def during_tasks() -> None:
    """A fork while tasks wait for answers; the child runs its own event loop."""
    tuckaway = AsyncTuckaway(policy=KEEP_ALL)

    async def use_async(count: int) -> None:
        async def one(n: int) -> None:
            stored = (await tuckaway.process(f'{{"n": {n}}}', tool="tool")).artifacts[0].id
            assert (await tuckaway.jq(stored, ".n")).text == f"{n}\n"

        await asyncio.gather(*(one(n) for n in range(count)))

    async def main() -> None:
        for _ in range(FORKS):
            tasks = asyncio.create_task(use_async(50))
            await asyncio.sleep(0.005)
            child = in_child(in_loop_of_its_own)
            await tasks
            join(child)

    def in_loop_of_its_own() -> None:
        # The child is inside the parent's loop, and must not use it.
        asyncio.events._set_running_loop(None)
        asyncio.new_event_loop().run_until_complete(use_async(10))

    asyncio.run(main())


def within_a_callback() -> None:
    """A method of a store may fork, or run a program."""

    class Forking(DictStore):
        def append(self, id: str, data: bytes) -> None:
            join(in_child(lambda: use(Tuckaway(policy=KEEP_ALL))))
            assert subprocess.run(["true"], check=False, preexec_fn=os.getpid).returncode == 0
            super().append(id, data)

    tuckaway = Tuckaway(Forking(), policy=KEEP_ALL)
    view = tuckaway.process("short", tool="tool")
    assert view.decision.failures == (), view.decision.failures
    use(tuckaway)


TUCKAWAY = Tuckaway(policy=KEEP_ALL)
"""A client that a module creates when it is imported."""


def use_of_module(n: int) -> int:
    """Uses the client of the module, in a process of a pool."""
    use(TUCKAWAY)
    return n


def pools() -> None:
    """The processes of pools use the client that they inherited in a fork, or have created themselves."""
    use(TUCKAWAY)
    for method in ("fork", "forkserver", "spawn"):
        context = multiprocessing.get_context(method)
        with context.Pool(3) as pool:
            assert pool.map(use_of_module, range(12)) == list(range(12))
        with ProcessPoolExecutor(3, mp_context=context) as executor:
            assert list(executor.map(use_of_module, range(12))) == list(range(12))
    use(TUCKAWAY)


def bucket(endpoint: str) -> None:
    """The connections of a store in a bucket are not shared with a child."""
    options = {"access_key_id": "a", "secret_access_key": "b", "region": "us-east-1"}
    store = BucketStore("s3://bucket-0/outputs", endpoint=endpoint, options=options)
    tuckaway = Tuckaway(store, policy=KEEP_ALL, deadline=60)
    use(tuckaway)
    for _ in range(FORKS):
        child = in_child(lambda: use(tuckaway))
        use(tuckaway)
        join(child)


def write(directory: str, name: str, count: str) -> None:
    """Stores outputs in a directory that other processes use too, and reads the outputs of all others."""
    tuckaway = Tuckaway(DirStore(directory), policy=KEEP_ALL)
    for n in range(int(count)):
        text = f"{name} {n}\n" * 500
        tuckaway.process(text, tool=name)
        for artifact in tuckaway.list_artifacts():
            first = tuckaway.read(artifact.id, lines=(1, 1)).text
            assert tuckaway.grep(artifact.id, "^" + first.strip() + "$").total == 500
    print(Path(directory).name)
