"""Both clients with one interface, for tests that apply to each."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

import pytest

from tuckaway import AsyncTuckaway, Tuckaway


class Calling(Protocol):
    """Creates a client with options and calls one of its methods."""

    def __call__(self, options: dict[str, Any], method: str, *arguments: Any, **named: Any) -> Any: ...


def call_sync(options: dict[str, Any], method: str, *arguments: Any, **named: Any) -> Any:
    """Calls a method of a `Tuckaway`."""
    with Tuckaway(**options) as tuckaway:
        return getattr(tuckaway, method)(*arguments, **named)


def call_async(options: dict[str, Any], method: str, *arguments: Any, **named: Any) -> Any:
    """Calls a method of an `AsyncTuckaway` in a new event loop."""

    async def call() -> Any:
        async with AsyncTuckaway(**options) as tuckaway:
            return await getattr(tuckaway, method)(*arguments, **named)

    return asyncio.run(call())


with_both_clients = pytest.mark.parametrize("call", [call_sync, call_async], ids=["sync", "async"])
