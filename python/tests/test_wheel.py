"""The wheel, installed in an empty environment: the example of the README, and the bytes of the command line.

``TUCKAWAY_WHEEL`` names the wheel, ``TUCKAWAY_CLI`` the command. ``cargo xtask python`` builds both and sets
them.
"""

from __future__ import annotations

import email
import json
import os
import re
import subprocess
import sys
import venv
import zipfile
from pathlib import Path
from typing import Any

import pytest

REPOSITORY = Path(__file__).resolve().parents[2]

FILE = REPOSITORY / "host-test" / "object_servers" / "package-lock.json"
"""A real output: 196 KB of JSON that npm wrote."""

WINDOW = 128_000


def named(variable: str, what: str) -> str:
    """Returns the path that a variable names."""
    path = os.environ.get(variable, "")
    if not Path(path).is_file():
        pytest.fail(
            f"{variable} is {path!r}, and has to be the path of {what}; `cargo xtask python` builds that and "
            "sets it",
            pytrace=False,
        )
    return path


@pytest.fixture(scope="module")
def wheel() -> Path:
    return Path(named("TUCKAWAY_WHEEL", "the wheel"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Returns the interpreter of a new environment, in which pip has installed the wheel."""
    directory = tmp_path_factory.mktemp("fresh")
    venv.create(directory, with_pip=True)
    program = directory / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    pip = [str(program), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index"]
    subprocess.run([*pip, str(wheel)], check=True, env=clean())
    return str(program)


def clean() -> dict[str, str]:
    """Returns the environment variables that do not affect Python or tuckaway."""
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "TUCKAWAY_"))}


def run(command: list[str], directory: Path) -> str:
    """Runs a command and returns its output."""
    ended = subprocess.run(
        command, cwd=directory, env=clean(), capture_output=True, encoding="utf-8", check=False
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


def test_the_wheel_has_only_the_files_that_it_needs(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (metadata,) = (
            email.message_from_bytes(archive.read(name)) for name in names if name.endswith("/METADATA")
        )
    assert "-cp310-abi3-" in wheel.name
    assert [each for each in metadata.get_all("Requires-Dist", []) if "extra ==" not in each] == []
    assert metadata["Requires-Python"] == ">=3.10"
    assert str(metadata.get_payload()).startswith("# tuckaway")
    assert {"tuckaway/py.typed", "tuckaway/__init__.py", "tuckaway/_native.pyi"} <= set(names)
    inside = [name for name in names if ".dist-info/" not in name]
    assert {name.split("/")[0] for name in inside} == {"tuckaway"}
    assert len([name for name in inside if "_native" in name]) == 2
    assert not [name for name in inside if "__pycache__" in name or "test_" in name]


IMPORTS = """
import importlib.abc, sys

class Recorder(importlib.abc.MetaPathFinder):
    asked = set()

    def find_spec(self, name, path, target=None):
        self.asked.add(name.partition(".")[0])

sys.meta_path.insert(0, Recorder())
import tuckaway
# The module `copy` tries to import one of Jython.
print("asyncio" in sys.modules, sorted(Recorder.asked - sys.stdlib_module_names - {"org"}))
"""


def test_importing_tuckaway_imports_no_framework(python: str, tmp_path: Path) -> None:
    """Not even by trying to: an attempt to import a package that is not installed would be recorded."""
    assert run([python, "-c", IMPORTS], tmp_path) == "False ['tuckaway']\n"


def test_the_version_is_that_of_the_wheel(python: str, wheel: Path, tmp_path: Path) -> None:
    printed = run([python, "-c", "import tuckaway; print(tuckaway.__version__)"], tmp_path)
    assert wheel.name.startswith(f"tuckaway-{printed.strip()}-")


def test_all_modules_can_be_imported_without_extras(python: str, tmp_path: Path) -> None:
    code = """
import importlib, pkgutil, tuckaway
for module in pkgutil.walk_packages(tuckaway.__path__, "tuckaway."):
    if not module.name.startswith("tuckaway.integrations."):
        importlib.import_module(module.name)
        print(module.name)
"""
    assert "tuckaway.store_contract" in run([python, "-c", code], tmp_path).split()


def example() -> str:
    """Returns the program at the top of the README."""
    readme = (REPOSITORY / "python" / "README.md").read_text(encoding="utf-8")
    found = re.search(r"<!-- example -->\n```python\n(.*?)```", readme, re.DOTALL)
    assert found is not None
    return found[1]


def test_the_example_of_the_readme_works_on_a_real_file(python: str, tmp_path: Path) -> None:
    (tmp_path / "view.py").write_text(example(), encoding="utf-8")
    # The README's keys, with the values of a real file.
    packages = list(json.loads(FILE.read_text(encoding="utf-8"))["packages"].values())
    response = tmp_path / "response.json"
    output = {"statuses": packages, "search_metadata": {"completed_in": 0.087}}
    response.write_text(json.dumps(output, indent=1), encoding="utf-8")
    printed = run([python, "view.py", str(response)], tmp_path)
    view, end = json.JSONDecoder().raw_decode(printed)
    rest = printed[end:]
    assert view["size_bytes"] == response.stat().st_size
    assert re.search(r'^\d+:  "completed_in": 0\.087$', rest, re.MULTILINE), rest
    assert "[1 matching line]" in rest
    assert rest.rstrip().splitlines()[-1] == f'{{"statuses":{len(packages)},"search_metadata":1}}'


CALLS = """
import json, sys
from pathlib import Path
from tuckaway import DirStore, Tiktoken, Tuckaway

store, file, window, calls = sys.argv[1:]
tuckaway = Tuckaway(DirStore(store), tokens=Tiktoken(), context_window=int(window))
view = tuckaway.process(Path(file), tool="npm")
id = view.artifacts[0].id
answers = [tuckaway.call_tool(name, {"artifact_id": id, **given}).text for name, given in json.loads(calls)]
pages, cursor = [], None
while True:
    page = tuckaway.jq(id, ".packages | keys[]", raw=True, cursor=cursor)
    pages.append(page.text)
    if page.next is None:
        break
    cursor = page.next
sys.stdout.reconfigure(encoding="utf-8")
print(json.dumps({"view": view.text, "id": id, "answers": answers, "keys": "".join(pages),
    "lines": tuckaway.read(id, lines=(100, 120)).text}))
"""

TOOL_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("artifact_read", {"start_line": 5, "end_line": 25}),
    ("artifact_read", {}),
    ("artifact_grep", {"pattern": '"resolved": .*azure', "max_matches": 7}),
    ("artifact_grep", {"pattern": "integrity", "context": 2}),
    ("artifact_jq", {"filter": ".packages | map_values(.version)"}),
    ("artifact_jq", {"filter": "[.packages[] | select(.dev)] | length", "compact": True}),
]


@pytest.fixture(scope="module")
def command() -> str:
    return named("TUCKAWAY_CLI", "the command `tuckaway`")


def test_the_bytes_are_the_same_as_from_the_command_line(python: str, command: str, tmp_path: Path) -> None:
    store = tmp_path / "outputs"
    arguments = [str(store), str(FILE), str(WINDOW), json.dumps(TOOL_CALLS)]
    answers = json.loads(run([python, "-c", CALLS, *arguments], tmp_path))
    tuckaway = [command, "--store", f"dir:{store}"]

    # The same output gets the same view, under another id.
    offload = ["offload", "--tool", "npm", "--window", str(WINDOW), "--tokens", "o200k_base", str(FILE)]
    view = run([*tuckaway, *offload], tmp_path)
    assert view.removesuffix("\n").replace(json.loads(view)["artifact_id"], answers["id"]) == answers["view"]

    # The command line reads what Python has stored, with the same answers.
    stored = answers["id"]
    for (name, given), answer in zip(TOOL_CALLS, answers["answers"], strict=True):
        reply = run([*tuckaway, "call", name, json.dumps({"artifact_id": stored, **given})], tmp_path)
        assert reply.removesuffix("\n") == answer.removesuffix("\n"), (name, given)
    assert run([*tuckaway, "jq", "-r", ".packages | keys[]", stored], tmp_path) == answers["keys"]
    assert run([*tuckaway, "read", "--lines", "100:120", stored], tmp_path) == answers["lines"]
    assert run([*tuckaway, "read", "--raw", stored], tmp_path) == FILE.read_text(encoding="utf-8")
    assert [artifact["id"] for artifact in json.loads(run([*tuckaway, "list", "--json"], tmp_path))] == [
        stored,
        json.loads(view)["artifact_id"],
    ]


def test_python_reads_artifacts_of_the_command_line(python: str, command: str, tmp_path: Path) -> None:
    store = tmp_path / "outputs"
    offload = ["offload", "--tool", 'sql "query"\n', "--window", "8000", str(FILE)]
    stored = json.loads(run([command, "--store", f"dir:{store}", *offload], tmp_path))["artifact_id"]
    code = """
import sys
from tuckaway import DirStore
store = DirStore(sys.argv[1])
(artifact,) = store.list_artifacts()
print([artifact.id, artifact.tool, artifact.media_type, artifact.size_bytes, artifact.line_count])
store.delete(artifact.id)
"""
    size, lines = FILE.stat().st_size, FILE.read_text(encoding="utf-8").count("\n")
    known = [stored, 'sql "query"\n', "application/json", size, lines]
    assert run([python, "-c", code, str(store)], tmp_path) == f"{known}\n"
    assert run([command, "--store", f"dir:{store}", "list", "--json"], tmp_path) == "[]\n"
