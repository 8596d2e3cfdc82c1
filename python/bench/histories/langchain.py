"""LangChain: `SummarizationMiddleware` and `trim_messages`, and the middleware that clears results."""

from __future__ import annotations

from typing import Any

from langchain.agents.middleware import ClearToolUsesEdit, SummarizationMiddleware
from langchain_core.language_models.fake_chat_models import FakeListChatModel
from langchain_core.messages import (
    BaseMessage,
    RemoveMessage,
    convert_to_messages,
    convert_to_openai_messages,
    trim_messages,
)
from langchain_core.messages.utils import count_tokens_approximately

from . import Manage, Message, lines_of, summarized


def summary() -> Manage:
    """Summarizes all but the newest 20 messages, the default, whenever there are more."""
    middleware: SummarizationMiddleware[Any, Any] = SummarizationMiddleware(
        FakeListChatModel(responses=[""]),
        trigger=("messages", 1),
        summarizer=lambda messages: summarized(lines_of(str(message.text) for message in messages)),
    )

    def manage(history: list[Message]) -> list[Message]:
        update = middleware.before_model({"messages": convert_to_messages(history)}, None)
        if update is None:
            return history
        return _as_given(
            [message for message in update["messages"] if not isinstance(message, RemoveMessage)]
        )

    return manage


def trim(limit: int) -> Manage:
    """Keeps the newest messages, up to a number of tokens."""

    def manage(history: list[Message]) -> list[Message]:
        kept = trim_messages(
            convert_to_messages(history),
            max_tokens=limit,
            token_counter=count_tokens_approximately,
            start_on="human",
        )
        return _as_given(kept)

    return manage


def clear(trigger: int) -> Manage:
    """Clears all results but the newest three, the default, beyond a number of tokens."""
    edit = ClearToolUsesEdit(trigger=trigger)

    def manage(history: list[Message]) -> list[Message]:
        messages = convert_to_messages(history)
        edit.apply(messages, count_tokens=count_tokens_approximately)
        return _as_given(messages)

    return manage


def _as_given(messages: list[BaseMessage]) -> list[Message]:
    converted = convert_to_openai_messages(messages)
    return converted if isinstance(converted, list) else [converted]
