"""The contract of every store, for artifacts."""

from __future__ import annotations

import random
import re
import time
from dataclasses import replace
from typing import Any

from ..errors import NotFoundError
from ..records import Artifact
from ..stores import MemoryStore
from .settled import SECONDS_OF_DOUBT, Settled, knows_nothing_of, raises, same

UNKNOWN = "art_t_0000000000"
"""An id that no store has made."""


async def round_trip(store: Settled) -> None:
    key = await store.create("sql_query", "application/json")
    same(
        isinstance(key, str) and re.fullmatch("[A-Za-z0-9_-]{1,64}", key) is not None,
        True,
        f"the id {key!r} is valid",
    )
    for part in (b"[1,", b"", b"2]\n"):
        await store.append(key, part)
    sealed: Artifact = await store.seal(key, 1)
    expected = Artifact(
        id=key,
        tool="sql_query",
        media_type="application/json",
        size_bytes=6,
        line_count=1,
        created_at=sealed.created_at,
    )
    same(sealed, expected, "seal")
    same(
        abs(sealed.created_at - time.time()) < SECONDS_OF_DOUBT,
        True,
        f"created_at {sealed.created_at} is now",
    )
    same(await store.stat(key), sealed, "stat")
    same(list(await store.list_artifacts()), [sealed], "list")
    same(await store.read(key, 0, 100), b"[1,2]\n", "read")
    same(await store.read(key, 1, 3), b"1,2", "read")


async def empty_artifact(store: Settled) -> None:
    same(list(await store.list_artifacts()), [], "list of an empty store")
    key = await store.create("", "")
    sealed = await store.seal(key, 0)
    same((sealed.size_bytes, sealed.line_count, sealed.tool, sealed.media_type), (0, 0, "", ""), "seal")
    same(await store.read(key, 0, 10), b"", "read")
    same(await store.ids(), [key], "list")


async def any_bytes(store: Settled) -> None:
    content = random.Random(4711).randbytes(100_003)
    key = await store.put("binary", content)
    parts: list[bytes] = []
    done = 0
    while done < len(content):
        part = await store.read(key, done, 7001)
        same(0 < len(part) <= 7001, True, f"a read of 7001 bytes returned some of them, not {len(part)}")
        parts.append(part)
        done += len(part)
    same(b"".join(parts), content)


async def any_names(store: Settled) -> None:
    long = "long " * 1000
    for name in (
        "../../etc/passwd",
        "a/b\\c",
        "nul\0byte",
        "日本語 🦀",
        '"quoted"\n',
        "..",
        "\u2028\x7f",
        long,
    ):
        key = await store.create(name, name)
        sealed = await store.seal(key, 0)
        same((sealed.tool, sealed.media_type), (name, name))
        same(await store.stat(key), sealed, "stat")


async def ends(store: Settled) -> None:
    key = await store.put("t", b"0123456789")
    for offset, length, expected in (
        (8, 10, b"89"),
        (10, 10, b""),
        (11, 1, b""),
        (2**64 - 1, 2**32 - 1, b""),
        (0, 0, b""),
        (5, 0, b""),
        (0, 2**32 - 1, b"0123456789"),
    ):
        same(await store.read(key, offset, length), expected, f"read({offset}, {length}) of 10 bytes")


async def unseen_until_sealed(store: Settled) -> None:
    key = await store.create("t", "text/plain")
    await store.append(key, b"half")
    await raises(NotFoundError, store.stat(key), "stat before seal")
    await raises(NotFoundError, store.read(key, 0, 10), "read before seal")
    same(list(await store.list_artifacts()), [], "list before seal")
    await store.seal(key, 1)
    same(await store.ids(), [key], "list after seal")


async def sealed_for_good(store: Settled) -> None:
    key = await store.put("t", b"as it was")
    before = await store.stat(key)
    for _ in range(2):
        await raises(Exception, store.append(key, b"more"), "append after seal")
    await raises(Exception, store.seal(key, 7), "seal after seal")
    same(await store.stat(key), before, "stat")
    same(await store.read(key, 0, 100), b"as it was", "read")
    await raises(NotFoundError, store.append(UNKNOWN, b"x"), "append to an unknown id")
    await raises(NotFoundError, store.seal(UNKNOWN, 0), "seal of an unknown id")


