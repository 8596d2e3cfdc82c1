"""A store whose methods are awaited, and the errors of the checks."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable
from typing import Any

from ..errors import NotFoundError

CHUNK_BYTES = 1000
"""The checks append at most this many bytes at once."""

SECONDS_OF_DOUBT = 60
"""How far the clock of a store may be from the clock of this machine."""


class Settled:
    """A store whose methods are all awaited; only an asynchronous store really suspends."""

    def __init__(self, store: Any) -> None:
        self.store = store

    def __getattr__(self, method: str) -> Callable[..., Awaitable[Any]]:
        async def settled(*arguments: Any) -> Any:
            return await settle(getattr(self.store, method)(*arguments))

        return settled

    async def session_of(self, name: str) -> Settled:
        """Returns the store of a session."""
        return Settled(await self.session(name))

    async def put(self, tool: str, content: bytes) -> str:
        """Stores bytes as the engine does."""
        key: str = await self.create(tool, "text/plain")
        for start in range(0, len(content), CHUNK_BYTES):
            await self.append(key, content[start : start + CHUNK_BYTES])
        await self.seal(key, 1)
        return key

    async def ids(self) -> list[str]:
        """Returns the ids of the artifacts that the store lists."""
        return [artifact.id for artifact in await self.list_artifacts()]


async def settle(answer: Any) -> Any:
    """Awaits an answer if it is awaitable."""
    return await answer if inspect.isawaitable(answer) else answer


def same(found: object, expected: object, what: str = "") -> None:
    """Fails unless two values are equal."""
    if found != expected:
        prefix = f"{what}: " if what else ""
        raise AssertionError(f"{prefix}found {_shown(found)}, expected {_shown(expected)}")


def _shown(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 1000 else f"{shown[:1000]}… ({len(shown)} characters)"


async def raises(kind: type[Exception], answer: Awaitable[Any], what: str) -> Any:
    """Fails unless a call raises an exception of a kind, and returns the exception."""
    try:
        value = await answer
    except kind as error:
        return error
    except Exception as error:
        raise AssertionError(f"{what}: raised {error!r}, expected {kind.__name__}") from error
    raise AssertionError(f"{what}: returned {_shown(value)}, expected {kind.__name__}")


async def knows_nothing_of(store: Settled, key: str) -> None:
    """Fails unless every method reports that an id is not found."""
    arguments = {"stat": (), "read": (0, 1), "append": (b"x",), "seal": (1,), "delete": ()}
    for method, rest in arguments.items():
        await raises(NotFoundError, getattr(store, method)(key, *rest), f"{method} of {_shown(key)}")
