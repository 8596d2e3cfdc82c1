"""Token counters that fail, return nonsense, or call the client that calls them."""

from __future__ import annotations

import asyncio
import math
from typing import Any

import pytest
from support.clients import Calling, with_both_clients

from tuckaway import AsyncTuckaway, InvalidInputError, Tiktoken, Tuckaway, estimate_tokens

COUNTED = "x" * 5_000
"""An output that is counted: small enough for every gate except the headroom."""

TURN = {"tool": "t", "used_tokens": 6_000, "context_window": 10_000}

BAD_COUNTS = (None, -1, 0.5, math.nan, math.inf, "5", b"5", 2**64, 10**5_000, [5], True, object())


@pytest.mark.parametrize("answer", BAD_COUNTS, ids=range(len(BAD_COUNTS)))
@with_both_clients
def test_an_invalid_number_is_reported_and_tokens_are_estimated(call: Calling, answer: object) -> None:
    decision = call({"tokens": lambda text: answer}, "decide", COUNTED, **TURN)
    assert (decision.tokens_estimated, decision.token_count) == (True, 1_250)
    assert [failure.kind for failure in decision.failures] == ["tokens"]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("no vocabulary"), "no vocabulary"),
        (KeyError(), "KeyError"),
        (RuntimeError("x" * 10_000_000), "xxxx"),
        (UnicodeError("\ud800 lone"), "lone"),
        (MemoryError(), "MemoryError"),
    ],
    ids=["message", "no message", "huge", "surrogate", "memory"],
)
@with_both_clients
def test_an_exception_is_reported_and_tokens_are_estimated(
    call: Calling, error: Exception, said: str
) -> None:
    def fail(text: str) -> int:
        raise error

    decision = call({"tokens": fail}, "decide", COUNTED, **TURN)
    assert (decision.tokens_estimated, decision.token_count) == (True, 1_250)
    (failure,) = decision.failures
    assert failure.kind == "tokens"
    assert said in failure.message
    assert len(failure.message.encode(errors="replace")) <= 1024


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
@with_both_clients
def test_an_exception_meant_for_the_program_is_passed_on(call: Calling, kind: type[BaseException]) -> None:
    error = kind()

    def fail(text: str) -> int:
        raise error

    with pytest.raises(kind) as caught:
        call({"tokens": fail}, "decide", COUNTED, **TURN)
    assert caught.value is error


@with_both_clients
def test_more_tokens_than_bytes_are_rejected(call: Calling) -> None:
    assert call({"tokens": lambda text: len(text) + 1}, "decide", COUNTED, **TURN).tokens_estimated
    assert not call({"tokens": len}, "decide", COUNTED, **TURN).tokens_estimated


def test_a_count_may_be_any_whole_number() -> None:
    class Count(int):
        pass

    decision = Tuckaway(tokens=lambda text: Count(7)).decide(COUNTED, **TURN)
    assert (decision.token_count, decision.tokens_estimated, decision.failures) == (7, False, ())


@pytest.mark.parametrize("tokens", ["o200k_base", 5, object()])
def test_an_object_that_is_not_a_counter_is_rejected(tokens: Any) -> None:
    for client in (Tuckaway, AsyncTuckaway):
        with pytest.raises(InvalidInputError, match="tokens"):
            client(tokens=tokens)


def test_an_async_counter_is_rejected_with_advice() -> None:
    async def count(text: str) -> int:
        return len(text)

    with pytest.raises(InvalidInputError, match=r"tokens.*AsyncTuckaway"):
        Tuckaway(tokens=count)  # type: ignore[arg-type]

    def unexpected(text: str) -> Any:
        return count(text)

    decision = Tuckaway(tokens=unexpected).decide(COUNTED, **TURN)
    assert "AsyncTuckaway" in decision.failures[0].message

    async def decide() -> int | None:
        return (await AsyncTuckaway(tokens=count).decide(COUNTED, **TURN)).token_count

    assert asyncio.run(decide()) == 5_000


def test_built_in_counters_and_python_functions_give_the_same_counts() -> None:
    text = "tuckaway keeps agents inside their context window: 日本語 🦀 " * 80
    # A method is a function like any other.
    for built_in, function in ((None, estimate_tokens), (Tiktoken(), Tiktoken().__call__)):
        counts = [Tuckaway(tokens=tokens).decide(text, **TURN).token_count for tokens in (built_in, function)]
        assert counts[0] is not None
        assert counts[0] == counts[1]


def test_a_counter_can_call_the_client_that_calls_it() -> None:
    seen: list[str] = []

    def count(text: str) -> int:
        artifacts = tuckaway.list_artifacts()
        if artifacts:
            seen.append(tuckaway.read(artifacts[0].id, lines=(1, 1)).text)
            seen.append(tuckaway.process("from within", tool="inner").text)
        return len(text) // 4

    tuckaway = Tuckaway(tokens=count)
    assert tuckaway.process("first line\n" * 50_000, tool="outer").decision.action == "artifact"
    assert tuckaway.decide(COUNTED, **TURN).token_count == 1_250
    assert seen == ["first line\n", "from within"]
