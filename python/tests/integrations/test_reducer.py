"""The shared code of the integrations, tested without a framework."""

from __future__ import annotations

import asyncio
import gc
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tuckaway import Policy, StoreError, ToolOutput, Tuckaway
from tuckaway.integrations import _common
from tuckaway.integrations._common import Reducer, Same
from tuckaway.integrations._parts import media, text_of_data

from .scenario import FAIR, HALF, LOG, is_envelope, kinds

OUTPUT = ToolOutput.of(HALF, tool="rows")


def reducer(kind: Any = Tuckaway, **options: Any) -> Reducer:
    return Reducer(kind(context_window=20_000, policy=FAIR), **options)


def test_replies_of_artifact_tools_take_their_share() -> None:
    made = reducer()
    made.account(HALF, "turn")
    assert is_envelope(made.view(OUTPUT, "turn", 1_000, None).text)
    assert not is_envelope(made.view(OUTPUT, "other", 1_000, None).text)
    assert not is_envelope(made.view(OUTPUT, None, 1_000, None).text)


def test_images_take_their_share() -> None:
    made = reducer()
    picture = ToolOutput(tool="show", blocks=[media("image/png")] * 3)
    made.view(picture, "turn", 1_000, None)
    assert is_envelope(made.view(OUTPUT, "turn", 1_000, None).text)


@pytest.mark.parametrize("kind", kinds())
def test_calls_at_the_same_time_share_the_headroom(kind: Any) -> None:
    made = reducer(kind)

    async def main() -> list[Any]:
        return await asyncio.gather(*(made.view_async(OUTPUT, "turn", 1_000, None) for _ in range(12)))

    assert [is_envelope(view.text) for view in asyncio.run(main())].count(False) == 1


def test_threads_share_the_headroom_of_a_turn_and_no_other() -> None:
    made = reducer()
    with ThreadPoolExecutor(8) as pool:
        views = pool.map(lambda turn: made.view(OUTPUT, turn % 4, 1_000, None), range(16))
        inline = [turn % 4 for turn, view in enumerate(views) if not is_envelope(view.text)]
    assert sorted(inline) == [0, 1, 2, 3]


def test_turns_that_ended_are_forgotten() -> None:
    made = reducer()
    for turn in range(3 * _common._TURNS):
        made.account("a reply", turn)
    assert len(made._turns) == _common._TURNS


def test_a_key_identifies_one_object() -> None:
    first, second = {"a": 1}, {"a": 1}
    assert Same(first) == Same(first)
    assert Same(first) != Same(second)
    keys = set()
    for _ in range(100):
        keys.add(Same(object()))
        gc.collect(0)
    assert len(keys) == 100


def test_a_store_that_fails_leaves_a_truncated_view() -> None:
    class Broken:
        def fail(self, *args: Any) -> Any:
            raise StoreError("no disk")

        create = append = seal = stat = read = list_artifacts = delete = fail

    view = Reducer(Tuckaway(Broken())).view(ToolOutput.of(LOG, tool="get_log"), None, 0, None)
    assert view.decision.action == "truncate"
    assert view.decision.failures


@pytest.mark.parametrize(
    ("dialect", "names"),
    [
        ("cache", ["tool_output_cache", "tool_output_cache_grep"]),
        ("handle", ["tool_output"]),
        ("file", ["read_large_output", "search_large_output", "query_large_output"]),
    ],
)
@pytest.mark.parametrize("kind", kinds())
def test_other_dialects_have_their_tools(dialect: Any, names: list[str], kind: Any) -> None:
    made = Reducer(kind(policy=Policy(dialect=dialect)))
    assert [definition.name for definition in made.definitions] == names


def test_data_that_json_cannot_represent_are_text() -> None:
    assert text_of_data({"at": "é"}) == '{"at":"é"}'
    assert text_of_data({"at": {1}}) == "{'at': {1}}"
