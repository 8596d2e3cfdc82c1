/** Tests of IndexedDbStore, which run in pages and workers. */

import { mint } from 'tuckaway';
import { sharingContract } from 'tuckaway/store-contract';

import { IndexedDbStore, createAsyncTuckaway } from '../support/browser-package.js';
import { fails, ok, same } from '../support/expect.js';
import { contract, ids, noise, put, utf8 } from './contract.js';

const DAY = 24 * 60 * 60;

export const tests = {
    ...contract((options) => IndexedDbStore.open(mint('store'), options)),
    ...sharingContract(() => {
        const name = mint('store');
        return (options) => IndexedDbStore.open(name, options);
    }),

    'stores are listed by name': async () => {
        const name = mint('store');
        await IndexedDbStore.open(name);
        ok((await IndexedDbStore.names()).includes(name), 'it is listed');
        await IndexedDbStore.remove(name);
        ok(!(await IndexedDbStore.names()).includes(name), 'it is not listed');
    },

    'sealed artifacts outlive the connection, and others are not visible': async () => {
        const name = mint('store');
        const store = await IndexedDbStore.open(name);
        const id = await put(store, 't', noise(5000));
        const unsealed = await store.create('t', '');
        await store.append(unsealed, utf8('half'));
        store.close();
        const message = await fails(() => store.stat(id), 'other');
        ok(message.startsWith('inspecting: '), message);
        const again = await IndexedDbStore.open(name);
        same(await ids(again), [id]);
        same(await again.read(id, 0, 9999), noise(5000));
        await fails(() => again.stat(unsealed), 'not_found');
    },

    'two connections share a store': async () => {
        const name = mint('store');
        const [one, two] = [await IndexedDbStore.open(name), await IndexedDbStore.open(name)];
        const writing = [one, two, one, two].map((store, n) => put(store, `t${n}`, noise(3000 + n)));
        const written = await Promise.all(writing);
        same((await ids(one)).sort(), [...written].sort());
        same(await one.listArtifacts(), await two.listArtifacts());
        for (const [n, id] of written.entries()) {
            same(await two.read(id, 0, 9999), noise(3000 + n));
        }
        await one.delete(written[0] as string);
        await fails(() => two.stat(written[0] as string), 'not_found');
    },

    'writers share a quota': async () => {
        const name = mint('store');
        const open = () => IndexedDbStore.open(name, { quotaBytes: 100 });
        const [one, two] = [await open(), await open()];
        const [first, second] = [await one.create('t', ''), await two.create('t', '')];
        await one.append(first, noise(60));
        await fails(() => two.append(second, noise(60)), 'quota_exceeded');
        await one.seal(first, 1);
        same(await ids(two), [first]);
    },

    'concurrent appends are atomic': async () => {
        const store = await IndexedDbStore.open(mint('store'));
        const id = await store.create('t', '');
        await Promise.all(Array.from({ length: 20 }, () => store.append(id, noise(100))));
        same((await store.seal(id, 1)).sizeBytes, 2000);
        same(await store.read(id, 1950, 100), noise(100).subarray(50));
    },

    'artifacts left behind by a closed tab are removed after a day': async () => {
        const name = mint('store');
        let now = Date.now() / 1000;
        const open = () => IndexedDbStore.open(name, { quotaBytes: 100, clock: () => now * 1000 });
        const store = await open();
        const left = await store.create('t', '');
        await store.append(left, noise(60));
        store.close();
        now += DAY - 60;
        const next = await (await open()).create('t', '');
        await fails(async () => (await open()).append(next, noise(60)), 'quota_exceeded');
        now += 120;
        const last = await open();
        await put(last, 't', noise(60));
        await fails(() => last.delete(left), 'not_found');
    },

    'an expired artifact is remembered for a while': async () => {
        let now = Date.now() / 1000;
        const name = mint('store');
        const open = (maxAgeSeconds: number) => IndexedDbStore.open(name, { maxAgeSeconds, clock: () => now * 1000 });
        const id = await put(await open(100), 't', noise(2500));
        now += 100;
        await (await open(100)).create('t', '');
        // A store without a maximum age sees the same.
        await fails(async () => (await open(Infinity)).stat(id), 'expired');
        now += 3 * DAY;
        await (await open(100)).create('t', '');
        await fails(async () => (await open(100)).stat(id), 'not_found');
    },

    'a removed store is empty': async () => {
        const name = mint('store');
        const store = await IndexedDbStore.open(name);
        await put(store, 't', utf8('x'));
        await IndexedDbStore.remove(name);
        await IndexedDbStore.remove(name);
        same(await (await IndexedDbStore.open(name)).listArtifacts(), []);
        await fails(() => store.listArtifacts(), 'other');
    },

    'tuckaway can store outputs in it and query them': async () => {
        const store = await IndexedDbStore.open(mint('store'));
        using tuckaway = await createAsyncTuckaway({ store, contextWindow: 8000 });
        const content = JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id, name: `row ${id}` })));
        const views = await Promise.all([1, 2, 3].map(() => tuckaway.process({ tool: 'sql', content })));
        for (const { artifacts: [artifact], decision } of views) {
            same([decision.action, decision.failures, artifact?.sizeBytes], ['artifact', [], content.length]);
            same((await tuckaway.jq(artifact!.id, '.[99999].name')).text, '"row 99999"\n');
        }
        same((await tuckaway.listArtifacts()).length, 3);
    },

    'an invalid name is reported': async () => {
        for (const name of ['', '../x', 'a b', 'x'.repeat(65), 7 as unknown as string]) {
            const error: unknown = await IndexedDbStore.open(name).catch((thrown: unknown) => thrown);
            same((error as { kind: string }).kind, 'invalid_input');
        }
    },
};

/** Writes one artifact. */
export async function write(name: string, bytes: number): Promise<string> {
    const store = await IndexedDbStore.open(name);
    return put(store, 't', noise(bytes));
}

/** Leaves an artifact unsealed. */
export async function leave(name: string): Promise<string> {
    const store = await IndexedDbStore.open(name);
    const id = await store.create('t', '');
    await store.append(id, noise(500));
    return id;
}

/** Checks that the store has exactly these artifacts, with these numbers of bytes. */
export async function check(name: string, expected: [id: string, bytes: number][]): Promise<void> {
    const store = await IndexedDbStore.open(name);
    same(await ids(store), expected.map(([id]) => id));
    for (const [id, bytes] of expected) {
        same(await store.read(id, 0, 1e9), noise(bytes));
    }
}

/** Writes until the browser grants no more space, then checks that the store still works. */
export async function fill(): Promise<void> {
    const store = await IndexedDbStore.open(mint('store'));
    const kept = await put(store, 't', noise(1000));
    const id = await store.create('t', '');
    const message = await fails(async () => {
        for (let n = 0; n < 100; n++) {
            await store.append(id, crypto.getRandomValues(new Uint8Array(65536)));
        }
    }, 'quota_exceeded');
    same(message, 'writing: the browser grants no more storage');
    await fails(() => store.append(id, utf8('x')), 'other');
    await store.delete(id);
    same(await ids(store), [kept]);
    same(await store.read(kept, 0, 2000), noise(1000));
}
