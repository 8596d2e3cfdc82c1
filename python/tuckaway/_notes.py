"""The artifacts of outputs that this package's helpers put into a history, until the history arrives."""

from __future__ import annotations

import re
import threading

from ._records import KnownArtifact
from .records import View

MAX_NOTES = 10_000
"""Maximum number of notes for histories that have not arrived; the oldest go first."""

MAX_CHARACTERS = 10_000_000
"""Maximum characters of their texts."""

_TEXTS = re.compile(r'"(?=([^"\\]*)")')
"""The texts of a JSON document that have no escapes, among others."""


class Notes:
    """The results that one client has stored, by the ids of their calls and their texts."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._artifacts: dict[tuple[str, str], str] = {}
        self._characters = 0

    def add(self, call_id: str, view: View) -> None:
        """Notes from which artifact a result can be read. A view of several artifacts has no single one."""
        if len(view.artifacts) != 1:
            return
        with self._lock:
            self._remove(call_id, view.text)
            self._artifacts[call_id, view.text] = view.artifacts[0].id
            self._characters += len(view.text)
            while len(self._artifacts) > MAX_NOTES or self._characters > MAX_CHARACTERS:
                self._remove(*next(iter(self._artifacts)))

    def of(self, history: str) -> list[KnownArtifact]:
        """Returns the notes about the calls in a history, which is JSON."""
        if not self._artifacts:
            return []
        texts = set(_TEXTS.findall(history))
        with self._lock:
            noted = list(self._artifacts.items())
        return [
            KnownArtifact(call_id, artifact, text) for (call_id, text), artifact in noted if call_id in texts
        ]

    def forget(self, notes: list[KnownArtifact], memory: str) -> None:
        """Drops the notes that a memory, which is JSON, has taken over."""
        taken = [note for note in notes if f'"{note.artifact}"' in memory]
        with self._lock:
            for note in taken:
                self._remove(note.call_id, note.text or "")

    def _remove(self, call_id: str, text: str) -> None:
        if self._artifacts.pop((call_id, text), None) is not None:
            self._characters -= len(text)
