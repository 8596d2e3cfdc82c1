"""Token counters.

A counter is any function that returns the tokens of a text. If it raises, or returns anything but a whole
number of at least 0, tokens are estimated from bytes, and the decision says so.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Literal, get_args

from . import _check, _native

__all__ = ["AsyncTokenCounter", "Encoding", "Tiktoken", "TokenCounter", "estimate_tokens"]

TokenCounter = Callable[[str], int]
"""Counts the tokens of a text as the model does."""

AsyncTokenCounter = Callable[[str], Awaitable[int]]
"""A `TokenCounter` that is awaited, for `AsyncTuckaway`."""

Encoding = Literal["o200k_base", "cl100k_base", "p50k_base", "r50k_base"]
"""A vocabulary of OpenAI."""


@dataclass(frozen=True, slots=True)
class Tiktoken:
    """OpenAI's tokenizers, built in. Special tokens are counted as plain text.

    As the counter of a client it runs without Python. It can also be called:

    >>> Tiktoken()("tuckaway keeps agents inside their context window")
    9
    """

    encoding: Encoding = "o200k_base"
    """The vocabulary."""

    def __post_init__(self) -> None:
        _check.choice("encoding", self.encoding, get_args(Encoding))

    def __call__(self, text: str) -> int:
        """Returns the tokens of a text."""
        return _native.count_tokens(self.encoding, _check.text("text", text))


def estimate_tokens(text: str) -> int:
    """Estimates the tokens of a text in ``o200k_base`` without a vocabulary. This is the default counter of a
    client.

    >>> estimate_tokens("tuckaway keeps agents inside their context window") in range(5, 15)
    True
    """
    return _native.estimate(_check.text("text", text))
