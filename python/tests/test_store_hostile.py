"""Stores that fail, return nonsense, or lack methods."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from support.clients import Calling, call_sync, with_both_clients
from support.stores import AsyncDictStore, DictStore

from tuckaway import (
    AsyncTuckaway,
    ExpiredError,
    InvalidInputError,
    LimitError,
    MemoryStore,
    NotFoundError,
    QuotaExceededError,
    StoreError,
    Tuckaway,
)

LINE = "a line of an output that is stored\n"
BIG = LINE * 10_000
WINDOW = 100_000

METHODS = ("create", "append", "seal", "stat", "read", "list_artifacts", "delete")
WRITERS = ("create", "append", "seal")
READERS = ("stat", "read", "list_artifacts")


class SilentError(Exception):
    def __str__(self) -> str:
        raise ValueError("there is nothing to say")


RAISED: list[tuple[Exception, str]] = [
    (QuotaExceededError(), "quota"),
    (StoreError("the disk is on fire"), "the disk is on fire"),
    (OSError(28, "No space left on device"), "No space left on device"),
    (KeyError("the key"), "the key"),
    (ValueError(), "ValueError"),
    (SilentError(), "SilentError"),
    (RuntimeError("x" * 10_000_000), "xxxx"),
    (RuntimeError("nul \0 and \ud800"), "nul"),
    (RecursionError("too deep"), "too deep"),
    (MemoryError(), "MemoryError"),
    (TimeoutError("after 5 s"), "after 5 s"),
]
"""Exceptions of stores, and the parts of them that the engine must report."""

raised = pytest.mark.parametrize(("error", "said"), RAISED, ids=[type(error).__name__ for error, _ in RAISED])


class FatalError(BaseException):
    """An exception that the engine must not handle."""


FATAL = (KeyboardInterrupt, SystemExit, FatalError)


def raising(error: BaseException) -> Callable[..., Any]:
    def fail(*arguments: Any) -> Any:
        raise error

    return fail


def returning(value: object) -> Callable[..., Any]:
    return lambda *arguments: value


def store_with(**methods: Callable[..., Any]) -> DictStore:
    """Returns a store that works, except for the given methods."""
    store = DictStore()
    for name, method in methods.items():
        setattr(store, name, method)
    return store


def stored(store: DictStore, content: bytes = b"one\ntwo\n") -> str:
    """Stores an artifact, bypassing the replaced methods."""
    minted = DictStore.create(store, "tool", "text/plain")
    DictStore.append(store, minted, content)
    DictStore.seal(store, minted, content.count(b"\n"))
    return minted


def ask(call: Calling, store: Any, method: str) -> Any:
    """Makes a call that calls this method of the store."""
    return (
        call({"store": store}, "list_artifacts")
        if method == "list_artifacts"
        else call({"store": store}, "read", stored(store))
    )


@raised
@pytest.mark.parametrize("method", WRITERS)
@with_both_clients
def test_a_failure_to_store_is_reported_with_a_bounded_view(
    call: Calling, method: str, error: Exception, said: str
) -> None:
    store = store_with(**{method: raising(error)})
    view = call({"store": store, "context_window": WINDOW}, "process", BIG, tool="sql")
    assert (view.decision.action, view.artifacts) == ("truncate", ())
    assert len(view.text) < len(BIG)
    assert [failure.kind for failure in view.decision.failures] == ["store"]
    assert said in view.decision.failures[0].message
    assert len(view.decision.failures[0].message.encode(errors="replace")) <= 1024
    assert store.list_artifacts() == []


@raised
@pytest.mark.parametrize("method", READERS)
@with_both_clients
def test_a_failure_to_read_is_an_error(call: Calling, method: str, error: Exception, said: str) -> None:
    with pytest.raises(StoreError) as caught:
        ask(call, store_with(**{method: raising(error)}), method)
    assert said in caught.value.message
    assert len(caught.value.message.encode(errors="replace")) <= 1024


@pytest.mark.parametrize("kind", FATAL)
@pytest.mark.parametrize("method", METHODS)
@with_both_clients
def test_an_exception_meant_for_the_program_is_passed_on(
    call: Calling, method: str, kind: type[BaseException]
) -> None:
    error = kind()
    store = store_with(**{method: raising(error)})
    if method == "delete":
        store.seal = raising(StoreError("so that it is deleted"))  # type: ignore[method-assign]
    process = partial(call, {"store": store, "context_window": WINDOW}, "process", BIG, tool="tool")
    with pytest.raises(kind) as caught:
        ask(call, store, method) if method in READERS else process()
    assert caught.value is error


@pytest.mark.parametrize("kind", FATAL)
def test_an_exception_meant_for_the_program_is_passed_on_from_an_async_store(
    kind: type[BaseException],
) -> None:
    error = kind()

    class Failing(AsyncDictStore):
        async def append(self, id: str, data: bytes) -> None:
            await asyncio.sleep(0)
            raise error

    async def process() -> None:
        await AsyncTuckaway(Failing(), context_window=WINDOW).process(BIG, tool="tool")

    with pytest.raises(kind) as caught:
        asyncio.run(process())
    assert caught.value is error


@with_both_clients
def test_not_found_and_expired_are_distinguished(call: Calling) -> None:
    for kind in (NotFoundError, ExpiredError):
        with pytest.raises(kind):
            ask(call, store_with(stat=raising(kind())), "stat")
    with pytest.raises(ExpiredError, match=r"an output of \"sql\", expired at 2023-11-14"):
        ask(call, store_with(stat=raising(ExpiredError(tool="sql", expired_at=1_700_000_000))), "stat")


@pytest.mark.parametrize("tool", [None, 7, "sql", "\ud83e\0", b"sql"])
@pytest.mark.parametrize("expired_at", [None, -1, 0.5, math.nan, "1", 2**64, 1])
def test_the_metadata_of_an_expired_artifact_is_checked(tool: Any, expired_at: Any) -> None:
    with pytest.raises(ExpiredError):
        ask(call_sync, store_with(stat=raising(ExpiredError(tool=tool, expired_at=expired_at))), "stat")


@pytest.mark.parametrize(
    "answer", [None, 5, b"art_1", ["art_1"], "", "../../etc/passwd", "a b", "é", "a" * 65, "\ud800"]
)
@with_both_clients
def test_an_id_with_invalid_characters_is_rejected(call: Calling, answer: object) -> None:
    store = store_with(create=returning(answer), append=returning(None))
    view = call({"store": store, "context_window": WINDOW}, "process", BIG, tool="tool")
    assert view.decision.action == "truncate"
    assert [failure.kind for failure in view.decision.failures] == ["store"]


@pytest.mark.parametrize("answer", [None, 5, "text", [116, 101], {}, object()])
@with_both_clients
def test_a_read_returns_bytes(call: Calling, answer: object) -> None:
    with pytest.raises(StoreError, match="not bytes"):
        ask(call, store_with(read=returning(answer)), "read")


def test_bytes_may_be_of_any_kind() -> None:
    class Own(bytes):
        pass

    for answer in (
        bytearray(b"one\ntwo\n"),
        memoryview(b"one\ntwo\n"),
        memoryview(b"..one\ntwo\n..")[2:10],
        memoryview(b"o.n.e.\n.t.w.o.\n.")[::2],
        Own(b"one\ntwo\n"),
    ):
        assert ask(call_sync, store_with(read=returning(answer)), "read").text == "one\ntwo\n"


@pytest.mark.parametrize("length", [1, 2, 3, 7, 64])
def test_short_reads_are_joined(length: int) -> None:
    content = "".join(f"line {n}\n" for n in range(500))

    class Short(DictStore):
        def read(self, id: str, offset: int, wanted: int) -> bytes:
            return super().read(id, offset, min(length, wanted))

    store = Short()
    artifact = stored(store, content.encode())
    tuckaway = Tuckaway(store)
    assert tuckaway.read(artifact, max_bytes=100_000).text == content
    assert tuckaway.grep(artifact, "line 499").matches[0].byte_offset == len(content) - 9


@with_both_clients
def test_a_read_that_ends_early_or_is_too_long_is_a_failure(call: Calling) -> None:
    for answer in (b"", b"one\ntwo\nthree\n", bytes(64 << 20)):
        with pytest.raises(StoreError, match="bytes"):
            ask(call, store_with(read=returning(answer)), "read")


BAD_NUMBERS = (None, -1, 0.5, math.nan, math.inf, "5", 2**64, 10**5_000, [5])


@pytest.mark.parametrize("value", BAD_NUMBERS, ids=range(len(BAD_NUMBERS)))
@pytest.mark.parametrize("field", ["size_bytes", "line_count", "created_at"])
def test_an_invalid_number_of_an_artifact_is_named(field: str, value: Any) -> None:
    honest = DictStore()
    stored(honest)
    lie = replace(honest.list_artifacts()[0], **{field: value})
    for method, answer in (("stat", lie), ("list_artifacts", [lie])):
        with pytest.raises(StoreError, match=field):
            ask(call_sync, store_with(**{method: returning(answer)}), method)
    store = store_with(seal=returning(lie))
    view = Tuckaway(store, context_window=WINDOW).process(BIG, tool="tool")
    assert (view.decision.action, view.decision.failures[0].kind) == ("truncate", "store")


@pytest.mark.parametrize("answer", [None, 5, "art", [], {}, {"id": "art"}, object()], ids=repr)
@with_both_clients
def test_an_invalid_artifact_is_a_failure(call: Calling, answer: object) -> None:
    with pytest.raises(StoreError):
        ask(call, store_with(stat=returning(answer)), "stat")
    with pytest.raises(StoreError):
        ask(call, store_with(list_artifacts=returning([answer])), "list_artifacts")


@pytest.mark.parametrize("answer", [None, 5, object(), ["art"]], ids=repr)
@with_both_clients
def test_an_invalid_list_is_a_failure(call: Calling, answer: object) -> None:
    with pytest.raises(StoreError):
        ask(call, store_with(list_artifacts=returning(answer)), "list_artifacts")


def test_artifacts_may_be_of_any_iterable() -> None:
    for kind in (tuple, iter, dict.fromkeys):
        store = DictStore()
        stored(store)
        artifacts = store.list_artifacts()
        listed = ask(call_sync, store_with(list_artifacts=returning(kind(artifacts))), "list_artifacts")
        assert listed == artifacts


@pytest.mark.parametrize("method", METHODS)
def test_a_missing_method_is_named_at_once(method: str) -> None:
    for value in (None, "not callable"):
        for client in (Tuckaway, AsyncTuckaway):
            with pytest.raises(InvalidInputError, match=method):
                client(store_with(**{method: value}))  # type: ignore[arg-type]


def test_an_object_that_is_not_a_store_is_rejected() -> None:
    for store in (object(), "memory", {}, MemoryStore):
        with pytest.raises(InvalidInputError):
            Tuckaway(store)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
def test_an_async_store_is_rejected_with_advice(method: str) -> None:
    asynchronous = getattr(AsyncDictStore(), method)
    with pytest.raises(InvalidInputError, match=f"{method}.*AsyncTuckaway"):
        Tuckaway(store_with(**{method: asynchronous}))


@pytest.mark.parametrize("method", READERS)
def test_an_unexpected_awaitable_is_a_failure_that_names_the_remedy(method: str) -> None:
    asynchronous = getattr(AsyncDictStore(), method)

    def unexpected(*arguments: Any) -> Any:
        return asynchronous(*arguments)

    with pytest.raises(StoreError, match="AsyncTuckaway"):
        ask(call_sync, store_with(**{method: unexpected}), method)


def test_a_store_that_has_recovered_is_used_again() -> None:
    class Recovering(DictStore):
        is_broken = True

        def append(self, id: str, data: bytes) -> None:
            if self.is_broken:
                raise OSError("no")
            super().append(id, data)

    store = Recovering()
    tuckaway = Tuckaway(store, context_window=WINDOW)
    assert tuckaway.process(BIG, tool="tool").decision.action == "truncate"
    store.is_broken = False
    view = tuckaway.process(BIG, tool="tool")
    assert view.decision.action == "artifact"
    assert tuckaway.read(view.artifacts[0].id, lines=(10_000, 10_000)).text == LINE


def test_a_store_that_is_too_slow_is_a_failure_at_the_deadline() -> None:
    store = store_with(list_artifacts=lambda: time.sleep(0.3) or [])
    with pytest.raises(LimitError):
        Tuckaway(store, deadline=0.1).list_artifacts()


def test_an_async_store_that_hangs_is_left_at_the_deadline() -> None:
    class Hanging(AsyncDictStore):
        async def list_artifacts(self) -> Any:
            await asyncio.sleep(3600)

    async def call() -> None:
        tuckaway = AsyncTuckaway(Hanging(), deadline=0.1)
        # The call has the same deadline; on a busy machine, that is noticed first.
        with pytest.raises((StoreError, LimitError), match=r"did not answer in time|took longer than 100 ms"):
            await tuckaway.list_artifacts()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    begun = time.monotonic()
    asyncio.run(call())
    assert time.monotonic() - begun < 30
