"""Histories of providers: their types, objects and members, and the known facts about them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from corpus.histories import written
from corpus.notation import compact
from corpus.planning import parse_task
from corpus.runner import Case, all_cases
from corpus.waiting import run_without_loop
from corpus.world import World

from tuckaway import InvalidInputError, Policy, Tuckaway, TuckawayError
from tuckaway import _notes as notes
from tuckaway._notes import Notes
from tuckaway.conversation import (
    CacheConfig,
    Compact,
    CompactionConfig,
    HistoryInput,
    InsertItem,
    KnownArtifact,
    Manage,
    PairConfig,
    PairSummary,
    SummaryFailed,
    SummaryRequest,
    TokenUsage,
    Trim,
)
from tuckaway.integrations.openai import run_chat_tool_calls

MANAGE = Manage(context_window=100_000)
TRIM = Trim(context_window=100_000, config=CacheConfig(context_budget_tokens=10_000))
COMPACT = Compact(CompactionConfig(context_limit=100_000))
KEEP = Policy(keep_all=True)


class Dumped:
    """An object of an SDK: the message as the provider's client returns it."""

    def __init__(self, plain: dict[str, Any]) -> None:
        self.plain = plain

    def model_dump(self, *, mode: str, by_alias: bool, exclude_none: bool) -> dict[str, Any]:
        assert (mode, by_alias, exclude_none) == ("json", True, True)
        return self.plain


class Older:
    """A model of version 1 of Pydantic."""

    def dict(self) -> dict[str, Any]:
        return {"role": "user", "content": "Go on."}


@dataclass
class Count:
    """A usage that is a dataclass."""

    input_tokens: int
    output_tokens: int


def chat(wrap: Callable[[dict[str, Any]], Any] = lambda message: message) -> list[Any]:
    """Returns a history of Chat Completions with ten large results."""
    history: list[Any] = [{"role": "user", "content": "Go on."}]
    for n in range(10):
        call = {"id": f"c{n}", "type": "function", "function": {"name": "shell", "arguments": "{}"}}
        history.append(wrap({"role": "assistant", "content": None, "tool_calls": [call]}))
        history.append({"role": "tool", "tool_call_id": f"c{n}", "content": result(n)})
    history.append(wrap({"role": "assistant", "content": "Done."}))
    return history


def result(n: int) -> str:
    return f"{n} " * 5_000


def test_text_stays_the_same_byte_for_byte() -> None:
    client = Tuckaway()
    text = '[ {"role": "user",  "content": "Hi \\u00fc", "n": 1.50} ]'
    managed = client.manage_history(text, MANAGE)
    assert managed.history == text
    assert client.manage_history(text.encode(), MANAGE).history == text.encode()
    assert managed.report.before == managed.report.after
    spaced = json.dumps(chat(), indent=2)
    trimmed = client.manage_history(spaced, TRIM).history
    assert trimmed.startswith(spaced[: spaced.index('"c0"')])
    assert trimmed.endswith(spaced[spaced.rindex('"assistant"') :])
    assert client.manage_history(spaced.encode(), TRIM).report.is_changed


@pytest.mark.parametrize("wrap", [dict, Dumped])
def test_messages_that_stay_are_the_same_objects(wrap: Any) -> None:
    history = chat(wrap)
    managed = Tuckaway().manage_history(history, TRIM)
    assert managed.format == "openai-chat"
    assert managed.report.is_changed
    assert managed.report.item_count == len(history) == len(managed.history)
    changed = [index for index, item in enumerate(managed.history) if item is not history[index]]
    assert changed
    assert all(index % 2 == 0 for index in changed), "only results"
    assert history[2]["content"] == result(0), "the given history stays"
    assert managed.history is not history


def test_objects_inside_of_messages_are_read() -> None:
    blocks = [Dumped({"type": "tool_use", "id": "t", "name": "shell", "input": {}})]
    history: list[Any] = [
        Older(),
        {"role": "assistant", "content": blocks},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]},
    ]
    client = Tuckaway()
    assert client.histories.detect_format(history) == "anthropic"
    managed = client.manage_history(history, MANAGE)
    assert managed.history[1]["content"] is blocks
    assert isinstance(managed.history[0], Older)


