"""A store whose ids are the same in each run, because ids are part of the counted texts."""

from __future__ import annotations

import re
from dataclasses import replace

from tuckaway import Artifact, NotFoundError


class NumberedStore:
    """Keeps artifacts in memory, with consecutive ids."""

    def __init__(self) -> None:
        self._artifacts: dict[str, Artifact] = {}
        self._contents: dict[str, bytes] = {}
        self._sealed: set[str] = set()

    def named_in(self, text: str) -> dict[str, str]:
        """Returns the artifacts that a text names, as text, in the order in which it names them."""
        ids = dict.fromkeys(re.findall(r"art_\w+", text))
        return {name: self._contents[name].decode() for name in ids if name in self._sealed}

    def create(self, tool: str, media_type: str) -> str:
        slug = re.sub(r"\W+", "_", tool.lower())
        name = f"art_{slug}_{len(self._artifacts):010}"
        self._artifacts[name] = Artifact(
            id=name,
            tool=tool,
            media_type=media_type,
            size_bytes=0,
            line_count=0,
            created_at=len(self._artifacts),
        )
        self._contents[name] = b""
        return name

    def append(self, id: str, data: bytes) -> None:
        self._contents[id] += data

    def seal(self, id: str, line_count: int) -> Artifact:
        size = len(self._contents[id])
        self._artifacts[id] = replace(self._artifacts[id], size_bytes=size, line_count=line_count)
        self._sealed.add(id)
        return self._artifacts[id]

    def stat(self, id: str) -> Artifact:
        return self._artifacts[self._known(id)]

    def read(self, id: str, offset: int, length: int) -> bytes:
        return self._contents[self._known(id)][offset : offset + length]

    def list_artifacts(self) -> list[Artifact]:
        return [artifact for name, artifact in self._artifacts.items() if name in self._sealed]

    def delete(self, id: str) -> None:
        self._sealed.remove(self._known(id))

    def _known(self, id: str) -> str:
        if id not in self._sealed:
            raise NotFoundError
        return id
