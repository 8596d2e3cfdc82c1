"""The files to measure, and large documents made from them."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Input:
    """A document with its name in the table."""

    name: str
    text: str

    @property
    def size(self) -> int:
        """Returns its bytes."""
        return len(self.text.encode())

    @property
    def title(self) -> str:
        """Returns its name and its size."""
        size = self.size
        shown = f"{size // 1_000_000} MB" if size >= 5_000_000 else f"{size // 1_000} KB"
        return f"{self.name}, {shown}"


def file(folder: Path, path: str) -> Input:
    """Returns a file unchanged."""
    return Input(Path(path).name, (folder / path).read_bytes().decode("utf-8", errors="replace"))


def statuses(folder: Path, times: int) -> Input:
    """Returns the statuses of twitter.json, repeated, as compact JSON. 200 repetitions are 93 MB."""
    records = json.loads(file(folder, "json/twitter.json").text)["statuses"]
    one = ",".join(json.dumps(each, ensure_ascii=False, separators=(",", ":")) for each in records)
    return Input(f"twitter.json x {times}", f'{{"statuses":[{",".join([one] * times)}]}}')


def lines(folder: Path, path: str, times: int) -> Input:
    """Returns a file of lines, repeated."""
    one = file(folder, path)
    text = one.text if one.text.endswith("\n") else f"{one.text}\n"
    return Input(f"{one.name} x {times}", text * times)
