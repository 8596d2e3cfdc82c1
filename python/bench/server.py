"""A model server on loopback with the API of Chat Completions, for agents of any framework.

The context of an agent is read from its requests.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from outputs import Output
from script import Call, Queries, Script, Seen, definitions

MODEL = "gpt-4o"
"""The name of the model that the agents request."""

KEY = "none"


class ModelServer:
    """Answers requests by a script, one session after another."""

    def __init__(self) -> None:
        self._script: Script | None = None
        self._tools: list[dict[str, Any]] = []
        self._failure: Exception | None = None
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler_of(self))
        self._thread = threading.Thread(target=self._http.serve_forever, daemon=True)

    def __enter__(self) -> ModelServer:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._http.shutdown()
        self._http.server_close()

    @property
    def url(self) -> str:
        """The URL for clients of OpenAI's API."""
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    def session(
        self, output: Output, queries: Queries, run: Callable[[str], None], tools: tuple[str, ...]
    ) -> Seen:
        """Runs an agent against the server, which plays the model by the script for an output. Returns the
        texts of its requests, with the definitions of the tools for the rest."""
        script = Script(queries, output.answer)
        self._script, self._tools, self._failure = script, [], None
        run(self.url)
        self._script = None
        if self._failure is not None:
            raise RuntimeError("the script failed") from self._failure
        script.seen.tools = definitions(tool for tool in self._tools if tool["function"]["name"] in tools)
        return script.seen

    def answer(self, request: dict[str, Any]) -> tuple[dict[str, Any], str]:
        """Returns the message for a request, and why it ends. A script that fails ends the session."""
        if self._script is None:
            raise RuntimeError("a request without a session")
        self._tools = request.get("tools", [])
        results = [_text(message["content"]) for message in request["messages"] if message["role"] == "tool"]
        try:
            call = self._script.next(results)
        except ValueError as failure:
            self._failure = failure
            call = None
        if call is None:
            return {"role": "assistant", "content": "Done."}, "stop"
        return {"role": "assistant", "content": None, "tool_calls": [_wire(call, len(results))]}, "tool_calls"


def _text(content: str | list[dict[str, Any]]) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def _wire(call: Call, number: int) -> dict[str, Any]:
    function = {"name": call.tool, "arguments": json.dumps(call.arguments)}
    return {"id": f"call_{number}", "index": 0, "type": "function", "function": function}


def _handler_of(server: ModelServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            message, reason = server.answer(request)
            head = {"id": "chatcmpl-1", "created": 0, "model": MODEL}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            if request.get("stream"):
                head["object"] = "chat.completion.chunk"
                chunks: list[dict[str, Any]] = [
                    {**head, "choices": [{"index": 0, "delta": message, "finish_reason": None}]},
                    {**head, "choices": [{"index": 0, "delta": {}, "finish_reason": reason}]},
                    {**head, "choices": [], "usage": usage},
                ]
                lines = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
                self._send("text/event-stream", "".join([*lines, "data: [DONE]\n\n"]))
            else:
                choice = {"index": 0, "message": message, "finish_reason": reason}
                reply = {**head, "object": "chat.completion", "choices": [choice], "usage": usage}
                self._send("application/json", json.dumps(reply))

        def _send(self, media_type: str, text: str) -> None:
            body = text.encode()
            self.send_response(200)
            self.send_header("Content-Type", media_type)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Prints nothing, because the requests are not of interest."""

    return Handler
