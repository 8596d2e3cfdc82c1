"""All of ``cases/`` through `AsyncTuckaway`, with an asynchronous store and token counter."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator

import pytest
from corpus.runner import DEADLINE, Case, all_cases, difference
from corpus.world import AsyncWorld, World

from tuckaway import AsyncTuckaway

CASES = all_cases(os.environ.get("TUCKAWAY_CASES", ""))


@pytest.fixture(scope="module")
def loop() -> Iterator[asyncio.AbstractEventLoop]:
    """One loop for all cases: many clients come and go on it."""
    loop = asyncio.new_event_loop()
    yield loop
    loop.close()


def open_in(world: World) -> AsyncTuckaway:
    later = AsyncWorld(world)
    return AsyncTuckaway(later, tokens=later.count, deadline=DEADLINE)


@pytest.mark.parametrize("case", CASES, ids=[case.title for case in CASES])
def test_case(loop: asyncio.AbstractEventLoop, case: Case) -> None:
    found = loop.run_until_complete(difference(case, open_in))
    if found is not None:
        pytest.fail(f"{case.title}\n{found}", pytrace=False)
    assert asyncio.all_tasks(loop) == set(), "the call left tasks behind"
