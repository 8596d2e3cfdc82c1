"""The plugin that keeps artifacts in its memory, and both modules' answers to malformed calls."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import extism
import pytest
from extism.extism import CompiledPlugin
from hosts import TARGET, CoreHost, FailureError, Ports

ROWS = "".join(f"{n},row {n} é漢🦀\n" for n in range(9_000))

PAGES = Path(__file__).parents[2] / "docs"

WASM = (TARGET / "tuckaway-extism.wasm").read_bytes()


@pytest.fixture(scope="module")
def compiled() -> CompiledPlugin:
    return CompiledPlugin(WASM)


@pytest.fixture
def plugin(compiled: CompiledPlugin) -> Iterator[extism.Plugin]:
    with extism.Plugin(compiled) as plugin:
        yield plugin


def call(plugin: extism.Plugin, function: str, **arguments: Any) -> Any:
    answer: Any = json.loads(plugin.call(function, json.dumps(arguments)))
    return answer


def process(plugin: extism.Plugin, text: str, tool: str = "sql") -> Any:
    output = {"tool": tool, "blocks": [{"content": {"text": text}}]}
    turn = {"context_window": 32_000, "tools": ["read", "grep", "jq"]}
    return call(plugin, "process", output=output, turn=turn)["ok"]


def test_artifacts_last_as_long_as_the_plugin(plugin: extism.Plugin) -> None:
    first, second = (process(plugin, f"{number}\n{ROWS}", f"sql {number}") for number in (1, 2))
    ids = [view["artifacts"][0]["id"] for view in (first, second)]
    assert ids == ["art_sql_1_0000000001", "art_sql_2_0000000002"]
    assert [each["id"] for each in call(plugin, "list_artifacts")["ok"]] == ids
    found = call(plugin, "grep", id=ids[1], query={"pattern": "^8999,"})["ok"]["matches"]
    assert [match["text"] for match in found] == ["8999,row 8999 é漢🦀"]
    arguments = json.dumps({"artifact_id": ids[0], "start_line": 1, "end_line": 1})
    assert call(plugin, "call", name="artifact_read", arguments=arguments)["ok"]["text"].startswith(
        "     1\t1\n"
    )


def test_plugins_share_nothing(compiled: CompiledPlugin, plugin: extism.Plugin) -> None:
    process(plugin, ROWS)
    with extism.Plugin(compiled) as other:
        assert call(other, "list_artifacts")["ok"] == []


def test_a_deleted_artifact_is_gone(plugin: extism.Plugin) -> None:
    (artifact,) = process(plugin, ROWS)["artifacts"]
    assert call(plugin, "delete", id=artifact["id"]) == {"ok": None}
    assert call(plugin, "list_artifacts")["ok"] == []
    again = call(plugin, "delete", id=artifact["id"])["error"]
    assert again["kind"] == "not_found"
    assert artifact["id"] in again["message"]


def test_the_quota_is_a_setting() -> None:
    with extism.Plugin(WASM, config={"max_bytes": "100000"}) as plugin:
        view = process(plugin, ROWS)
    assert view["decision"]["action"] == "truncate"
    assert view["artifacts"] == []
    assert "quota" in view["decision"]["failures"][0]["message"]
    assert len(view["text"].encode()) < len(ROWS.encode()) / 2


@pytest.mark.parametrize("arguments", ["", "[", "{}", "null", '{"id": "a", "more": 1}', "\ud800", b"\xff\0"])
def test_malformed_arguments_are_answered(plugin: extism.Plugin, arguments: str | bytes) -> None:
    given = arguments.encode(errors="surrogatepass") if isinstance(arguments, str) else arguments
    error = json.loads(plugin.call("read", given))["error"]
    assert error["kind"] == "invalid_input"
    assert error["message"].startswith("The arguments are malformed: ")


def test_the_example_for_extism_works(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (PAGES / "plugin-hosts.md").read_text(encoding="utf-8")
    _, _, example = page.partition("\n## Extism\n")
    _, _, example = example.partition("```python\n")
    example, _, _ = example.partition("```")
    monkeypatch.chdir(TARGET.parent)
    exec(example, {})
    printed = capsys.readouterr().out
    assert '"artifact_id": "art_sql_query_0000000001"' in printed
    assert "20000:19999,row 19999" in printed.splitlines()


class Broken(Ports):
    """A store that refuses everything."""

    def store(self, method: str, arguments: dict[str, Any], content: bytes) -> tuple[Any, bytes]:
        raise FailureError({"other": "it is broken"})

    def tokens(self, text: str) -> int:
        raise FailureError("it is broken")


@pytest.fixture(scope="module")
def core() -> CoreHost:
    return CoreHost()


def test_an_unknown_function_is_an_error(core: CoreHost) -> None:
    error = json.loads(core.call("no", b"{}", Broken()))["error"]
    assert error["message"].startswith('There is no function "no"; call one of ')


def test_a_failure_of_the_store_is_an_error(core: CoreHost) -> None:
    error = json.loads(core.call("list_artifacts", b"", Broken()))["error"]
    assert error["kind"] == "store"
    assert error["message"].endswith("it is broken")


@pytest.mark.parametrize("given", [(0, 0, 0, 0), (1, 1, 1, 1), (-1, -1, -1, -1), (1 << 20, 4, 1 << 20, 4)])
def test_addresses_that_are_not_of_alloc_are_an_error(core: CoreHost, given: tuple[int, ...]) -> None:
    error = json.loads(core.take(core.export("call", *given)))["error"]
    assert error["message"].startswith("The name or the arguments are not in a buffer of alloc; ")
    core.export("free", given[0])


def test_memory_that_cannot_be_had_is_0(core: CoreHost) -> None:
    assert core.export("alloc", -1) == 0


def test_buffers_are_reused(core: CoreHost) -> None:
    """The module's memory does not grow with the number of calls."""
    text = json.dumps({"content": {"text": "x" * 1_000_000}, "max_bytes": 2_000_000}).encode()
    sizes = []
    for _ in range(20):
        assert json.loads(core.call("truncate", text, Broken()))["ok"] == "x" * 1_000_000
        sizes.append(core.memory_bytes())
    assert sizes[-1] == sizes[4]