async def deletion(store: Settled) -> None:
    kept = await store.put("t", b"kept")
    gone = await store.put("t", b"gone")
    await store.delete(gone)
    await knows_nothing_of(store, gone)
    unsealed = await store.create("t", "")
    await store.append(unsealed, b"half")
    await store.delete(unsealed)
    await knows_nothing_of(store, unsealed)
    same(await store.ids(), [kept], "list")


async def order(store: Settled) -> None:
    expected: list[str] = []
    for n in range(12):
        expected.append(await store.put(f"tool{12 - n}", b"x"))
        # Stores may order by timestamps of a file system, which are coarser than this loop.
        time.sleep(0.015)
    same(await store.ids(), expected, "list")


async def side_by_side(store: Settled) -> None:
    one, two = await store.create("t", ""), await store.create("t", "")
    for n in range(3):
        await store.append(one, b"one %d;" % n)
        await store.append(two, b"two %d;" % n)
    await store.seal(two, 1)
    await store.seal(one, 1)
    same(await store.read(one, 0, 99), b"one 0;one 1;one 2;")
    same(await store.read(two, 3, 9), b" 0;two 1;")


async def hostile_ids(store: Settled) -> None:
    paths = ("", ".", "..", "../x", "/etc/passwd", "a/b", "a\\b", "x.json", ".x.part", "C:x", "CON")
    others = ("nul\0", "日本語", "a b", "a\n", "a" * 65, "__class__", "' OR 1=1 --", UNKNOWN, "never")
    for key in (*paths, *others):
        await knows_nothing_of(store, key)
    same(list(await store.list_artifacts()), [], "list")


async def random_calls(store: Settled) -> None:
    """Makes the same calls on a store and on a `MemoryStore`."""
    model, dice = Settled(MemoryStore()), random.Random(4711)
    # The ids of the same artifact in the two stores.
    pairs = [(UNKNOWN, UNKNOWN)]
    for step in range(400):
        ours, theirs = dice.choice(pairs)
        method = dice.choice(
            ("create", "append", "append", "seal", "stat", "read", "list_artifacts", "delete")
        )
        content = dice.randbytes(dice.randrange(3) * dice.randrange(900))
        arguments: dict[str, tuple[Any, ...]] = {
            "append": (content,),
            "seal": (dice.randrange(9),),
            "read": (dice.randrange(1200), dice.randrange(1200)),
        }
        if method == "create":
            pairs.append(
                (await store.create(f"t{step}", "text/plain"), await model.create(f"t{step}", "text/plain"))
            )
            continue
        rest = arguments.get(method, ())
        found = await _outcome(store, method, ours, rest)
        expected = await _outcome(model, method, theirs, rest)
        names = dict(pairs)
        same(_renamed(found, names), expected, f"step {step}, {method}{rest}")


async def _outcome(store: Settled, method: str, key: str, arguments: tuple[Any, ...]) -> Any:
    """Returns the result of a call without creation times, or the kind of its error."""
    try:
        if method == "list_artifacts":
            artifacts = [replace(each, created_at=0) for each in await store.list_artifacts()]
            # Within a second, a store may list artifacts in the order of its file system.
            return sorted(artifacts, key=lambda artifact: artifact.tool)
        result = await getattr(store, method)(key, *arguments)
    except NotFoundError:
        return NotFoundError
    except Exception:
        return Exception
    return replace(result, created_at=0) if isinstance(result, Artifact) else result


def _renamed(outcome: Any, names: dict[str, str]) -> Any:
    if isinstance(outcome, list):
        return [_renamed(each, names) for each in outcome]  # pyright: ignore[reportUnknownVariableType]
    return (
        replace(outcome, id=names.get(outcome.id, outcome.id)) if isinstance(outcome, Artifact) else outcome
    )
