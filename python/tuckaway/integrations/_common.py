"""Code that the integrations share: views that account for each other, and answers to calls of artifact
tools."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from .. import (
    AsyncTuckaway,
    MemoryStore,
    Policy,
    StoreError,
    ToolDefinition,
    ToolOutput,
    ToolReply,
    Tuckaway,
    TuckawayError,
    UnsupportedError,
    View,
)
from .._check import invalid
from ..conversation import Manage, Managed, ProviderRefusal

logger = logging.getLogger("tuckaway.integrations")

AnyTuckaway = Tuckaway | AsyncTuckaway
"""A synchronous or an asynchronous tuckaway."""


@dataclass(frozen=True, slots=True)
class Viewed:
    """The view of an output, with its tool and call."""

    tool: str
    """The name of the tool."""
    call_id: str | None
    """The id of the call in the model's message; None in servers, which do not see it."""
    view: View


OnView = Callable[[Viewed], None]
"""Receives each view, for logs and metrics. Exceptions that it raises are logged."""

T = TypeVar("T")
Steps = Generator[Callable[[], Any], Any, T]
"""Work that is the same for both kinds of tuckaway: yields calls, and receives their results or
exceptions."""


def missing(extra: str, error: ImportError) -> ImportError:
    """Returns the error of a module whose framework is not installed."""
    return ImportError(
        f"{error}. This integration needs a framework: pip install 'tuckaway[{extra}]'", name=error.name
    )


def definitions(tuckaway: AnyTuckaway) -> list[ToolDefinition]:
    """Returns the artifact tools that a tuckaway offers.

    Frameworks read the list of tools once, but a dialect may define its tools only if something is stored. So
    the returned definitions are for a non-empty store.
    """
    store = MemoryStore()
    store.seal(store.create("tool", "text/plain"), 0)
    with Tuckaway(store) as describing:
        return describing.tool_definitions(dialect=tuckaway.policy.dialect, tools=tuckaway.tools)


def reserve_names(tuckaway: AnyTuckaway, foreign: Iterable[str], argument: str = "tools") -> None:
    """Rejects foreign tools that have the name of an artifact tool: outputs under these names always pass.
    ``argument`` has the tools.

    Raises:
        InvalidInputError: if there are any
    """
    taken = sorted(name for name in set(foreign) if tuckaway.is_artifact_tool(name))
    if taken:
        raise invalid(
            argument,
            f"has {', '.join(taken)}: reserved for tuckaway's own tools, which it adds itself. Rename your "
            "tools.",
        )


class Reducer:
    """Makes the views of an agent's tool outputs, and answers calls of the artifact tools.

    The calls that a model makes in one turn share the headroom in the order in which they finish: each view
    accounts for the earlier ones of its turn.
    """

    def __init__(
        self, tuckaway: AnyTuckaway, *, max_bytes: int | None = None, on_view: OnView | None = None
    ) -> None:
        self.tuckaway = tuckaway
        self.definitions = definitions(tuckaway)
        self._max_bytes = max_bytes
        self._on_view = on_view
        self._turns: OrderedDict[Hashable, _Turn] = OrderedDict()
        self._turns_lock = threading.Lock()

    def view(self, output: ToolOutput, turn: Hashable | None, used_tokens: int, call_id: str | None) -> View:
        """Returns the model's view of an output.

        Args:
            turn: identifies the turn of the model in which the tool was called; None if unknown
            used_tokens: the tokens of the conversation, including the message that called the tool
        """
        require_sync(self.tuckaway)
        state = self._turn(turn)
        with state.lock:
            view = run(self._view(output, state, used_tokens))
        report(self.tuckaway, self._on_view, Viewed(output.tool, call_id, view))
        return view

    async def view_async(
        self, output: ToolOutput, turn: Hashable | None, used_tokens: int, call_id: str | None
    ) -> View:
        """Like `view`, for an event loop."""
        if isinstance(self.tuckaway, Tuckaway):
            return await asyncio.to_thread(self.view, output, turn, used_tokens, call_id)
        state = self._turn(turn)
        async with state.async_lock:
            view = await run_async(self._view(output, state, used_tokens))
        report(self.tuckaway, self._on_view, Viewed(output.tool, call_id, view))
        return view

    def answer(self, name: str, arguments: str | Mapping[str, Any]) -> ToolReply:
        """Answers a call of an artifact tool. If that fails, the reply has ``is_error``."""
        require_sync(self.tuckaway)
        return run(answering(self.tuckaway, name, arguments, self._max_bytes))

    async def answer_async(self, name: str, arguments: str | Mapping[str, Any]) -> ToolReply:
        """Like `answer`, for an event loop."""
        if isinstance(self.tuckaway, Tuckaway):
            return await asyncio.to_thread(self.answer, name, arguments)
        return await run_async(answering(self.tuckaway, name, arguments, self._max_bytes))

    async def answer_with_file_async(
        self, name: str, arguments: str | Mapping[str, Any]
    ) -> tuple[ToolReply, bytes | None]:
        """Like `answer_async`, for results that may contain files: also returns the bytes of the image, PDF
        document or recording that the call reads."""
        steps = answering_with_file(self.tuckaway, name, arguments, self._max_bytes)
        return await run_any(self.tuckaway, steps)

    def account(self, reply: str, turn: Hashable) -> None:
        """Accounts for the reply of an artifact tool, which passes, in the views of the same turn."""
        self._turn(turn).uncounted.append(reply)

    def _view(self, output: ToolOutput, turn: _Turn, used_tokens: int) -> Steps[View]:
        texts, turn.uncounted = turn.uncounted, []
        if texts:
            turn.taken_tokens += yield from _count_tokens(self.tuckaway, "".join(texts))
        used = used_tokens + turn.taken_tokens
        view: View = yield lambda: self.tuckaway.process(output, used_tokens=used)
        turn.add(view)
        return view

    def _turn(self, key: Hashable | None) -> _Turn:
        if key is None:
            return _Turn()
        with self._turns_lock:
            turn = self._turns.setdefault(key, _Turn())
            self._turns.move_to_end(key)
            while len(self._turns) > _TURNS:
                self._turns.popitem(last=False)
            return turn


