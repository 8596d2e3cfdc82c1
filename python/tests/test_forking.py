"""Forks after use: parent and child both continue. Several processes share a directory."""

from __future__ import annotations

import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from scripts import forking
from support import children
from support.object_servers import running

from tuckaway import DirStore, Tuckaway

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no fork")


@pytest.mark.parametrize("store", ["memory", "directory", "dict"])
def test_parent_and_child_continue_after_a_fork(store: str, tmp_path: Path) -> None:
    children.run(forking.after_use, store, str(tmp_path / "outputs"))


@pytest.mark.parametrize("store", ["memory", "directory", "dict"])
def test_a_fork_while_other_threads_call(store: str, tmp_path: Path) -> None:
    children.run(forking.during_calls, store, str(tmp_path / "outputs"))


@pytest.mark.parametrize(
    "script",
    [forking.memory_of_the_parent, forking.during_tasks, forking.within_a_callback, forking.pools],
    ids=lambda script: script.__name__,
)
def test_forks(script: Callable[[], None]) -> None:
    children.run(script)


def test_a_fork_with_a_store_in_a_bucket(tmp_path_factory: pytest.TempPathFactory) -> None:
    with running("moto", tmp_path_factory.mktemp("objects")) as server:
        server.store()
        children.run(forking.bucket, server.url)


def test_processes_share_a_directory(tmp_path: Path) -> None:
    directory, names, count = tmp_path / "outputs", [f"writer{n}" for n in range(6)], 8
    with ThreadPoolExecutor(len(names)) as pool:
        results = pool.map(lambda name: children.run(forking.write, str(directory), name, str(count)), names)
        assert list(results) == [["outputs"]] * len(names)
    tuckaway = Tuckaway(DirStore(directory))
    artifacts = tuckaway.list_artifacts()
    assert sorted(artifact.tool for artifact in artifacts) == sorted(names * count)
    for name in names:
        own = [tuckaway.read(each.id, lines=(1, 1)).text for each in artifacts if each.tool == name]
        assert own == [f"{name} {n}\n" for n in range(count)]
