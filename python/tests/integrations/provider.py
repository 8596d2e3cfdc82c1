"""A model provider on this machine, for the real clients: a function answers the requests."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class RefusedError(Exception):
    """Refuses a request, with the provider's message."""


@contextmanager
def provider(answer: Callable[[dict[str, Any]], dict[str, Any]]) -> Iterator[str]:
    """Returns the URL of a server that answers each request's JSON with JSON."""

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["content-length"])))
            try:
                status, reply = 200, answer(request)
            except RefusedError as refused:
                status, reply = 400, {"error": {"type": "invalid_request_error", "message": str(refused)}}
            body = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *args: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
