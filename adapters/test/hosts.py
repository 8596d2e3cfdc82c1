"""Hosts of the modules: Extism, and plain WebAssembly in wasmtime. docs/plugin-hosts.md describes the
exchanged bytes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, Protocol

import extism
import wasmtime

TARGET = Path(os.environ.get("TUCKAWAY_TARGET") or Path(__file__).parents[2] / "target")


class FailureError(Exception):
    """A failure of a store or of a token counter, as JSON."""

    def __init__(self, value: Any) -> None:
        super().__init__(value)
        self.value = value


class Ports(Protocol):
    """A store and a token counter. Both raise `FailureError`."""

    def store(self, method: str, arguments: dict[str, Any], content: bytes) -> tuple[Any, bytes]:
        """Makes a call of the store. Returns its result, and the content for ``read``."""
        ...

    def tokens(self, text: str) -> int:
        """Counts the tokens of a text."""
        ...


class Host(Protocol):
    """A module in a host."""

    def call(self, name: str, arguments: bytes, ports: Ports) -> bytes:
        """Calls a function over a store and a token counter."""
        ...


def answer_store(ports: Ports, request: bytes) -> bytes:
    """Answers a request to the store."""
    line, _, content = request.partition(b"\n")
    arguments = json.loads(line)
    try:
        result, read = ports.store(arguments.pop("method"), arguments, content)
    except FailureError as failure:
        return json.dumps({"error": failure.value}).encode()
    return json.dumps({"ok": result}).encode() + b"\n" + read


def answer_tokens(ports: Ports, text: bytes) -> bytes:
    """Answers a request to the token counter."""
    try:
        return json.dumps({"ok": ports.tokens(text.decode())}).encode()
    except FailureError as failure:
        return json.dumps({"error": failure.value}).encode()


class ExtismHost:
    """The plugin whose store is a host function. One instance serves all cases."""

    def __init__(self) -> None:
        self._ports: Ports | None = None
        functions = [self._function("store", answer_store), self._function("tokens", answer_tokens)]
        self._plugin = extism.Plugin((TARGET / "tuckaway-extism-host.wasm").read_bytes(), functions=functions)

    def _function(self, name: str, answer: Any) -> extism.Function:
        def call(plugin: extism.CurrentPlugin, inputs: list[Any], outputs: list[Any]) -> None:
            plugin.return_bytes(outputs[0], answer(self._ports, plugin.input_bytes(inputs[0])))

        pointer = [extism.ValType.PTR]
        return extism.host_fn(name=name, signature=(pointer, pointer))(call)

    def call(self, name: str, arguments: bytes, ports: Ports) -> bytes:
        """Calls a function of the plugin."""
        self._ports = ports
        output: bytes = self._plugin.call(name, arguments)
        return output


class CoreHost:
    """The core module. One instance serves all cases."""

    def __init__(self) -> None:
        self._ports: Ports | None = None
        engine = wasmtime.Engine()
        self._store = wasmtime.Store(engine)
        linker = wasmtime.Linker(engine)
        of = wasmtime.FuncType([wasmtime.ValType.i32()] * 2, [wasmtime.ValType.i64()])
        for name, answer in (("store", answer_store), ("tokens", answer_tokens)):
            linker.define_func("tuckaway", name, of, self._function(answer))
        module = wasmtime.Module(engine, (TARGET / "tuckaway-core.wasm").read_bytes())
        exports = linker.instantiate(self._store, module).exports(self._store)
        self._memory: Any = exports["memory"]
        self._exported: Any = exports

    def _function(self, answer: Any) -> Any:
        return lambda address, length: self._write(answer(self._ports, self._read(address, length)))

    def _read(self, address: int, length: int) -> bytes:
        address &= 0xFFFF_FFFF
        return bytes(self._memory.read(self._store, address, address + length))

    def _write(self, content: bytes) -> int:
        """Writes content into a new buffer. Returns its address and length in one number."""
        address = self.export("alloc", len(content)) & 0xFFFF_FFFF
        assert address != 0
        self._memory.write(self._store, content, address)
        return (address << 32 | len(content)) - (1 << 64 if address >> 31 else 0)

    def export(self, name: str, *arguments: int) -> int:
        """Calls an export of the module."""
        result: int = self._exported[name](self._store, *arguments)
        return result

    def memory_bytes(self) -> int:
        """Returns the size of the module's memory."""
        size: int = self._memory.data_len(self._store)
        return size

    def call(self, name: str, arguments: bytes, ports: Ports) -> bytes:
        """Calls a function of the module."""
        self._ports = ports
        given = [self._write(name.encode()), self._write(arguments)]
        try:
            return self.take(self.export("call", *(part for packed in given for part in _split(packed))))
        finally:
            for packed in given:
                self.export("free", _split(packed)[0])

    def take(self, packed: int) -> bytes:
        """Returns the content of a buffer and frees it."""
        address, length = _split(packed)
        content = self._read(address, length)
        self.export("free", address)
        return content


def _split(packed: int) -> tuple[int, int]:
    return packed >> 32 & 0xFFFF_FFFF, packed & 0xFFFF_FFFF
