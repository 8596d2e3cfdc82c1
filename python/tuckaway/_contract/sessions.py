"""The contract of a store with sessions."""

from __future__ import annotations

from ..errors import InvalidInputError, NotFoundError, QuotaExceededError
from .settled import Settled, knows_nothing_of, raises, same


async def isolation(store: Settled) -> None:
    one, two = await store.session_of("chat-1"), await store.session_of("chat_2")
    inner = await one.session_of("chat_2")
    stores = [store, one, two, inner]
    written = [await each.put(f"t{n}", b"x" * n) for n, each in enumerate(stores)]
    for n, each in enumerate(stores):
        for other in written[:n] + written[n + 1 :]:
            for key in (other, f"sessions/chat-1/{other}", f"../{other}"):
                await knows_nothing_of(each, key)
        same(await each.ids(), [written[n]], "list")
        same(await each.read(written[n], 0, 9), b"x" * n, "read")


async def reopening(store: Settled) -> None:
    key = await (await store.session_of("again")).put("t", b"x")
    same(await (await store.session_of("again")).read(key, 0, 9), b"x", "read")
    await (await store.session_of("again")).delete(key)
    await raises(NotFoundError, (await store.session_of("again")).stat(key), "stat after delete")


async def listing(store: Settled) -> None:
    same(list(await store.sessions()), [], "sessions of an empty store")
    same(await (await store.session_of("empty")).ids(), [], "list of an empty session")
    await store.put("t", b"x")
    same(list(await store.sessions()), [], "sessions of a store without any")
    longest = "x" * 64
    for name in ("b", "0_-", "a", longest, "aa"):
        await (await store.session_of(name)).put("t", b"x")
    same(list(await store.sessions()), ["0_-", "a", "aa", "b", longest], "sessions")


async def removal(store: Settled) -> None:
    kept, neighbour = await store.put("t", b"x"), await (await store.session_of("ab")).put("t", b"x")
    session = await store.session_of("a")
    inner = await session.session_of("inner")
    gone, nested = await session.put("t", bytes(3000)), await inner.put("t", b"x")
    await store.remove_session("a")
    for name in ("a", "never"):
        await raises(NotFoundError, store.remove_session(name), "removal of a session that is not there")
    await raises(NotFoundError, session.stat(gone), "stat in a removed session")
    inner = await (await store.session_of("a")).session_of("inner")
    await raises(NotFoundError, inner.stat(nested), "stat in a session of a removed session")
    same(await session.ids(), [], "what is left in the session")
    same(list(await store.sessions()), ["ab"], "the sessions that are left")
    same(
        (await store.ids(), await (await store.session_of("ab")).ids()), ([kept], [neighbour]), "what is left"
    )
    # Callers that still hold the removed session continue in the new one of the same name.
    again = await session.put("t", b"x")
    same(await (await store.session_of("a")).ids(), [again], "list of a session that began again")


async def session_names(store: Settled) -> None:
    for name in ("", ".", "..", "a/b", "A", "a b", "a.b", "é", "nul\0", "a\n", "x" * 65):
        await raises(InvalidInputError, store.session(name), f"session {name!r}")
        await raises(InvalidInputError, store.remove_session(name), f"remove_session {name!r}")


async def session_quota(store: Settled) -> None:
    for each in (store, await store.session_of("a"), await store.session_of("b")):
        await each.put("t", bytes(80))
        key = await each.create("t", "")
        await raises(QuotaExceededError, each.append(key, bytes(80)), "an append over the quota")
        await each.delete(key)
