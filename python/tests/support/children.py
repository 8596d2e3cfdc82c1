"""Runs functions of `scripts` in separate interpreters, with a time limit."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

TESTS = Path(__file__).resolve().parents[1]

READY = "ready"
"""The line that a script prints when it is about to wait for a signal."""


def say_ready() -> None:
    """Reports that this script is about to wait for a signal."""
    print(READY, flush=True)


@dataclass(frozen=True)
class Ended:
    """The output of a script, and the time from the signal to its end."""

    printed: list[str]
    seconds: float


def _start(script: Callable[..., None], arguments: tuple[str, ...]) -> subprocess.Popen[str]:
    code = f"import sys; from {script.__module__} import {script.__name__}; {script.__name__}(*sys.argv[1:])"
    return subprocess.Popen(
        # Faults, such as a crash of native code, are printed with a traceback.
        [sys.executable, "-X", "faulthandler", "-c", code, *arguments],
        cwd=TESTS,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Everything that it forks ends with it.
        start_new_session=True,
    )


def run(script: Callable[..., None], *arguments: str, limit: float = 120) -> list[str]:
    """Runs a script to its end and returns the lines that it printed."""
    return _finish(_start(script, arguments), limit).printed


def interrupt(script: Callable[..., None], *arguments: str, limit: float = 120, status: int = 0) -> Ended:
    """Runs a script, sends it a SIGINT shortly after it is ready, and waits for its end with a status."""
    child = _start(script, arguments)
    assert child.stdout is not None
    for line in child.stdout:
        if line.strip() == READY:
            # The script has to be inside the call.
            time.sleep(0.3)
            child.send_signal(signal.SIGINT)
            break
    return _finish(child, limit, status)


def _finish(child: subprocess.Popen[str], limit: float, status: int = 0) -> Ended:
    begun = time.monotonic()
    try:
        printed, errors = child.communicate(timeout=limit)
    except subprocess.TimeoutExpired:
        errors = _kill(child)
        pytest.fail(f"the script hangs for {limit} s\n{errors}", pytrace=False)
    if child.returncode != status:
        pytest.fail(f"the script ended with {child.returncode}\n{printed}\n{errors}", pytrace=False)
    return Ended(printed.splitlines(), time.monotonic() - begun)


def _kill(child: subprocess.Popen[str]) -> str:
    """Kills a script with all processes that it has forked, which would hold its pipes. Returns their output,
    with the stacks of their threads."""
    os.killpg(child.pid, signal.SIGABRT)
    try:
        return child.communicate(timeout=5)[1]
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        return child.communicate()[1]