def test_bytes_of_images_stay_when_the_text_beside_them_is_replaced() -> None:
    image = {"image": {"format": "png", "source": {"bytes": b"\x89PNG"}}}
    history: list[Any] = [{"role": "user", "content": [{"text": "Go on."}]}]
    for n in range(10):
        call = {"toolUseId": f"t{n}", "name": "browse", "input": {}}
        shown = {"toolUseId": f"t{n}", "content": [{"text": result(n)}, image]}
        history.append({"role": "assistant", "content": [{"toolUse": call}]})
        history.append({"role": "user", "content": [{"toolResult": shown}]})
    history.append({"role": "assistant", "content": [{"text": "Done."}]})
    trim = Trim(100_000, CacheConfig(context_budget_tokens=10_000, keep_media=100))
    managed = Tuckaway().manage_history(history, trim)
    assert managed.format == "bedrock"
    content = managed.history[2]["content"][0]["toolResult"]["content"]
    assert content[0]["text"] != result(0)
    assert content[1] == image


def test_lone_surrogates_stay() -> None:
    history = [{"role": "user", "content": "a \ud800 b"}]
    assert Tuckaway().manage_history(history, MANAGE).history[0] is history[0]


def test_a_request_keeps_its_other_members() -> None:
    client = Tuckaway()
    tools = [{"type": "function", "function": {"name": "shell", "parameters": {"type": "object"}}}]
    request = {"model": "m", "messages": chat(), "tools": tools, "usage": {"prompt_tokens": 9}}
    managed = client.manage_history(request, TRIM)
    assert list(managed.history) == ["model", "messages", "tools"]
    assert managed.history["tools"] is tools
    assert managed.history["messages"][1] is request["messages"][1]
    assert managed.history["messages"] != request["messages"]
    short = {"messages": chat()[:1], "usage": {"prompt_tokens": 9}}
    unchanged = client.manage_history(short, MANAGE).history
    assert unchanged == short
    assert unchanged["messages"] is not short["messages"]


def test_the_input_of_responses_may_be_a_text() -> None:
    client = Tuckaway()
    request = {"input": "Hi", "model": "m"}
    assert client.manage_history(request, MANAGE).history == request
    with pytest.raises(InvalidInputError, match="previous_response_id"):
        client.manage_history({**request, "previous_response_id": "resp_1"}, MANAGE)


def compared_cases() -> Iterator[Case]:
    for case in all_cases("histories/"):
        if case.full["call"] == "manage_history" and "history" in case.full["input"]:
            yield case


@pytest.mark.parametrize("case", list(compared_cases()), ids=lambda case: case.title)
def test_parsed_json_is_managed_like_text(case: Case) -> None:
    """`_given` changes the members of a request in the same way as the component changes its text."""
    given = case.full["input"]
    text = compact(written(given["history"]))

    def managed(history: Any) -> Any:
        world = World(case.full.get("store"), case.full.get("tokens"))
        client = Tuckaway(world, tokens=world.count)
        answers = iter(given.get("answers", []))

        def summarize(request: SummaryRequest) -> str:
            answer = next(answers, {"failed": "no answer"})
            if isinstance(answer, str):
                return answer
            raise RuntimeError(answer["failed"])

        try:
            done = client.manage_history(
                history,
                run_without_loop(parse_task(client, given["task"])),
                format=given.get("format"),
                memory=given.get("memory"),
                artifacts=[KnownArtifact(**each) for each in given.get("artifacts", [])],
                pinned=given.get("pinned", ()),
                usage=given.get("usage"),
                summarize=summarize,
                strict=given.get("is_strict", False),
            )
        except TuckawayError as error:
            return error.kind, error.message
        new = json.loads(done.history) if isinstance(done.history, str) else done.history
        return new, done.memory, done.report

    assert managed(text) == managed(json.loads(text))


def test_a_memory_is_plain_json() -> None:
    client = Tuckaway()
    first = client.manage_history(chat(), TRIM)
    assert type(first.memory) is dict
    for memory in (first.memory, json.loads(json.dumps(first.memory)), json.dumps(first.memory)):
        again = client.manage_history(first.history, TRIM, memory=memory)
        assert again.history == first.history
        assert again.memory == first.memory
        assert not again.report.is_changed
    assert result(0)[:100] not in json.dumps(first.memory)


