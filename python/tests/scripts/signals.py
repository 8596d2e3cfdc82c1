"""Programs that wait for a signal during a call. Each continues afterwards."""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
import time
from typing import Any

from support.children import say_ready
from support.stores import AsyncDictStore, DictStore

from tuckaway import AsyncTuckaway, BucketStore, Tuckaway
from tuckaway.extraction import ModelRequest, Question

from .endless import FILTER, LIMITS, new_async_client, new_client

# A shell may start its background jobs with SIGINT ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)


def jq() -> None:
    tuckaway, stored = new_client()
    say_ready()
    try:
        tuckaway.jq(stored, FILTER, **LIMITS)
    except KeyboardInterrupt:
        print("interrupted", tuckaway.jq(stored, ".a").text.strip())


def uncaught() -> None:
    """Ends like any other interrupted Python program."""
    tuckaway, stored = new_client()
    try:
        say_ready()
        tuckaway.jq(stored, FILTER, **LIMITS)
    finally:
        print("cleaned up", flush=True)


def store_in_python() -> None:
    class Slow(DictStore):
        def list_artifacts(self) -> Any:
            say_ready()
            time.sleep(3600)

    tuckaway = Tuckaway(Slow(), deadline=3600)
    try:
        tuckaway.list_artifacts()
    except KeyboardInterrupt:
        print("interrupted", tuckaway.truncate("text", 512))


def counter_in_python() -> None:
    def count(text: str) -> int:
        say_ready()
        time.sleep(3600)
        return 0

    tuckaway = Tuckaway(tokens=count, deadline=3600)
    try:
        tuckaway.decide("x" * 5_000, used_tokens=6_000, context_window=10_000, tool="tool")
    except KeyboardInterrupt:
        print("interrupted", tuckaway.truncate("text", 512))


def bucket() -> None:
    """A server that accepts connections, and never answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        options = {"access_key_id": "a", "secret_access_key": "b", "region": "us-east-1"}
        endpoint = f"http://127.0.0.1:{server.getsockname()[1]}"
        store = BucketStore("s3://bucket/outputs", endpoint=endpoint, options=options)
        say_ready()
        try:
            store.list_artifacts()
        except KeyboardInterrupt:
            print("interrupted", Tuckaway(store).truncate("text", 512))


def model() -> None:
    """A model is called in another thread, which cannot be interrupted: the call ends without it."""

    def ask(request: ModelRequest) -> str:
        say_ready()
        time.sleep(3600)
        return ""

    tuckaway, stored = new_client()
    try:
        tuckaway.extract(Question(stored, "the value of a", mode="full-chunked"), ask)
    except KeyboardInterrupt:
        print("interrupted", tuckaway.truncate("text", 512))


def under_asyncio() -> None:
    tuckaway, stored = new_async_client()

    async def call() -> None:
        say_ready()
        await tuckaway.jq(stored, FILTER, **LIMITS)

    async def again() -> str:
        return (await tuckaway.jq(stored, ".a")).text.strip()

    try:
        asyncio.run(call())
    except KeyboardInterrupt:
        print("interrupted", asyncio.run(again()))


def async_store() -> None:
    class Slow(AsyncDictStore):
        async def list_artifacts(self) -> Any:
            say_ready()
            await asyncio.sleep(3600)

    try:
        asyncio.run(AsyncTuckaway(Slow(), deadline=3600).list_artifacts())
    except KeyboardInterrupt:
        print("interrupted", Tuckaway().truncate("text", 512))


def handler_that_returns() -> None:
    """A handler is called while the call continues."""
    tuckaway, stored = new_client(deadline=2)
    calls: list[float] = []
    signal.signal(signal.SIGINT, lambda number, frame: calls.append(time.monotonic()))
    say_ready()
    begun = time.monotonic()
    try:
        tuckaway.jq(stored, FILTER, **LIMITS)
    except Exception as error:
        print(
            type(error).__name__, len(calls), time.monotonic() - calls[0] > 1, time.monotonic() - begun >= 2
        )


def handler_that_raises() -> None:
    class StopError(Exception):
        pass

    def stop(number: int, frame: object) -> None:
        raise StopError("from the handler")

    tuckaway, stored = new_client()
    signal.signal(signal.SIGINT, stop)
    say_ready()
    try:
        tuckaway.jq(stored, FILTER, **LIMITS)
    except StopError as error:
        print(error, tuckaway.jq(stored, ".a").text.strip())


def other_thread() -> None:
    """A call of another thread is not interrupted, and does not prevent the program from ending."""
    tuckaway, stored = new_client()
    thread = threading.Thread(target=lambda: tuckaway.jq(stored, FILTER, **LIMITS), daemon=True)
    thread.start()
    say_ready()
    try:
        threading.Event().wait()
    except KeyboardInterrupt:
        print("interrupted", thread.is_alive(), tuckaway.jq(stored, ".a").text.strip())
