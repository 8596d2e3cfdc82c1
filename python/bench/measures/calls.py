"""The overhead of a call: short calls, compared with a function that does nothing."""

from __future__ import annotations

import asyncio
import statistics
import subprocess
import sys
import time

from measures.timing import Action, AsyncAction, Rounds, Row, duration, interleaved, interleaved_async, times
from tuckaway import AsyncTuckaway, Policy, Tuckaway

_SHORT = "total 0\n"
_KEPT = Policy(keep_all=True)
_TOOL = "artifact_read"


def rows(rounds: Rounds) -> list[Row]:
    """Returns the rows of short calls, and of the start of a process."""
    sync = interleaved(_calls(), rounds.calls, rounds.repeat)
    waiting = asyncio.run(_async_times(rounds))
    table = _start(rounds)
    for kind, found in (("", sync), ("await ", waiting)):
        nothing = found.pop("nothing")
        peer = f"{kind}a function that does nothing"
        table.append([peer, duration(nothing), ""])
        for name, seconds in found.items():
            table.append([f"{kind}{name}", duration(seconds), f"{times(seconds, nothing)} {peer}"])
    return table


def _nothing(text: str, *, tool: str) -> str:
    return tool and text


def _calls() -> dict[str, Action]:
    tuckaway = Tuckaway(policy=_KEPT)
    arguments = {"artifact_id": tuckaway.process(_SHORT, tool="tool").artifacts[0].id}
    passing = Policy()
    return {
        "nothing": lambda: _nothing(_SHORT, tool="ls"),
        "decide() of 8 bytes": lambda: tuckaway.decide(_SHORT, tool="ls", policy=passing),
        "process() of 8 bytes": lambda: tuckaway.process(_SHORT, tool="ls", policy=passing),
        "call_tool() that reads 8 bytes": lambda: tuckaway.call_tool(_TOOL, arguments),
    }


async def _async_times(rounds: Rounds) -> dict[str, float]:
    async def nothing(text: str, *, tool: str) -> str:
        return _nothing(text, tool=tool)

    async with AsyncTuckaway(policy=_KEPT) as tuckaway:
        arguments = {"artifact_id": (await tuckaway.process(_SHORT, tool="tool")).artifacts[0].id}
        passing = Policy()
        actions: dict[str, AsyncAction] = {
            "nothing": lambda: nothing(_SHORT, tool="ls"),
            "decide() of 8 bytes": lambda: tuckaway.decide(_SHORT, tool="ls", policy=passing),
            "process() of 8 bytes": lambda: tuckaway.process(_SHORT, tool="ls", policy=passing),
            "call_tool() that reads 8 bytes": lambda: tuckaway.call_tool(_TOOL, arguments),
        }
        return await interleaved_async(actions, rounds.calls, rounds.repeat)


_FIRST = "tuckaway.Tuckaway().process('short', tool='ls')"
_TIMED = f"import time, tuckaway; begin = time.perf_counter(); {_FIRST}; print(time.perf_counter() - begin)"


def _start(rounds: Rounds) -> list[Row]:
    """A process that imports the package and makes one call, compared with one that does nothing; and the
    time of a client with its first call in such a process, after the import."""
    whole = f"import tuckaway; {_FIRST}"
    seconds: dict[str, list[float]] = {"pass": [], whole: []}
    inside: list[float] = []
    for _ in range(rounds.files):
        for program, measured in seconds.items():
            begin = time.perf_counter()
            _python(program)
            measured.append(time.perf_counter() - begin)
        inside.append(float(_python(_TIMED)))
    mine, bare = statistics.median(seconds[whole]), statistics.median(seconds["pass"])
    against = f"{times(mine, bare)} a process that does nothing, {duration(bare)}"
    after = duration(statistics.median(inside))
    return [
        ["a process: import, client, first call", duration(mine), against],
        ["after the import: client, first call", after, "goal: at most 30 ms"],
    ]


def _python(program: str) -> str:
    """Runs a program in a process of its own, and returns what it prints."""
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
