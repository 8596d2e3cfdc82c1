"""pydantic-ai-harness: `SummarizingCompaction`, as `compact_now` runs it."""

from __future__ import annotations

import asyncio
import re

from pydantic_ai.messages import (
    CompactionPart,
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai_harness.compaction import SummarizingCompaction, compact_now

from . import Manage, Message, lines_of, summarized

_TRANSCRIPT = re.compile(
    r"<previous-summary>\n(.*?)\n</previous-summary>|<message [^>]*>\n(.*?)\n</message>", re.DOTALL
)


def summary() -> Manage:
    """Summarizes all but the newest 20 messages, the default."""
    kept: list[ModelMessage] = []

    def manage(history: list[Message]) -> list[Message]:
        messages = [*kept, *(_to_model(message) for message in history[len(kept) :])]
        strategy: SummarizingCompaction[None] = SummarizingCompaction(max_messages=1)
        model = FunctionModel(_answer)
        kept[:] = asyncio.run(compact_now(strategy, messages, model=model))
        return [_from_model(message) for message in kept]

    return manage


def _answer(messages: list[ModelMessage], _: AgentInfo) -> ModelResponse:
    prompt = "\n".join(_text(message) for message in messages)
    found = sorted(_TRANSCRIPT.findall(prompt), key=lambda groups: not groups[0])
    texts = [previous or message for previous, message in found]
    return ModelResponse(parts=[TextPart(summarized(lines_of(texts)))])


def _to_model(message: Message) -> ModelMessage:
    if message["role"] == "user":
        return ModelRequest(parts=[UserPromptPart(message["content"])])
    return ModelResponse(parts=[TextPart(message["content"])])


def _from_model(message: ModelMessage) -> Message:
    role = "user" if isinstance(message, ModelRequest) else "assistant"
    return {"role": role, "content": _text(message)}


def _text(message: ModelMessage) -> str:
    texts = []
    for part in message.parts:
        if isinstance(part, UserPromptPart):
            texts.append(part.content if isinstance(part.content, str) else "\n".join(map(str, part.content)))
        elif isinstance(part, TextPart | CompactionPart):
            texts.append(part.content or "")
    return "\n".join(texts)
