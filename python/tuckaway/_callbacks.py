"""Functions of the caller: whether they are awaited, and how records are passed and returned."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from ._check import invalid

Plain = Callable[[Any], Any]


def is_async(function: object) -> bool:
    """Returns whether calling a function returns an awaitable, if this can be known in advance."""
    while isinstance(function, partial):
        function = function.func
    # An object is asynchronous if the method that calls it is.
    return inspect.iscoroutinefunction(function) or (
        callable(function) and inspect.iscoroutinefunction(type(function).__call__)
    )


def refuse_async(name: str, function: object) -> None:
    """Raises if a function returns an awaitable."""
    if is_async(function):
        raise invalid(name, "is async; use AsyncTuckaway, which awaits it.")


def adapted(name: str, function: Callable[..., Any], read: Plain, write: Plain, *, may_await: bool) -> Plain:
    """Returns a function of plain values for a function of records."""
    if may_await and is_async(function):

        async def call_async(plain: Any) -> Any:
            return write(await function(read(plain)))

        return call_async

    def call(plain: Any) -> Any:
        value = function(read(plain))
        if not inspect.isawaitable(value):
            return write(value)
        if may_await:
            return _awaited(value, write)
        if inspect.iscoroutine(value):
            # A coroutine that is never awaited would be reported as such.
            value.close()
        raise invalid(name, "returned an awaitable; use AsyncTuckaway, which awaits it.")

    return call


async def _awaited(value: Awaitable[Any], write: Plain) -> Any:
    return write(await value)
