/** The contract of a store that several processes, or several machines, have open at the same time. */

import type { AsyncStore } from '../ports.js';
import { ids, noise, put, utf8 } from './artifacts.js';
import { fails, ok, same, thrown } from './expect.js';
import type { StoreWithSessions } from './sessions.js';
import type { Opener, Tests } from './tests.js';

/** Returns the tests for a store that can be opened several times. `place` returns an opener of a new, empty place. */
export function sharingContract(place: () => Opener | Promise<Opener>): Tests {
    return {
        'an artifact sealed by one writer can be read by another': async () => sharing(await place()),
        'several writers can write at the same time': async () => writers(await place()),
        'writers share a quota': async () => quota(await place()),
        'an artifact removed by another writer is gone': async () => removal(await place()),
        'the oldest artifacts expire if there is not enough space for all': async () => shrinking(await place()),
    };
}

async function sharing(open: Opener): Promise<void> {
    const [one, two] = [await open(), await open()];
    const unsealed = await one.create('t', 'text/plain');
    await one.append(unsealed, utf8('half'));
    await fails(() => two.stat(unsealed), 'not_found');
    await fails(() => two.read(unsealed, 0, 1), 'not_found');
    same(await two.listArtifacts(), []);
    const sealed = await one.seal(unsealed, 1);
    same(await two.stat(unsealed), sealed);
    const id = await put(two, 'other', noise(3000));
    same(await ids(one), [unsealed, id]);
    same(await one.read(id, 0, 9999), noise(3000));
    same(await (await open()).listArtifacts(), await one.listArtifacts());
}

/** Several stores write, list and read at the same time: in the end everything is there, byte for byte. */
async function writers(open: Opener): Promise<void> {
    const [stores, each] = [await Promise.all(Array.from({ length: 4 }, () => open())), 8];
    const written = await Promise.all(stores.map(async (store, n) => {
        const mine: string[] = [];
        for (let round = 0; round < each; round++) {
            mine.push(await put(store, `t${n}`, noise(1000 * n + round)));
            for (const { sizeBytes, id, tool } of await store.listArtifacts()) {
                const bytes = await store.read(id, 0, 1e9);
                same(bytes, noise(sizeBytes), `what ${tool} wrote`);
            }
        }
        return mine;
    }));
    const all = await Promise.all(stores.map(ids));
    for (const listed of all) {
        same(listed, all[0]);
    }
    same([...all[0]!].sort(), written.flat().sort());
    for (const [n, mine] of written.entries()) {
        same(all[0]!.filter((id) => mine.includes(id)), mine, `the order of ${n}`);
    }
}

async function quota(open: Opener): Promise<void> {
    const [one, two] = [await open({ quotaBytes: 100 }), await open({ quotaBytes: 100 })];
    const [first, second] = [await one.create('t', ''), await two.create('t', '')];
    for (const [store, id] of [[one, first], [two, second]] as const) {
        try {
            await store.append(id, noise(60));
        } catch (error) {
            same((error as { code?: unknown }).code, 'quota_exceeded', String(error));
        }
    }
    for (const [store, id] of [[one, first], [two, second]] as const) {
        try {
            await store.seal(id, 1);
        } catch {
            // The artifact exceeds the quota, or an append has already failed.
        }
    }
    const sealed = await one.listArtifacts();
    ok(sealed.length <= 1, `${sealed.length} are sealed`);
    const third = await one.create('t', '');
    await one.append(third, noise(40));
    await one.seal(third, 1);
}

async function removal(open: Opener): Promise<void> {
    const [one, two] = [await open(), await open()];
    const kept = await put(one, 't', utf8('kept'));
    const id = await put(one, 't', utf8('gone'));
    same(await ids(two), [kept, id]);
    await two.delete(id);
    await fails(() => one.stat(id), 'not_found');
    await fails(() => one.delete(id), 'not_found');
    same(await ids(one), [kept]);
}

async function shrinking(open: Opener): Promise<void> {
    const store = await open();
    const written: string[] = [];
    for (let n = 0; n < 4; n++) {
        written.push(await put(store, `t${n}`, noise(40)));
    }
    const small = await open({ quotaBytes: 90 }) as AsyncStore & Partial<StoreWithSessions>;
    if (small.collectGarbage === undefined) {
        return;
    }
    same(await small.collectGarbage(), { expired: 2, abandoned: 0, forgotten: 0, freedBytes: 80 });
    same(await ids(await open()), written.slice(2));
    const { expiry } = await thrown(async () => (await open()).stat(written[1]!), 'expired');
    same(expiry?.tool, 't1', 'the tool that the error names');
    ok(Math.abs(Date.now() / 1000 - (expiry?.expiredAt ?? 0)) < 60, `expired at ${expiry?.expiredAt}`);
}
