"""The agents in ``examples``, run unchanged against a provider on this machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from .provider import RefusedError, provider
from .scenario import Call
from .test_anthropic import message
from .test_openai import chat_completion

EXAMPLES = Path(__file__).parents[2] / "examples"
COUNT = "[.packages[] | select(.hasInstallScript)] | length"


class Lockfile:
    """A model that counts install scripts in the lockfile, and refuses the last request once. ``seen`` has
    the texts that it was shown."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.has_refused = False

    def step(self, results: list[str]) -> list[Call] | str:
        if not results:
            return [Call("get_lockfile")]
        if len(self.seen) == 1 and not self.has_refused:
            self.has_refused = True
            raise RefusedError("prompt is too long: 1200 tokens > 600 maximum")
        self.seen.append(results[0])
        if len(self.seen) == 1:
            artifact = json.loads(results[0])["artifact_id"]
            return [Call("artifact_jq", {"artifact_id": artifact, "filter": COUNT})]
        return f"{results[0].strip()} packages have an install script."


def run(script: str, folder: Path, url: str) -> str:
    """Runs an example in a folder with a large lockfile, and returns its output."""
    names = {f"node_modules/package-{n}": {"version": f"1.0.{n}"} for n in range(10_000)}
    names["node_modules/esbuild"] = {"version": "0.28.2", "hasInstallScript": True}  # type: ignore[dict-item]
    (folder / "package-lock.json").write_text(json.dumps({"lockfileVersion": 3, "packages": names}))
    keys = {"OPENAI_API_KEY": "none", "ANTHROPIC_API_KEY": "none"}
    urls = {"OPENAI_BASE_URL": url, "ANTHROPIC_BASE_URL": url}
    command = [sys.executable, str(EXAMPLES / script), "How many packages have an install script?"]
    done = subprocess.run(
        command, cwd=folder, env={**os.environ, **keys, **urls}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_agent_over_chat_completions(tmp_path: Path) -> None:
    script = Lockfile()

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        results = [each["content"] for each in request["messages"] if each["role"] == "tool"]
        return chat_completion(script.step(results[-1:]))

    with provider(answer) as url:
        assert run("openai_chat.py", tmp_path, url) == "1 packages have an install script.\n"
    assert script.has_refused


def test_the_agent_over_messages(tmp_path: Path) -> None:
    script = Lockfile()

    def answer(request: dict[str, Any]) -> dict[str, Any]:
        content = request["messages"][-1]["content"]
        return message(script.step([] if isinstance(content, str) else [content[0]["content"]]))

    with provider(answer) as url:
        assert run("anthropic_messages.py", tmp_path, url) == "1 packages have an install script.\n"
    assert script.has_refused
    assert list((tmp_path / "outputs").iterdir())
