"""Models that answer the requests of extractions: HTTP clients of two APIs, which run without Python.

A function can also be a model: see `tuckaway.extraction.Model`.
"""

from __future__ import annotations

import os

from . import _native
from ._check import optional_text, text

__all__ = ["AnthropicModel", "NativeModel", "OpenAIModel"]


class NativeModel:
    """A model that is reached over an HTTP API. Temporary failures are retried: statuses 408, 429 and 5xx,
    and broken connections. There are at most 5 attempts of up to 180 seconds each. No error message contains
    the key."""

    def __init__(self, native: _native.NativeModel, description: str) -> None:
        self._native = native
        self._description = description

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._description})"


class OpenAIModel(NativeModel):
    """A model that uses an API compatible with OpenAI's Chat Completions.

    >>> OpenAIModel("some-model", base_url="http://localhost:8000/v1", api_key="none")
    OpenAIModel('some-model', base_url='http://localhost:8000/v1')
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "https://api.openai.com/v1",
        api_key: str | None = None,
    ) -> None:
        """Prepares a model; nothing is sent yet.

        ``api_key`` defaults to the environment variable ``OPENAI_API_KEY``, or to no key if it is unset. A
        key from the environment is only used for OpenAI's own URL, because any other server would receive it.

        Errors: `InvalidInputError` for a URL or a key that cannot be sent.
        """
        if api_key is None and base_url == "https://api.openai.com/v1":
            api_key = os.environ.get("OPENAI_API_KEY")
        native = _connected("openai", model, base_url, api_key)
        super().__init__(native, f"{model!r}, base_url={base_url!r}")


class AnthropicModel(NativeModel):
    """A model that uses Anthropic's Messages API.

    >>> AnthropicModel("some-model", api_key="none")
    AnthropicModel('some-model', base_url='https://api.anthropic.com/v1')
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str = "https://api.anthropic.com/v1",
        api_key: str | None = None,
    ) -> None:
        """Prepares a model; nothing is sent yet.

        ``api_key`` defaults to the environment variable ``ANTHROPIC_API_KEY``, or to no key if it is unset. A
        key from the environment is only used for Anthropic's own URL, because any other server would receive
        it.

        Errors: `InvalidInputError` for a URL or a key that cannot be sent.
        """
        if api_key is None and base_url == "https://api.anthropic.com/v1":
            api_key = os.environ.get("ANTHROPIC_API_KEY")
        native = _connected("anthropic", model, base_url, api_key)
        super().__init__(native, f"{model!r}, base_url={base_url!r}")


def _connected(protocol: str, model: str, base_url: str, api_key: str | None) -> _native.NativeModel:
    return _native.NativeModel(
        protocol,
        text("model", model),
        base_url=text("base_url", base_url),
        api_key=optional_text("api_key", api_key),
    )
