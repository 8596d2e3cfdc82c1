"""The methods of clients for extractions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from ._base import AsyncClient, SyncClient
from ._callbacks import Plain, adapted, refuse_async
from ._check import size, text
from ._convert import to_json, to_plain
from ._requests import Request, as_is, record
from .errors import InvalidInputError
from .extraction import (
    Answer,
    AsyncModel,
    ExtractionConfig,
    ExtractionEstimate,
    ExtractionEvent,
    ExtractionStep,
    Model,
    ModelReply,
    ModelRequest,
    ModelTurn,
    Progress,
    Question,
)
from .models import NativeModel


def _config(context_tokens: int) -> Request[ExtractionConfig]:
    return Request("extraction_config", (size("context_tokens", context_tokens),), record(ExtractionConfig))


def _parse_call(arguments: str | Mapping[str, Any]) -> Request[Question]:
    return Request("parse_extraction_call", (text("arguments", to_json(arguments)),), record(Question))


def _estimate(question: Question, config: ExtractionConfig) -> Request[ExtractionEstimate]:
    return Request("estimate_extraction", (to_plain(question), to_plain(config)), record(ExtractionEstimate))


def _start(question: Question, config: ExtractionConfig) -> Request[ExtractionStep]:
    return Request("start_extraction", (to_plain(question), to_plain(config)), record(ExtractionStep))


def _step(state: str, event: ExtractionEvent) -> Request[ExtractionStep]:
    return Request("step_extraction", (text("state", state), to_plain(event)), record(ExtractionStep))


def _plain_reply(reply: object) -> Any:
    if isinstance(reply, str):
        reply = ModelReply(ModelTurn(reply))
    if not isinstance(reply, ModelReply):
        raise InvalidInputError(
            f"The model returned {type(reply).__name__}; it must return a ModelReply or a str."
        )
    return to_plain(reply)


class _Callbacks:
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
        arguments = (to_plain(question), to_plain(config), self.model, self.on_progress, self.on_state)
        return Request("extract", arguments, record(Answer))

    def resume(self, state: str) -> Request[Answer]:
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
        raise InvalidInputError(
            f"model is {model!r}; pass an OpenAIModel, an AnthropicModel, or a function from ModelRequest to "
            "ModelReply."
        )
    return adapted("model", model, record(ModelRequest), _plain_reply, may_await=may_await)


class Extracting(SyncClient):
    """The methods of `Tuckaway` for extractions."""

    def extraction_config(self, context_tokens: int) -> ExtractionConfig:
        """Returns the default limits for the context window of a model, of 2,048 to 2^32 tokens.

        >>> from tuckaway import Tuckaway
        >>> Tuckaway().extraction_config(128_000).max_output_tokens
        4096
        """
        return self._run(_config(context_tokens))

    def parse_extraction_call(self, arguments: str | Mapping[str, Any]) -> Question:
        """Parses the arguments of a call of the tool ``tool_output``.

        The message of an `InvalidInputError` is for the model: it says how to correct the call.

        >>> from tuckaway import Tuckaway
        >>> Tuckaway().parse_extraction_call({"handle": "art_tool_0", "extract": "the errors"}).extract
        'the errors'
        """
        return self._run(_parse_call(arguments))

    def estimate_extraction(self, question: Question, config: ExtractionConfig) -> ExtractionEstimate:
        """Returns the estimated cost of an extraction, without starting it.

        Errors: `InvalidInputError`, `NotFoundError`, `ExpiredError`, and `UnsupportedError` for a binary
        artifact unless the mode is ``truncate``.
        """
        return self._run(_estimate(question, config))

    def start_extraction(self, question: Question, config: ExtractionConfig) -> ExtractionStep:
        """Starts an extraction, for callers that ask the model themselves. If it needs no model, the step has
        its answer at once."""
        return self._run(_start(question, config))

    def step_extraction(self, state: str, event: ExtractionEvent) -> ExtractionStep:
        """Advances an extraction by one event.

        Errors: `InvalidInputError` for a state that was changed, and for a reply to a request that is not
        open. After an error the state is still valid.
        """
        return self._run(_step(state, event))

    def extract(
        self,
        question: Question,
        model: Model | NativeModel,
        *,
        config: ExtractionConfig | None = None,
        on_progress: Callable[[Progress], None] | None = None,
        on_state: Callable[[str], None] | None = None,
    ) -> Answer:
        """Answers a question about an artifact with a model: in chunks, or with tools that read and search.

        ``config`` defaults to the limits for the context window of this client. A model failure does not fail
        the extraction: the answer lists what is missing, or contains the head and the tail of the artifact.
        ``on_state`` receives the states from which `resume_extraction` can resume.

        >>> import re
        >>> from tuckaway import ModelRequest, Policy, Question, Tuckaway
        >>> tuckaway = Tuckaway(policy=Policy(keep_all=True))
        >>> output = "\\n".join(["all is well", "the turbine stopped at 04:12"] * 500)
        >>> view = tuckaway.process(output, tool="hours")
        >>> question = Question(view.artifacts[0].id, "when did the turbine stop?")
        >>> def model(request: ModelRequest) -> str:
        ...     # The prompt names the tags around the answer.
        ...     tag = re.search(r"ai-agent-\\w+-FINAL", request.system)[0]
        ...     return f'<{tag} format="text">It stopped at 04:12.</{tag}>'
        >>> answer = tuckaway.extract(question, model)
        >>> answer.content, answer.outcome, answer.usage.requests
        ('It stopped at 04:12.', 'found', 1)
        """
        callbacks = _Callbacks(model, on_progress, on_state, may_await=False)
        limits = config or self.extraction_config(self._requests.context_window)
        return self._run(callbacks.extract(question, limits))

    def resume_extraction(
        self,
        state: str,
        model: Model | NativeModel,
        *,
        on_progress: Callable[[Progress], None] | None = None,
        on_state: Callable[[str], None] | None = None,
    ) -> Answer:
        """Resumes an extraction from one of its states, possibly of another process or another host. Requests
        without an answer are sent again.

        Errors: `InvalidInputError` for a state that was changed.
        """
        callbacks = _Callbacks(model, on_progress, on_state, may_await=False)
        return self._run(callbacks.resume(state))


class AsyncExtracting(AsyncClient):
    """The methods of `AsyncTuckaway` for extractions."""

    async def extraction_config(self, context_tokens: int) -> ExtractionConfig:
        """Returns the default limits for a context window; see `Tuckaway.extraction_config`."""
        return await self._run(_config(context_tokens))

    async def parse_extraction_call(self, arguments: str | Mapping[str, Any]) -> Question:
        """Parses the arguments of a call of ``tool_output``; see `Tuckaway.parse_extraction_call`."""
        return await self._run(_parse_call(arguments))

    async def estimate_extraction(self, question: Question, config: ExtractionConfig) -> ExtractionEstimate:
        """Returns the estimated cost of an extraction; see `Tuckaway.estimate_extraction`."""
        return await self._run(_estimate(question, config))

    async def start_extraction(self, question: Question, config: ExtractionConfig) -> ExtractionStep:
        """Starts an extraction; see `Tuckaway.start_extraction`."""
        return await self._run(_start(question, config))

    async def step_extraction(self, state: str, event: ExtractionEvent) -> ExtractionStep:
        """Advances an extraction by one event; see `Tuckaway.step_extraction`."""
        return await self._run(_step(state, event))

    async def extract(
        self,
        question: Question,
        model: Model | AsyncModel | NativeModel,
        *,
        config: ExtractionConfig | None = None,
        on_progress: Callable[[Progress], Awaitable[None] | None] | None = None,
        on_state: Callable[[str], Awaitable[None] | None] | None = None,
    ) -> Answer:
        """Answers a question about an artifact with a model; see `Tuckaway.extract`. All callbacks may be
        async."""
        callbacks = _Callbacks(model, on_progress, on_state, may_await=True)
        limits = config or await self.extraction_config(self._requests.context_window)
        return await self._run(callbacks.extract(question, limits))

    async def resume_extraction(
        self,
        state: str,
        model: Model | AsyncModel | NativeModel,
        *,
        on_progress: Callable[[Progress], Awaitable[None] | None] | None = None,
        on_state: Callable[[str], Awaitable[None] | None] | None = None,
    ) -> Answer:
        """Resumes an extraction from one of its states; see `Tuckaway.resume_extraction`."""
        callbacks = _Callbacks(model, on_progress, on_state, may_await=True)
        return await self._run(callbacks.resume(state))
