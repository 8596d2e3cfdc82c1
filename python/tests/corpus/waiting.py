"""One driver for both clients: what `AsyncTuckaway` returns is awaited, what `Tuckaway` returns is not."""

from __future__ import annotations

import inspect
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def settled(answer: Any) -> Any:
    """Awaits an answer if it is awaitable."""
    return await answer if inspect.isawaitable(answer) else answer


def run_without_loop(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine that waits for nothing, as all do that drive a `Tuckaway`."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    coroutine.close()
    raise AssertionError("the synchronous client returned an awaitable that waits")
