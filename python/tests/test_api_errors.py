"""Errors about arguments name the argument."""

from __future__ import annotations

import copy
import pickle
from typing import Any, get_args

import pytest

from tuckaway import (
    AsyncTuckaway,
    ExpiredError,
    InvalidInputError,
    LimitError,
    MemoryStore,
    ModelError,
    NotFoundError,
    Policy,
    QuotaExceededError,
    StoreError,
    TokensError,
    Tuckaway,
    TuckawayError,
    UnsupportedError,
    errors,
)
from tuckaway._base import STORE_METHODS
from tuckaway.conversation import Manage
from tuckaway.extraction import Question
from tuckaway.records import ErrorKind

CLIENT: Any = Tuckaway()


def test_errors_have_the_arguments_that_they_are_about() -> None:
    with pytest.raises(InvalidInputError) as caught:
        CLIENT.process("x", tool="tool", policy=Policy(context_percentage=25, bytes_per_token=0))
    error = caught.value
    assert error.arguments == ("context_percentage", "bytes_per_token")
    assert "25 % is 0.25." in error.message
    assert pickle.loads(pickle.dumps(error)).arguments == error.arguments
    with pytest.raises(NotFoundError) as missing:
        CLIENT.read("art_tool_0")
    assert missing.value.arguments == ()


async def count(text: str) -> int:
    return len(text)


class AsyncCounter:
    async def __call__(self, text: str) -> int:
        return len(text)


class AsyncSealing:
    """A store with one async method."""

    def __init__(self) -> None:
        inner = MemoryStore()
        self.__dict__.update({name: getattr(inner, name) for name in STORE_METHODS if name != "seal"})

    async def seal(self, id: str, line_count: int) -> Any:
        raise NotImplementedError


def test_async_functions_need_the_async_client() -> None:
    asynchronous: Any = AsyncSealing()
    with pytest.raises(InvalidInputError, match=r"store.seal is async; use AsyncTuckaway, which awaits it."):
        Tuckaway(asynchronous)
    for counter in (count, AsyncCounter()):
        refused: Any = counter
        with pytest.raises(InvalidInputError, match="tokens is async; use AsyncTuckaway"):
            Tuckaway(tokens=refused)
    ref = CLIENT.process([0], policy=Policy(keep_all=True), tool="tool").artifacts[0].id
    with pytest.raises(InvalidInputError, match="model is async; use AsyncTuckaway") as caught:
        CLIENT.extract(Question(ref, "x"), count)
    assert caught.value.arguments == ("model",)
    with pytest.raises(InvalidInputError, match="on_state is async"):
        CLIENT.extract(Question(ref, "x"), str, on_state=count)
    with pytest.raises(InvalidInputError, match="summarize is async"):
        CLIENT.manage_history([], Manage(context_window=9), summarize=count)
    assert AsyncTuckaway(asynchronous, tokens=count)


def answer_later(request: object) -> object:
    return count(str(request))


def test_a_callback_that_turns_out_to_be_async_is_an_error_of_the_callback() -> None:
    ref = CLIENT.process("word " * 100, policy=Policy(keep_all=True), tool="tool").artifacts[0].id
    answer = CLIENT.extract(Question(ref, "x"), answer_later)
    assert any("use AsyncTuckaway" in warning for warning in answer.warnings), answer


def test_every_kind_has_its_exception() -> None:
    kinds = {kind: errors.from_kind(kind, "Why.") for kind in (*get_args(ErrorKind), "model")}
    assert {kind: type(error) for kind, error in kinds.items()} == {
        "invalid_input": InvalidInputError,
        "not_found": NotFoundError,
        "expired": ExpiredError,
        "unsupported": UnsupportedError,
        "limit": LimitError,
        "store": StoreError,
        "tokens": TokensError,
        "model": ModelError,
    }
    for kind, error in kinds.items():
        assert isinstance(error, TuckawayError)
        assert (error.kind, error.message, str(error)) == (kind, "Why.", "Why.")
    assert isinstance(kinds["not_found"], LookupError)
    assert isinstance(kinds["expired"], LookupError)


@pytest.mark.parametrize(
    "error",
    [
        LimitError("Too much."),
        ExpiredError("Gone.", tool="shell", expired_at=1_700_000_000),
        ModelError("Refused.", permanent=True),
        QuotaExceededError("Full."),
    ],
)
def test_errors_cross_processes(error: TuckawayError) -> None:
    for other in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
        assert type(other) is type(error)
        assert vars(other) == vars(error)
        assert other.args == error.args


def test_queries_raise_by_kind() -> None:
    client = Tuckaway(policy=Policy(keep_all=True))
    with pytest.raises(NotFoundError) as missing:
        client.read("art_tool_0")
    assert "art_tool_0" in missing.value.message
    binary = (
        client.process(bytes(range(256)) * 8, media_type="application/octet-stream", tool="tool")
        .artifacts[0]
        .id
    )
    with pytest.raises(UnsupportedError):
        client.jq(binary, ".")
    with pytest.raises(InvalidInputError, match="is not an artifact id"):
        client.jq("no artifact has this id", ".")
