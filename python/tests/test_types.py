"""The package's types, as checked by mypy and pyright in strict mode; and the modules that an import
loads."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
CONSUMER = TESTS / "typing_consumer.py"

WRONG = """
from tuckaway import AsyncTuckaway, MemoryStore, Policy, Tuckaway

async def count(text: str) -> int:
    return 0

Tuckaway(tokens=count)
Tuckaway().process("x", tool=5)
Tuckaway().process("x", tools=["sed"])
Tuckaway().process("x", used_tokens="many")
Policy(mode="cut")
Tuckaway().read("id").text = "changed"
AsyncTuckaway().process("x").text
Tuckaway(object())
MemoryStore(1024)
"""


def run(*command: str | Path, cwd: Path = TESTS.parent) -> subprocess.CompletedProcess[str]:
    arguments = [sys.executable, *map(str, command)]
    return subprocess.run(arguments, capture_output=True, text=True, cwd=cwd, check=False)


# Each checks a program in a separate folder, where only the installed package is found.
CHECKERS: dict[str, tuple[str, ...]] = {
    "mypy": ("-m", "mypy", "--strict", "--python-version", "3.10"),
    "pyright": ("-m", "pyright", "--pythonpath", sys.executable),
}


def checked(checker: str, program: str, directory: Path) -> subprocess.CompletedProcess[str]:
    (directory / "program.py").write_text(program, encoding="utf-8")
    (directory / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "pythonVersion": "3.10"}')
    return run(*CHECKERS[checker], "program.py", cwd=directory)


@pytest.mark.parametrize("checker", CHECKERS)
def test_a_program_that_uses_the_package_has_its_types(checker: str, tmp_path: Path) -> None:
    result = checked(checker, CONSUMER.read_text(encoding="utf-8"), tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr


@pytest.mark.parametrize("checker", CHECKERS)
def test_checkers_find_every_mistake(checker: str, tmp_path: Path) -> None:
    result = checked(checker, WRONG, tmp_path)
    lines = [
        number for number, line in enumerate(WRONG.splitlines(), 1) if line.startswith(("T", "P", "A", "M"))
    ]
    missed = [number for number in lines if f"program.py:{number}:" not in result.stdout]
    assert lines
    assert not missed, result.stdout


def test_the_stub_of_the_native_module_matches_it(tmp_path: Path) -> None:
    # In another folder than the sources, which have no native module.
    result = run("-m", "mypy.stubtest", "tuckaway._native", "--concise", cwd=tmp_path)
    assert result.returncode == 0, result.stdout + result.stderr


def test_the_consumer_runs() -> None:
    result = run(CONSUMER)
    assert result.returncode == 0, result.stderr


def test_an_import_brings_nothing_but_the_standard_library() -> None:
    program = """
import sys
before = set(sys.modules)
import tuckaway, tuckaway.conversation, tuckaway.extraction
new = set(sys.modules) - before
print(sorted({name.partition(".")[0] for name in new} - set(sys.stdlib_module_names)))
print([name for name in new if name == "asyncio" or name.startswith("tuckaway.integrations")])
"""
    assert run("-I", "-c", program).stdout == "['tuckaway']\n[]\n"
