"""The cases through the modules, each in two hosts, byte for byte: all of them through the plugin and the
core module whose store is the host's, and those that are not `skipped` through the plugin with its own store.

``TUCKAWAY_CASES=grep`` runs only the cases with ``grep`` in the name of their file or their own.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from corpus.expect import in_expected_notation
from corpus.runner import Case, all_cases, difference, outcome
from corpus.waiting import run_without_loop
from hosts import CoreHost, ExtismHost, Host
from memory_host import estimate, in_node, in_python, skipped
from native import Engine
from node_host import NodeHost
from tuckaway import Tuckaway

CASES = all_cases(os.environ.get("TUCKAWAY_CASES", ""))

HOSTS: dict[str, Callable[[], Host]] = {
    "extism-python": cache(ExtismHost),
    "extism-node": cache(lambda: NodeHost("extism", "tuckaway-extism-host.wasm")),
    "core-wasmtime": cache(CoreHost),
    "core-node": cache(lambda: NodeHost("core", "tuckaway-core.wasm")),
}

IN_MEMORY = {"extism-python": in_python, "extism-node": in_node}

each_case = pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])


@each_case
@pytest.mark.parametrize("host", HOSTS)
def test_case(host: str, case: Case) -> None:
    check(HOSTS[host](), case)


@each_case
@pytest.mark.parametrize("host", IN_MEMORY)
def test_case_in_memory(host: str, case: Case) -> None:
    reason = skipped(case)
    if reason is not None:
        pytest.skip(reason)
    counts = "counted" in case.own.get("after", {})
    with IN_MEMORY[host]() as memory:
        check(memory, with_estimates(case) if counts else case)


def with_estimates(case: Case) -> Case:
    """Returns a case that expects what the plugin without a store of its own does with estimated tokens."""
    Engine.host = HOSTS["extism-python"]()
    found = run_without_loop(outcome(case.full, lambda world: Tuckaway(world, tokens=estimate)))
    return replace(case, own=in_expected_notation(None, found))


def check(host: Host, case: Case) -> None:
    """Fails if a case has another result in a host."""
    Engine.host = host
    found = run_without_loop(difference(case, lambda world: Tuckaway(world, tokens=world.count)))
    if found is not None:
        pytest.fail(f"{case.title}\n{found}", pytrace=False)
