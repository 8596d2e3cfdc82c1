"""The runner of the cases: a case passes if and only if its result is as expected."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from corpus.expect import agree
from corpus.notation import MalformedCaseError
from corpus.runner import DEADLINE, all_cases, cases_of, difference
from corpus.waiting import run_without_loop

from tuckaway import Tuckaway

PASSES = {
    "name": "passes",
    "call": "truncate",
    "input": {"text": "as it is", "max_bytes": 512},
    "expect": "as it is",
}


def differs(**changes: Any) -> str:
    """Runs the case with changes and returns the differences."""
    (case,) = cases_of("file.json", {"cases": [{**PASSES, **changes}]})
    found = run_without_loop(
        difference(case, lambda world: Tuckaway(world, tokens=world.count, deadline=DEADLINE))
    )
    return found or ""


@pytest.mark.parametrize(
    "text", [["a", "a", "a", ""], {"repeat": "a\n", "times": 3}, "a\na\na\n", {"hex": "61 0a 61 0a 61 0a"}]
)
def test_texts_agree_in_any_notation(text: Any) -> None:
    assert agree({"text": text, "n": 1}, {"text": "a\na\na\n", "n": 1, "next": None})


@pytest.mark.parametrize(
    "expected",
    [
        {"text": ["a", "a", "a"], "n": 1},
        {"text": "a\na\na\n"},
        {"text": "a\na\na\n", "n": 2},
        {"text": "a\na\na\n", "n": "1"},
        {"text": "a\na\na\n", "n": True},
        {"text": "a\na\na\n", "n": 1.0},
        {"text": "a\na\na\n", "n": 1, "m": 1},
        {"text": "a\na\na\n", "n": 1, "next": None},
        "a\na\na\n",
        [{"text": "a\na\na\n", "n": 1}],
        None,
    ],
)
def test_other_values_do_not_agree(expected: Any) -> None:
    assert not agree(expected, {"text": "a\na\na\n", "n": 1})


def test_long_texts_agree_with_their_digest_and_bytes_with_their_recipe() -> None:
    long = "x" * 5_000
    digest = {
        "bytes": 5_000,
        "sha256": hashlib.sha256(long.encode()).hexdigest(),
        "starts": "x" * 60,
        "ends": "x" * 60,
    }
    assert agree(digest, long)
    assert agree({"repeat": "x", "times": 5_000}, long)
    assert not agree(digest, "y" * 5_000)
    assert not agree({**digest, "ends": ""}, long)
    assert agree({"hex": "ff"}, {"base64": "/w=="})
    assert not agree({"hex": "fe"}, {"base64": "/w=="})


def test_large_integers_are_texts() -> None:
    assert agree("18446744073709551615", 2**64 - 1)
    assert not agree("18446744073709551615", 2**64 - 2)
    assert not agree(2**64 - 1, 2**64 - 1)


def test_a_case_with_a_different_result_fails_with_a_diff() -> None:
    assert differs() == ""
    assert (
        differs(expect="as it was")
        == '      {\n    -   "expect": "as it was"\n    +   "expect": "as it is"\n      }'
    )
    assert '"kind": "invalid_input"' in differs(input={"text": "x", "max_bytes": 1})
    assert '-     "counted": 1' in differs(after={"counted": 1})


def test_artifacts_left_behind_are_part_of_the_expectation() -> None:
    given = {"output": {"text": "x"}, "policy": {"keep_all": True}}
    assert '"art_tool_0000000001"' in differs(call="process", input=given, expect={})


def test_malformed_cases_are_rejected() -> None:
    with pytest.raises(MalformedCaseError, match='there is no call: "shorten"'):
        differs(call="shorten")
    with pytest.raises(MalformedCaseError, match="this is not a valid store"):
        differs(store={"fails": {}})
    with pytest.raises(MalformedCaseError, match="this is not a token counter"):
        differs(tokens="letters")


def test_only_the_selected_cases_run() -> None:
    everything = all_cases()
    assert len(everything) > 2_000
    assert len({case.title for case in everything}) == len(everything)
    selected = all_cases("query/grep.json")
    assert 0 < len(selected) < len(everything)
    assert all(case.title.startswith("query/grep.json: ") for case in selected)
    with pytest.raises(MalformedCaseError, match="no case has this in its name"):
        all_cases("no such case")
