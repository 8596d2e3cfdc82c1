"""Sessions that begin in one home and continue in another: Python, the Rust command line, then Python again.

``TUCKAWAY_CLI`` names the command. ``cargo xtask python`` builds it and sets this.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tuckaway import DirStore, Tuckaway
from tuckaway.conversation import CacheConfig, Manage

TASK = Manage(context_window=100_000, cache=CacheConfig(context_budget_tokens=2_000))
TRIMMED = re.compile(r"\[tool output trimmed; ref=(\S+)\]")


@pytest.fixture(scope="module")
def command() -> str:
    path = os.environ.get("TUCKAWAY_CLI")
    assert path, "TUCKAWAY_CLI names the command `tuckaway`; `cargo xtask python` builds it and sets this"
    return path


def test_a_session_goes_on_in_another_home(command: str, tmp_path: Path) -> None:
    history, memory, config = (tmp_path / name for name in ("history.json", "memory.json", "config.json"))
    config.write_text(json.dumps({"cache": {"context_budget_tokens": 2_000}}))
    store = DirStore(tmp_path / "store")
    tuckaway = Tuckaway(store)

    first = tuckaway.manage_history(turns(0, 6), TASK, format="anthropic")
    of_first = references(first.history)
    assert len(of_first) >= 3

    memory.write_text(json.dumps(first.memory))
    history.write_text(json.dumps(first.history + turns(6, 9)))
    plan = ["plan", str(history), "--format", "anthropic", "--window", "100000", "--preset", "none"]
    files = ["--config", str(config), "--output", str(history), "--state", str(memory)]
    store_option = ["--store", f"dir:{tmp_path / 'store'}"]
    subprocess.run([command, *store_option, *plan, "--apply", *files], check=True, timeout=60)
    of_second = references(json.loads(history.read_text()))
    assert len(of_second) > len(of_first)
    assert list(of_second.items())[: len(of_first)] == list(of_first.items())
    # The new memory still knows which texts are references of the first plan.
    assert known(memory.read_text()) == sorted(of_second.values())

    items = json.loads(history.read_text()) + turns(9, 12)
    third = tuckaway.manage_history(items, TASK, format="anthropic", memory=memory.read_text())
    of_third = references(third.history)
    assert len(of_third) > len(of_second)
    assert list(of_third.items())[: len(of_second)] == list(of_second.items())
    assert known(json.dumps(third.memory)) == sorted(of_third.values())
    for n, artifact in of_third.items():
        assert store.read(artifact, 0, 1_000_000).decode() == long(n)


def long(n: int) -> str:
    return f"line of {n}\n" * 400


def turns(start: int, end: int) -> list[Any]:
    """Returns turns of Anthropic's messages, each with a long result."""
    items: list[Any] = []
    for n in range(start, end):
        call = {"type": "tool_use", "id": f"use_{n}", "name": "read_log", "input": {"n": n}}
        result = {"type": "tool_result", "tool_use_id": f"use_{n}", "content": long(n)}
        items += [
            {"role": "user", "content": f"Read log {n}."},
            {"role": "assistant", "content": [call]},
            {"role": "user", "content": [result]},
            {"role": "assistant", "content": [{"type": "text", "text": "It is fine."}]},
        ]
    return items


def references(items: list[Any]) -> dict[int, str]:
    """Returns the artifacts that results were replaced with, by the numbers of their turns."""
    blocks = [block for item in items if isinstance(item["content"], list) for block in item["content"]]
    results = [block["content"] for block in blocks if block["type"] == "tool_result"]
    found = {}
    for n, content in enumerate(results):
        if trimmed := TRIMMED.fullmatch(content):
            found[n] = trimmed[1]
        else:
            assert content == long(n)
    return found


def known(memory: str) -> list[str]:
    return sorted(json.loads(memory)["artifacts"].values())
