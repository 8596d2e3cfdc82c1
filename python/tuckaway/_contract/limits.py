"""The contract of a store with a quota and a maximum age."""

from __future__ import annotations

import time

from ..errors import ExpiredError, NotFoundError, QuotaExceededError
from .settled import SECONDS_OF_DOUBT, Settled, raises, same


async def quota(store: Settled) -> None:
    first = await store.put("t", bytes(60))
    key = await store.create("t", "")
    await store.append(key, bytes(30))
    await raises(QuotaExceededError, store.append(key, bytes(30)), "an append over the quota")
    await raises(Exception, store.append(key, b"x"), "an append after one that failed")
    await store.delete(key)
    await raises(QuotaExceededError, store.put("t", bytes(41)), "an artifact over the quota")
    second = await store.put("t", bytes(40))
    same(await store.ids(), [first, second], "list")
    await store.delete(first)
    await store.put("t", bytes(60))


async def race(store: Settled) -> None:
    refused = 0
    for key in [await store.create("t", ""), await store.create("t", "")]:
        try:
            await store.append(key, bytes(60))
            await store.seal(key, 1)
        except QuotaExceededError:
            refused += 1
    same(refused, 1, "of two artifacts that do not both fit, those that were refused")
    same([artifact.size_bytes for artifact in await store.list_artifacts()], [60], "sizes")


async def expiry(store: Settled) -> None:
    key = await store.put("old tool", b"old")
    time.sleep(0.01)
    for method, rest in {"stat": (), "read": (0, 1)}.items():
        error = await raises(ExpiredError, getattr(store, method)(key, *rest), method)
        same(error.tool, "old tool", "the tool that the error names")
        age = time.time() - (error.expired_at or 0)
        same(abs(age) < SECONDS_OF_DOUBT, True, f"expired_at {error.expired_at} is now")
    same(list(await store.list_artifacts()), [], "list")
    await store.delete(key)
    await raises(NotFoundError, store.stat(key), "stat after delete")
