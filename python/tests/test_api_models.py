"""Models over HTTP: a scripted server answers, and inspects the requests."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tuckaway import Answer, AnthropicModel, AsyncTuckaway, OpenAIModel, Policy, Question, Tuckaway

KEY = "key-of-the-test"


class Api(ThreadingHTTPServer):
    """Answers every request in the format of its path, after as many failures as are set."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.seen: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.statuses: list[int] = []

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        api = self.server
        assert isinstance(api, Api)
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        api.seen.append((self.path, {name.lower(): value for name, value in self.headers.items()}, body))
        status = api.statuses.pop(0) if api.statuses else 200
        answer = json.dumps(answered(self.path, body) if status == 200 else {"error": {"message": "Busy."}})
        self.send_response(status)
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Prints nothing."""


def answered(path: str, body: dict[str, Any]) -> dict[str, Any]:
    tag = re.search(r"ai-agent-\w+-FINAL", json.dumps(body))
    text = f'<{tag[0]} format="text">It stopped at 04:12.</{tag[0]}>' if tag else ""
    if path.endswith("/messages"):
        usage = {"input_tokens": 11, "output_tokens": 7}
        return {"content": [{"type": "text", "text": text}], "stop_reason": "end_turn", "usage": usage}
    usage = {"prompt_tokens": 11, "completion_tokens": 7}
    return {"choices": [{"message": {"content": text}, "finish_reason": "stop"}], "usage": usage}


@pytest.fixture
def api() -> Iterator[Api]:
    with Api() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def asked(model: OpenAIModel | AnthropicModel) -> Answer:
    client = Tuckaway(policy=Policy(keep_all=True))
    stored = client.process("the turbine stopped at 04:12\n", tool="hours").artifacts[0].id
    return client.extract(Question(stored, "when did it stop?"), model)


def test_openai_is_asked_in_its_format(api: Api) -> None:
    answer = asked(OpenAIModel("some-model", base_url=api.url, api_key=KEY))
    assert (answer.content, answer.usage.input_tokens, answer.usage.output_tokens) == (
        "It stopped at 04:12.",
        11,
        7,
    )
    ((path, headers, body),) = api.seen
    assert (path, headers["authorization"], body["model"]) == (
        "/v1/chat/completions",
        f"Bearer {KEY}",
        "some-model",
    )


def test_anthropic_is_asked_in_its_format(api: Api) -> None:
    answer = asked(AnthropicModel("some-model", base_url=api.url, api_key=KEY))
    assert answer.content == "It stopped at 04:12."
    ((path, headers, body),) = api.seen
    assert (path, headers["x-api-key"], body["model"]) == ("/v1/messages", KEY, "some-model")


def test_temporary_failures_are_retried(api: Api) -> None:
    api.statuses = [503]
    assert asked(OpenAIModel("some-model", base_url=api.url)).outcome == "found"
    assert len(api.seen) == 2


def test_a_refused_key_ends_in_an_answer_that_says_so(api: Api) -> None:
    api.statuses = [401] * 10
    answer = asked(OpenAIModel("some-model", base_url=api.url, api_key=KEY))
    assert answer.outcome == "truncated"
    assert "401" in " ".join(answer.warnings)
    assert KEY not in repr(answer)


def test_both_clients_ask_the_model(api: Api) -> None:
    async def main() -> str:
        client = AsyncTuckaway(policy=Policy(keep_all=True))
        stored = (await client.process("the turbine stopped at 04:12\n", tool="tool")).artifacts[0].id
        model = AnthropicModel("some-model", base_url=api.url, api_key=KEY)
        return (await client.extract(Question(stored, "when did it stop?"), model)).content

    assert asyncio.run(main()) == "It stopped at 04:12."


def test_a_key_of_the_environment_is_not_sent_to_another_server(
    api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    asked(OpenAIModel("some-model", base_url=api.url))
    asked(AnthropicModel("some-model", base_url=api.url))
    assert KEY not in repr(api.seen)


def test_a_key_is_not_shown() -> None:
    for model in (OpenAIModel("m", api_key=KEY), AnthropicModel("m", api_key=KEY)):
        assert KEY not in repr(model)
