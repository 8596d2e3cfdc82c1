"""The plugin that keeps artifacts in its memory, as a host for the cases whose store is empty and works."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import Any

import extism
from corpus.call import outputs_of
from corpus.content import content_bytes, is_recipe
from corpus.notation import Json
from corpus.runner import Case
from extism.extism import CompiledPlugin
from hosts import TARGET, Host, Ports
from node_host import NodeHost

MODULE = "tuckaway-extism.wasm"


def skipped(case: Case) -> str | None:
    """Returns why a case does not run in the plugin; None if it runs."""
    store, after = case.full.get("store") or {}, case.own.get("after", {})
    if store.get("artifacts"):
        return "the case's store has artifacts, and the plugin begins without any"
    if store.get("fail") or store.get("lies"):
        return "the case's store misbehaves"
    # With another count of tokens, an output may be stored.
    names_files = case.full["input"].get("policy", {}).get("dialect") == "file"
    if names_files and not after.keys().isdisjoint({"stored", "counted"}):
        return "the case's views name artifacts by their times, and the plugin has no clock"
    if not all(_is_text(kept["content"], case) for kept in after.get("stored", {}).values()):
        return "the case stores bytes that are not UTF-8, which no function of the plugin returns unchanged"
    return None


def _is_text(content: Json, case: Case) -> bool:
    """Returns whether the content of an artifact, in the notation of expectations, is UTF-8."""
    if isinstance(content, dict) and "output" in content:
        stored = outputs_of(case.full["call"], case.full["input"])[content["output"]]
    elif is_recipe(content):
        stored = content_bytes(content)
    else:
        # Of long content, the case has a digest with the first characters.
        return "\ufffd" not in content["starts"]
    try:
        stored.decode()
    except UnicodeDecodeError:
        return False
    return True


class MemoryHost(Host):
    """An instance of the plugin, for one case.

    After each call, the new artifacts are read and stored in the case's store, in which the case looks for
    them. The plugin has no clock: in its answers, artifacts get the times of that store.
    """

    def __init__(self, function: Callable[[str, bytes, Ports], bytes]) -> None:
        """``function`` calls a function of the plugin."""
        self._function = function
        self._created_at: dict[str, int] = {}

    def call(self, name: str, arguments: bytes, ports: Ports) -> bytes:
        """Calls a function of the plugin."""
        answer = json.loads(self._function(name, arguments, ports))
        for artifact in self._ask(ports, "list_artifacts"):
            if artifact["id"] not in self._created_at:
                self._store(artifact, ports)
        return json.dumps(self._with_times(answer)).encode()

    def _ask(self, ports: Ports, name: str, **arguments: Any) -> Any:
        return json.loads(self._function(name, json.dumps(arguments).encode(), ports))["ok"]

    def _store(self, artifact: dict[str, Any], ports: Ports) -> None:
        given = {"tool": artifact["tool"], "media_type": artifact["media_type"]}
        minted, _ = ports.store("create", given, b"")
        assert minted == artifact["id"]
        ports.store("append", {"id": minted}, self._content(minted, ports))
        sealed, _ = ports.store("seal", {"id": minted, "line_count": artifact["line_count"]}, b"")
        assert sealed["size_bytes"] == artifact["size_bytes"]
        self._created_at[minted] = sealed["created_at"]

    def _content(self, id: str, ports: Ports) -> bytes:
        page = self._ask(ports, "read", id=id, max_bytes=1 << 20)
        text = page["text"]
        while page.get("next") is not None:
            page = self._ask(ports, "read", id=id, range={"cursor": page["next"]}, max_bytes=1 << 20)
            text += page["text"]
        return str(text).encode()

    def _with_times(self, answer: Any) -> Any:
        if isinstance(answer, list):
            return [self._with_times(each) for each in answer]
        if not isinstance(answer, dict):
            return answer
        changed = {name: self._with_times(each) for name, each in answer.items()}
        if answer.get("created_at") == 0 and answer.get("id") in self._created_at:
            changed["created_at"] = self._created_at[answer["id"]]
        return changed


@contextmanager
def in_python() -> Iterator[MemoryHost]:
    """An instance in Extism's SDK for Python."""
    with extism.Plugin(_compiled()) as plugin:
        yield MemoryHost(lambda name, arguments, _: plugin.call(name, arguments))


@contextmanager
def in_node() -> Iterator[MemoryHost]:
    """An instance in Extism's SDK for JavaScript."""
    node = _node()
    node.renew()
    yield MemoryHost(node.call)


def estimate(text: str) -> int:
    """Counts tokens as the plugin does."""
    return _account(text) - _account("")


def _account(text: str) -> int:
    """Returns the tokens of a message in the account of a conversation."""
    conversation = {"messages": [{"role": "user", "parts": [{"text": text}]}]}
    given = json.dumps({"conversation": conversation, "task": "account"})
    return int(json.loads(_counter().call("plan", given))["ok"]["plan"]["before"]["history"])


@cache
def _counter() -> extism.Plugin:
    return extism.Plugin(_compiled())


@cache
def _compiled() -> CompiledPlugin:
    return CompiledPlugin((TARGET / MODULE).read_bytes())


@cache
def _node() -> NodeHost:
    return NodeHost("extism", MODULE)
