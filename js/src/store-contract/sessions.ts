/** The contract of a store with sessions. */

import type { AsyncStore } from '../ports.js';
import type { Garbage } from '../stores/sessions.js';
import { ids, noise, put, utf8 } from './artifacts.js';
import { fails, refuses, same } from './expect.js';
import type { EmptyStore, Tests } from './tests.js';

/** A store with sessions, whose methods may return promises. */
export interface StoreWithSessions extends AsyncStore {
    session(name: string): StoreWithSessions;
    sessions(): string[] | Promise<string[]>;
    removeSession(name: string): void | Promise<void>;
    collectGarbage(): Garbage | Promise<Garbage>;
}

/** Returns the tests for a store with sessions, which takes the options of {@link EmptyStore}. */
export function sessionsContract(empty: EmptyStore<StoreWithSessions>): Tests {
    return {
        'ids of another session are not found': async () => isolation(await empty()),
        'a session can be opened again': async () => reopening(await empty()),
        'sessions are listed once they hold something': async () => listing(await empty()),
        'removing a session removes all of it, and nothing else': async () => removal(await empty()),
        'names of sessions are checked': async () => names(await empty()),
        'limits apply to each session separately': async () => limits(await empty({ quotaBytes: 100 })),
        'garbage is collected in all sessions': async () => garbage(empty),
    };
}

async function isolation(store: StoreWithSessions): Promise<void> {
    const [a, b] = [store.session('a'), store.session('b')];
    const stores = [store, a, b, a.session('b')];
    const written: string[] = [];
    for (const [n, each] of stores.entries()) {
        written.push(await put(each, `t${n}`, noise(100 + n)));
    }
    for (const [n, each] of stores.entries()) {
        const others = written.filter((_, other) => other !== n);
        for (const id of [...others, ...['a', 'b'].flatMap((name) => others.map((id) => `sessions/${name}/${id}`))]) {
            await fails(() => each.stat(id), 'not_found');
            await fails(() => each.read(id, 0, 1), 'not_found');
            await fails(() => each.append(id, utf8('x')), 'not_found');
            await fails(() => each.seal(id, 1), 'not_found');
            await fails(() => each.delete(id), 'not_found');
        }
        same(await ids(each), [written[n]]);
        same(await each.read(written[n]!, 0, 1000), noise(100 + n));
    }
    const unsealed = await a.create('t', '');
    await fails(() => b.append(unsealed, utf8('x')), 'not_found');
    await fails(() => store.delete(unsealed), 'not_found');
    await a.seal(unsealed, 0);
}

async function reopening(store: StoreWithSessions): Promise<void> {
    const id = await put(store.session('again'), 't', noise(10));
    same(await ids(store.session('again')), [id]);
    same(await store.session('again').read(id, 0, 99), noise(10));
    await store.session('again').delete(id);
    await fails(() => store.session('again').stat(id), 'not_found');
}

async function listing(store: StoreWithSessions): Promise<void> {
    same(await store.sessions(), []);
    same(await store.session('empty').listArtifacts(), []);
    await put(store, 't', noise(10));
    same(await store.sessions(), []);
    const longest = 'x'.repeat(64);
    for (const name of ['b', '0_-', 'a', longest, 'aa']) {
        await put(store.session(name), 't', noise(10));
    }
    same(await store.sessions(), ['0_-', 'a', 'aa', 'b', longest]);
    await put(store.session('a').session('inner'), 't', noise(10));
    same(await store.session('a').sessions(), ['inner']);
    same(await store.session('b').sessions(), []);
}

async function removal(store: StoreWithSessions): Promise<void> {
    const [kept, neighbour] = [await put(store, 't', noise(10)), await put(store.session('ab'), 't', noise(10))];
    const session = store.session('a');
    const [gone, nested] = [await put(session, 't', noise(3000)), await put(session.session('inner'), 't', noise(10))];
    const unsealed = await session.create('t', '');
    await session.append(unsealed, noise(3000));
    await store.removeSession('a');
    await fails(() => store.removeSession('a'), 'not_found');
    await fails(() => store.removeSession('never'), 'not_found');
    await fails(() => session.stat(gone), 'not_found');
    await fails(() => store.session('a').read(gone, 0, 1), 'not_found');
    await fails(() => store.session('a').session('inner').stat(nested), 'not_found');
    await fails(() => session.seal(unsealed, 1), 'not_found', 'other');
    same([await session.listArtifacts(), await store.sessions()], [[], ['ab']]);
    same([await ids(store), await ids(store.session('ab'))], [[kept], [neighbour]]);
    const next = await put(session, 't', noise(20));
    same([await ids(store.session('a')), await store.sessions()], [[next], ['a', 'ab']]);
}

async function names(store: StoreWithSessions): Promise<void> {
    for (const name of ['', '.', '..', 'a/b', 'A', 'Session', 'a b', 'a.b', 'é', 'x'.repeat(65), 'a\n', undefined, 7]) {
        await refuses(() => store.session(name as string));
        await refuses(() => store.removeSession(name as string));
    }
}

async function limits(store: StoreWithSessions): Promise<void> {
    for (const each of [store, store.session('a'), store.session('b')]) {
        await put(each, 't', noise(80));
        const id = await each.create('t', '');
        await fails(() => each.append(id, noise(80)), 'quota_exceeded');
        await each.delete(id);
    }
}

async function garbage(empty: EmptyStore<StoreWithSessions>): Promise<void> {
    let now = Math.floor(Date.now() / 1000);
    const store = await empty({ maxAgeSeconds: 1000, clock: () => now * 1000 });
    const old = [await put(store, 't', noise(80)), await put(store.session('a'), 't', noise(90))] as const;
    same(await store.collectGarbage(), { expired: 0, abandoned: 0, forgotten: 0, freedBytes: 0 });
    now += 999;
    const kept = await put(store.session('a'), 't', noise(30));
    now += 1;
    same(await store.collectGarbage(), { expired: 2, abandoned: 0, forgotten: 0, freedBytes: 170 });
    same(await store.collectGarbage(), { expired: 0, abandoned: 0, forgotten: 0, freedBytes: 0 });
    await fails(() => store.stat(old[0]), 'expired');
    await fails(() => store.session('a').stat(old[1]), 'expired');
    same([await ids(store), await ids(store.session('a'))], [[], [kept]]);
}
