"""The contract of a store, as checks for stores of your own.

`store_checks` are for every store, `limit_checks` for a store with a quota and a maximum age,
`session_checks` for a store with sessions. Each `Check` raises an `AssertionError` that says which promise
was broken. They run with any test runner, for example pytest:

    @pytest.mark.parametrize("check", store_checks(MyStore), ids=str)
    def test_my_store(check: Check) -> None:
        check.run()

or one after the other:

    >>> from tuckaway import MemoryStore
    >>> for check in store_checks(MemoryStore):
    ...     check.run()

The checks of an `AsyncStore` are awaited, with ``await check.run_async()``.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from ._contract import artifacts, limits, sessions
from ._contract.settled import Settled, settle

__all__ = ["Check", "limit_checks", "session_checks", "store_checks"]


@dataclass(frozen=True)
class Check:
    """A promise of a store; `str` returns its text."""

    name: str
    """The promise in words."""
    start: Callable[[], Coroutine[Any, Any, None]]
    """Creates a store and starts the check."""

    def __str__(self) -> str:
        return self.name

    def run(self) -> None:
        """Checks a store whose methods return their results."""
        check = self.start()
        try:
            check.send(None)
        except StopIteration:
            return
        check.close()
        raise TypeError("the store is asynchronous. Await run_async()")

    async def run_async(self) -> None:
        """Checks a store whose methods are awaited."""
        await self.start()


def store_checks(empty: Callable[[], Any]) -> list[Check]:
    """Returns the checks that every store must pass. ``empty`` creates an empty store; it may be async."""
    return [
        _check("written bytes can be read", artifacts.round_trip, empty),
        _check("an empty artifact is stored like any other", artifacts.empty_artifact, empty),
        _check("content is any bytes, appended and read in parts of any size", artifacts.any_bytes, empty),
        _check("tool and media type are any text", artifacts.any_names, empty),
        _check("a read ends at the end of the artifact", artifacts.ends, empty),
        _check("nothing is visible until it is sealed", artifacts.unseen_until_sealed, empty),
        _check("a sealed artifact does not change", artifacts.sealed_for_good, empty),
        _check("a deleted artifact is gone", artifacts.deletion, empty),
        _check("the oldest artifact is listed first", artifacts.order, empty),
        _check("several artifacts can be written at the same time", artifacts.side_by_side, empty),
        _check("ids that are unknown, malformed or paths are not found", artifacts.hostile_ids, empty),
        _check("random calls return the same results as a MemoryStore", artifacts.random_calls, empty),
    ]


def limit_checks(empty: Callable[..., Any]) -> list[Check]:
    """Returns the checks for a store with limits. ``empty`` takes ``max_bytes`` or ``max_age`` in seconds."""
    return [
        _check("the quota is not exceeded", limits.quota, lambda: empty(max_bytes=100)),
        _check(
            "artifacts written at the same time share the quota",
            limits.race,
            lambda: empty(max_bytes=100),
        ),
        _check("an old artifact has expired", limits.expiry, lambda: empty(max_age=0.001)),
    ]


def session_checks(empty: Callable[..., Any]) -> list[Check]:
    """Returns the checks for a store with the sessions of `tuckaway.stores.NativeStore`. ``empty`` must
    accept ``max_bytes``."""
    return [
        _check("artifacts of another session are not found", sessions.isolation, empty),
        _check("a session can be opened again", sessions.reopening, empty),
        _check("sessions are listed once they hold something", sessions.listing, empty),
        _check("removing a session removes all of it, and nothing else", sessions.removal, empty),
        _check("names of sessions are checked", sessions.session_names, empty),
        _check(
            "the quota applies to each session separately",
            sessions.session_quota,
            lambda: empty(max_bytes=100),
        ),
    ]


def _check(name: str, promise: Callable[[Settled], Awaitable[None]], empty: Callable[[], Any]) -> Check:
    async def start() -> None:
        await promise(Settled(await settle(empty())))

    return Check(name, start)