def test_artifacts_and_pinned_messages_are_known() -> None:
    client = Tuckaway()
    history = chat()
    stored = client.process(result(0), policy=KEEP, tool="tool").artifacts[0].id
    other = client.process(result(2), policy=KEEP, tool="tool").artifacts[0].id
    managed = client.manage_history(history, TRIM, artifacts={"c0": stored}, pinned=[4])
    assert stored in managed.history[2]["content"], "the known artifact is named, and no copy is made"
    assert managed.history[4] is history[4], "a pinned message stays"
    assert managed.history[6] != history[6]
    records = [KnownArtifact("c0", stored, "another text"), KnownArtifact("c2", other, result(2))]
    managed = client.manage_history(history, TRIM, artifacts=records)
    assert stored not in managed.history[2]["content"]
    assert other in managed.history[6]["content"]


def test_an_aborted_turn_is_repaired_unless_strict() -> None:
    client = Tuckaway()
    history = [*chat()[:2], {"role": "user", "content": "Are you there?"}]
    managed = client.manage_history(history, MANAGE)
    assert len(managed.report.repairs) == 1
    assert managed.history[2]["tool_call_id"] == "c0"
    assert managed.history[3] is history[2]
    with pytest.raises(InvalidInputError, match="c0"):
        client.manage_history(history, MANAGE, strict=True)


USAGES: list[tuple[Any, TokenUsage]] = [
    (
        {
            "prompt_tokens": 1_000,
            "completion_tokens": 50,
            "prompt_tokens_details": {"cached_tokens": 900},
        },
        TokenUsage(input_tokens=100, output_tokens=50, cache_read_tokens=900),
    ),
    (
        Dumped({"input_tokens": 100, "output_tokens": 50, "cache_read_input_tokens": 900}),
        TokenUsage(input_tokens=100, output_tokens=50, cache_read_tokens=900),
    ),
    (
        {"inputTokens": 100, "outputTokens": 50, "cacheReadInputTokens": 9, "cacheWriteInputTokens": 3},
        TokenUsage(input_tokens=100, output_tokens=50, cache_creation_tokens=3, cache_read_tokens=9),
    ),
    (
        {"promptTokenCount": 1_000, "candidatesTokenCount": 50, "cachedContentTokenCount": 900},
        TokenUsage(input_tokens=100, output_tokens=50, cache_read_tokens=900),
    ),
    (Count(5, 6), TokenUsage(input_tokens=5, output_tokens=6)),
    (TokenUsage(input_tokens=5, cache_read_tokens=6), TokenUsage(input_tokens=5, cache_read_tokens=6)),
    ('{"input_tokens": 7}', TokenUsage(input_tokens=7)),
]


@pytest.mark.parametrize(("usage", "tokens"), USAGES)
def test_usages_of_every_provider_are_read(usage: Any, tokens: TokenUsage) -> None:
    client = Tuckaway()
    assert client.histories.read_usage(usage) == tokens
    history = [{"role": "user", "content": "Hello"}, {"role": "assistant", "content": "Hello!"}]
    managed = client.manage_history(history, MANAGE, usage=usage, format="openai-chat")
    assert managed.memory["reported"]["input_tokens"] == tokens.input_tokens


@pytest.mark.parametrize("wrap", [str, RuntimeError, lambda text: {"error": {"message": text}}])
def test_a_refused_history_is_brought_within_the_providers_limit(wrap: Callable[[str], Any]) -> None:
    history = [{"role": role, "content": "word " * 2_000} for role in ("user", "assistant") * 3]
    history.append({"role": "user", "content": "Go on."})
    refusal = wrap("prompt is too long: 21,500 tokens > 20,000 maximum")
    tuckaway = Tuckaway(context_window=100_000)
    assert tuckaway.read_refusal(refusal).limit == 20_000
    assert not tuckaway.manage_history(history).report.is_changed
    report = tuckaway.manage_history(history, refusal=refusal).report
    assert (report.before.total, report.after.total <= 12_000) == (21_500, True)
    with pytest.raises(InvalidInputError, match="refusal needs the task Manage"):
        tuckaway.manage_history(history, TRIM, refusal=refusal)


