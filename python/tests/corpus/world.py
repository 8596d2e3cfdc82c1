"""The store and the token counter of a case. They behave as its script says, and record their calls."""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import replace
from functools import partial
from typing import Any

from tuckaway import Artifact, NotFoundError

from .content import encoded
from .notation import Json, JsonObject
from .script import EPOCH, METHODS, ScriptedArtifact, parse_script


class World:
    """A scripted store and a scripted token counter, `count`."""

    def __init__(self, store: Json, tokens: Json) -> None:
        """Creates the world that a case's ``store`` and ``tokens`` describe."""
        self._script = parse_script(store, tokens)
        # In the order of creation.
        self._kept = list(self._script.present)
        self._calls: Counter[str] = Counter()
        self._deleted: list[str] = []
        self._minted = 0
        self._counted = 0

    def create(self, tool: str, media_type: str) -> str:
        self._called("create")
        self._minted += 1
        minted: str = self._script.lies.get("minted", f"art_{_slug(tool)}_{self._minted:010}")
        artifact = Artifact(
            id=minted,
            tool=tool,
            media_type=media_type,
            size_bytes=0,
            line_count=0,
            created_at=EPOCH + self._minted,
        )
        self._kept.append(ScriptedArtifact(artifact, bytearray(), is_sealed=False, is_fresh=True))
        return minted

    def append(self, id: str, data: bytes) -> None:
        self._called("append")
        self._find(id, is_sealed=False).content += data

    def seal(self, id: str, line_count: int) -> Artifact:
        self._called("seal")
        kept = self._find(id, is_sealed=False)
        kept.is_sealed = True
        kept.content = bytes(kept.content)
        kept.artifact = replace(kept.artifact, size_bytes=len(kept.content), line_count=line_count)
        lies = self._script.lies
        size = lies.get("sealed_size", len(kept.content))
        return replace(kept.artifact, size_bytes=size, id=lies.get("sealed_id", id))

    def stat(self, id: str) -> Artifact:
        self._called("stat")
        return replace(self._readable(id).artifact, id=self._script.lies.get("stat_id", id))

    def read(self, id: str, offset: int, length: int) -> bytes:
        self._called("read")
        content = self._readable(id).content
        honest = content[offset : offset + length]
        answers = {
            "one_byte": honest[:1],
            "empty": b"",
            "too_long": content[offset:] + b"more",
            "wrong": b"?" * len(honest),
        }
        lie = self._script.lies.get("read")
        return honest if lie is None else answers[lie]

    def list_artifacts(self) -> list[Artifact]:
        self._called("list_artifacts")
        return [kept.artifact for kept in self._kept if kept.is_sealed and kept.expired is None]

    def delete(self, id: str) -> None:
        self._called("delete")
        found = next((kept for kept in self._kept if kept.artifact.id == id), None)
        if found is None:
            raise NotFoundError
        self._kept.remove(found)
        self._deleted.append(id)

    def count(self, text: str) -> int:
        """Counts the tokens of a text."""
        self._counted += 1
        return self._script.count(text)

    def after(self) -> JsonObject:
        """Returns the artifacts and counts after the case. Members without content are omitted."""
        stored = {kept.artifact.id: _left(kept) for kept in self._kept if kept.is_fresh}
        after = {"stored": stored, "deleted": self._deleted, "counted": self._counted}
        return {name: left for name, left in after.items() if left}

    def _called(self, method: str) -> None:
        """Counts a call of a method, and fails if the script says so."""
        self._calls[method] += 1
        failure = self._script.failures.get(method)
        if failure is not None and failure.at in (None, self._calls[method]):
            raise failure.error()

    def _find(self, id: str, *, is_sealed: bool) -> ScriptedArtifact:
        for kept in self._kept:
            if kept.artifact.id == id and kept.is_sealed == is_sealed:
                return kept
        raise NotFoundError

    def _readable(self, id: str) -> ScriptedArtifact:
        kept = self._find(id, is_sealed=True)
        if kept.expired is not None:
            raise kept.expired()
        return kept


class AsyncWorld:
    """A world in which each answer comes on a later turn of the event loop."""

    create: Callable[..., Awaitable[str]]
    append: Callable[..., Awaitable[None]]
    seal: Callable[..., Awaitable[Artifact]]
    stat: Callable[..., Awaitable[Artifact]]
    read: Callable[..., Awaitable[bytes]]
    list_artifacts: Callable[..., Awaitable[list[Artifact]]]
    delete: Callable[..., Awaitable[None]]
    count: Callable[[str], Awaitable[int]]

    def __init__(self, world: World) -> None:
        for method in (*METHODS, "count"):
            setattr(self, method, partial(_later, getattr(world, method)))


async def _later(method: Callable[..., Any], *arguments: Any) -> Any:
    await asyncio.sleep(0)
    return method(*arguments)


def _left(kept: ScriptedArtifact) -> JsonObject:
    artifact = kept.artifact
    state = {"line_count": artifact.line_count} if kept.is_sealed else {"sealed": False}
    try:
        content: Json = kept.content.decode()
    except UnicodeDecodeError:
        content = encoded(kept.content)
    return {"tool": artifact.tool, "media_type": artifact.media_type, **state, "content": content}


def _slug(tool: str) -> str:
    """Returns a tool's name as in ids: lowercase ASCII letters and digits, one ``_`` for a run of others."""
    words = re.sub("[^A-Za-z0-9]+", "_", tool).lower().removeprefix("_")
    return words[:49].removesuffix("_") or "tool"
