"""Calls from many threads and tasks: without the lock of the interpreter, and with the same answers."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from scripts import threads
from support import children


@pytest.mark.parametrize("method", ["process", "truncate", "infer_shape", "grep", "jq", "tiktoken"])
def test_other_threads_continue_during_a_call(method: str) -> None:
    children.run(threads.lock_of_the_interpreter, method)


@pytest.mark.parametrize("store", ["memory", "directory", "dict"])
def test_many_threads_get_the_same_answers(store: str, tmp_path: Path) -> None:
    children.run(threads.same_answers, store, str(tmp_path / "outputs"))


@pytest.mark.parametrize(
    "script",
    [
        threads.clients_at_once,
        threads.nested_calls,
        threads.nested_async_calls,
        threads.thread_of_callbacks,
        threads.closed_during_a_call,
        threads.many_tasks,
        threads.cancelled_task,
        threads.timeouts,
        threads.several_loops,
        threads.context_of_callbacks,
        threads.loop_that_is_closed,
    ],
    ids=lambda script: script.__name__,
)
def test_threads_and_tasks(script: Callable[[], None]) -> None:
    children.run(script)


def test_the_interpreter_ends_during_calls() -> None:
    for _ in range(5):
        assert children.run(threads.end_of_the_interpreter, limit=30) == ["the end"]
