"""Stores, which keep the full outputs.

`MemoryStore`, `DirStore` and `BucketStore` run without Python. A custom store is any object with the
seven methods of `Store`, or of `AsyncStore` for `AsyncTuckaway`; `tuckaway.store_contract` checks it.

One store is one session. The built-in stores can hold further sessions in the same place:

    >>> store = MemoryStore()
    >>> monday = store.session("monday")
    >>> id = monday.create("tool", "text/plain")
    >>> monday.append(id, b"Hello")
    >>> monday.seal(id, 1).size_bytes
    5
    >>> store.sessions(), store.list_artifacts()
    (['monday'], [])
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any, Protocol, cast, runtime_checkable

from . import _native
from ._check import (
    U32_MAX,
    invalid,
    kind_of,
    mapping,
    optional_seconds,
    optional_size,
    optional_text,
    size,
    text,
)
from ._convert import from_plain
from .records import Artifact, Garbage

__all__ = ["AsyncStore", "BucketStore", "DirStore", "MemoryStore", "NativeStore", "Store", "mint"]

_GIB = 1024**3


@runtime_checkable
class Store(Protocol):
    """Keeps full outputs, in seven methods.

    A method that cannot do its work raises `NotFoundError`, `ExpiredError`, `QuotaExceededError`, or any
    other exception, whose text is for people only. Answers are checked, and each of these counts as a failure
    of the store: an id with invalid characters, a sealed size that differs from the bytes written, a read
    that is longer than requested or ends before the artifact does.

    `Tuckaway` calls the methods on the thread that made the call.
    """

    def create(self, tool: str, media_type: str) -> str:
        """Begins an artifact and returns its id, which must be unguessable (see `mint`). ``stat``, ``read``
        and ``list_artifacts`` do not see it until ``seal``. ``tool`` and ``media_type`` are untrusted: any
        text, including the empty one."""
        ...

    def append(self, id: str, data: bytes) -> None:
        """Appends bytes to an artifact that is not sealed yet. After a failure the artifact can only be
        deleted. Appending no bytes succeeds."""
        ...

    def seal(self, id: str, line_count: int) -> Artifact:
        """Makes the whole artifact visible, or fails and stores nothing. If nothing was appended, the
        artifact is empty."""
        ...

    def stat(self, id: str) -> Artifact:
        """Returns the metadata of a sealed artifact."""
        ...

    def read(self, id: str, offset: int, length: int) -> bytes:
        """Returns ``length`` bytes of a sealed artifact from ``offset``: fewer only at the end, none at or
        past it."""
        ...

    def list_artifacts(self) -> Sequence[Artifact]:
        """Lists the sealed artifacts, oldest first."""
        ...

    def delete(self, id: str) -> None:
        """Removes an artifact, sealed or not; `NotFoundError` if it does not exist."""
        ...


@runtime_checkable
class AsyncStore(Protocol):
    """A `Store` whose methods are awaited on the event loop of the call, for `AsyncTuckaway`."""

    def create(self, tool: str, media_type: str) -> Awaitable[str]:
        """See `Store.create`."""
        ...

    def append(self, id: str, data: bytes) -> Awaitable[None]:
        """See `Store.append`."""
        ...

    def seal(self, id: str, line_count: int) -> Awaitable[Artifact]:
        """See `Store.seal`."""
        ...

    def stat(self, id: str) -> Awaitable[Artifact]:
        """See `Store.stat`."""
        ...

    def read(self, id: str, offset: int, length: int) -> Awaitable[bytes]:
        """See `Store.read`."""
        ...

    def list_artifacts(self) -> Awaitable[Sequence[Artifact]]:
        """See `Store.list_artifacts`."""
        ...

    def delete(self, id: str) -> Awaitable[None]:
        """See `Store.delete`."""
        ...


_MadeBy = tuple[Any, ...]
"""A function and its arguments that make a store again, as pickle takes them."""


class NativeStore:
    """The common interface of the built-in stores: the methods of `Store`, and sessions.

    The limits of a store apply to each of its sessions separately. Names have 1 to 64 characters of ``a-z``,
    ``0-9``, ``_`` and ``-``.
    """

    def __init__(self, native: _native.NativeStore, description: str, made_by: _MadeBy) -> None:
        self._native = native
        self._description = description
        self._made_by = made_by

    def __repr__(self) -> str:
        return self._description

    def __reduce__(self) -> _MadeBy:
        return self._made_by

    def create(self, tool: str, media_type: str) -> str:
        """Begins an artifact and returns its id."""
        return self._native.create(text("tool", tool), text("media_type", media_type))

    def append(self, id: str, data: bytes) -> None:
        """Appends bytes to an artifact that is not sealed yet."""
        if not isinstance(cast(object, data), (bytes, bytearray, memoryview)):
            raise invalid("data", f"is {kind_of(data)}; pass bytes.")
        self._native.append(text("id", id), data)

    def seal(self, id: str, line_count: int) -> Artifact:
        """Makes the whole artifact visible, or fails and stores nothing."""
        return from_plain(Artifact, self._native.seal(text("id", id), size("line_count", line_count)))

    def stat(self, id: str) -> Artifact:
        """Returns the metadata of a sealed artifact."""
        return from_plain(Artifact, self._native.stat(text("id", id)))

    def read(self, id: str, offset: int, length: int) -> bytes:
        """Returns ``length`` bytes of a sealed artifact from ``offset``: fewer only at the end, none at or
        past it."""
        return self._native.read(text("id", id), size("offset", offset), size("length", length, U32_MAX))

    def list_artifacts(self) -> list[Artifact]:
        """Lists the sealed artifacts, oldest first."""
        return [from_plain(Artifact, artifact) for artifact in self._native.list_artifacts()]

    def delete(self, id: str) -> None:
        """Removes an artifact, sealed or not."""
        self._native.delete(text("id", id))

    def session(self, name: str) -> NativeStore:
        """Returns the store of a session, which exists once it contains an artifact."""
        description = f"{self._description}.session({name!r})"
        return NativeStore(self._native.session(text("name", name)), description, (_session, (self, name)))

    def sessions(self) -> list[str]:
        """Lists the names of the sessions that contain something, in alphabetical order."""
        return self._native.sessions()

    def remove_session(self, name: str) -> None:
        """Removes a session with its content; `NotFoundError` if it does not exist."""
        self._native.remove_session(text("name", name))

    def collect_garbage(self) -> Garbage:
        """Removes garbage, here and in all sessions: expired artifacts, and artifacts that crashed writers
        left behind. If the others exceed the quota, the oldest artifacts expire until they fit."""
        return from_plain(Garbage, self._native.collect_garbage())


class MemoryStore(NativeStore):
    """Keeps outputs in memory.

    ``max_bytes`` limits the content, 1 GiB by default; an output that would exceed the quota is truncated
    instead. Artifacts expire at the age ``max_age``, in seconds or as a `timedelta`.
    """

    def __init__(self, *, max_bytes: int | None = _GIB, max_age: float | timedelta | None = None) -> None:
        options: dict[str, Any] = {"max_bytes": max_bytes, "max_age": max_age}
        native = _native.NativeStore("memory", **_limits(**options))
        super().__init__(native, _described("MemoryStore", **options), (MemoryStore, ()))

    def __reduce__(self) -> _MadeBy:
        raise TypeError("A MemoryStore belongs to its process; use a DirStore or a BucketStore in several.")


class DirStore(NativeStore):
    """Keeps outputs in a folder, which is created if it is missing. Several processes may share it; the
    command line and the Node package read and write the same format."""

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        max_bytes: int | None = None,
        max_age: float | timedelta | None = None,
    ) -> None:
        if not isinstance(cast(object, path), (str, os.PathLike)):
            raise invalid("path", f"is {kind_of(path)}; pass a str or a Path.")
        where = text("path", os.fspath(path))
        options: dict[str, Any] = {"max_bytes": max_bytes, "max_age": max_age}
        native = _native.NativeStore(f"dir:{where}", **_limits(**options))
        made_by = (_made, (DirStore, where, options))
        super().__init__(native, _described("DirStore", where, **options), made_by)


class BucketStore(NativeStore):
    """Keeps outputs in a bucket, for agents on many machines.

    ``url`` is ``s3://bucket/prefix``, ``gs://…`` or ``az://…``; ``endpoint`` is the URL of another server
    with the same API. ``options`` are passed to the storage, such as ``{"region": "eu-central-1"}``;
    credentials are taken from the options, or from the environment as the provider's own tools do.
    """

    def __init__(
        self,
        url: str,
        *,
        endpoint: str | None = None,
        options: Mapping[str, str] | None = None,
        max_bytes: int | None = None,
        max_age: float | timedelta | None = None,
    ) -> None:
        given = None if options is None else mapping("options", options, "texts by name")
        for name, value in (given or {}).items():
            text(f"options[{name!r}]", value if isinstance(name, str) else name)
        limits = _limits(max_bytes, max_age)
        optional_text("endpoint", endpoint)
        native = _native.NativeStore(text("url", url), **limits, endpoint=endpoint, options=given)
        # Options may contain credentials.
        shown = {"endpoint": endpoint, "max_bytes": max_bytes, "max_age": max_age}
        made_by = (_made, (BucketStore, url, {**shown, "options": given}))
        super().__init__(native, _described("BucketStore", url, **shown), made_by)


def _made(kind: Callable[..., NativeStore], where: str, options: Mapping[str, Any]) -> NativeStore:
    """Returns a store that was pickled."""
    return kind(where, **options)


def _session(store: NativeStore, name: str) -> NativeStore:
    """Returns a session that was pickled."""
    return store.session(name)


def mint(tool: str) -> str:
    """Returns a new unguessable id for an artifact of a tool.

    >>> mint("SQL query").startswith("art_sql_query_")
    True
    """
    return _native.mint(text("tool", tool))


def _limits(max_bytes: int | None, max_age: float | timedelta | None) -> dict[str, Any]:
    """Returns the limits of a store as the native module takes them."""
    return {
        "max_bytes": optional_size("max_bytes", max_bytes),
        "max_age": optional_seconds("max_age", max_age),
    }


def _described(name: str, *where: str, **options: Any) -> str:
    given = [repr(each) for each in where]
    given += [f"{option}={value!r}" for option, value in options.items() if value is not None]
    return f"{name}({', '.join(given)})"
