"""Errors about malformed arguments name them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tuckaway import (
    BucketStore,
    DirStore,
    InvalidInputError,
    MemoryStore,
    OpenAIModel,
    Policy,
    Stored,
    Tiktoken,
    ToolOutput,
    Tuckaway,
)
from tuckaway.conversation import Conversation, Manage, Message
from tuckaway.extraction import Question

CLIENT: Any = Tuckaway()
ANY: Any = Policy  # The types of arguments are wrong on purpose.
STORE_CLASS: Any = MemoryStore
OUTPUT: Any = ToolOutput
MESSAGE: Any = Message
NUMBER: Any = 5
TEXT: Any = "x"
TASK = Manage(context_window=9)
PRESET = CLIENT.budget.preset("general")
BUDGET = replace(PRESET, layers=[replace(PRESET.layers[0], at_pct=0.8)])

# The messages of errors, and their arguments. Errors of the component have the arguments that the corpus
# states: none if the message is not about a setting.
REFUSED: list[tuple[str, Callable[[], Any], str, tuple[str, ...]]] = [
    (
        "output",
        lambda: CLIENT.process(object(), tool="t"),
        "cannot be written as JSON: it has an object",
        ("output",),
    ),
    (
        "no tool",
        lambda: CLIENT.process("x"),
        "tool is missing; pass the name under which the model called",
        ("tool",),
    ),
    (
        "file",
        lambda: CLIENT.process(Path("/no/such"), tool="t"),
        "is a file that cannot be read: .*No such",
        ("output",),
    ),
    ("json", lambda: CLIENT.process({"at": object()}, tool="t"), "JSON: .*object.* default=…", ("output",)),
    ("tool", lambda: CLIENT.process("x", tool=5), "^tool is of type int; pass a str", ("tool",)),
    (
        "media type",
        lambda: CLIENT.process("x", tool="t", media_type=5),
        "^media_type is of type int",
        ("media_type",),
    ),
    (
        "structured",
        lambda: CLIENT.process("x", tool="t", structured=ANY),
        "^structured cannot be",
        ("structured",),
    ),
    (
        "blocks",
        lambda: CLIENT.process(OUTPUT(tool="t", blocks="x")),
        "^blocks is of type str; pass a list",
        ("blocks",),
    ),
    ("block", lambda: CLIENT.process(OUTPUT(tool="t", blocks=["x"])), "wrap it: Block", ("blocks",)),
    ("turn", lambda: CLIENT.process_turn(["text"]), "wrap it: ToolOutput.of", ("outputs",)),
    (
        "no turn",
        lambda: CLIENT.process_turn(5),
        "^outputs is of type int; pass a list of ToolOutput",
        ("outputs",),
    ),
    (
        "tool of a turn",
        lambda: CLIENT.process_turn([OUTPUT.of("x", tool=None)]),
        "pass a str",
        ("outputs[0].tool",),
    ),
    (
        "twice",
        lambda: CLIENT.process(OUTPUT.of("x", tool="t"), tool="a"),
        "^tool cannot be passed with a ToolOutput",
        ("tool",),
    ),
    (
        "used",
        lambda: CLIENT.process("x", used_tokens=-1, tool="t"),
        "^used_tokens is -1; pass a whole number of at least 0",
        ("used_tokens",),
    ),
    (
        "window",
        lambda: CLIENT.process("x", context_window=1.5, tool="t"),
        "context_window is 1.5; pass a whole number",
        ("context_window",),
    ),
    ("bool", lambda: CLIENT.truncate("x", True), "max_bytes is True; pass a whole number", ("max_bytes",)),
    (
        "tools",
        lambda: CLIENT.process("x", tools="read", tool="t"),
        "tools is 'read'; pass some of 'read', 'grep', 'jq'",
        ("tools",),
    ),
    (
        "a tool",
        lambda: CLIENT.process("x", tools=["sed"], tool="t"),
        "tools has 'sed'; pass some of",
        ("tools",),
    ),
    (
        "policy",
        lambda: CLIENT.process("x", policy={}, tool="t"),
        "policy is of type dict; pass a Policy",
        ("policy",),
    ),
    (
        "dialect",
        lambda: ANY(dialect="xml"),
        "dialect is 'xml'; use one of artifact, cache, handle, file",
        ("dialect",),
    ),
    (
        "named",
        lambda: CLIENT.tool_definitions(dialect="xml"),
        "dialect is 'xml'; use one of artifact",
        ("dialect",),
    ),
    (
        "mode",
        lambda: CLIENT.process("x", policy=ANY(mode="cut"), tool="t"),
        "^policy.mode is malformed: unknown variant `cut`",
        ("policy.mode",),
    ),
    (
        "overrides",
        lambda: CLIENT.process("x", policy=ANY(overrides=[{"tools": 5}]), tool="t"),
        "is malformed",
        ("policy.overrides[0].tools",),
    ),
    (
        "floor",
        lambda: CLIENT.process("x", policy=Policy(min_threshold_bytes=2**30), tool="t"),
        "min_threshold_bytes",
        ("min_threshold_bytes", "max_threshold_bytes"),
    ),
    ("id", lambda: CLIENT.read(5), "id is of type int; pass a str", ("id",)),
    ("surrogate", lambda: CLIENT.grep("art", "\ud800"), "pattern has a lone surrogate", ("pattern",)),
    (
        "ranges",
        lambda: CLIENT.read("art", lines=(1, 2), last_lines=3),
        "lines and last_lines are different parts",
        ("lines", "last_lines"),
    ),
    (
        "lines",
        lambda: CLIENT.read("art", lines=7),
        r"lines is 7; pass both ends, such as \(1, 100\)",
        ("lines",),
    ),
    ("bytes", lambda: CLIENT.read("art", bytes=(-1, 5)), "bytes is -1; pass a whole number", ("bytes",)),
    (
        "before_context",
        lambda: CLIENT.grep("art", "x", before_context="3"),
        "before_context is '3'; pass a whole number",
        ("before_context",),
    ),
    ("pattern", lambda: CLIENT.grep("art", "("), "pattern", ("pattern", "fixed_string")),
    ("filter", lambda: CLIENT.jq(CLIENT.list_artifacts()[0].id, ".["), "filter", ("filter",)),
    (
        "variables",
        lambda: CLIENT.jq("art", ".", variables=["x"]),
        "^variables is of type list; pass a dict",
        ("variables",),
    ),
    ("shape", lambda: CLIENT.infer_shape(Stored("art")), "^content is stored; pass its id", ("content",)),
    ("tool name", lambda: CLIENT.call_tool("shell", {}), "shell", ("name",)),
    (
        "arguments",
        lambda: CLIENT.call_tool("artifact_read", {"a": object()}),
        "^arguments cannot be written as JSON",
        ("arguments",),
    ),
    (
        "store",
        lambda: Tuckaway(ANY()),
        "store is of type Policy, lacking the methods create, append",
        ("store",),
    ),
    ("class", lambda: Tuckaway(STORE_CLASS), "store is the class MemoryStore; pass an instance", ("store",)),
    ("tokens", lambda: Tuckaway(tokens=ANY()), "tokens is Policy.*; pass Tiktoken", ("tokens",)),
    ("encoding", lambda: Tiktoken("gpt2"), "encoding is 'gpt2'; use one of o200k_base", ("encoding",)),  # type: ignore[arg-type]
    ("counted", lambda: Tiktoken()(NUMBER), "text is of type int", ("text",)),
    (
        "deadline",
        lambda: Tuckaway(deadline=-1),
        "deadline must be a number of at least 0 seconds",
        ("deadline",),
    ),
    (
        "kind of deadline",
        lambda: Tuckaway(deadline=ANY),
        "pass a number of seconds or a timedelta",
        ("deadline",),
    ),
    (
        "text as deadline",
        lambda: Tuckaway(deadline=TEXT),
        "^deadline is 'x'; pass a number of seconds",
        ("deadline",),
    ),
    ("memory", lambda: Tuckaway(memory_limit=-1), "memory_limit is -1", ("memory_limit",)),
    ("age", lambda: MemoryStore(max_age=-5), "max_age must be a number of seconds above 0", ("max_age",)),
    ("kind of age", lambda: MemoryStore(max_age=TEXT), "^max_age is 'x'", ("max_age",)),
    ("quota", lambda: MemoryStore(max_bytes=TEXT), "^max_bytes is 'x'", ("max_bytes",)),
    ("session", lambda: MemoryStore().session("No"), "^name of a session must have 1 to 64", ("name",)),
    ("data", lambda: MemoryStore().append("art_a_0", TEXT), "^data is of type str; pass bytes", ("data",)),
    ("path", lambda: DirStore(NUMBER), "^path is of type int; pass a str or a Path", ("path",)),
    ("no path", lambda: DirStore(""), "path", ("path",)),
    ("bucket", lambda: BucketStore("s3://"), "Cannot open the store s3://", ("url",)),
    ("no bucket", lambda: BucketStore("ftp://x"), "ftp", ("url",)),
    (
        "options",
        lambda: BucketStore("s3://a", options={"region": NUMBER}),
        "of type int",
        ("options['region']",),
    ),
    ("url", lambda: OpenAIModel("m", base_url="localhost"), "The base URL is not an HTTP URL", ("base_url",)),
    ("key", lambda: OpenAIModel("m", api_key="a\nb"), "The API key contains characters", ("api_key",)),
    ("name of a model", lambda: OpenAIModel(NUMBER), "^model is of type int", ("model",)),
    ("history", lambda: CLIENT.manage_history(7, TASK), "history is of type int; pass a list", ("history",)),
    ("no JSON", lambda: CLIENT.manage_history("[", TASK), "history", ("history",)),
    (
        "bytes of a history",
        lambda: CLIENT.manage_history(b"\xff", TASK),
        "history is not UTF-8",
        ("history",),
    ),
    ("memory of a history", lambda: CLIENT.manage_history([], TASK, memory="["), "memory", ("memory",)),
    (
        "kind of memory",
        lambda: CLIENT.manage_history([], TASK, memory=[1]),
        "memory is of type list; pass the memory that the last call returned",
        ("memory",),
    ),
    (
        "pinned",
        lambda: CLIENT.manage_history([], TASK, pinned=[-1]),
        "pinned is -1; pass a whole number",
        ("pinned",),
    ),
    (
        "kind of pinned",
        lambda: CLIENT.manage_history([], TASK, pinned=5),
        "pinned is of type int; pass a list of indexes",
        ("pinned",),
    ),
    (
        "artifacts",
        lambda: CLIENT.manage_history([], TASK, artifacts={"c": 5}),
        "is malformed",
        ("artifacts[0].artifact",),
    ),
    (
        "message",
        lambda: CLIENT.manage_history([{"content": object()}], TASK),
        "history cannot be written as JSON: it has an object of type object",
        ("history",),
    ),
    (
        "format",
        lambda: CLIENT.manage_history([], TASK, format="xml"),
        "^format is malformed: unknown variant `xml`",
        ("format",),
    ),
    (
        "task",
        lambda: CLIENT.manage_history([], Manage(context_window=NUMBER, budget=BUDGET)),
        "^task.budget.layers.0..at_pct is malformed: .* Pass a whole number of percent, such as 80 for 80 %.",
        ("task.budget.layers[0].at_pct",),
    ),
    (
        "forms",
        lambda: CLIENT.histories.detect_format([{"x": 1}]),
        "has none of the known forms",
        ("history",),
    ),
    (
        "figure",
        lambda: CLIENT.histories.read_usage({"input_tokens": -1}),
        "input_tokens of the usage is -1",
        ("usage",),
    ),
    ("usage", lambda: CLIENT.histories.read_usage("{"), "usage", ("usage",)),
    (
        "answers",
        lambda: CLIENT.plan(Conversation([]), TASK, [1]),
        "^answers is of type int; pass a str",
        ("answers",),
    ),
    (
        "conversation",
        lambda: CLIENT.plan(
            Conversation([NUMBER]),
            TASK,
        ),
        "is malformed",
        ("conversation.messages[0]",),
    ),
    (
        "role",
        lambda: CLIENT.budget.account(Conversation([MESSAGE(role="bot", parts=[])])),
        "unknown variant `bot`",
        ("conversation.messages[0].role",),
    ),
    (
        "texts",
        lambda: CLIENT.cache.unreferenced("x"),
        "^texts is of type str; pass a list of str",
        ("texts",),
    ),
    (
        "preset",
        lambda: CLIENT.budget.preset("huge"),
        "^preset is malformed: unknown variant `huge`",
        ("preset",),
    ),
    (
        "call",
        lambda: CLIENT.extraction.parse_call({"a": object()}),
        "^arguments cannot be written as JSON",
        ("arguments",),
    ),
    (
        "model",
        lambda: CLIENT.extract(Question("art", "x"), "gpt"),
        "model is 'gpt'; pass an OpenAIModel",
        ("model",),
    ),
    (
        "question",
        lambda: CLIENT.extract(Question(CLIENT.list_artifacts()[0].id, ""), str),
        "extract is empty",
        ("extract",),
    ),
    ("state", lambda: CLIENT.resume_extraction("changed", str), "state", ("state",)),
]


@pytest.mark.parametrize(
    ("refused", "message", "arguments"), [pytest.param(*rest, id=name) for name, *rest in REFUSED]
)
def test_a_malformed_argument_is_named(
    refused: Callable[[], Any], message: str, arguments: tuple[str, ...]
) -> None:
    if not CLIENT.list_artifacts():
        CLIENT.process([0], policy=Policy(keep_all=True), tool="tool")
    with pytest.raises(InvalidInputError, match=message) as caught:
        refused()
    assert caught.value.kind == "invalid_input"
    assert isinstance(caught.value, ValueError)
    assert caught.value.arguments == arguments
