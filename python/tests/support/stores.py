"""Stores written in Python, for tests: each fulfils the contract."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from dataclasses import dataclass, field, replace
from typing import Any

from tuckaway import Artifact, NotFoundError, StoreError, mint


def new_artifact(tool: str, media_type: str) -> Artifact:
    """Returns an artifact without content."""
    return Artifact(
        id=mint(tool),
        tool=tool,
        media_type=media_type,
        size_bytes=0,
        line_count=0,
        created_at=int(time.time()),
    )


@dataclass
class Kept:
    """The data of a `DictStore` about an artifact."""

    artifact: Artifact
    content: bytes = b""
    is_sealed: bool = False


@dataclass
class DictStore:
    """Keeps artifacts in a dict."""

    kept: dict[str, Kept] = field(default_factory=dict)

    def create(self, tool: str, media_type: str) -> str:
        artifact = new_artifact(tool, media_type)
        self.kept[artifact.id] = Kept(artifact)
        return artifact.id

    def append(self, id: str, data: bytes) -> None:
        self._unsealed(id).content += data

    def seal(self, id: str, line_count: int) -> Artifact:
        kept = self._unsealed(id)
        kept.artifact = replace(kept.artifact, size_bytes=len(kept.content), line_count=line_count)
        kept.is_sealed = True
        return kept.artifact

    def stat(self, id: str) -> Artifact:
        return self._sealed(id).artifact

    def read(self, id: str, offset: int, length: int) -> bytes:
        return self._sealed(id).content[offset : offset + length]

    def list_artifacts(self) -> list[Artifact]:
        # `list` copies the values in one step: another thread may add an artifact meanwhile.
        return [kept.artifact for kept in list(self.kept.values()) if kept.is_sealed]

    def delete(self, id: str) -> None:
        if self.kept.pop(id, None) is None:
            raise NotFoundError

    def _unsealed(self, id: str) -> Kept:
        if id not in self.kept:
            raise NotFoundError
        if self.kept[id].is_sealed:
            raise StoreError("the artifact is sealed")
        return self.kept[id]

    def _sealed(self, id: str) -> Kept:
        if id not in self.kept or not self.kept[id].is_sealed:
            raise NotFoundError
        return self.kept[id]


class AsyncDictStore:
    """A `DictStore` in which each answer comes on a later turn of the event loop."""

    def __init__(self, store: Any = None) -> None:
        self.store = DictStore() if store is None else store

    async def create(self, tool: str, media_type: str) -> str:
        return await self._later("create", tool, media_type)

    async def append(self, id: str, data: bytes) -> None:
        await self._later("append", id, data)

    async def seal(self, id: str, line_count: int) -> Artifact:
        return await self._later("seal", id, line_count)

    async def stat(self, id: str) -> Artifact:
        return await self._later("stat", id)

    async def read(self, id: str, offset: int, length: int) -> bytes:
        return await self._later("read", id, offset, length)

    async def list_artifacts(self) -> list[Artifact]:
        return await self._later("list_artifacts")

    async def delete(self, id: str) -> None:
        await self._later("delete", id)

    async def _later(self, method: str, *arguments: Any) -> Any:
        await asyncio.sleep(0)
        return getattr(self.store, method)(*arguments)


COLUMNS = "id, tool, media_type, size_bytes, line_count, created_at"


class SqliteStore:
    """Keeps artifacts in a database of sqlite3, whose connection belongs to the thread that created it."""

    def __init__(self, path: str = ":memory:") -> None:
        self.database = sqlite3.connect(path, isolation_level=None)
        self.database.execute(
            "CREATE TABLE IF NOT EXISTS artifacts (id TEXT UNIQUE, tool TEXT, media_type TEXT, "
            "size_bytes INTEGER, line_count INTEGER, created_at INTEGER, content BLOB DEFAULT x'', "
            "is_sealed INTEGER DEFAULT 0)"
        )

    def create(self, tool: str, media_type: str) -> str:
        minted = mint(tool)
        values = (minted, tool, media_type, 0, 0, int(time.time()))
        self.database.execute(f"INSERT INTO artifacts ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?)", values)
        return minted

    def append(self, id: str, data: bytes) -> None:
        # The concatenation of two blobs is a text.
        change = "UPDATE artifacts SET content = CAST(content || ? AS BLOB) WHERE id = ? AND is_sealed = 0"
        self._change(change, (data, id), id)

    def seal(self, id: str, line_count: int) -> Artifact:
        change = (
            "UPDATE artifacts SET is_sealed = 1, size_bytes = length(content), line_count = ? "
            "WHERE id = ? AND is_sealed = 0"
        )
        self._change(change, (line_count, id), id)
        return self.stat(id)

    def stat(self, id: str) -> Artifact:
        query = f"SELECT {COLUMNS} FROM artifacts WHERE id = ? AND is_sealed = 1"
        return self._artifact(self._one(query, (id,)))

    def read(self, id: str, offset: int, length: int) -> bytes:
        # `substr` counts from 1, with signed 32-bit numbers. For an empty blob it is null.
        part = (min(offset, 2**30) + 1, min(length, 2**30))
        query = "SELECT coalesce(substr(content, ?, ?), x'') FROM artifacts WHERE id = ? AND is_sealed = 1"
        content: bytes = self._one(query, (*part, id))[0]
        return content

    def list_artifacts(self) -> list[Artifact]:
        rows = self.database.execute(f"SELECT {COLUMNS} FROM artifacts WHERE is_sealed = 1 ORDER BY rowid")
        return [self._artifact(row) for row in rows]

    def delete(self, id: str) -> None:
        if self.database.execute("DELETE FROM artifacts WHERE id = ?", (id,)).rowcount == 0:
            raise NotFoundError

    def __del__(self) -> None:
        self.database.close()

    def _change(self, statement: str, values: tuple[Any, ...], id: str) -> None:
        """Changes an artifact that is not sealed."""
        if self.database.execute(statement, values).rowcount == 0:
            self.stat(id)
            raise StoreError("the artifact is sealed")

    def _one(self, query: str, values: tuple[Any, ...]) -> tuple[Any, ...]:
        row: tuple[Any, ...] | None = self.database.execute(query, values).fetchone()
        if row is None:
            raise NotFoundError
        return row

    @staticmethod
    def _artifact(row: tuple[Any, ...]) -> Artifact:
        names = (name.strip() for name in COLUMNS.split(","))
        return Artifact(**dict(zip(names, row, strict=True)))
