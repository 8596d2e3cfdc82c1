"""The pseudo-call ``pages``, which follows ``next`` to the end."""

from __future__ import annotations

from .call import AnyTuckaway, answer
from .notation import Json, JsonObject, malformed, member

MAX_PAGES = 10_000
"""More pages than this mean that the reader makes no progress."""


async def follow(tuckaway: AnyTuckaway, given: JsonObject) -> JsonObject:
    """Returns all pages of ``of`` (``read``, ``grep``, ``grep_all`` or ``jq``) as one answer.

    That is: the concatenated texts, matches or groups, the number of pages, and the length of the longest.
    """
    of: str = member(given, "of")
    asked, whole, longest = given, {}, 0
    for pages in range(1, MAX_PAGES + 1):
        reply = await answer(tuckaway, of, asked)
        if "error" in reply:
            return reply
        page = {name: each for name, each in reply["expect"].items() if each is not None}
        cursor = page.pop("next", None)
        whole = page if pages == 1 else _join(whole, page)
        longest = max(longest, _length(page))
        if cursor is None:
            return {"expect": {**whole, "pages": pages, "longest": longest}}
        asked = {**given, "range": {"cursor": cursor}} if of == "read" else {**given, "cursor": cursor}
    return malformed(f"there are more than {MAX_PAGES} pages")


def _join(whole: JsonObject, page: JsonObject) -> JsonObject:
    joined = dict(whole)
    for name in ("text", "failure", "matches", "groups", "skipped"):
        if name in page:
            joined[name] = whole[name] + page[name] if name in whole else page[name]
    return joined


def _length(page: JsonObject) -> int:
    """Returns the number of bytes of a page: of its text, or of its matches as lines."""
    parts = [page, *page.get("groups", [])]
    lines = [
        line
        for part in parts
        for match in part.get("matches", [])
        for line in (match["text"], *match["before"], *match["after"])
    ]
    return _size(page.get("text")) + sum(_size(line) + 1 for line in lines)


def _size(text: Json) -> int:
    return len(text.encode()) if isinstance(text, str) else 0
