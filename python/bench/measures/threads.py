"""64 threads that call at once: their throughput, and how long a thread that only runs Python waits for
them."""

from __future__ import annotations

import json
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from measures.inputs import file
from measures.timing import Action, Rounds, Row, duration, interleaved, rate
from tuckaway import MemoryStore, Policy, Tuckaway

_THREADS = 64
_CALLS = 4
"""Calls of each thread."""

_PIECE = "sum(range(5000))"


def rows(folder: Path, rounds: Rounds) -> list[Row]:
    """Returns the rows of throughput and waiting."""
    document = file(folder, "json/citm_catalog.json")
    content = document.text.encode()
    store = MemoryStore()
    tuckaway = Tuckaway(store, policy=Policy(mode="artifact"))

    def process() -> None:
        store.delete(tuckaway.process(content, tool="api").artifacts[0].id)

    def parse() -> None:
        json.loads(content)

    actions: dict[str, Action] = {}
    for name, do in (("process()", process), ("json.loads()", parse)):
        actions[f"{name}, one thread"] = partial(_all, do, many=False)
        actions[f"{name}, {_THREADS} threads"] = partial(_all, do, many=True)
    found = interleaved(actions, rounds.large)
    table: list[Row] = []
    size = len(content) * _THREADS * _CALLS
    for name in ("process()", "json.loads()"):
        one, many = found[f"{name}, one thread"], found[f"{name}, {_THREADS} threads"]
        title = f"{name} of {document.title}, {_THREADS * _CALLS} times"
        table.append([f"{title}, one thread", rate(size, one), ""])
        table.append([f"{title}, {_THREADS} threads", rate(size, many), f"{one / many:.2g} x one thread"])
    return table + _waits({"process()": process, "json.loads()": parse}, rounds)


def _all(do: Action, many: bool) -> None:
    """Runs all calls in one thread or in many."""
    if not many:
        for _ in range(_THREADS * _CALLS):
            do()
        return
    with ThreadPoolExecutor(_THREADS) as pool:
        for result in [pool.submit(_some, do) for _ in range(_THREADS)]:
            result.result()


def _some(do: Action) -> None:
    for _ in range(_CALLS):
        do()


def _waits(beside: dict[str, Action], rounds: Rounds) -> list[Row]:
    """Returns the throughput of a thread that only runs Python next to threads that call, and how long it
    waits."""
    alone = _pieces(None)
    table = [[f"a thread of Python, {_PIECE}, alone", *_described(alone)]]
    for name, do in beside.items():
        found = [_pieces(do) for _ in range(rounds.large)]
        pieces = [piece for each in found for piece in each]
        share = statistics.median(alone) / statistics.mean(pieces)
        measured, longest = _described(pieces)
        title = f"a thread of Python, beside {_THREADS} threads in {name}"
        table.append([title, measured, f"gets {100 * share:.0f} % of it done; {longest}"])
    return table


def _pieces(do: Action | None) -> list[float]:
    """Measures pieces of Python while the threads run, or some pieces if there are no threads: each from the
    end of the previous one, so that a wait is part of the piece that it delays."""
    stop = threading.Event()
    pieces: list[float] = []

    def run_pieces() -> None:
        end = time.perf_counter()
        while not stop.is_set() and (do is not None or len(pieces) < 1_000):
            sum(range(5_000))
            begin, end = end, time.perf_counter()
            pieces.append(end - begin)

    thread = threading.Thread(target=run_pieces)
    thread.start()
    if do is not None:
        _all(do, many=True)
        stop.set()
    thread.join()
    return pieces


def _described(pieces: list[float]) -> Row:
    return [f"{duration(statistics.mean(pieces))} each", f"the longest {duration(max(pieces))}"]
