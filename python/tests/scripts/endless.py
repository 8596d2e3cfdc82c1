"""Work that takes hours."""

from __future__ import annotations

from typing import Any

from tuckaway import AsyncTuckaway, MemoryStore, Tuckaway

FILTER = "last(range(1e12))"
"""A jq filter that takes hours."""

LIMITS: dict[str, Any] = {"max_steps": 10**11}

DEADLINE = 3600


def new_store() -> tuple[MemoryStore, str]:
    """Returns a store with one artifact, and its id."""
    store = MemoryStore()
    stored = store.create("tool", "application/json")
    store.append(stored, b'{"a": 1}\n')
    store.seal(stored, 1)
    return store, stored


def new_client(**options: Any) -> tuple[Tuckaway, str]:
    """Returns a client that may run for hours, and the id of an artifact in its store."""
    store, stored = new_store()
    return Tuckaway(store, **{"deadline": DEADLINE, **options}), stored


def new_async_client(**options: Any) -> tuple[AsyncTuckaway, str]:
    """Like `new_client`, for asyncio."""
    store, stored = new_store()
    return AsyncTuckaway(store, **{"deadline": DEADLINE, **options}), stored
