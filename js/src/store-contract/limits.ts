/** The contract of a store with a quota and a maximum age. */

import type { AsyncStore } from '../ports.js';
import { ids, noise, put, utf8 } from './artifacts.js';
import { fails, ok, same, thrown } from './expect.js';
import type { EmptyStore, Tests } from './tests.js';

/** Returns the tests for a store with a quota, a maximum age and a clock. */
export function limitsContract(empty: EmptyStore): Tests {
    return {
        'the quota is enforced': async () => quota(await empty({ quotaBytes: 100 })),
        'artifacts written at the same time share the quota': async () => race(await empty({ quotaBytes: 100 })),
        'old artifacts have expired': async () => expiry(await empty({ maxAgeSeconds: 0 })),
        'age is measured to the second, and the error names the tool and the time': async () => aging(empty),
        'a clock that goes backwards expires nothing': async () => backwards(empty),
    };
}

/** A store with a quota of 100 bytes: writes that would exceed it are not stored. */
async function quota(store: AsyncStore): Promise<void> {
    const first = await put(store, 't', noise(60));
    const id = await store.create('t', '');
    await store.append(id, noise(30));
    await fails(() => store.append(id, noise(30)), 'quota_exceeded');
    await fails(() => store.append(id, noise(1)), 'other');
    await store.delete(id);
    const refused = await store.create('t', '');
    await fails(() => store.append(refused, noise(41)), 'quota_exceeded');
    await fails(() => store.seal(refused, 1), 'other');
    await fails(() => store.stat(refused), 'not_found');
    const second = await put(store, 't', noise(40));
    same(await ids(store), [first, second]);
    await store.delete(first);
    await put(store, 't', noise(60));
}

/** Two artifacts that do not both fit are never both sealed. */
async function race(store: AsyncStore): Promise<void> {
    const [one, two] = [await store.create('t', ''), await store.create('t', '')];
    let refused = 0;
    for (const id of [one, two]) {
        try {
            await store.append(id, noise(60));
            await store.seal(id, 1);
        } catch (error) {
            same((error as { code?: unknown }).code, 'quota_exceeded', String(error));
            refused += 1;
        }
    }
    same(refused, 1, 'refused');
    same((await store.listArtifacts()).map(({ sizeBytes }) => sizeBytes), [60]);
}

/** A store in which everything expires immediately. */
async function expiry(store: AsyncStore): Promise<void> {
    const id = await put(store, 't', utf8('old'));
    const { expiry } = await thrown(() => store.stat(id), 'expired');
    same(expiry?.tool, 't', 'the tool that the error names');
    const late = Date.now() / 1000 - (expiry?.expiredAt ?? 0);
    ok(Math.abs(late) < 60, `expired ${late} s ago`);
    await fails(() => store.read(id, 0, 1), 'expired');
    same(await store.listArtifacts(), []);
    await store.delete(id);
    await fails(() => store.stat(id), 'not_found');
}

async function aging(empty: EmptyStore): Promise<void> {
    const start = Math.floor(Date.now() / 1000);
    let now = start;
    const store = await empty({ maxAgeSeconds: 10, quotaBytes: 100, clock: () => now * 1000 });
    const id = await put(store, 'sql "query"', noise(80));
    now += 9;
    same((await store.stat(id)).createdAt, start);
    now += 1;
    const told = { tool: 'sql "query"', expiredAt: start + 10 };
    same((await thrown(() => store.stat(id), 'expired')).expiry, told);
    same((await thrown(() => store.read(id, 0, 1), 'expired')).expiry, told);
    same(await store.listArtifacts(), []);
    // An expired artifact takes no space after a sweep, which some stores only make from time to time.
    now += 600;
    const next = await put(store, 't', noise(80));
    same(await ids(store), [next]);
    same((await thrown(() => store.stat(id), 'expired')).expiry, told);
    same((await thrown(() => store.read(id, 0, 1), 'expired')).expiry, told);
    now += 30 * 24 * 60 * 60;
    await fails(() => store.stat(next), 'expired');
}

async function backwards(empty: EmptyStore): Promise<void> {
    let now = Math.floor(Date.now() / 1000);
    const store = await empty({ maxAgeSeconds: 10, clock: () => now * 1000 });
    const id = await put(store, 't', noise(80));
    now -= 1_000_000;
    same((await store.stat(id)).id, id);
    same(await ids(store), [id]);
    const next = await put(store, 't', noise(80));
    same(await store.read(id, 0, 100), noise(80));
    // The older of the two by the clock was written last.
    same(await ids(store).then((all) => all.sort()), [id, next].sort());
}
