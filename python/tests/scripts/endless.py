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
    id = store.create("tool", "application/json")
    store.append(id, b'{"a": 1}\n')
    store.seal(id, 1)
    return store, id


def new_client(**options: Any) -> tuple[Tuckaway, str]:
    """Returns a client that may run for hours, and the id of an artifact in its store."""
    store, id = new_store()
    return Tuckaway(store, **{"deadline": DEADLINE, **options}), id


def new_async_client(**options: Any) -> tuple[AsyncTuckaway, str]:
    """As `new_client`, for asyncio."""
    store, id = new_store()
    return AsyncTuckaway(store, **{"deadline": DEADLINE, **options}), id
