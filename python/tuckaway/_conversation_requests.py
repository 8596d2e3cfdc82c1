"""Requests about conversations: from arguments to calls of the native module."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ._callbacks import adapted, refuse_async
from ._check import elements, invalid, optional_size, optional_text, text
from ._convert import from_plain, to_plain
from ._given import Artifacts, GivenHistory, json_of, known_artifacts, memory_text, pinned_indexes
from ._notes import Notes
from ._requests import Request, as_is, record, records
from .conversation import (
    Account,
    Alarm,
    BudgetConfig,
    CacheConfig,
    CacheView,
    CompactionConfig,
    Conversation,
    HistoryFormat,
    HistoryInput,
    HistoryStep,
    Manage,
    Managed,
    ManagedHistory,
    PlanState,
    Preset,
    ProviderRefusal,
    Step,
    SummaryAnswer,
    SummaryRequest,
    Task,
    TokenUsage,
)
from .models import NativeModel


def cache_view(view: str, artifact: str | None, config: CacheConfig) -> Request[CacheView]:
    """Requests the view of an output."""
    reference = optional_text("artifact", artifact)
    return Request("cache_view", (text("text", view), reference, to_plain(config)), record(CacheView))


def unreferenced(texts: Iterable[str]) -> Request[list[str]]:
    """Requests the artifacts that no text names."""
    return Request(
        "unreferenced", ([text("texts", each) for each in elements("texts", texts, "str")],), as_is
    )


def should_compact(usage: TokenUsage, config: CompactionConfig) -> Request[bool]:
    """Asks whether a summary is due."""
    return Request("should_compact", (to_plain(usage), to_plain(config)), as_is)


def budget_preset(preset: Preset, total_window: int | None) -> Request[BudgetConfig]:
    """Requests a preset."""
    window = optional_size("total_window", total_window)
    return Request("budget_preset", (text("preset", preset), window), record(BudgetConfig))


def check_budget(config: BudgetConfig) -> Request[list[Alarm]]:
    """Requests the alarms about a budget."""
    return Request("check_budget", (to_plain(config),), records(Alarm))


def read_refusal(error: object) -> Request[ProviderRefusal]:
    """Requests the meaning of a provider's error."""
    return Request("read_refusal", (_refusal_text("error", error),), record(ProviderRefusal))


def plan(conversation: Conversation, task: Task, answers: Sequence[str], state: PlanState) -> Request[Step]:
    """Requests a plan."""
    given = [text("answers", each) for each in elements("answers", answers, "str")]
    arguments = (to_plain(conversation), to_plain(task), given, to_plain(state))
    return Request("plan", arguments, record(Step))


def account(conversation: Conversation) -> Request[Account]:
    """Requests the tokens by bucket."""
    return Request("account", (to_plain(conversation),), record(Account))


def detect_format(given: GivenHistory) -> Request[HistoryFormat]:
    """Requests the format of a history."""
    return Request("detect_format", (given.json,), as_is)


def read_usage(usage: object) -> Request[TokenUsage]:
    """Requests a usage in the form of the contract."""
    return Request("read_usage", (json_of("usage", usage),), record(TokenUsage))


def start_history(
    history: HistoryInput, task: Task, memory: str | Mapping[str, Any] | None
) -> Request[HistoryStep]:
    """Requests the first step of managing a history."""
    arguments = (to_plain(history), memory_text(memory), to_plain(task))
    return Request("start_history", arguments, record(HistoryStep))


def step_history(
    history: HistoryInput, task: Task, state: str, answer: SummaryAnswer
) -> Request[HistoryStep]:
    """Requests the next step."""
    plain_answer = {"text": text("answer", answer)} if isinstance(answer, str) else to_plain(answer)
    arguments = (to_plain(history), to_plain(task), text("state", state), plain_answer)
    return Request("step_history", arguments, record(HistoryStep))


def manage_history(
    given: GivenHistory,
    task: Task,
    notes: Notes,
    *,
    format: HistoryFormat | None,
    memory: str | Mapping[str, Any] | None,
    artifacts: Artifacts | None,
    pinned: Iterable[int],
    usage: object,
    refusal: object,
    summarize: Callable[..., Any] | None,
    compact: Callable[..., Any] | NativeModel | None,
    strict: bool,
    may_await: bool,
) -> Request[Managed[Any]]:
    """Requests a managed history."""
    noted = notes.of(given.json)
    history = HistoryInput(
        json=given.json,
        format=format,
        usage=None if usage is None else json_of("usage", usage),
        artifacts=[*noted, *known_artifacts(artifacts)],
        pinned=pinned_indexes(pinned),
        is_strict=bool(strict),
        with_json=given.is_text,
    )
    if refusal is not None:
        task = _refused(task, refusal)
    ask = None
    if summarize is not None and not may_await:
        refuse_async("summarize", summarize)
    if summarize is not None:
        ask = adapted("summarize", summarize, record(SummaryRequest), as_is, may_await=may_await)

    def read(plain: Any) -> Managed[Any]:
        notes.forget(noted, plain["memory"])
        managed = from_plain(ManagedHistory, plain)
        new = given.new(managed)
        return Managed(new, managed.memory, managed.report, managed.format, list(managed.background))

    arguments = (
        to_plain(history),
        memory_text(memory),
        to_plain(task),
        ask,
        _plain_compaction(compact, may_await=may_await),
    )
    return Request("manage_history", arguments, read)


def _plain_compaction(compact: object, *, may_await: bool) -> object:
    """Returns the native model that compacts a history, or a function of JSON."""
    if compact is None:
        return None
    if isinstance(compact, NativeModel):
        return compact._native  # pyright: ignore[reportPrivateUsage]
    if not callable(compact):
        raise invalid(
            "compact",
            f"is {compact!r}; pass an OpenAIModel, an AnthropicModel, or a function of the items.",
        )
    if not may_await:
        refuse_async("compact", compact)
    return adapted("compact", compact, json.loads, _compacted, may_await=may_await)


def _compacted(items: Iterable[Any]) -> str:
    """Returns the items that a provider returned for others as JSON."""
    return json_of("items that compact returned", elements("items that compact returned", items, "items"))


def _refused(task: Task, refusal: object) -> Task:
    """Returns a task with the error with which the provider refused the history."""
    if not isinstance(task, Manage):
        raise invalid("refusal", "needs the task Manage; pass it, or None as the task.")
    return dataclasses.replace(task, refusal=_refusal_text("refusal", refusal))


def _refusal_text(name: str, error: object) -> str:
    """Returns the error of a provider as text: an exception's text, the text itself, or JSON."""
    return str(error) if isinstance(error, BaseException) else json_of(name, error)
