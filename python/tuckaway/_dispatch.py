"""Runs calls of the native module from asyncio: its callbacks are evaluated on the event loop of the call.

Imported only when needed: importing asyncio takes longer than importing the rest of the package.
"""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import inspect
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

from . import _native
from ._callbacks import Plain, is_async

T = TypeVar("T")


async def converted(convert: Callable[..., T], content: object, **options: Any) -> T:
    """Returns content as the native module takes it. Files are read and JSON is written in a thread."""
    if isinstance(content, (str, bytes)):
        return convert(content, **options)
    return await asyncio.to_thread(convert, content, **options)


async def evaluate(function: Callable[..., Any], *arguments: Any) -> Any:
    """Awaits a coroutine function on this event loop; calls any other function in a thread."""
    if is_async(function):
        return await function(*arguments)
    value = await asyncio.to_thread(function, *arguments)
    return await value if inspect.isawaitable(value) else value


class Listener:
    """A listener on an event loop: called once at a time, in the order of the events."""

    def __init__(self, function: Plain) -> None:
        self._function = function
        self._turn = asyncio.Lock()

    async def __call__(self, plain: Any) -> None:
        """Passes an event on."""
        async with self._turn:
            await evaluate(self._function, plain)


class _Answer(Protocol):
    """The function through which the native module receives the value of a callback."""

    def result(self, value: Any, /) -> None: ...
    def error(self, error: BaseException, /) -> None: ...


class Dispatch:
    """One call in progress.

    The native module runs the call on its own threads. Whenever it needs a callback, it passes it to the
    event loop: coroutine functions are awaited there, others run in a thread of `asyncio.to_thread`, both in
    the context of the caller. The call ends with its result, or as soon as the awaiting task is cancelled.
    """

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._context = contextvars.copy_context()
        self._finished: asyncio.Future[Any] = self._loop.create_future()
        self._callbacks: set[asyncio.Task[None]] = set()
        self._reports: set[asyncio.Task[None]] = set()
        self._late_error: BaseException | None = None

    async def run(self, engine: _native.Engine, method: str, arguments: tuple[Any, ...]) -> Any:
        """Starts the call and waits for its result."""
        running = engine.start(method, arguments, self._dispatch, self._done)
        try:
            result = await self._finished
            await _all(self._reports)
        except BaseException:
            running.cancel()
            raise
        finally:
            # The call did not wait for these: a store that took too long, or everything if the call failed.
            for callback in self._callbacks:
                callback.cancel()
            await _all(self._callbacks)
        if self._late_error is not None:
            raise self._late_error
        return result

    def _dispatch(self, function: Callable[..., Any], arguments: tuple[Any, ...], answer: _Answer) -> None:
        """Called from another thread."""
        try:
            self._on_loop(self._begin, function, arguments, answer)
        except RuntimeError as error:
            # The event loop is closed.
            answer.error(error)

    def _done(self, result: Any, error: BaseException | None) -> None:
        """Called once, from another thread."""
        # If the event loop is closed, nobody is waiting.
        with contextlib.suppress(RuntimeError):
            self._on_loop(self._settle, result, error)

    def _on_loop(self, function: Callable[..., None], *arguments: Any) -> None:
        self._loop.call_soon_threadsafe(function, *arguments, context=self._context)

    def _settle(self, result: Any, error: BaseException | None) -> None:
        if self._finished.done():
            return
        if isinstance(error, StopIteration):
            # A future cannot raise this exception.
            error = RuntimeError(f"A callback raised {error!r}.")
        if error is None:
            self._finished.set_result(result)
        else:
            self._finished.set_exception(error)

    def _end(self, error: BaseException) -> None:
        """Ends the call with the exception of a listener, even if the call may be complete."""
        if self._finished.done():
            self._late_error = error
        else:
            self._settle(None, error)

    def _begin(self, function: Callable[..., Any], arguments: tuple[Any, ...], answer: _Answer) -> None:
        if self._finished.done():
            answer.error(asyncio.CancelledError())
            return
        # A task runs in a copy of the context in which it is created.
        callback = self._loop.create_task(self._evaluate(function, arguments, answer))
        self._callbacks.add(callback)
        callback.add_done_callback(self._callbacks.discard)
        if isinstance(function, Listener):
            self._reports.add(callback)
            callback.add_done_callback(self._reports.discard)

    async def _evaluate(
        self, function: Callable[..., Any], arguments: tuple[Any, ...], answer: _Answer
    ) -> None:
        try:
            value = await evaluate(function, *arguments)
        except asyncio.CancelledError as error:
            answer.error(error)
            raise
        except BaseException as error:
            if isinstance(function, Listener):
                self._end(error)
            answer.error(error)
        else:
            answer.result(value)


async def _all(tasks: set[asyncio.Task[None]]) -> None:
    if tasks:
        await asyncio.wait(tasks)
