"""The methods of `Tuckaway`, with all of their arguments."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from inspect import Parameter, signature
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from tuckaway import (
    AsyncTuckaway,
    Block,
    DirStore,
    InvalidInputError,
    LimitError,
    MemoryStore,
    NotFoundError,
    Policy,
    QuotaExceededError,
    Stored,
    StoredMedia,
    StoreError,
    Tiktoken,
    ToolOutput,
    ToolOverride,
    Tuckaway,
    estimate_tokens,
    mint,
)
from tuckaway._dialects import TOOL_NAMES
from tuckaway._queries import grep_query, jq_query
from tuckaway.records import Dialect

KEEP = Policy(keep_all=True)
ROWS = [{"id": n, "name": f"row {n} ü"} for n in range(3_000)]
ROWS_JSON = json.dumps(ROWS, ensure_ascii=False, separators=(",", ":"))


@pytest.fixture
def tuckaway() -> Iterator[Tuckaway]:
    with Tuckaway(policy=KEEP) as client:
        yield client


def stored(tuckaway: Tuckaway, content: Any, **options: Any) -> bytes:
    """Processes a content and returns the stored bytes."""
    tool = {} if isinstance(content, ToolOutput) else {"tool": "tool"}
    (artifact,) = tuckaway.process(content, **{**tool, **options}).artifacts
    return bytes(tuckaway.store.read(artifact.id, 0, artifact.size_bytes))


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("text ü\n", "text ü\n".encode()),
        (b"\x00\xff any", b"\x00\xff any"),
        (bytearray(b"array"), b"array"),
        (memoryview(b"a view")[2:], b"view"),
        ({"a": [1, None, True]}, b'{"a":[1,null,true]}'),
        ([{"b": "ü"}], '[{"b":"ü"}]'.encode()),
        ((1, 2), b"[1,2]"),
        (MappingProxyType({"c": 1.5}), b'{"c":1.5}'),
        (ToolOutput.of("whole", tool="tool"), b"whole"),
    ],
)
def test_content_of_every_type_is_stored_as_its_bytes(
    tuckaway: Tuckaway, content: Any, expected: bytes
) -> None:
    assert stored(tuckaway, content) == expected


def test_a_path_means_the_bytes_of_its_file_and_a_str_is_never_a_path(
    tuckaway: Tuckaway, tmp_path: Path
) -> None:
    path = tmp_path / "output.log"
    path.write_bytes(b"from a file\r\n")
    assert stored(tuckaway, path) == b"from a file\r\n"
    assert stored(tuckaway, str(path)) == str(path).encode()
    with pytest.raises(InvalidInputError, match="cannot be read"):
        tuckaway.process(tmp_path / "missing", tool="tool")


def test_a_lone_surrogate_is_no_reason_to_fail(tuckaway: Tuckaway) -> None:
    assert tuckaway.process("a \ud800 b", tool="\udfff").text == "a \ufffd b"


def test_stored_content_is_described_in_place(tuckaway: Tuckaway) -> None:
    first = tuckaway.process(ROWS, tool="sql_query")
    again = tuckaway.process(Stored(first.artifacts[0].id), tool="sql_query", context_window=1_000)
    assert again.decision.action == "artifact"
    assert again.artifacts == first.artifacts


def test_blocks_and_structured_results(tuckaway: Tuckaway) -> None:
    png = bytes.fromhex("89504e470d0a1a0a") + b"\0" * 100
    output = ToolOutput(
        tool="browse",
        blocks=[Block("a page"), Block(png, "image/png"), Block({"links": 3}, "application/json")],
        structured={"title": "A page"},
    )
    view = tuckaway.process(output)
    assert view.kept == (1,)
    assert view.decision.kept_tokens == Policy().image_tokens
    assert [artifact.media_type for artifact in view.artifacts] == [
        "text/plain",
        "application/json",
        "application/json",
    ]
    text = tuckaway.process("x", structured='{"title": "A page"}', tool="tool").text
    assert '"title": "A page"' in text


def test_an_error_of_a_tool_and_a_media_type_are_passed_on(tuckaway: Tuckaway) -> None:
    view = tuckaway.process("a;b\n1;2\n", media_type="text/csv", tool="export")
    assert view.artifacts[0].media_type == "text/csv"
    assert view.artifacts[0].tool == "export"
    big = "Traceback\n" + "line\n" * 300_000
    passed, failed = tuckaway.process(big, tool="tool"), tuckaway.process(big, is_error=True, tool="tool")
    assert passed.text != failed.text


def test_a_call_overrides_the_settings_of_the_client() -> None:
    client = Tuckaway(context_window=1_000, tools=[], policy=Policy(min_threshold_bytes=10))
    output = "word " * 400
    assert client.decide(output, tool="tool").action == "truncate"
    assert client.decide(output, tools=["read"], tool="tool").action == "artifact"
    assert client.decide(output, context_window=200_000, tool="tool").gate == "fits"
    assert client.decide(output, policy=Policy(enabled=False), tool="tool").gate == "disabled"
    assert client.decide(output, context_window=10_000, used_tokens=9_990, tool="tool").gate == "headroom"
    assert (client.context_window, client.tools) == (1_000, ())


def test_overrides_apply_by_tool() -> None:
    policy = Policy(overrides=[ToolOverride(tools="sql_*", exempt=True)])
    decision = Tuckaway(policy=policy).decide("x" * 5_000_000, tool="sql_query")
    assert (decision.gate, decision.matched_override) == ("exempt", "sql_*")


def test_decide_stores_nothing_and_agrees_with_process(tuckaway: Tuckaway) -> None:
    decision = tuckaway.decide(ROWS, context_window=10_000, tool="tool")
    assert tuckaway.list_artifacts() == []
    assert tuckaway.process(ROWS, context_window=10_000, tool="tool").decision == decision


def test_a_turn_shares_the_headroom(tuckaway: Tuckaway) -> None:
    sizes = [100, 150_000, 160_000, 170_000]
    outputs = [ToolOutput.of("x\n" * (size // 2), tool=f"tool_{size}") for size in sizes]
    views = tuckaway.process_turn(outputs, context_window=200_000, used_tokens=40_000)
    actions = [view.decision.action for view in views]
    assert actions[0] == "inline"
    assert actions[-1] == "artifact"
    assert tuckaway.process_turn([]) == []


def test_read_takes_every_kind_of_range(tuckaway: Tuckaway) -> None:
    text = "".join(f"line {n}\n" for n in range(1, 101))
    ref = tuckaway.process(text, tool="tool").artifacts[0].id
    assert tuckaway.read(ref).text == text
    assert tuckaway.read(ref, lines=(2, 3)).text == "line 2\nline 3\n"
    assert tuckaway.read(ref, lines=(None, 1)).text == "line 1\n"
    assert tuckaway.read(ref, lines=(100, None)).text == "line 100\n"
    assert tuckaway.read(ref, last_lines=2).text == "line 99\nline 100\n"
    assert tuckaway.read(ref, bytes=(0, 4)).text == "line"
    assert tuckaway.read(ref, bytes=(len(text) - 4, None)).text == "100\n"
    assert tuckaway.read(ref, lines=(7, 7), line_numbers=True).text.strip() == "7\tline 7"
    pages: list[str] = []
    cursor = None
    while True:
        page = tuckaway.read(ref, cursor=cursor, max_bytes=256)
        pages.append(page.text)
        cursor = page.next
        if cursor is None:
            break
    assert len(pages) > 1
    assert "".join(pages) == text


@pytest.mark.parametrize(
    ("method", "query"), [("grep", grep_query), ("grep_all", grep_query), ("jq", jq_query)]
)
def test_queries_take_the_options_of_the_contract(method: str, query: Callable[..., Any]) -> None:
    def options(function: Callable[..., Any]) -> list[Parameter]:
        return [
            each for each in signature(function).parameters.values() if each.kind is Parameter.KEYWORD_ONLY
        ]

    for client in (Tuckaway, AsyncTuckaway):
        *given, bound = options(getattr(client, method))
        assert given == options(query)
        assert bound.name == "max_bytes"


def test_grep_takes_every_option(tuckaway: Tuckaway) -> None:
    ref = tuckaway.process("a.b\nAXB\nc\na.b a.b\n", tool="tool").artifacts[0].id

    def lines(pattern: str, **options: Any) -> list[int]:
        return [match.line for match in tuckaway.grep(ref, pattern, **options).matches]

    assert lines("a.b") == [1, 4]
    assert lines("a.b", ignore_case=True) == [1, 2, 4]
    assert lines("a.b", fixed_string=True) == [1, 4]
    assert lines("a", invert=True) == [2, 3]
    found = tuckaway.grep(ref, "c", before_context=1, after_context=1)
    assert (found.matches[0].before, found.matches[0].after, found.total) == (("AXB",), ("a.b a.b",), 1)
    first = tuckaway.grep(ref, "a.b", max_matches=1)
    assert first.total == 2
    second = tuckaway.grep(ref, "a.b", max_matches=1, cursor=first.next)
    assert [match.line for match in second.matches] == [4]
    assert (second.total, second.next) == (None, None)
    long = tuckaway.process("needle " * 100, tool="tool").artifacts[0].id
    assert tuckaway.grep(long, "needle", each_match=True).match_count == 100


def test_a_reply_names_the_file_whose_bytes_are_read(tuckaway: Tuckaway) -> None:
    png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
    store = tuckaway.store
    ref = store.create("shot", "image/jpeg")
    store.append(ref, png)
    store.seal(ref, 3)
    media = tuckaway.call_tool("artifact_read", {"artifact_id": ref}).media
    assert media == StoredMedia(artifact_id=ref, kind="image", media_type="image/png", size_bytes=len(png))
    assert tuckaway.media_bytes(media) == png
    assert tuckaway.call_tool("artifact_read", {"artifact_id": ref, "start_byte": 1}).media is None
    with pytest.raises(InvalidInputError, match="media is None; pass"):
        tuckaway.media_bytes(None)  # type: ignore[arg-type]
    with pytest.raises(StoreError, match=f"16 bytes of .*, which has {2**40}"):
        tuckaway.media_bytes(replace(media, size_bytes=2**40))
    with pytest.raises(InvalidInputError, match="not an artifact id"):
        tuckaway.media_bytes(replace(media, artifact_id="../x"))
    store.delete(ref)
    with pytest.raises(NotFoundError):
        tuckaway.media_bytes(media)


def test_jq_takes_every_option(tuckaway: Tuckaway) -> None:
    ref = tuckaway.process('{"a": "ü"}\n{"a": "b"}\n', tool="tool").artifacts[0].id
    assert tuckaway.jq(ref, ".a").text == '"ü"\n"b"\n'
    assert tuckaway.jq(ref, ".a", raw=True).text == "ü\nb\n"
    assert tuckaway.jq(ref, ".", slurp=True, compact=True).text == '[{"a":"ü"},{"a":"b"}]\n'
    assert tuckaway.jq(ref, "[inputs.a]", null_input=True, compact=True).text == '["ü","b"]\n'
    with pytest.raises(LimitError):
        tuckaway.jq(ref, "[range(1e9)] | length", max_steps=1_000)
    stopped = tuckaway.jq(ref, '.a | error("stop")').failure
    assert stopped is not None
    assert "stop" in stopped.message
    hint = tuckaway.jq(ref, ".b").hint
    assert hint is not None
    page = tuckaway.jq(ref, "range(1000)", max_bytes=256)
    following = tuckaway.jq(ref, "range(1000)", max_bytes=256, cursor=page.next)
    assert int(following.text.split()[0]) == int(page.text.split()[-1]) + 1
    table = tuckaway.process("a,b\n1,2\n3,4\n", media_type="text/csv", tool="tool").artifacts[0].id
    assert "CSV" in str(tuckaway.jq(table, "length").parsed_as)
    assert tuckaway.jq(ref, "1", max_memory=2**80).text == "1\n1\n"


def test_jq_takes_other_artifacts_and_saves_its_outputs(tuckaway: Tuckaway) -> None:
    names = tuckaway.process('{"a": "Ann"}', tool="names").artifacts[0].id
    ref = tuckaway.process('["a", "b"]', tool="tool").artifacts[0].id
    saved = tuckaway.jq(ref, ".[] | $names[.]", variables={"names": names}, save_as="named").saved
    assert saved is not None
    assert (saved.count, saved.artifact.tool, saved.shape.media_type) == (2, "named", "application/x-ndjson")
    assert tuckaway.list_artifacts()[-1] == saved.artifact
    assert tuckaway.read(saved.artifact.id).text == '"Ann"\nnull\n'
    assert tuckaway.jq(ref, ".").saved is None
    with pytest.raises(InvalidInputError, match="Nothing was saved"):
        tuckaway.jq(ref, "empty", save_as="none")
    with pytest.raises(InvalidInputError, match="variables"):
        tuckaway.jq(ref, ".", variables={"names": 1})  # type: ignore[dict-item]


def test_shape_and_truncate_take_the_same_contents(tuckaway: Tuckaway, tmp_path: Path) -> None:
    path = tmp_path / "rows.json"
    path.write_text(ROWS_JSON, encoding="utf-8")
    for content in (ROWS, ROWS_JSON, ROWS_JSON.encode(), path):
        shape = tuckaway.infer_shape(content)
        assert shape.media_type == "application/json"
        assert shape.value["."] == "array(3000) of object(2 keys)"
        cut = tuckaway.truncate(content, 1_000)
        assert len(cut.encode()) <= 1_000
        assert json.loads(cut)
    assert len(tuckaway.infer_shape(ROWS, max_bytes=256).json) <= 256


def test_tools_are_defined_and_called_in_every_dialect() -> None:
    for dialect, names in TOOL_NAMES.items():
        client = Tuckaway(policy=Policy(dialect=dialect, keep_all=True))
        ref = client.process("one\ntwo\n", tool="shell").artifacts[0].id
        tools = client.tool_definitions()
        assert tuple(tool.name for tool in tools) == names
        assert all(tool.input_schema["type"] == "object" and tool.description for tool in tools)
        assert client.tool_definitions(is_final_turn=True) == []
        others = {name for other in TOOL_NAMES.values() for name in other} - set(names)
        assert all(map(client.is_artifact_tool, names))
        assert not any(map(client.is_artifact_tool, others))
        schema = tools[0].input_schema
        key = next(name for name in schema["properties"] if name in schema["required"])
        arguments = {key: ref, "extract": "two", "mode": "truncate"} if dialect == "handle" else {key: ref}
        reply = client.call_tool(names[0], arguments)
        assert (reply.is_error, "two" in reply.text) == (False, True), (dialect, reply)
        assert client.call_tool(names[0], json.dumps(arguments)) == reply


def test_definitions_of_another_dialect_and_of_some_tools(tuckaway: Tuckaway) -> None:
    names = [tool.name for tool in tuckaway.tool_definitions(dialect="file", tools=("jq", "read"))]
    assert names == ["read_large_output", "query_large_output"]


def test_a_mistake_of_the_model_is_a_reply(tuckaway: Tuckaway) -> None:
    reply = tuckaway.call_tool("artifact_read", "not JSON")
    assert reply.is_error
    reply = tuckaway.call_tool("artifact_read", {"artifact_id": "art_none_0"})
    assert reply.is_error


@pytest.mark.parametrize("dialect", list(TOOL_NAMES))
def test_defaults_of_policies_are_those_of_the_component(tuckaway: Tuckaway, dialect: Dialect) -> None:
    assert tuckaway.default_policy(dialect) == replace(Policy(dialect=dialect), overrides=())


def test_stores_and_counters_are_replaceable(tmp_path: Path) -> None:
    for store in (MemoryStore(), DirStore(tmp_path / "outputs")):
        client = Tuckaway(store, policy=KEEP, tokens=Tiktoken("cl100k_base"))
        (artifact,) = client.process("kept", tool="tool").artifacts
        assert client.list_artifacts() == [artifact] == list(store.list_artifacts())
    again = Tuckaway(DirStore(tmp_path / "outputs"))
    assert again.read(artifact.id).text == "kept"


def test_counters_count() -> None:
    counted = Policy(max_output_tokens=10_000)
    text = "the quick brown fox " * 1_000

    def tokens(counter: Any) -> tuple[int | None, bool]:
        decision = Tuckaway(tokens=counter, policy=counted).decide(text, tool="tool")
        return decision.token_count, decision.tokens_estimated

    def words(text: str) -> int:
        return len(text.split())

    def negative(text: str) -> int:
        return -1

    assert tokens(words) == (4_000, False)
    assert tokens(Tiktoken()) == (Tiktoken()(text), False)
    assert tokens(None) == (estimate_tokens(text), False)
    assert tokens(negative) == (len(text) // 4, True)

    def fails(text: str) -> int:
        raise OSError("no vocabulary")

    decision = Tuckaway(tokens=fails, policy=counted).decide(text, tool="tool")
    assert decision.tokens_estimated
    assert decision.failures[0].kind == "tokens"
    assert "no vocabulary" in decision.failures[0].message


def test_sessions_of_a_store_are_isolated() -> None:
    store = MemoryStore(max_bytes=1_000)
    first, second = store.session("first"), store.session("second")
    (artifact,) = Tuckaway(first, policy=KEEP).process("of the first", tool="tool").artifacts
    with pytest.raises(NotFoundError):
        Tuckaway(second).read(artifact.id)
    assert store.sessions() == ["first"]
    with pytest.raises(QuotaExceededError):
        second.append(second.create("tool", "text/plain"), bytes(1_001))
    store.remove_session("first")
    with pytest.raises(NotFoundError):
        store.remove_session("first")
    assert store.collect_garbage().freed_bytes >= 0
    with pytest.raises(InvalidInputError):
        store.session("No Name")


def test_minted_ids_differ() -> None:
    ids = {mint("My Tool") for _ in range(100)}
    assert len(ids) == 100
    assert all(each.startswith("art_my_tool_") for each in ids)


def test_calls_of_a_closed_client_fail_with_a_clear_error() -> None:
    client = Tuckaway(policy=KEEP)
    with client as entered:
        assert entered is client
        ref = client.process("kept", tool="tool").artifacts[0].id
    with pytest.raises(InvalidInputError, match=r"This Tuckaway is closed\. Create a new one"):
        client.read(ref)
    with pytest.raises(InvalidInputError, match="closed"):
        client.__enter__()
    assert repr(client).endswith("(closed)")


def test_reprs_show_the_settings_of_a_client(tmp_path: Path) -> None:
    assert repr(Tuckaway(context_window=128_000)) == (
        "Tuckaway(MemoryStore(max_bytes=1073741824), context_window=128000)"
    )
    store = DirStore(tmp_path, max_age=60.0)
    shown = repr(Tuckaway(store, tokens=Tiktoken()))
    assert shown == (
        f"Tuckaway(DirStore({str(tmp_path)!r}, max_age=60.0), tokens=Tiktoken(encoding='o200k_base'), "
        "context_window=200000)"
    )
    assert repr(Tuckaway(policy=KEEP)).endswith(", policy=Policy(keep_all=True))")
    assert repr(Policy(dialect="file", enabled=False)) == "Policy(enabled=False, dialect='file')"
    assert repr(store.session("chat-1")).endswith(".session('chat-1')")


def test_a_deadline_ends_a_call() -> None:
    client = Tuckaway(policy=KEEP, deadline=timedelta(seconds=0.2))
    ref = client.process("[0]", tool="tool").artifacts[0].id
    with pytest.raises(LimitError):
        client.jq(ref, "reduce range(1e12) as $n (0; . + $n)", max_steps=10**11)
    assert client.process("and the next call works", tool="tool").text


def test_a_memory_limit_ends_a_call() -> None:
    client = Tuckaway(memory_limit=32 * 1024 * 1024)
    with pytest.raises(LimitError):
        client.process("x" * 64 * 1024 * 1024, tool="tool")
    assert client.process("and the next call works", tool="tool").text


class BrokenStore:
    """A store that fails."""

    def create(self, tool: str, media_type: str) -> str:
        raise OSError("the disk is full")

    def append(self, id: str, data: bytes) -> None:
        raise OSError("the disk is full")

    def seal(self, id: str, line_count: int) -> Any:
        raise OSError("the disk is full")

    def stat(self, id: str) -> Any:
        raise OSError("the disk is gone")

    def read(self, id: str, offset: int, length: int) -> bytes:
        raise OSError("the disk is gone")

    def list_artifacts(self) -> list[Any]:
        raise OSError("the disk is gone")

    def delete(self, id: str) -> None:
        raise OSError("the disk is gone")


def test_a_store_that_fails_truncates_views_and_ends_queries() -> None:
    client = Tuckaway(BrokenStore())
    view = client.process("x\n" * 1_000_000, tool="tool")
    assert (view.decision.action, view.artifacts) == ("truncate", ())
    assert view.decision.failures[0].kind == "store"
    assert "the disk is full" in view.decision.failures[0].message
    with pytest.raises(StoreError, match="the disk is gone"):
        client.read("art_tool_0")
