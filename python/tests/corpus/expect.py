"""Compares answers with expectations."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from .content import content_bytes, is_recipe
from .notation import Json, JsonObject

MAX_WRITTEN_BYTES = 4_096
"""Longer texts are written as length and hash, with their ends for readers."""

MAX_REPEATED_BYTES = 120
"""An output of at most this length is repeated where it occurs in an answer."""

END_CHARS = 60
"""The number of characters of each of these ends."""

MAX_SAFE_INTEGER = 2**53 - 1
"""Greater integers are written as strings: some languages cannot represent them."""


def agree(expected: Json, actual: Json) -> bool:
    """Returns whether an answer is as expected, byte for byte. A member that is None is omitted."""
    content = _bytes_of(actual)
    if content is not None:
        if is_recipe(expected):
            return content_bytes(expected) == content
        return len(content) > MAX_WRITTEN_BYTES and bool(expected == _digest(content))
    if isinstance(expected, list) and isinstance(actual, list):
        return len(expected) == len(actual) and all(map(agree, expected, actual))
    if isinstance(expected, dict) and isinstance(actual, dict):
        present = {name: each for name, each in actual.items() if each is not None}
        return expected.keys() == present.keys() and all(
            agree(expected[name], present[name]) for name in expected
        )
    written = _written(actual)
    # True is 1 in Python, and 1 is 1.0.
    return type(expected) is type(written) and bool(expected == written)


def in_expected_notation(expected: Json, actual: Json) -> Json:
    """Returns the answer in the notation of the expectation.

    It is the expected value wherever the two agree, so that a diff shows only what differs.
    """
    if expected is not None and agree(expected, actual):
        return expected
    content = _bytes_of(actual)
    if content is not None and len(content) > MAX_WRITTEN_BYTES:
        return _digest(content)
    if isinstance(actual, str):
        return actual.split("\n") if "\n" in actual else actual
    if isinstance(actual, list):
        old = expected if isinstance(expected, list) else []
        padded = old + [None] * len(actual)
        return [in_expected_notation(padded[index], each) for index, each in enumerate(actual)]
    if isinstance(actual, dict) and content is None:
        old = expected if isinstance(expected, dict) else {}
        present = {name: each for name, each in actual.items() if each is not None}
        names = dict.fromkeys([*(name for name in old if name in present), *present])
        return {name: in_expected_notation(old.get(name), present[name]) for name in names}
    return _written(actual)


def replace_outputs(outputs: Sequence[bytes], answer: Json) -> Json:
    """Returns an answer with ``{"output": index}`` in place of each text that equals an output and is not
    short."""
    content = _bytes_of(answer)
    if content is not None:
        is_output = len(content) > MAX_REPEATED_BYTES and content in outputs
        return {"output": outputs.index(content)} if is_output else answer
    if isinstance(answer, list):
        return [replace_outputs(outputs, each) for each in answer]
    if isinstance(answer, dict):
        return {name: replace_outputs(outputs, each) for name, each in answer.items()}
    return answer


def _digest(content: bytes) -> JsonObject:
    text = content.decode(errors="replace")
    return {
        "bytes": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
        "starts": text[:END_CHARS],
        "ends": text[-END_CHARS:],
    }


def _bytes_of(actual: Json) -> bytes | None:
    """Returns the bytes of an answer's text, or of its base64 if it is not text."""
    if isinstance(actual, str):
        return actual.encode()
    is_base64 = isinstance(actual, dict) and actual.keys() == {"base64"}
    return content_bytes(actual) if is_base64 else None


def _written(value: Json) -> Json:
    """Returns a large integer in the notation of case files."""
    is_large = isinstance(value, int) and abs(value) > MAX_SAFE_INTEGER
    return str(value) if is_large else value
