"""The contract of stores, checked on the stores of this package and on stores written in Python."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from support.object_servers import PROGRAMS, ObjectServer, running
from support.stores import AsyncDictStore, DictStore, SqliteStore

from tuckaway import DirStore, MemoryStore, NotFoundError, Tuckaway
from tuckaway.store_contract import Check, limit_checks, session_checks, store_checks

Empty = Callable[..., Any]


@pytest.fixture(scope="module", params=PROGRAMS)
def server(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[ObjectServer]:
    with running(request.param, tmp_path_factory.mktemp("objects")) as server:
        yield server


@pytest.fixture
def new_directory(tmp_path: Path) -> Empty:
    numbers = count()
    return lambda **options: DirStore(tmp_path / f"outputs-{next(numbers)}", **options)


def checks(of: Callable[[Empty], list[Check]]) -> pytest.MarkDecorator:
    """Runs a test for each check of a suite, which is given as a function of the creator of stores."""
    names = [check.name for check in of(MemoryStore)]

    def named(name: str) -> Callable[[Empty], Check]:
        return lambda empty: next(check for check in of(empty) if check.name == name)

    return pytest.mark.parametrize("check_on", [named(name) for name in names], ids=names)


CheckOn = Callable[[Empty], Check]


@checks(store_checks)
@pytest.mark.parametrize("empty", [MemoryStore, DictStore, SqliteStore, lambda: MemoryStore().session("one")])
def test_stores_in_memory(check_on: CheckOn, empty: Empty) -> None:
    check_on(empty).run()


@checks(store_checks)
def test_a_store_in_a_directory(check_on: CheckOn, new_directory: Empty) -> None:
    check_on(new_directory).run()


@checks(store_checks)
def test_a_store_in_a_bucket(check_on: CheckOn, server: ObjectServer) -> None:
    check_on(server.store).run()


@checks(store_checks)
def test_an_asynchronous_store(check_on: CheckOn) -> None:
    asyncio.run(check_on(AsyncDictStore).run_async())


@checks(store_checks)
def test_a_synchronous_store_under_asyncio(check_on: CheckOn) -> None:
    asyncio.run(check_on(DictStore).run_async())


@checks(limit_checks)
def test_limits_in_memory(check_on: CheckOn) -> None:
    check_on(MemoryStore).run()


@checks(limit_checks)
def test_limits_in_a_directory(check_on: CheckOn, new_directory: Empty) -> None:
    check_on(new_directory).run()


@checks(limit_checks)
def test_limits_in_a_bucket(check_on: CheckOn, server: ObjectServer) -> None:
    check_on(server.store).run()


@checks(session_checks)
def test_sessions_in_memory(check_on: CheckOn) -> None:
    check_on(MemoryStore).run()


@checks(session_checks)
def test_sessions_in_a_directory(check_on: CheckOn, new_directory: Empty) -> None:
    check_on(new_directory).run()


@checks(session_checks)
def test_sessions_in_a_bucket(check_on: CheckOn, server: ObjectServer) -> None:
    check_on(server.store).run()


class Forgetful(DictStore):
    def append(self, id: str, data: bytes) -> None:
        self._unsealed(id).content = data


class Eager(DictStore):
    def list_artifacts(self) -> list[Any]:
        return [kept.artifact for kept in self.kept.values()]


class Immortal(DictStore):
    def delete(self, id: str) -> None:
        self.stat(id)


class Changing(DictStore):
    def _unsealed(self, id: str) -> Any:
        if id not in self.kept:
            raise NotFoundError
        return self.kept[id]


class Endless(DictStore):
    def read(self, id: str, offset: int, length: int) -> bytes:
        return super().read(id, offset, length) or b"more"


class Undefined(DictStore):
    def stat(self, id: str) -> Any:
        # The contract specifies another error.
        return super().stat(id) if self.kept[id] else None


class Newest(DictStore):
    def list_artifacts(self) -> list[Any]:
        return super().list_artifacts()[::-1]


class Nameless(DictStore):
    def create(self, tool: str, media_type: str) -> str:
        return super().create(tool.strip(), media_type)


RANDOM_CALLS = "random calls return the same results as a MemoryStore"


@pytest.mark.parametrize(
    ("broken", "promises"),
    [
        (Forgetful, ["content is any bytes, appended and read in parts of any size", RANDOM_CALLS]),
        (Eager, ["nothing is visible until it is sealed", RANDOM_CALLS]),
        (Immortal, ["a deleted artifact is gone", RANDOM_CALLS]),
        (Changing, ["a sealed artifact does not change", RANDOM_CALLS]),
        (Endless, ["a read ends at the end of the artifact", RANDOM_CALLS]),
        (Undefined, ["ids that are unknown, malformed or paths are not found", RANDOM_CALLS]),
        (Newest, ["the oldest artifact is listed first"]),
        (Nameless, ["tool and media type are any text"]),
    ],
)
def test_a_broken_promise_is_detected(broken: Empty, promises: list[str]) -> None:
    by_name = {check.name: check for check in store_checks(broken)}
    for promise in promises:
        with pytest.raises(AssertionError):
            by_name[promise].run()


def test_an_asynchronous_store_is_not_checked_as_a_synchronous_one() -> None:
    with pytest.raises(TypeError, match="Await run_async"):
        store_checks(AsyncDictStore)[0].run()


@pytest.mark.parametrize("empty", [MemoryStore, DictStore, SqliteStore])
def test_an_output_is_stored_and_queried(empty: Empty) -> None:
    with Tuckaway(empty(), context_window=10_000) as tuckaway:
        rows = [{"id": n, "name": f"row {n} é漢🦀"} for n in range(5_000)]
        view = tuckaway.process(rows, tool="sql_query")
        assert view.decision.action == "artifact", view.decision.failures
        (artifact,) = view.artifacts
        assert tuckaway.jq(artifact.id, ".[4999].name", raw=True).text == "row 4999 é漢🦀\n"
        assert tuckaway.grep(artifact.id, "row 4998 é", fixed_string=True).total == 1
        assert tuckaway.list_artifacts() == [artifact]
