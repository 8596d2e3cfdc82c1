"""Values that tools return besides text and bytes; and logging, pickling and display."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import importlib
import io
import json
import logging
import pickle
import subprocess
import sys
import uuid
from collections import OrderedDict, deque
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tuckaway import (
    AsyncTuckaway,
    DirStore,
    InvalidInputError,
    MemoryStore,
    Policy,
    Tiktoken,
    ToolOutput,
    Tuckaway,
)
from tuckaway._content import plain_content

CODEGEN = Path(__file__).parents[1] / "codegen"


class Colour(enum.Enum):
    RED = "red"


@dataclasses.dataclass
class Row:
    id: int
    at: datetime.date


class Model:
    """The part of a Pydantic model that this package uses."""

    def model_dump(self, *, mode: str) -> dict[str, str]:
        return {"mode": mode}


class Array:
    """The part of a NumPy array that this package uses."""

    def tolist(self) -> list[float]:
        return [1.5, float("nan")]


def numbers() -> Iterator[int]:
    yield from (1, 2)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (None, "null"),
        (5, "5"),
        (2.5, "2.5"),
        (True, "true"),
        (float("inf"), "null"),
        ({"share": float("nan"), "rows": [1]}, '{"share":null,"rows":[1]}'),
        ({1: "a", None: "b"}, '{"1":"a","null":"b"}'),
        ({Colour.RED: 1, ("a", 1): 2}, '{"red":1,"(\'a\', 1)":2}'),
        (Row(1, datetime.date(2026, 1, 31)), '{"id":1,"at":"2026-01-31"}'),
        ([datetime.datetime(2026, 1, 31, 12, 30)], '["2026-01-31T12:30:00"]'),
        ([datetime.timedelta(minutes=90)], '["1:30:00"]'),
        ({"price": decimal.Decimal("0.10")}, '{"price":"0.10"}'),
        ([uuid.UUID(int=1)], '["00000000-0000-0000-0000-000000000001"]'),
        ([Colour.RED, Path("a/b"), b"\x00\xff"], '["red","a/b","AP8="]'),
        ({3, 1, 2}, "[1,2,3]"),
        (deque([1]), "[1]"),
        (OrderedDict(a=range(2)), '{"a":[0,1]}'),
        (Model(), '{"mode":"json"}'),
        ([Array()], "[[1.5,null]]"),
        (numbers(), "[1,2]"),
        ((part for part in ("a", "b")), "ab"),
        ((part for part in (b"a", b"b")), b"ab"),
        (iter(()), "[]"),
        (io.StringIO("text"), "text"),
        (io.BytesIO(b"bytes"), b"bytes"),
    ],
)
def test_a_value_is_written_as_json(value: Any, expected: str | bytes) -> None:
    assert plain_content(value) == expected


def test_tables_are_arrays_of_records() -> None:
    pandas = importlib.import_module("pandas")
    table = pandas.DataFrame(
        {"n": [1, 2], "x": [0.1, float("nan")], "at": pandas.to_datetime(["2026-01-31", None])}
    )
    rows = json.loads(plain_content(table))
    assert rows[1] == {"n": 2, "x": None, "at": None}
    assert rows[0]["x"] == 0.1
    assert rows[0]["at"].startswith("2026-01-31")
    named = table.set_index(pandas.Index(["a", "b"], name="key"))
    assert json.loads(plain_content(named))[1]["key"] == "b"
    assert plain_content(table["n"]) == "[1,2]"
    assert json.loads(plain_content(named["n"])) == {"a": 1, "b": 2}
    assert json.loads(plain_content({"rows": table[["n"]]})) == {"rows": [{"n": 1}, {"n": 2}]}
    numpy = importlib.import_module("numpy")
    assert plain_content(numpy.array([[1, 2], [3, 4]])) == "[[1,2],[3,4]]"
    assert plain_content({"n": numpy.int64(5), "x": numpy.float32("nan")}) == '{"n":5,"x":null}'
    polars = importlib.import_module("polars")
    assert json.loads(plain_content(polars.DataFrame({"n": [1, 2]}))) == [{"n": 1}, {"n": 2}]
    assert plain_content(polars.Series([1, 2])) == "[1,2]"


def test_default_converts_the_rest() -> None:
    class Other:
        pass

    client = Tuckaway(policy=Policy(keep_all=True))
    view = client.process([Other()], tool="t", default=lambda value: type(value).__name__)
    assert client.jq(view.artifacts[0].id, ".[0]", raw=True).text == "Other\n"
    outputs = [ToolOutput.of(Other(), tool="t")]
    (view,) = client.process_turn(outputs, default=lambda value: "converted")
    assert view.text == '"converted"'
    loop: list[Any] = []
    loop.append(loop)
    for value in (loop, [Other()], Other):
        with pytest.raises(InvalidInputError, match="cannot be written as JSON"):
            client.process(value, tool="t")


def test_a_task_is_by_default_to_manage_within_the_window() -> None:
    client = Tuckaway(context_window=2_000)
    history = [{"role": "user", "content": "Go on. " * 2_000}, {"role": "assistant", "content": "Yes."}]
    managed = client.manage_history(history)
    assert managed.report.before.total > 2_000
    assert managed.report.alarms


def test_clients_and_stores_are_pickled(tmp_path: Path) -> None:
    store = DirStore(tmp_path, max_bytes=1_000_000).session("one")
    client = Tuckaway(
        store, tokens=Tiktoken(), context_window=50_000, tools=["read"], policy=Policy(keep_all=True)
    )
    artifact = client.process("kept", tool="t").artifacts[0].id
    again = pickle.loads(pickle.dumps(client))
    assert again.read(artifact).text == "kept"
    assert (repr(again), again.tools) == (repr(client), ("read",))
    assert isinstance(pickle.loads(pickle.dumps(AsyncTuckaway(store))), AsyncTuckaway)
    with pytest.raises(TypeError, match="belongs to its process"):
        pickle.dumps(Tuckaway(MemoryStore()))


def test_views_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="tuckaway"):
        Tuckaway().process("short", tool="shell")
        Tuckaway(MemoryStore(max_bytes=1)).process("x" * 2_000_000, tool="big")
    assert [record.getMessage() for record in caplog.records][:2] == [
        "shell: inline (below_floor), 5 bytes",
        "big: truncate (ceiling), 2000000 bytes",
    ]
    assert caplog.records[2].levelname == "WARNING"


def test_rich_shows_decisions_and_views() -> None:
    console = importlib.import_module("rich.console").Console(record=True, width=100, file=io.StringIO())
    view = Tuckaway().process("[bold]a line[/bold]\n" * 100_000, tool="shell")
    console.print(view, view.decision)
    shown = console.export_text()
    assert "artifact (ceiling)" in shown
    assert view.artifacts[0].id in shown
    assert "more lines" in shown or "artifact_id" in shown


def test_the_module_shows_what_a_model_would_see(tmp_path: Path) -> None:
    def run(*arguments: str, text: str = "") -> subprocess.CompletedProcess[str]:
        # In another folder than the sources, which have no native module.
        command = [sys.executable, "-m", "tuckaway", *arguments]
        return subprocess.run(command, input=text, capture_output=True, text=True, cwd=tmp_path, check=False)

    (tmp_path / "rows.json").write_text(json.dumps([{"id": n} for n in range(50_000)]))
    shown = run("rows.json", "--tool", "sql")
    assert json.loads(shown.stdout)["artifact_id"].startswith("art_sql_")
    assert shown.stderr.startswith("artifact (")
    assert json.loads(run("-", "--json", text="short").stdout)["text"] == "short"
    missing = run("none")
    assert (missing.returncode, missing.stdout) == (1, "")
    assert "cannot be read" in missing.stderr


def test_the_asynchronous_clients_follow_from_the_synchronous_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(CODEGEN)
    asynchronous = importlib.import_module("asynchronous")
    for name, text in asynchronous.written().items():
        committed = (asynchronous.PACKAGE / name).read_text(encoding="utf-8")
        assert committed == text, f"run `python codegen/asynchronous.py`: {name}"
