"""Runs `tuckaway.wasm` in the package `wasmtime` of PyPI, with a store in Python: a host in a hundred lines.

The package `tuckaway` does not need this: it has its own host, which is faster, has a deadline and has
persistent stores. This shows that the component runs in any runtime that supports components.

    cargo xtask component
    pip install wasmtime
    python examples/pure_wasmtime.py target/tuckaway.wasm response.json 'completed_in'
"""

from __future__ import annotations

import json
import secrets
import sys
import time
from pathlib import Path
from typing import Any

from wasmtime import Engine, Store
from wasmtime.component import Component, Instance, Linker, Record, Variant

PACKAGE = "tuckaway:context/{}@0.1.0"

NOT_FOUND = Variant("not-found")


def record(**fields: Any) -> Record:
    """Returns a record of the contract, whose names have hyphens."""
    made = Record()
    for name, value in fields.items():
        setattr(made, name.replace("_", "-"), value)
    return made


class DictStore:
    """The seven functions of `wit/store.wit`. wasmtime passes its own object as the first argument of
    each."""

    def __init__(self) -> None:
        self.artifacts: dict[str, Record] = {}
        self.contents: dict[str, bytes] = {}
        self.unsealed: dict[str, tuple[str, str, list[bytes]]] = {}

    def create(self, _: object, tool: str, media_type: str) -> str:
        """Begins an artifact and returns its unguessable id."""
        minted = f"art_{secrets.token_hex(8)}"
        self.unsealed[minted] = (tool, media_type, [])
        return minted

    def append(self, _: object, id: str, data: bytes) -> Variant | None:
        """Appends bytes to an artifact. A returned `Variant` is an error."""
        if id not in self.unsealed:
            return NOT_FOUND
        self.unsealed[id][2].append(data)
        return None

    def seal(self, _: object, id: str, line_count: int) -> Record | Variant:
        """Makes an artifact visible."""
        if id not in self.unsealed:
            return NOT_FOUND
        tool, media_type, parts = self.unsealed.pop(id)
        content = self.contents[id] = b"".join(parts)
        self.artifacts[id] = record(
            id=id,
            tool=tool,
            media_type=media_type,
            size_bytes=len(content),
            line_count=line_count,
            created_at=int(time.time()),
        )
        return self.artifacts[id]

    def stat(self, _: object, id: str) -> Record | Variant:
        """Returns the metadata of an artifact."""
        return self.artifacts.get(id, NOT_FOUND)

    def read(self, _: object, id: str, offset: int, length: int) -> bytes | Variant:
        """Returns a part of an artifact."""
        return self.contents[id][offset : offset + length] if id in self.contents else NOT_FOUND

    def list_artifacts(self, _: object) -> list[Record]:
        """Returns the metadata of all artifacts, oldest first."""
        return list(self.artifacts.values())

    def delete(self, _: object, id: str) -> Variant | None:
        """Removes an artifact, sealed or not."""
        was_sealed = self.artifacts.pop(id, None) is not None and self.contents.pop(id, None) is not None
        was_unsealed = self.unsealed.pop(id, None) is not None
        return None if was_sealed or was_unsealed else NOT_FOUND


def count_tokens(_: object, text: str) -> int | str:
    """Counts tokens roughly. A returned `str` would be a failure."""
    return (len(text.encode()) + 3) // 4


class PureTuckaway:
    """The component, its store and its token counter."""

    def __init__(self, component: bytes, store: DictStore) -> None:
        engine = Engine()
        self.store = Store(engine)
        self.store.set_limits(memory_size=1 << 30)
        linker = Linker(engine)
        with linker.root() as root:
            with root.add_instance(PACKAGE.format("store")) as functions:
                for name in ("create", "append", "seal", "stat", "read", "list_artifacts", "delete"):
                    functions.add_func(name.replace("_", "-"), getattr(store, name))
            with root.add_instance(PACKAGE.format("tokens")) as functions:
                functions.add_func("count", count_tokens)
        self.instance: Instance = linker.instantiate(self.store, Component(engine, component))

    def call(self, interface: str, function: str, *arguments: Any) -> Any:
        """Calls an exported function, and raises its error."""
        index = self.instance.get_export_index(self.store, PACKAGE.format(interface))
        assert index is not None
        index = self.instance.get_export_index(self.store, function, index)
        exported = None if index is None else self.instance.get_func(self.store, index)
        assert exported is not None
        answer: Any = exported(self.store, *arguments)
        if not isinstance(answer, Variant):
            return answer
        payload: Any = answer.payload
        if answer.tag == "err":
            raise ValueError(payload.message)
        return payload

    def process(self, text: str, *, tool: str, context_window: int, used_tokens: int = 0) -> Record:
        """Returns the model's view of an output."""
        block = record(content=Variant("text", text), media_type=None)
        output = record(tool=tool, is_error=False, blocks=[block], structured=None)
        tools = ["read", "grep", "jq"]
        turn = record(context_window=context_window, used_tokens=used_tokens, tools=tools)
        view: Record = self.call("offload", "process", output, turn, self.default_policy())
        return view

    def default_policy(self) -> Record:
        """Returns the policy of the dialect `artifact`."""
        policy: Record = self.call("offload", "default-policy", "artifact")
        return policy

    def call_tool(self, name: str, arguments: dict[str, Any]) -> str:
        """Returns the reply of an artifact tool to the model."""
        reply = self.call("tools", "call", name, json.dumps(arguments), None)
        text: str = reply.text
        return text


def main(component: str, file: str, pattern: str) -> None:
    """Shows the model's view of a file, and the lines that the model finds in it."""
    tuckaway = PureTuckaway(Path(component).read_bytes(), DictStore())
    view: Any = tuckaway.process(Path(file).read_text(), tool="fetch", context_window=128_000)
    print(view.text)
    for artifact in view.artifacts:
        print(tuckaway.call_tool("artifact_grep", {"artifact_id": artifact.id, "pattern": pattern}))


if __name__ == "__main__":
    main(*sys.argv[1:])
