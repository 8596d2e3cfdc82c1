"""Records: their plain form is the contract's JSON, and they behave as values."""

from __future__ import annotations

import dataclasses
import pickle
import typing
from types import ModuleType
from typing import Any, cast

import pytest

from tuckaway import InvalidInputError, Policy, Tuckaway, conversation, extraction, records
from tuckaway._convert import from_plain, to_plain
from tuckaway.conversation import (
    AccountOnly,
    BucketCap,
    Budget,
    BudgetConfig,
    CacheConfig,
    Compact,
    CompactionConfig,
    Conversation,
    Entry,
    HistoryInput,
    HistoryItem,
    Insert,
    InsertItem,
    Keep,
    KnownArtifact,
    Layer,
    Manage,
    Media,
    Message,
    Opaque,
    PlanState,
    PromptCache,
    Task,
    Text,
    Thinking,
    TokenUsage,
    ToolCall,
    ToolResult,
    ToolSpec,
    Trim,
    Usage,
)
from tuckaway.extraction import (
    Cancel,
    ExtractionConfig,
    ExtractionEvent,
    Failed,
    ModelCall,
    ModelMessage,
    ModelReply,
    ModelRequest,
    ModelTurn,
    Question,
    Reply,
    RequestMessage,
    Resume,
    UserMessage,
)
from tuckaway.records import (
    Artifact,
    Block,
    Outputs,
    Page,
    ToolDefinition,
    ToolOutput,
    ToolOverride,
    ToolReply,
    View,
)

MODULES: list[ModuleType] = [records, conversation, extraction]
RECORDS: dict[str, Any] = {
    name: member
    for module in MODULES
    for name, member in vars(module).items()
    if dataclasses.is_dataclass(member) and name in module.__all__
}
ARTIFACT = Artifact(id="art_t_0", tool="t", media_type="text/plain", size_bytes=3, line_count=1, created_at=7)
BUDGET = BudgetConfig(
    total_window=1_000,
    system=BucketCap(10, "reject"),
    tools=BucketCap(10, "prune_unused"),
    history=BucketCap(10, "summarize"),
    tool_outputs=BucketCap(10, "truncate"),
    working=BucketCap(10, "reject"),
    headroom_tokens=5,
    layers=(
        Layer(
            target="history",
            strategy="sliding_window",
            at_pct=85,
            to_pct=60,
            keep_recent_turns=8,
            evict_pct=70,
        ),
    ),
    unused_turns=3,
)
CONVERSATION = Conversation(
    messages=(
        Message("user", (Text("Hi"), Media(85), Opaque(10)), pinned=True),
        Message("assistant", (Thinking(30), ToolCall("c1", "shell", "{}")), tokens=4, kept=True),
        Message("tool", (ToolResult("c1", "out", artifact="art_t_0"),)),
    ),
    tools=(ToolSpec("shell", "{}"),),
    usage=Usage(TokenUsage(input_tokens=5), 2),
)


@pytest.mark.parametrize(
    ("of", "record", "plain"),
    [
        (Entry, Keep(1, 3), {"keep": {"start": 1, "end": 3}}),
        (Entry, Insert("user", "Hi"), {"insert": {"role": "user", "text": "Hi"}}),
        (Task, AccountOnly(), "account"),
        (
            Task,
            Compact(CompactionConfig(context_limit=5)),
            {"compact": to_plain(CompactionConfig(context_limit=5))},
        ),
        (
            Task,
            Trim(context_window=9, config=CacheConfig(prompt_cache=PromptCache())),
            {
                "trim": {
                    "context_window": 9,
                    "config": {
                        **to_plain(CacheConfig()),
                        "prompt_cache": {"remaining_turns": 20, "read_price": 0.1, "write_price": 1.25},
                    },
                }
            },
        ),
        (HistoryItem, InsertItem('{"role":"user"}'), {"insert": '{"role":"user"}'}),
        (
            HistoryInput,
            HistoryInput(json="[]", format="gemini", artifacts=(KnownArtifact("c", "art"),), pinned=(1,)),
            {
                "json": "[]",
                "format": "gemini",
                "usage": None,
                "artifacts": [{"call_id": "c", "artifact": "art", "text": None}],
                "pinned": [1],
                "is_strict": False,
                "with_json": False,
            },
        ),
        (ExtractionEvent, Resume(), "resume"),
        (ExtractionEvent, Cancel(), "cancel"),
        (ExtractionEvent, Failed("r1", "Why."), {"failed": {"request": "r1", "why": "Why."}}),
        (RequestMessage, UserMessage("Hi"), {"user": "Hi"}),
        (
            RequestMessage,
            ModelMessage(ModelTurn("Hi", (ModelCall("c", "Read", "{}"),))),
            {"model": {"text": "Hi", "calls": [{"id": "c", "name": "Read", "arguments": "{}"}]}},
        ),
        (
            ToolDefinition,
            ToolDefinition("n", "d", {"type": "object"}),
            {"name": "n", "description": "d", "input_schema": '{"type":"object"}'},
        ),
    ],
)
def test_the_plain_form_is_that_of_the_contract(of: Any, record: object, plain: object) -> None:
    assert to_plain(record) == plain
    assert from_plain(of, plain) == record


@pytest.mark.parametrize(
    "record",
    [
        CONVERSATION,
        Budget(config=BUDGET),
        Manage(context_window=9, budget=BUDGET),
        Policy(overrides=(ToolOverride(tools="x*", mode="truncate"),)),
        Reply("r1", ModelReply(ModelTurn("Hi"), "length", 5)),
        PlanState(prefix="abc", failures=2, requested=(7,)),
        ARTIFACT,
    ],
)
def test_records_return_from_their_plain_form(record: Any) -> None:
    plain = to_plain(record)
    if hasattr(record, "_tag"):
        plain = plain[record._tag]
    assert from_plain(cast("Any", type(record)), plain) == record
    assert pickle.loads(pickle.dumps(record)) == record
    assert hash(record) == hash(pickle.loads(pickle.dumps(record)))


def test_additions_of_a_newer_component_are_ignored() -> None:
    assert from_plain(Page, {"text": "x", "next": None, "added_later": 1}) == Page("x", None)


@pytest.mark.parametrize("name", RECORDS)
def test_records_are_frozen_and_have_docstrings(name: str) -> None:
    record = RECORDS[name]
    assert record.__dataclass_params__.frozen
    assert "__slots__" in vars(record)
    assert record.__doc__
    assert not record.__doc__.startswith(f"{name}("), "the docstring is written by hand"
    assert typing.get_type_hints(record), "the annotations can be evaluated"


def test_names_of_modules_are_complete() -> None:
    for module in MODULES:
        assert sorted(set(module.__all__)) == sorted(module.__all__)
        for name in module.__all__:
            assert hasattr(module, name), name


def test_defaults_of_extractions_are_those_of_the_component() -> None:
    assert Tuckaway().extraction.defaults(128_000) == ExtractionConfig(context_tokens=128_000)


def test_a_preset_is_a_budget() -> None:
    client = Tuckaway()
    budget = client.budget.preset("research", 100_000)
    assert isinstance(budget.layers[0], Layer)
    assert [alarm.kind for alarm in client.budget.check(dataclasses.replace(budget, headroom_tokens=0))]
    with pytest.raises(InvalidInputError, match="total_window is 0"):
        client.budget.preset("voice", 0)


def test_a_plan_has_records_at_every_depth() -> None:
    client = Tuckaway()
    results = [
        Message("user", [Text("Go on.")]),
        *(
            message
            for n in range(20)
            for message in (
                Message("assistant", [ToolCall(f"c{n}", "shell", "{}")]),
                Message("tool", [ToolResult(f"c{n}", "word " * 2_000)]),
            )
        ),
        Message("assistant", [Text("Done.")]),
    ]
    task = Trim(context_window=20_000, config=CacheConfig(context_budget_tokens=10_000))
    step = client.plan(Conversation(results), task)
    assert step.request is None
    assert not step.plan.is_empty
    assert step.plan.history == (Keep(0, len(results)),)
    assert step.plan.receipts[0].removal == "trimmed"
    artifact = step.plan.replacements[0].artifact
    assert client.read(artifact, bytes=(0, 10)).text == "word word "
    assert artifact not in client.cache.unreferenced([step.plan.replacements[0].text])
    assert artifact in client.cache.unreferenced([])
    assert client.budget.account(Conversation(results)) == step.plan.before
    assert step.plan.state.failures == 0
    again = client.plan(Conversation(results), task, (), step.plan.state)
    assert [each.message for each in again.plan.replacements] == [
        each.message for each in step.plan.replacements
    ]


def test_a_view_of_the_cache_names_its_artifact() -> None:
    view = Tuckaway().cache.view("x" * 100_000, "art_t_0", CacheConfig(max_message_bytes=600))
    assert view.is_cut
    assert "art_t_0" in view.text
    assert Tuckaway().cache.view("short").text == "short"


def test_an_extraction_step_by_step() -> None:
    client = Tuckaway(policy=Policy(keep_all=True))
    ref = client.process("all is well\nthe turbine stopped at 04:12\n", tool="hours").artifacts[0].id
    question = Question(ref, "when did it stop?", nonce="abcdefgh")
    config = client.extraction.defaults(32_000)
    estimate = client.extraction.estimate(question, config)
    assert (estimate.strategy, estimate.chunks) == ("full-chunked", 1)
    step = client.extraction.start(question, config)
    (request,) = step.requests
    assert isinstance(request, ModelRequest)
    assert isinstance(request.messages[0], UserMessage)
    final = '<ai-agent-abcdefgh-FINAL format="text">"the turbine stopped at 04:12"</ai-agent-abcdefgh-FINAL>'
    again = client.extraction.step(step.state, Resume())
    assert [each.id for each in again.requests] == [request.id]
    done = client.extraction.step(step.state, Reply(request.id, ModelReply(ModelTurn(final))))
    assert done.answer is not None
    assert done.answer.outcome == "found"
    assert (done.answer.quotes[0].line, done.answer.coverage.read[0].start) == (2, 0)
    with pytest.raises(InvalidInputError):
        client.extraction.step(step.state + "x", Cancel())


def test_long_texts_are_truncated_in_a_repr() -> None:
    text = "x" * 100_000
    view = Tuckaway().process(text, tool="tool")
    shown: list[Any] = [
        view,
        Page(text, None),
        Outputs(text=text, next=None, failure=None, hint=None, parsed_as=None, saved=None),
        Block(text.encode()),
        ToolOutput.of(text, tool="tool"),
        ToolReply(text, False, None),
        Text(text),
    ]
    for record in shown:
        assert len(repr(record)) < 2_000, type(record)
    assert repr(Page(text, None)) == f"Page(text={'x' * 80!r}… (100,000 characters), next=None)"
    assert isinstance(view, View)
