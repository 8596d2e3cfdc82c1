"""All of ``cases/`` through `Tuckaway`, byte for byte.

``TUCKAWAY_CASES=grep`` runs only the cases with ``grep`` in the name of their file or their own.
"""

from __future__ import annotations

import os

import pytest
from corpus.runner import DEADLINE, Case, all_cases, difference
from corpus.waiting import run_without_loop

from tuckaway import Tuckaway

CASES = all_cases(os.environ.get("TUCKAWAY_CASES", ""))


@pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
def test_case(case: Case) -> None:
    found = run_without_loop(
        difference(case, lambda world: Tuckaway(world, tokens=world.count, deadline=DEADLINE))
    )
    if found is not None:
        pytest.fail(f"{case.title}\n{found}", pytrace=False)
