"""Node as a host: Extism's SDK for JavaScript, and plain WebAssembly. ``node/host.mjs`` describes the
messages."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import IO

from hosts import TARGET, Ports, answer_store, answer_tokens

SCRIPT = Path(os.environ.get("TUCKAWAY_NODE_HOST") or TARGET / "adapters/node/host.mjs")
"""A copy of the script, next to the installed SDK."""


class NodeHost:
    """A module in a process of Node, which ends with this one. One instance serves all cases, unless it is
    renewed."""

    def __init__(self, host: str, module: str) -> None:
        """Starts Node with a module of ``target/``. ``host`` is ``extism`` or ``core``."""
        command = ["node", str(SCRIPT), host, str(TARGET / module)]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def renew(self) -> None:
        """Makes a new instance."""
        self._send(b"", b"")

    def call(self, name: str, arguments: bytes, ports: Ports) -> bytes:
        """Calls a function of the module."""
        self._send(name.encode(), arguments)
        while True:
            message = self._receive()
            kind, content = message[:1], message[1:]
            if kind == b"a":
                return content
            if kind == b"e":
                raise RuntimeError(content.decode())
            try:
                answer = answer_store(ports, content) if kind == b"s" else answer_tokens(ports, content)
            except BaseException:
                # Node waits for an answer, and would take the next call for one.
                self._process.kill()
                raise
            self._send(answer)

    def _send(self, *messages: bytes) -> None:
        pipe = _open(self._process.stdin)
        for message in messages:
            pipe.write(len(message).to_bytes(4, "big") + message)
        pipe.flush()

    def _receive(self) -> bytes:
        pipe = _open(self._process.stdout)
        length = int.from_bytes(pipe.read(4), "big")
        message = pipe.read(length)
        if length == 0 or len(message) < length:
            raise RuntimeError("Node has ended; its output says why")
        return message


def _open(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe
