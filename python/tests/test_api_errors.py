"""Errors about arguments name the argument."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest

from tuckaway import (
    AsyncTuckaway,
    ExpiredError,
    InvalidInputError,
    LimitError,
    MemoryStore,
    ModelError,
    NotFoundError,
    OpenAIModel,
    Policy,
    QuotaExceededError,
    Stored,
    StoreError,
    Tiktoken,
    TokensError,
    ToolOutput,
    Tuckaway,
    TuckawayError,
    UnsupportedError,
    errors,
)
from tuckaway._base import STORE_METHODS
from tuckaway.conversation import Manage
from tuckaway.extraction import Question
from tuckaway.records import ErrorKind

CLIENT: Any = Tuckaway()
ANY: Any = Policy  # The types of arguments are wrong on purpose.
STORE_CLASS: Any = MemoryStore

REFUSED: list[tuple[str, Callable[[], Any], str]] = [
    ("output", lambda: CLIENT.process(object(), tool="t"), "cannot be written as JSON: it has an object"),
    ("no tool", lambda: CLIENT.process("x"), "tool is missing; pass the name under which the model called"),
    ("file", lambda: CLIENT.process(Path("/no/such"), tool="t"), "is a file that cannot be read: .*No such"),
    ("json", lambda: CLIENT.process({"at": object()}, tool="t"), "JSON: .*object.* default=…"),
    ("turn", lambda: CLIENT.process_turn(["text"]), "wrap it: ToolOutput.of"),
    (
        "twice",
        lambda: CLIENT.process(ToolOutput.of("x", tool="tool"), tool="a"),
        "A ToolOutput has its own tool",
    ),
    (
        "used",
        lambda: CLIENT.process("x", used_tokens=-1, tool="tool"),
        "used_tokens is -1; pass a whole number of at least 0",
    ),
    (
        "window",
        lambda: CLIENT.process("x", context_window=1.5, tool="tool"),
        "context_window is 1.5; pass a whole number",
    ),
    ("bool", lambda: CLIENT.truncate("x", True), "max_bytes is True; pass a whole number"),
    (
        "tools",
        lambda: CLIENT.process("x", tools="read", tool="tool"),
        "tools is 'read'; pass some of 'read', 'grep', 'jq'",
    ),
    ("tool", lambda: CLIENT.process("x", tools=["sed"], tool="tool"), "tools has 'sed'; pass some of"),
    ("policy", lambda: CLIENT.process("x", policy={}, tool="tool"), "policy is of type dict; pass a Policy"),
    ("dialect", lambda: ANY(dialect="xml"), "dialect is 'xml'; use one of artifact, cache, handle, file"),
    ("named", lambda: CLIENT.tool_definitions(dialect="xml"), "dialect is 'xml'; use one of artifact"),
    ("mode", lambda: CLIENT.process("x", policy=ANY(mode="cut"), tool="tool"), "unknown variant `cut`"),
    (
        "floor",
        lambda: CLIENT.process("x", policy=Policy(min_threshold_bytes=2**30), tool="tool"),
        "min_threshold_bytes",
    ),
    ("id", lambda: CLIENT.read(5), "id is of type int; pass a str"),
    ("surrogate", lambda: CLIENT.grep("art", "\ud800"), "pattern has a lone surrogate"),
    (
        "ranges",
        lambda: CLIENT.read("art", lines=(1, 2), last_lines=3),
        "lines and last_lines are different parts",
    ),
    ("lines", lambda: CLIENT.read("art", lines=7), r"lines is 7; pass both ends, such as \(1, 100\)"),
    ("bytes", lambda: CLIENT.read("art", bytes=(-1, 5)), "bytes is -1; pass a whole number"),
    ("before", lambda: CLIENT.grep("art", "x", before="3"), "before is '3'; pass a whole number"),
    ("pattern", lambda: CLIENT.grep("art", "("), "pattern"),
    ("filter", lambda: CLIENT.jq(CLIENT.list_artifacts()[0].id, ".["), "filter"),
    ("shape", lambda: CLIENT.infer_shape(Stored("art")), "Stored content is described with its id"),
    ("tool name", lambda: CLIENT.call_tool("shell", {}), "shell"),
    ("arguments", lambda: CLIENT.call_tool("artifact_read", {"a": object()}), "cannot be written as JSON"),
    ("store", lambda: Tuckaway(ANY()), "store is of type Policy, lacking the methods create, append"),
    ("class", lambda: Tuckaway(STORE_CLASS), "store is the class MemoryStore; pass an instance"),
    ("tokens", lambda: Tuckaway(tokens=ANY()), "tokens is Policy.*; pass Tiktoken"),
    ("encoding", lambda: Tiktoken("gpt2"), "encoding is 'gpt2'; use one of o200k_base"),  # type: ignore[arg-type]
    ("deadline", lambda: Tuckaway(deadline=-1), "The deadline must be at least 0 seconds"),
    ("memory", lambda: Tuckaway(memory_limit=-1), "memory_limit is -1"),
    ("age", lambda: MemoryStore(max_age=-5), "max_age must be a number of seconds above 0"),
    ("url", lambda: OpenAIModel("m", base_url="localhost"), "The base URL is not an HTTP URL"),
    (
        "history",
        lambda: CLIENT.manage_history(7, Manage(context_window=9)),
        "history is of type int; pass a list",
    ),
    ("no JSON", lambda: CLIENT.manage_history("[", Manage(context_window=9)), "history"),
    ("bytes", lambda: CLIENT.manage_history(b"\xff", Manage(context_window=9)), "history is not UTF-8"),
    ("memory", lambda: CLIENT.manage_history([], Manage(context_window=9), memory="["), "memory"),
    (
        "kind of memory",
        lambda: CLIENT.manage_history([], Manage(context_window=9), memory=[1]),
        "memory is of type list; pass the memory that the last call returned",
    ),
    (
        "pinned",
        lambda: CLIENT.manage_history([], Manage(context_window=9), pinned=[-1]),
        "pinned is -1; pass a whole number",
    ),
    (
        "message",
        lambda: CLIENT.manage_history([{"content": object()}], Manage(context_window=9)),
        "The history cannot be written as JSON: it has an object of type object",
    ),
    ("format", lambda: CLIENT.manage_history([], Manage(context_window=9), format="xml"), "variant `xml`"),
    ("forms", lambda: CLIENT.histories.detect_format([{"x": 1}]), "has none of the known forms"),
    ("figure", lambda: CLIENT.histories.read_usage({"input_tokens": -1}), "input_tokens of the usage is -1"),
    ("usage", lambda: CLIENT.histories.read_usage("{"), "usage"),
    ("model", lambda: CLIENT.extract(Question("art", "x"), "gpt"), "model is 'gpt'; pass an OpenAIModel"),
    (
        "question",
        lambda: CLIENT.extract(Question(CLIENT.list_artifacts()[0].id, ""), str),
        "extract is empty",
    ),
    ("state", lambda: CLIENT.resume_extraction("changed", str), "state"),
]


def test_errors_have_the_arguments_that_they_are_about() -> None:
    with pytest.raises(InvalidInputError) as caught:
        CLIENT.process("x", tool="tool", policy=Policy(context_percentage=25, bytes_per_token=0))
    error = caught.value
    assert error.arguments == ("context_percentage", "bytes_per_token")
    assert "25 % is 0.25." in error.message
    assert pickle.loads(pickle.dumps(error)).arguments == error.arguments
    with pytest.raises(NotFoundError) as missing:
        CLIENT.read("art_tool_0")
    assert missing.value.arguments == ()


@pytest.mark.parametrize(("refused", "message"), [pytest.param(*rest, id=name) for name, *rest in REFUSED])
def test_a_malformed_argument_is_named(refused: Callable[[], Any], message: str) -> None:
    if not CLIENT.list_artifacts():
        CLIENT.process([0], policy=Policy(keep_all=True), tool="tool")
    with pytest.raises(InvalidInputError, match=message) as caught:
        refused()
    assert caught.value.kind == "invalid_input"
    assert isinstance(caught.value, ValueError)


async def count(text: str) -> int:
    return len(text)


class AsyncCounter:
    async def __call__(self, text: str) -> int:
        return len(text)


class AsyncSealing:
    """A store with one async method."""

    def __init__(self) -> None:
        inner = MemoryStore()
        self.__dict__.update({name: getattr(inner, name) for name in STORE_METHODS if name != "seal"})

    async def seal(self, id: str, line_count: int) -> Any:
        raise NotImplementedError


def test_async_functions_need_the_async_client() -> None:
    asynchronous: Any = AsyncSealing()
    with pytest.raises(InvalidInputError, match=r"store.seal is async; use AsyncTuckaway, which awaits it."):
        Tuckaway(asynchronous)
    for counter in (count, AsyncCounter()):
        refused: Any = counter
        with pytest.raises(InvalidInputError, match="tokens is async; use AsyncTuckaway"):
            Tuckaway(tokens=refused)
    ref = CLIENT.process([0], policy=Policy(keep_all=True), tool="tool").artifacts[0].id
    with pytest.raises(InvalidInputError, match="model is async; use AsyncTuckaway"):
        CLIENT.extract(Question(ref, "x"), count)
    with pytest.raises(InvalidInputError, match="on_state is async"):
        CLIENT.extract(Question(ref, "x"), str, on_state=count)
    with pytest.raises(InvalidInputError, match="summarize is async"):
        CLIENT.manage_history([], Manage(context_window=9), summarize=count)
    assert AsyncTuckaway(asynchronous, tokens=count)


def answer_later(request: object) -> object:
    return count(str(request))


def test_a_callback_that_turns_out_to_be_async_is_an_error_of_the_callback() -> None:
    ref = CLIENT.process("word " * 100, policy=Policy(keep_all=True), tool="tool").artifacts[0].id
    answer = CLIENT.extract(Question(ref, "x"), answer_later)
    assert any("use AsyncTuckaway" in warning for warning in answer.warnings), answer


def test_every_kind_has_its_exception() -> None:
    kinds = {kind: errors.from_kind(kind, "Why.") for kind in (*get_args(ErrorKind), "model")}
    assert {kind: type(error) for kind, error in kinds.items()} == {
        "invalid_input": InvalidInputError,
        "not_found": NotFoundError,
        "expired": ExpiredError,
        "unsupported": UnsupportedError,
        "limit": LimitError,
        "store": StoreError,
        "tokens": TokensError,
        "model": ModelError,
    }
    for kind, error in kinds.items():
        assert isinstance(error, TuckawayError)
        assert (error.kind, error.message, str(error)) == (kind, "Why.", "Why.")
    assert isinstance(kinds["not_found"], LookupError)
    assert isinstance(kinds["expired"], LookupError)


@pytest.mark.parametrize(
    "error",
    [
        LimitError("Too much."),
        ExpiredError("Gone.", tool="shell", expired_at=1_700_000_000),
        ModelError("Refused.", permanent=True),
        QuotaExceededError("Full."),
    ],
)
def test_errors_cross_processes(error: TuckawayError) -> None:
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is type(error)
        assert vars(other) == vars(error)
        assert other.args == error.args


def test_queries_raise_by_kind() -> None:
    client = Tuckaway(policy=Policy(keep_all=True))
    with pytest.raises(NotFoundError) as missing:
        client.read("art_tool_0")
    assert "art_tool_0" in missing.value.message
    binary = (
        client.process(bytes(range(256)) * 8, media_type="application/octet-stream", tool="tool")
        .artifacts[0]
        .id
    )
    with pytest.raises(UnsupportedError):
        client.jq(binary, ".")
    with pytest.raises(InvalidInputError, match="is not an artifact id"):
        client.jq("no artifact has this id", ".")
