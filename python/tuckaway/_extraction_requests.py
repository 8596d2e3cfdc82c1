"""Requests about extractions: from arguments to calls of the native module."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ._callbacks import Plain, adapted, refuse_async
from ._check import invalid, kind_of, size, text
from ._content import object_text
from ._convert import to_plain
from ._requests import Request, as_is, record
from .extraction import (
    Answer,
    ExtractionConfig,
    ExtractionEstimate,
    ExtractionEvent,
    ExtractionStep,
    ModelReply,
    ModelRequest,
    ModelTurn,
    Progress,
    Question,
)
from .models import NativeModel


def config(context_tokens: int) -> Request[ExtractionConfig]:
    """Requests the defaults for a context window."""
    return Request("extraction_config", (size("context_tokens", context_tokens),), record(ExtractionConfig))


def parse_call(arguments: str | Mapping[str, Any]) -> Request[Question]:
    """Requests the question of a call."""
    return Request(
        "parse_extraction_call", (text("arguments", object_text("arguments", arguments)),), record(Question)
    )


def estimate(question: Question, config: ExtractionConfig) -> Request[ExtractionEstimate]:
    """Requests the expected cost."""
    return Request("estimate_extraction", (to_plain(question), to_plain(config)), record(ExtractionEstimate))


def start(question: Question, config: ExtractionConfig) -> Request[ExtractionStep]:
    """Requests the first step."""
    return Request("start_extraction", (to_plain(question), to_plain(config)), record(ExtractionStep))


def step(state: str, event: ExtractionEvent) -> Request[ExtractionStep]:
    """Requests the next step."""
    return Request("step_extraction", (text("state", state), to_plain(event)), record(ExtractionStep))


def _plain_reply(reply: object) -> Any:
    if isinstance(reply, str):
        reply = ModelReply(ModelTurn(reply))
    if not isinstance(reply, ModelReply):
        raise invalid(
            "model", f"returned a value that is {kind_of(reply)}; it must return a ModelReply or a str."
        )
    return to_plain(reply)


class Callbacks:
    """The callbacks of an extraction as functions of plain values."""

    def __init__(
        self,
        model: object,
        on_progress: Callable[..., Any] | None,
        on_state: Callable[..., Any] | None,
        *,
        may_await: bool,
    ) -> None:
        given = {"model": model, "on_progress": on_progress, "on_state": on_state}
        for name, function in given.items():
            if not may_await and function is not None:
                refuse_async(name, function)
        self.model = _plain_model(model, may_await=may_await)
        self.on_progress = _listener("on_progress", on_progress, record(Progress), may_await=may_await)
        self.on_state = _listener("on_state", on_state, as_is, may_await=may_await)

    def extract(self, question: Question, config: ExtractionConfig) -> Request[Answer]:
        """Requests an answer."""
        arguments = (to_plain(question), to_plain(config), self.model, self.on_progress, self.on_state)
        return Request("extract", arguments, record(Answer))

    def resume(self, state: str) -> Request[Answer]:
        """Requests the answer of an extraction that has begun."""
        arguments = (text("state", state), self.model, self.on_progress, self.on_state)
        return Request("resume_extraction", arguments, record(Answer))


def _listener(name: str, function: Plain | None, read: Plain, *, may_await: bool) -> Plain | None:
    if function is None:
        return None
    listener = adapted(name, function, read, as_is, may_await=may_await)
    if not may_await:
        return listener
    from ._dispatch import Listener  # noqa: PLC0415

    return Listener(listener)


def _plain_model(model: object, *, may_await: bool) -> object:
    if isinstance(model, NativeModel):
        return model._native  # pyright: ignore[reportPrivateUsage]
    if not callable(model):
        raise invalid(
            "model",
            f"is {model!r}; pass an OpenAIModel, an AnthropicModel, or a function from ModelRequest to "
            "ModelReply.",
        )
    return adapted("model", model, record(ModelRequest), _plain_reply, may_await=may_await)