class Same:
    """A key that equals only keys of the same object. It holds the object, so that no other one gets the same
    id."""

    def __init__(self, value: object) -> None:
        self._value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other._value is self._value

    def __hash__(self) -> int:
        return id(self._value)


_TURNS = 64
"""Maximum number of turns whose views are accounted for. Older turns have ended, unless this many agents run
at the same time. Each may hold a text the size of the headroom."""


class _Turn:
    """The views made so far in one turn of a model."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.async_lock = asyncio.Lock()
        self.taken_tokens = 0
        self.uncounted: list[str] = []
        """Texts whose tokens are counted if there is another call in the turn. Most turns have one call."""

    def add(self, view: View) -> None:
        decision = view.decision
        if decision.headroom_tokens is None:
            return
        self.taken_tokens += decision.kept_tokens or 0
        if decision.action == "inline" and decision.token_count is not None:
            self.taken_tokens += decision.token_count
        else:
            self.uncounted.append(view.text)


def require_sync(tuckaway: AnyTuckaway) -> None:
    """Rejects an asynchronous tuckaway.

    Raises:
        InvalidInputError: if it is one
    """
    if not isinstance(tuckaway, Tuckaway):
        raise invalid(
            "tuckaway",
            "is asynchronous, but the agent runs synchronously. Pass a Tuckaway, or run the agent "
            "asynchronously.",
        )


def run(steps: Steps[T]) -> T:
    """Runs steps with a synchronous tuckaway."""
    try:
        call = next(steps)
        while True:
            try:
                result = call()
            except Exception as error:
                call = steps.throw(error)
            else:
                call = steps.send(result)
    except StopIteration as done:
        return cast("T", done.value)


async def run_async(steps: Steps[T]) -> T:
    """Runs steps with an asynchronous tuckaway."""
    try:
        call: Callable[[], Awaitable[Any]] = next(steps)
        while True:
            try:
                result = await call()
            except Exception as error:
                call = steps.throw(error)
            else:
                call = steps.send(result)
    except StopIteration as done:
        return cast("T", done.value)


async def run_any(tuckaway: AnyTuckaway, steps: Steps[T]) -> T:
    """Runs steps in an event loop: those of a synchronous tuckaway in a thread."""
    if isinstance(tuckaway, Tuckaway):
        return await asyncio.to_thread(run, steps)
    return await run_async(steps)


def _count_tokens(tuckaway: AnyTuckaway, text: str) -> Steps[int]:
    """Counts with tuckaway's counter: no gate decides before the cap, which needs the count."""
    counting = Policy(
        context_percentage=1.0,
        min_threshold_bytes=0,
        max_threshold_bytes=_UNLIMITED,
        headroom_percentage=1.0,
        max_output_tokens=1,
    )
    output = ToolOutput.of(text, tool="")
    decision = yield lambda: tuckaway.decide(output, context_window=_UNLIMITED, policy=counting)
    return decision.token_count or 0


