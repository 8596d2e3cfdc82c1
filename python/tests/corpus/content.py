"""Bytes in case files: text, lines, or a recipe. ``cases/README.md`` lists the forms."""

from __future__ import annotations

import base64
from functools import lru_cache
from pathlib import PurePosixPath

from .notation import CASES, Json, JsonObject, compact, malformed, member

RECIPES = frozenset(["repeat", "concat", "each", "base64", "hex"])


def content_bytes(value: Json) -> bytes:
    """Returns the bytes that a case file describes."""
    if isinstance(value, str):
        return value.encode()
    if isinstance(value, list):
        return b"\n".join(map(content_bytes, value))
    return _cook(value) if isinstance(value, dict) else malformed("this does not describe bytes", value)


def content_text(value: Json) -> str:
    """Like `content_bytes`, for text."""
    return value if isinstance(value, str) else content_bytes(value).decode()


def is_recipe(value: Json) -> bool:
    """Returns whether a value describes bytes, so that `content_bytes` can be called."""
    if isinstance(value, list):
        return all(map(is_recipe, value))
    if isinstance(value, dict):
        # Providers have members of this name, too.
        is_file = isinstance(value.get("file"), str)
        return is_file or not RECIPES.isdisjoint(value)
    return isinstance(value, str)


def json_or_text(value: Json) -> str:
    """Returns a text or the text of a recipe; any other object becomes its JSON."""
    return compact(value) if isinstance(value, dict) and not is_recipe(value) else content_text(value)


def encoded(content: bytes) -> JsonObject:
    """Returns bytes that are not UTF-8 in the notation of expectations."""
    return {"base64": base64.b64encode(content).decode()}


def _cook(recipe: JsonObject) -> bytes:  # noqa: PLR0911 (one for each recipe)
    if "repeat" in recipe:
        return content_bytes(recipe["repeat"]) * int(member(recipe, "times"))
    if "concat" in recipe:
        return b"".join(map(content_bytes, recipe["concat"]))
    if "each" in recipe:
        each, separator = content_text(recipe["each"]), content_text(recipe.get("join", ""))
        return _numbered(each, separator, member(recipe, "from"), member(recipe, "to"))
    if "base64" in recipe:
        return base64.b64decode(recipe["base64"], validate=True)
    if "hex" in recipe:
        return bytes.fromhex(recipe["hex"])
    if "file" in recipe:
        return CASES.joinpath(PurePosixPath(recipe["file"])).read_bytes()
    return malformed("this is not a recipe", recipe)


@lru_cache(maxsize=16)
def _numbered(each: str, separator: str, first: int, last: int) -> bytes:
    """Returns a text once for each number. The last results are kept: the cases of a file share their
    content, and a case needs it again for the comparison."""
    return separator.join(each.replace("%", str(number)) for number in range(first, last + 1)).encode()
