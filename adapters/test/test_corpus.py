"""All of ``cases/`` through the plugin and through the core module, byte for byte.

``TUCKAWAY_CASES=grep`` runs only the cases with ``grep`` in the name of their file or their own.
"""

from __future__ import annotations

import os
from functools import cache

import pytest
from corpus.runner import Case, all_cases, difference
from corpus.waiting import run_without_loop
from hosts import CoreHost, ExtismHost
from native import Engine
from tuckaway import Tuckaway

CASES = all_cases(os.environ.get("TUCKAWAY_CASES", ""))

HOSTS = {"extism": cache(ExtismHost), "core": cache(CoreHost)}


@pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
@pytest.mark.parametrize("host", HOSTS)
def test_case(host: str, case: Case) -> None:
    Engine.host = HOSTS[host]()
    found = run_without_loop(difference(case, lambda world: Tuckaway(world, tokens=world.count)))
    if found is not None:
        pytest.fail(f"{case.title}\n{found}", pytrace=False)