_UNLIMITED = 2**53


def answering(
    tuckaway: AnyTuckaway, name: str, arguments: str | Mapping[str, Any], max_bytes: int | None
) -> Steps[ToolReply]:
    """Answers a call of an artifact tool."""
    try:
        reply: ToolReply = yield lambda: tuckaway.call_tool(name, arguments, max_bytes=max_bytes)
    except UnsupportedError:
        return (yield from _truncated(tuckaway, name, arguments, max_bytes))
    except TuckawayError as error:
        return _failed(name, error)
    return reply


def answering_with_file(
    tuckaway: AnyTuckaway, name: str, arguments: str | Mapping[str, Any], max_bytes: int | None
) -> Steps[tuple[ToolReply, bytes | None]]:
    """Like `answering`, for results that may contain files: also returns the bytes of the image, PDF document
    or recording that the call reads."""
    reply = yield from answering(tuckaway, name, arguments, max_bytes)
    media = reply.media
    if media is None:
        return reply, None
    try:
        data: bytes = yield lambda: tuckaway.media_bytes(media)
    except TuckawayError as error:
        return _failed(name, error), None
    return reply, data


def _failed(name: str, error: TuckawayError) -> ToolReply:
    """Returns an error for the model. If the store failed, the store's message, which is for people, is only
    logged."""
    why = str(error)
    if isinstance(error, StoreError):
        logger.error("the store failed in a call of %s", name, exc_info=error)
        why = "the store failed. Try the call again, or continue without the output."
    return ToolReply(f"Error: {why}", is_error=True, media=None)


_NO_MODEL = "[warning: no extraction model is configured, so this is the head and tail of the output]"


def _truncated(
    tuckaway: AnyTuckaway, name: str, arguments: str | Mapping[str, Any], max_bytes: int | None
) -> Steps[ToolReply]:
    """Answers a call of ``tool_output`` (dialect ``handle``) that needs a model, which integrations lack."""
    given: Mapping[str, Any] = json.loads(arguments) if isinstance(arguments, str) else arguments
    space = max((max_bytes or 16_384) - len(_NO_MODEL) - 1, 256)
    truncating = {**given, "mode": "truncate"}
    reply: ToolReply = yield lambda: tuckaway.call_tool(name, truncating, max_bytes=space)
    if reply.is_error:
        return reply
    return ToolReply(f"{reply.text.removesuffix(chr(10))}\n{_NO_MODEL}", is_error=False, media=None)


_RECOVERABLE = frozenset(
    {"too_many_tokens", "request_too_large", "too_many_images", "image_too_large", "image_too_wide"}
)
"""The kinds of refusals after which a shorter history may be accepted."""


def recovering(
    tuckaway: AnyTuckaway, arguments: Mapping[str, Any], error: Exception
) -> Steps[Managed[Any] | None]:
    """Manages a history that the provider refused because of its size. None if the error has another
    reason, or if nothing can be removed.

    Args:
        arguments: those of `Tuckaway.manage_history`
    """
    task = arguments.get("task")
    if not (task is None or isinstance(task, Manage)):
        return None
    refusal: ProviderRefusal = yield lambda: tuckaway.read_refusal(error)
    if refusal.kind not in _RECOVERABLE:
        return None
    managed: Managed[Any] = yield lambda: tuckaway.manage_history(**arguments, refusal=error)
    return managed if managed.report.is_changed else None


def report(tuckaway: AnyTuckaway, on_view: OnView | None, viewed: Viewed) -> None:
    """Passes a view on, and notes its artifact for the history that the view becomes a part of."""
    if viewed.call_id is not None:
        tuckaway._notes.add(viewed.call_id, viewed.view)  # pyright: ignore[reportPrivateUsage]
    notify(on_view, viewed)


def notify(callback: Callable[..., None] | None, *values: object) -> None:
    """Calls a callback of the user. Its exceptions are logged, because they must not end the agent."""
    if callback is None:
        return
    try:
        callback(*values)
    except Exception:
        logger.exception("a callback failed")
