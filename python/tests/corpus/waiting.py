"""One driver for both clients: results of `AsyncTuckaway` are awaited, results of `Tuckaway` are not."""

from __future__ import annotations

import inspect
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def settled(answer: Any) -> Any:
    """Awaits an answer if it is awaitable."""
    return await answer if inspect.isawaitable(answer) else answer


def run_without_loop(coroutine: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine that never suspends, as is the case with a `Tuckaway`."""
    try:
        coroutine.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    coroutine.close()
    raise AssertionError("the synchronous client returned an awaitable that waits")