def test_summaries_of_calls_are_used_when_their_results_leave() -> None:
    tuckaway = Tuckaway(policy=KEEP)
    history = [message for n in range(10) for message in read_in_a_turn(n)]

    def task(budget: int, answers: list[PairSummary]) -> Manage:
        cache = CacheConfig(context_budget_tokens=budget)
        return Manage(context_window=100_000, cache=cache, pairs=PairConfig(answers=tuple(answers)))

    before = tuckaway.manage_history(history, task(16_000, []))
    assert not before.report.is_changed
    assert before.background
    answers = [
        PairSummary(request.pair or 0, f"<summary>Log {n} is fine.</summary>")
        for n, request in enumerate(before.background)
    ]
    kept = tuckaway.manage_history(history, task(16_000, answers), memory=before.memory)
    assert not kept.report.is_changed
    assert kept.background == []
    after = tuckaway.manage_history(history, task(6_000, answers), memory=kept.memory)
    assert after.history[2]["content"].endswith("]\nSummary: Log 0 is fine.")


def read_in_a_turn(n: int) -> list[dict[str, Any]]:
    """A turn of Chat Completions with a result of about 1,200 tokens."""
    function = {"name": "read_log", "arguments": json.dumps({"log": n})}
    return [
        {"role": "user", "content": f"Read log {n}."},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": f"c{n}", "type": "function", "function": function}],
        },
        {"role": "tool", "tool_call_id": f"c{n}", "content": f"line {n} of the log is fine\n" * 150},
        {"role": "assistant", "content": "It is fine."},
    ]


def test_a_summary_that_fails_is_reported() -> None:
    def fails(request: SummaryRequest) -> str:
        raise OSError("no network")

    history = [
        {"role": role, "content": f"{n} " + "and so on " * 100}
        for n in range(40)
        for role in ("user", "assistant")
    ]
    for summarize, why in ((fails, "no network"), (None, "summarize")):
        report = Tuckaway().manage_history(history, COMPACT, summarize=summarize).report
        assert report.requests == 1
        assert why in report.summary_errors[0]
        assert report.after.total < report.before.total
    json_text = json.dumps(history)
    given, client = HistoryInput(json=json_text), Tuckaway()
    step = client.histories.start(given, COMPACT)
    assert step.request is not None
    done = client.histories.step(given, COMPACT, step.state, "<summary>They counted.</summary>")
    assert done.request is None
    inserted = [json.loads(item.json) for item in done.history.items if isinstance(item, InsertItem)]
    assert any("They counted." in item["content"] for item in inserted)
    failed = client.histories.step(given, COMPACT, step.state, SummaryFailed("no network"))
    assert failed.history.report.summary_errors == ("no network",)
    with pytest.raises(InvalidInputError, match="state"):
        client.histories.step(given, COMPACT, "changed", "")


def test_what_helpers_stored_is_not_stored_again() -> None:
    client = Tuckaway(policy=KEEP)
    history = chat()
    for n in range(10):
        completion = {"choices": [{"message": history[1 + 2 * n]}]}
        (reply,) = run_chat_tool_calls(client, completion, {"shell": lambda n=n: result(n)})
        history[2 + 2 * n] = reply
    stored = {artifact.id for artifact in client.list_artifacts()}
    assert len(stored) == 10
    managed = client.manage_history(history, TRIM)
    assert managed.report.is_changed
    assert {artifact.id for artifact in client.list_artifacts()} == stored
    assert {receipt.artifact for receipt in managed.report.receipts} <= stored


def test_notes_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    client = Tuckaway(policy=KEEP)
    view = client.process("abc", tool="tool")
    (artifact,) = view.artifacts
    noted = Notes()
    monkeypatch.setattr(notes, "MAX_NOTES", 2)
    for call_id in ("a", "b", "c"):
        noted.add(call_id, view)
    history = '{"a":"b","c":["d","c\\n"]}'
    assert [note.call_id for note in noted.of(history)] == ["b", "c"]
    noted.forget(noted.of('["b"]'), f'{{"artifacts":{{"b":"{artifact.id}"}}}}')
    assert [note.call_id for note in noted.of(history)] == ["c"]
    noted.forget(noted.of(history), "{}")
    monkeypatch.setattr(notes, "MAX_CHARACTERS", 3)
    noted.add("a", view)
    assert noted.of(history) == [KnownArtifact("a", artifact.id, "abc")]
    assert noted.of("[]") == []
