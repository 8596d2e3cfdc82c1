"""The settings of a client, and how it runs requests."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import timedelta
from typing import Any, TypeVar

from . import _native
from ._callbacks import refuse_async
from ._check import invalid, optional_seconds, optional_size
from ._notes import Notes
from ._requests import Request, Requests
from .errors import InvalidInputError
from .records import Policy, Tool
from .stores import MemoryStore, NativeStore
from .tokens import Tiktoken

T = TypeVar("T")

STORE_METHODS = ("create", "append", "seal", "stat", "read", "list_artifacts", "delete")


class Client:
    """The engine of a client, its settings, and whether it is closed."""

    _may_await: bool

    def __init__(
        self,
        store: Any,
        *,
        tokens: Any,
        context_window: int,
        tools: Iterable[Tool],
        policy: Policy | None,
        memory_limit: int | None,
        deadline: float | timedelta | None,
    ) -> None:
        self._requests = Requests(context_window, tools, policy)
        self._limits = {"memory_limit": memory_limit, "deadline": deadline}
        self._store = MemoryStore() if store is None else store
        self._tokens = tokens
        self._notes = Notes()
        self._engine: _native.Engine | None = _native.Engine(
            self._native_store(),
            self._native_tokens(),
            optional_size("memory_limit", memory_limit),
            optional_seconds("deadline", deadline),
        )

    def _native_store(self) -> object:
        if isinstance(self._store, type):
            name = self._store.__name__
            raise invalid("store", f"is the class {name}; pass an instance, such as {name}(…).")
        if isinstance(self._store, NativeStore):
            return self._store._native  # pyright: ignore[reportPrivateUsage]
        missing = [name for name in STORE_METHODS if not callable(getattr(self._store, name, None))]
        if missing:
            raise invalid(
                "store",
                f"is of type {type(self._store).__name__}, lacking the methods {', '.join(missing)}; "
                "pass a MemoryStore, a DirStore, a BucketStore or an object with the methods of Store.",
            )
        if not self._may_await:
            for name in STORE_METHODS:
                refuse_async(f"store.{name}", getattr(self._store, name))
        return self._store

    def _native_tokens(self) -> object:
        if self._tokens is None:
            return None
        if isinstance(self._tokens, Tiktoken):
            return self._tokens.encoding
        if not callable(self._tokens):
            raise invalid(
                "tokens",
                f"is {self._tokens!r}; pass Tiktoken(), a function that counts the tokens of a text, "
                "or None.",
            )
        if not self._may_await:
            refuse_async("tokens", self._tokens)
        return self._tokens

    @property
    def store(self) -> Any:
        """The store of this client."""
        return self._store

    @property
    def policy(self) -> Policy:
        """The default policy of calls."""
        return self._requests.policy

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The artifact tools that the model can call, by default."""
        return self._requests.tools

    @property
    def context_window(self) -> int:
        """The model's context window in tokens, by default."""
        return self._requests.context_window

    def _open(self) -> _native.Engine:
        if self._engine is None:
            raise InvalidInputError(f"This {type(self).__name__} is closed. Create a new one.")
        return self._engine

    def __reduce__(self) -> tuple[Any, ...]:
        settings = {"tokens": self._tokens, "context_window": self.context_window, "tools": self.tools}
        return rebuilt, (type(self), self._store, {**settings, "policy": self.policy, **self._limits})

    def __repr__(self) -> str:
        requests = self._requests
        parts = [repr(self._store), f"context_window={requests.context_window}"]
        if self._tokens is not None:
            parts.insert(1, f"tokens={self._tokens!r}")
        if requests.policy != Policy():
            parts.append(f"policy={requests.policy!r}")
        closed = " (closed)" if self._engine is None else ""
        return f"{type(self).__name__}({', '.join(parts)}){closed}"


class SyncClient(Client):
    """Runs requests on the caller's thread, without the GIL. Ctrl-C ends a request immediately."""

    _may_await = False

    def _converted(self, convert: Callable[..., T], content: object, **options: Any) -> T:
        return convert(content, **options)

    def _run(self, request: Request[T]) -> T:
        return request.read(self._open().call(request.method, request.arguments))


class AsyncClient(Client):
    """Runs requests for asyncio. A cancelled task ends its request."""

    _may_await = True

    async def _run(self, request: Request[T]) -> T:
        from ._dispatch import Dispatch  # noqa: PLC0415

        return request.read(await Dispatch().run(self._open(), request.method, request.arguments))

    async def _converted(self, convert: Callable[..., T], content: object, **options: Any) -> T:
        from ._dispatch import converted  # noqa: PLC0415

        return await converted(convert, content, **options)


class SyncGroup:
    """A group of a client's methods."""

    def __init__(self, client: SyncClient) -> None:
        self._client = client

    def _run(self, request: Request[T]) -> T:
        return self._client._run(request)  # pyright: ignore[reportPrivateUsage]

    def _converted(self, convert: Callable[..., T], content: object, **options: Any) -> T:
        return convert(content, **options)

    @property
    def _context_window(self) -> int:
        return self._client.context_window


class AsyncGroup:
    """A group of an asynchronous client's methods."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client

    async def _run(self, request: Request[T]) -> T:
        return await self._client._run(request)  # pyright: ignore[reportPrivateUsage]

    async def _converted(self, convert: Callable[..., T], content: object, **options: Any) -> T:
        converted = self._client._converted  # pyright: ignore[reportPrivateUsage]
        return await converted(convert, content, **options)

    @property
    def _context_window(self) -> int:
        return self._client.context_window


def rebuilt(kind: type[Client], store: Any, options: Mapping[str, Any]) -> Client:
    """Returns a client that was pickled."""
    return kind(store, **options)
