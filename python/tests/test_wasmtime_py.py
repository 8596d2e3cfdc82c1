"""The component in the package `wasmtime` of PyPI: the example works, with the answers of this package."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from tuckaway import NotFoundError, Tuckaway, View

EXAMPLE = Path(__file__).parents[1] / "examples" / "pure_wasmtime.py"

ROWS = "".join(
    f'{{"id": {n}, "name": "row {n} é漢🦀", "level": "{"info" if n % 7 else "error"}"}}\n'
    for n in range(9_000)
)


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("pure_wasmtime", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def component() -> Path:
    """Returns the component, which `cargo xtask python` builds and names."""
    path = Path(os.environ.get("TUCKAWAY_WASM", ""))
    assert path.is_file(), "TUCKAWAY_WASM has to be the path of tuckaway.wasm"
    return path


@pytest.fixture(scope="module")
def pure(example: ModuleType, component: Path) -> Any:
    return example.PureTuckaway(component.read_bytes(), example.DictStore())


@pytest.fixture(scope="module")
def tuckaway() -> Tuckaway:
    return Tuckaway(tokens=lambda text: (len(text.encode()) + 3) // 4)


@pytest.fixture(scope="module")
def views(pure: Any, tuckaway: Tuckaway) -> tuple[Any, View]:
    """The same output in both."""
    return (
        pure.process(ROWS, tool="sql_query", context_window=100_000),
        tuckaway.process(ROWS, tool="sql_query", context_window=100_000),
    )


def test_an_output_has_the_same_view(views: tuple[Any, View]) -> None:
    theirs, ours = views
    (artifact,) = theirs.artifacts
    assert theirs.decision.action == ours.decision.action == "artifact"
    assert theirs.text == ours.text.replace(ours.artifacts[0].id, artifact.id)
    assert (artifact.tool, getattr(artifact, "size-bytes")) == ("sql_query", len(ROWS.encode()))


@pytest.mark.parametrize(
    ("tool", "arguments", "says"),
    [
        ("artifact_read", {"start_line": 8_990, "end_line": 8_995}, "row 8990 "),
        ("artifact_grep", {"pattern": "row 89[0-9]{2} "}, "row 8900 "),
        ("artifact_jq", {"filter": "select(.id == 8999) | .name"}, "row 8999 "),
        ("artifact_jq", {"filter": ".nothing |"}, "found the end of the filter"),
    ],
)
def test_tools_have_the_same_replies(
    pure: Any, tuckaway: Tuckaway, views: tuple[Any, View], tool: str, arguments: dict[str, Any], says: str
) -> None:
    theirs, ours = (view.artifacts[0].id for view in views)
    expected = tuckaway.call_tool(tool, {"artifact_id": ours, **arguments}).text.replace(ours, theirs)
    assert says in expected
    assert pure.call_tool(tool, {"artifact_id": theirs, **arguments}) == expected


def test_a_failure_has_the_same_message(pure: Any, tuckaway: Tuckaway, example: ModuleType) -> None:
    with pytest.raises(NotFoundError) as ours:
        tuckaway.read("art_0")
    everything = example.Variant("last-lines", 1)
    with pytest.raises(ValueError, match="art_0") as theirs:
        pure.call("artifacts", "read", "art_0", everything, False, None)
    assert str(theirs.value) == ours.value.message


def test_artifacts_are_listed(pure: Any, views: tuple[Any, View]) -> None:
    (listed,) = pure.call("artifacts", "list-artifacts")
    assert listed.id == views[0].artifacts[0].id


def test_the_example_is_a_program(tmp_path: Path, component: Path) -> None:
    output = tmp_path / "rows.ndjson"
    output.write_text(ROWS, encoding="utf-8")
    command = [sys.executable, str(EXAMPLE), str(component), str(output), "row 8999 "]
    printed = subprocess.run(command, check=True, capture_output=True, encoding="utf-8").stdout
    assert f'"size_bytes": {len(ROWS.encode())}' in printed
    assert printed.splitlines()[-2].startswith('9000:{"id": 8999, "name": "row 8999 é漢🦀"')
