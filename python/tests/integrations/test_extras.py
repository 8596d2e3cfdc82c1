"""The moment when modules are imported, and the packages that the extras install."""

from __future__ import annotations

import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from packaging.requirements import Requirement

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

PYTHON = Path(__file__).parents[2]

EXTRAS = {
    "langchain": ("langchain", "langchain"),
    "pydantic-ai": ("pydantic_ai", "pydantic-ai-slim"),
    "strands": ("strands", "strands-agents"),
    "openai-agents": ("agents", "openai-agents"),
    "fastmcp": ("fastmcp", "fastmcp"),
    "openai": ("openai", "openai"),
    "anthropic": ("anthropic", "anthropic"),
}
"""For each extra, the module of its framework, and the package."""


def declared() -> dict[str, list[Requirement]]:
    """Returns the extras as the package declares them."""
    project = tomllib.loads((PYTHON / "pyproject.toml").read_text("utf-8"))["project"]
    extras: dict[str, list[str]] = project["optional-dependencies"]
    return {name: [Requirement(text) for text in texts] for name, texts in extras.items()}


def pinned() -> dict[str, str]:
    """Returns the versions that these tests are pinned to."""
    lines = (PYTHON / "requirements" / "integrations.txt").read_text("utf-8").splitlines()
    pins = [Requirement(line) for line in lines if line and not line.startswith("#")]
    assert all(str(pin.specifier).startswith("==") for pin in pins)
    return {pin.name: str(pin.specifier).removeprefix("==") for pin in pins}


def run(code: str) -> str:
    """Returns the output of a new interpreter."""
    # -P: the installed package, not the sources in this folder.
    done = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_the_extras_name_the_frameworks() -> None:
    extras = declared()
    assert {name: [each.name for each in extras[name]] for name in EXTRAS} == {
        name: [package] for name, (_, package) in EXTRAS.items()
    }


@pytest.mark.parametrize("extra", EXTRAS)
def test_the_frameworks_are_those_that_the_extras_install(extra: str) -> None:
    [requirement] = declared()[extra]
    assert requirement.specifier.contains(version(requirement.name))
    assert pinned()[requirement.name] == version(requirement.name)


def test_deep_agents_are_pinned_too() -> None:
    assert pinned()["deepagents"] == version("deepagents")


def test_importing_tuckaway_imports_no_framework() -> None:
    modules = run("import sys, tuckaway; print(*sys.modules)").split()
    assert "tuckaway.records" in modules
    assert not {framework for framework, _ in EXTRAS.values()} & set(modules)
    assert not [name for name in modules if name.startswith("tuckaway.integrations")]


BLOCKED = """
import sys, importlib
sys.modules[{framework!r}] = None
try:
    importlib.import_module("tuckaway.integrations.{module}")
except ImportError as error:
    print(error)
"""


@pytest.mark.parametrize("extra", [name for name in EXTRAS if name not in ("openai", "anthropic")])
def test_an_integration_without_its_framework_says_what_to_install(extra: str) -> None:
    code = BLOCKED.format(framework=EXTRAS[extra][0], module=extra.replace("-", "_"))
    message = run(code)
    assert f"pip install 'tuckaway[{extra}]'" in message


@pytest.mark.parametrize("extra", ["openai", "anthropic"])
def test_the_helpers_for_plain_clients_need_no_package(extra: str) -> None:
    assert run(BLOCKED.format(framework=extra, module=extra)) == ""
