"""Ctrl-C ends a call immediately, at any point."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable

import pytest
from scripts import signals
from support import children

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGINT for a single process")

AT_ONCE = 5
"""Seconds from the signal to the end of the interpreter, on a busy machine."""


@pytest.mark.parametrize(
    ("script", "printed"),
    [
        (signals.jq, "interrupted 1"),
        (signals.store_in_python, "interrupted text"),
        (signals.counter_in_python, "interrupted text"),
        (signals.bucket, "interrupted text"),
        (signals.model, "interrupted text"),
        (signals.under_asyncio, "interrupted 1"),
        (signals.async_store, "interrupted text"),
        (signals.handler_that_raises, "from the handler 1"),
        (signals.other_thread, "interrupted True 1"),
    ],
    ids=lambda each: each.__name__ if callable(each) else each,
)
def test_ctrl_c_ends_a_call_at_once(script: Callable[[], None], printed: str) -> None:
    ended = children.interrupt(script)
    assert ended.printed == [printed]
    assert ended.seconds < AT_ONCE


def test_an_uncaught_interrupt_ends_the_program_as_usual() -> None:
    ended = children.interrupt(signals.uncaught, status=-signal.SIGINT)
    assert ended.printed == ["cleaned up"]
    assert ended.seconds < AT_ONCE


def test_a_handler_that_returns_is_called_at_once_and_the_call_continues() -> None:
    # The deadline ends it: a handler that ran before was called a second ago.
    assert children.interrupt(signals.handler_that_returns).printed == ["LimitError 1 True True"]
