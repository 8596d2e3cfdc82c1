"""Stored images, PDF documents and recordings, for models that can see them."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any, Literal

from ._convert import from_plain
from .records import Artifact


@dataclass(frozen=True, slots=True)
class StoredMedia:
    """A stored file that a model may be able to see or hear."""

    artifact: Artifact
    kind: Literal["image", "pdf", "audio"]
    """Images are PNG, JPEG, GIF or WebP."""
    media_type: str
    """The media type, detected from the bytes: providers refuse a file of another type than its declared
    one."""
    data: bytes | None
    """The file; None if it has more than 3,932,160 bytes, which are 5 MiB as base64."""
    text: str
    """What the artifact is and, if it is too large, why it is not shown; for the model."""

    @property
    def base64(self) -> str:
        """The file as base64; empty if it is too large."""
        return base64.b64encode(self.data or b"").decode()


def read_media(plain: Any) -> StoredMedia | None:
    """Reads the answer of the native module."""
    if plain is None:
        return None
    artifact = from_plain(Artifact, plain["artifact"])
    return StoredMedia(artifact, plain["kind"], plain["media_type"], plain["data"], plain["text"])
