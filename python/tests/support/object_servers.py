"""Real servers with the API of S3, on loopback, for tests of stores.

``TUCKAWAY_OBJECT_SERVERS`` has the paths of their programs, as ``cargo xtask object-servers --json`` prints
them. A test that needs a server fails without its program.
"""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from tuckaway import BucketStore

PROGRAMS = ("s3s_fs", "moto")
"""The servers. s3s-fs keeps objects as files and checks signatures, moto does neither."""

VARIABLE = "TUCKAWAY_OBJECT_SERVERS"

ACCESS_KEY, SECRET_KEY = "tuckaway", "tuckaway-secret"

START_SECONDS = 60
"""How long a server may take to answer: Python starts slowly on a busy machine."""


@dataclass
class ObjectServer:
    """A server that runs."""

    program: str
    port: int
    directory: Path
    _buckets: Iterator[int] = field(default_factory=count)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def store(self, *, max_bytes: int | None = None, max_age: float | None = None) -> BucketStore:
        """Returns a store in a new bucket."""
        bucket = f"bucket-{next(self._buckets)}"
        if self.program == "s3s_fs":
            (self.directory / bucket).mkdir()
        else:
            status = _request(self.port, "PUT", f"/{bucket}")
            assert status == 200, f"making a bucket: HTTP {status}"
        return self.open(f"s3://{bucket}/outputs", max_bytes=max_bytes, max_age=max_age)

    def open(self, url: str, *, max_bytes: int | None = None, max_age: float | None = None) -> BucketStore:
        """Opens the store of a URL."""
        options = {"access_key_id": ACCESS_KEY, "secret_access_key": SECRET_KEY, "region": "us-east-1"}
        return BucketStore(url, endpoint=self.url, options=options, max_bytes=max_bytes, max_age=max_age)


@contextmanager
def running(program: str, directory: Path) -> Iterator[ObjectServer]:
    """Runs a server, with a directory for its files."""
    path = json.loads(os.environ.get(VARIABLE) or "{}").get(program)
    if path is None:
        pytest.fail(
            f"this test needs the server {program}: set {VARIABLE} to what "
            "`cargo xtask object-servers --json` prints, as `cargo xtask python` does",
            pytrace=False,
        )
    port = _free_port()
    arguments = [path, "--host", "127.0.0.1", "--port", str(port)]
    if program == "s3s_fs":
        arguments += ["--access-key", ACCESS_KEY, "--secret-key", SECRET_KEY, str(directory)]
    with directory.with_suffix(".log").open("w") as log:
        child = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        try:
            _wait_until_it_answers(child, port, log.name)
            yield ObjectServer(program, port, directory)
        finally:
            child.kill()
            child.wait()


def _wait_until_it_answers(child: subprocess.Popen[bytes], port: int, log: str) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end:
        try:
            # Any status is fine: one server requires a signature here.
            _request(port, "GET", "/")
            return
        except OSError:
            time.sleep(0.05)
        if child.poll() is not None:
            break
    pytest.fail(f"the server does not answer:\n{Path(log).read_text()}", pytrace=False)


def _request(port: int, method: str, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_SECONDS)
    try:
        connection.request(method, path)
        return connection.getresponse().status
    finally:
        connection.close()


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port
