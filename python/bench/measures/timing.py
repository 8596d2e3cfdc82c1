"""Times of actions that take turns, so that disturbances of the machine affect all of them."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass

Action = Callable[[], object]
AsyncAction = Callable[[], Awaitable[object]]

Row = list[str]
"""The subject, the figure, and the comparison."""


@dataclass(frozen=True)
class Rounds:
    """Numbers of repetitions."""

    calls: int = 15
    """Rounds of short calls."""
    repeat: int = 200
    """Short calls in a round."""
    files: int = 9
    """Rounds of actions on a file."""
    large: int = 5
    """Rounds of actions on a large file, and of many threads."""

    @staticmethod
    def quick() -> Rounds:
        """Returns the smallest numbers, which only show that the bench runs to its end."""
        return Rounds(calls=2, repeat=3, files=1, large=1)


def interleaved(actions: Mapping[str, Action], rounds: int, repeat: int = 1) -> dict[str, float]:
    """Returns the median seconds of each action. Each runs once to warm up, then ``repeat`` times in each
    round."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for action in actions.values():
        action()
    for _ in range(rounds):
        for name, action in actions.items():
            gc.collect()
            begin = time.perf_counter()
            for _ in range(repeat):
                action()
            times[name].append((time.perf_counter() - begin) / repeat)
    return {name: statistics.median(each) for name, each in times.items()}


async def interleaved_async(
    actions: Mapping[str, AsyncAction], rounds: int, repeat: int = 1
) -> dict[str, float]:
    """Like `interleaved`, for actions that are awaited."""
    times: dict[str, list[float]] = {name: [] for name in actions}
    for action in actions.values():
        await action()
    for _ in range(rounds):
        for name, action in actions.items():
            gc.collect()
            begin = time.perf_counter()
            for _ in range(repeat):
                await action()
            times[name].append((time.perf_counter() - begin) / repeat)
    return {name: statistics.median(each) for name, each in times.items()}


def duration(seconds: float) -> str:
    """Returns a time with a suitable unit."""
    if seconds < 1e-3:
        return f"{seconds * 1e6:.3g} µs"
    return f"{seconds * 1e3:.3g} ms" if seconds < 1 else f"{seconds:.3g} s"


def rate(size: int, seconds: float) -> str:
    """Returns the MB/s of an action on a number of bytes."""
    return f"{size / seconds / 1e6:.0f} MB/s"


def times(seconds: float, other: float) -> str:
    """Returns the ratio of two times."""
    ratio = seconds / other
    return f"{ratio:.0f} x" if ratio >= 10 else f"{ratio:.2g} x"
