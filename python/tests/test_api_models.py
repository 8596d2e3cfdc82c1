"""Models over HTTP: a scripted server answers, and inspects the requests."""

from __future__ import annotations

import asyncio
import json
import re
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tuckaway import Answer, AnthropicModel, AsyncTuckaway, OpenAIModel, Policy, Question, Tuckaway

KEY = "key-of-the-test"
COMPACTION = {"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAA"}
BLOCK = {"type": "compaction", "content": "It rains.", "signature": "EuYB"}


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
    if path.endswith("/responses/compact"):
        return {"object": "response.compaction", "output": [*body["input"][:1], COMPACTION]}
    if "compaction" in body:
        return {"content": [BLOCK], "stop_reason": "compaction"}
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


RAIN = "It rains. " * 280


def responses(n: int) -> list[dict[str, Any]]:
    """Returns a turn with a long result, as input items of Responses."""
    return [
        {"role": "user", "content": f"Request {n}."},
        {"type": "function_call", "call_id": f"c{n}", "name": "look", "arguments": "{}"},
        {"type": "function_call_output", "call_id": f"c{n}", "output": RAIN},
        {"role": "assistant", "content": "Seen."},
    ]


def messages(n: int) -> list[dict[str, Any]]:
    """Returns a turn with a long result, as messages of Anthropic."""
    return [
        {"role": "user", "content": f"Request {n}."},
        {"role": "assistant", "content": [{"type": "tool_use", "id": f"c{n}", "name": "look", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": f"c{n}", "content": RAIN}]},
        {"role": "assistant", "content": "Seen."},
    ]


def due(turn: Callable[[int], list[dict[str, Any]]]) -> list[dict[str, Any]]:
    """Returns a history that is due to be compacted in a window of 3,000 tokens."""
    return [item for n in range(5) for item in turn(n)]


def test_openai_compacts_at_its_own_endpoint(api: Api) -> None:
    items = due(responses)
    model = OpenAIModel("some-model", base_url=api.url, api_key=KEY)
    history = {"instructions": "Be brief.", "input": items}
    managed = Tuckaway(context_window=3_000).manage_history(history, compact=model)
    ((path, headers, body),) = api.seen
    assert (path, headers["authorization"]) == ("/v1/responses/compact", f"Bearer {KEY}")
    assert (body["model"], body["instructions"]) == ("some-model", "Be brief.")
    assert body["input"] == items[: len(body["input"])]
    assert managed.history["input"][:2] == [items[0], COMPACTION]
    assert not managed.report.summary_errors


def test_anthropic_compacts_on_demand(api: Api) -> None:
    old = due(messages)
    model = AnthropicModel("some-model", base_url=api.url, api_key=KEY)
    history = {"system": "Be brief.", "messages": old}
    managed = Tuckaway(context_window=3_000).manage_history(history, compact=model)
    ((path, headers, body),) = api.seen
    assert (path, headers["anthropic-beta"], headers["x-api-key"]) == (
        "/v1/messages",
        "compact-2026-09-04",
        KEY,
    )
    assert (body["system"], body["compaction"]) == ("Be brief.", {"type": "summarize"})
    assert body["messages"] == old[: len(body["messages"])]
    new = managed.history["messages"]
    assert new[0] == {"role": "assistant", "content": [BLOCK]}
    assert new[-1] is old[-1]


def test_a_compaction_that_fails_is_replaced_by_a_summary(api: Api) -> None:
    api.statuses = [400]
    model = AnthropicModel("some-model", base_url=api.url, api_key=KEY)
    managed = Tuckaway(context_window=3_000).manage_history(
        due(messages), format="anthropic", compact=model, summarize=lambda _: "<summary>It rained.</summary>"
    )
    (why,) = managed.report.summary_errors
    assert "Busy." in why
    assert "It rained." in json.dumps(managed.history)


def test_functions_compact() -> None:
    old = due(messages)
    block = {"role": "assistant", "content": [BLOCK]}

    def compact(items: list[Any]) -> list[Any]:
        assert items == old[: len(items)]
        return [block]

    managed = Tuckaway(context_window=3_000).manage_history(old, format="anthropic", compact=compact)
    assert managed.history[0] == block

    async def later(items: list[Any]) -> list[Any]:
        return compact(items)

    async def manage() -> Any:
        client = AsyncTuckaway(context_window=3_000)
        return await client.manage_history(old, format="anthropic", compact=later)

    assert asyncio.run(manage()).history[0] == block

    def fails(items: list[Any]) -> list[Any]:
        raise ValueError(f"{len(items)} items are too many")

    failed = Tuckaway(context_window=3_000).manage_history(old, format="anthropic", compact=fails)
    assert "items are too many" in failed.report.summary_errors[0]
