/** The contract of `wit/store.wit`. */

import { isStoreError } from '../error.js';
import type { AsyncStore } from '../ports.js';
import { MemoryStore } from '../stores/memory.js';
import { ids, noise, put, utf8 } from './artifacts.js';
import { fails, ok, same, show } from './expect.js';
import type { Tests } from './tests.js';

/**
 * Returns the tests that every store must pass. `empty` creates an empty store. Each test throws an error that says
 * what is wrong; run each under its name with any test runner, or one after the other.
 */
export function storeContract(empty: () => AsyncStore | Promise<AsyncStore>): Tests {
    return {
        ...Object.fromEntries(Object.entries(CONTRACT).map(([name, check]) => [name, async () => check(await empty())])),
        'random calls return the same results as a memory store': async () => randomCalls(empty),
    };
}

const CONTRACT: Record<string, (store: AsyncStore) => Promise<void>> = {
    'written bytes can be read': async (store) => {
        const id = await store.create('sql_query', 'application/json');
        ok(/^[A-Za-z0-9_-]{1,64}$/.test(id), `the id ${id}`);
        await store.append(id, utf8('[1,'));
        await store.append(id, utf8(''));
        await store.append(id, utf8('2]\n'));
        const sealed = await store.seal(id, 1);
        const { createdAt } = sealed;
        same(sealed, { id, tool: 'sql_query', mediaType: 'application/json', sizeBytes: 6, lineCount: 1, createdAt });
        ok(Number.isSafeInteger(createdAt) && Math.abs(createdAt - Date.now() / 1000) < 60, `at ${createdAt}`);
        same(await store.stat(id), sealed);
        same(await store.listArtifacts(), [sealed]);
        same(await store.read(id, 0, 100), utf8('[1,2]\n'));
        same(await store.read(id, 1, 3), utf8('1,2'));
    },

    'an empty artifact is stored like any other': async (store) => {
        same(await store.listArtifacts(), []);
        const id = await store.create('', '');
        const sealed = await store.seal(id, 0);
        same([sealed.sizeBytes, sealed.lineCount, sealed.tool, sealed.mediaType], [0, 0, '', '']);
        same(await store.read(id, 0, 10), new Uint8Array(0));
        same(await ids(store), [id]);
    },

    'any bytes can be stored, in chunks of any size': async (store) => {
        const bytes = noise(100_003);
        const id = await put(store, 'binary', bytes);
        const read = new Uint8Array(bytes.length);
        let filled = 0;
        while (filled < bytes.length) {
            const chunk = await store.read(id, filled, 7001);
            ok(chunk.length > 0 && chunk.length <= 7001, `${chunk.length} bytes`);
            read.set(chunk, filled);
            filled += chunk.length;
        }
        same(read, bytes);
    },

    'callers may change arrays that they passed or received': async (store) => {
        const buffer = utf8('--kept--');
        const id = await store.create('t', 'text/plain');
        await store.append(id, buffer.subarray(2, 6));
        buffer.fill(0);
        const sealed = await store.seal(id, 1);
        sealed.tool = 'changed';
        (await store.stat(id)).tool = 'changed';
        for (const listed of await store.listArtifacts()) {
            listed.tool = 'changed';
        }
        (await store.read(id, 0, 4)).fill(0);
        same(await store.read(id, 0, 4), utf8('kept'));
        same([(await store.stat(id)).tool, (await store.listArtifacts())[0]?.tool], ['t', 't']);
    },

    'tool and media type can be any text': async (store) => {
        const long = 'long '.repeat(1000);
        const names = ['../../etc/passwd', 'a/b\\c', 'nul\0byte', '日本語 🦀', '"quoted"\n', '..', '\u2028\x7f', long];
        for (const name of names) {
            const id = await store.create(name, name);
            const sealed = await store.seal(id, 0);
            same([sealed.tool, sealed.mediaType], [name, name]);
            same(await store.stat(id), sealed);
        }
    },

    'reads end at the end of the artifact': async (store) => {
        const id = await put(store, 't', utf8('0123456789'));
        for (const [offset, length, expected] of [
            [8, 10, '89'],
            [10, 10, ''],
            [11, 1, ''],
            [2 ** 64, 2 ** 32 - 1, ''],
            [0, 0, ''],
            [5, 0, ''],
            [0, 2 ** 32 - 1, '0123456789'],
        ] as const) {
            same(await store.read(id, offset, length), utf8(expected), `${offset} ${length}`);
        }
    },

    'nothing is visible until it is sealed': async (store) => {
        const id = await store.create('t', 'text/plain');
        await store.append(id, utf8('half'));
        await fails(() => store.stat(id), 'not_found');
        await fails(() => store.read(id, 0, 10), 'not_found');
        same(await store.listArtifacts(), []);
        await store.seal(id, 1);
        same(await ids(store), [id]);
    },

    'a sealed artifact does not change, and an unknown one cannot be sealed': async (store) => {
        const id = await put(store, 't', utf8('as it was'));
        const before = await store.stat(id);
        await fails(() => store.append(id, utf8('more')), 'other');
        await fails(() => store.append(id, utf8('more')), 'other');
        await fails(() => store.seal(id, 7), 'other');
        same(await store.stat(id), before);
        same(await store.read(id, 0, 100), utf8('as it was'));
        await fails(() => store.append('art_t_0000000000', utf8('x')), 'not_found');
        await fails(() => store.seal('art_t_0000000000', 0), 'not_found');
    },

    'several artifacts can be written at the same time': async (store) => {
        const [one, two] = [await store.create('t', ''), await store.create('t', '')];
        for (let n = 0; n < 3; n++) {
            await store.append(one, utf8(`one ${n};`));
            await store.append(two, utf8(`two ${n};`));
        }
        await store.seal(two, 1);
        await store.seal(one, 1);
        same(await store.read(one, 0, 99), utf8('one 0;one 1;one 2;'));
        same(await store.read(two, 3, 9), utf8(' 0;two 1;'));
    },

    'a deleted artifact is gone': async (store) => {
        const kept = await put(store, 't', utf8('kept'));
        const id = await put(store, 't', utf8('gone'));
        await store.delete(id);
        await fails(() => store.delete(id), 'not_found');
        await fails(() => store.stat(id), 'not_found');
        await fails(() => store.read(id, 0, 1), 'not_found');
        const unsealed = await store.create('t', '');
        await store.append(unsealed, utf8('half'));
        await store.delete(unsealed);
        await fails(() => store.append(unsealed, utf8('half')), 'not_found');
        await fails(() => store.seal(unsealed, 0), 'not_found');
        await fails(() => store.delete(unsealed), 'not_found');
        same(await ids(store), [kept]);
    },

    'artifacts are listed oldest first, even within one second': async (store) => {
        const expected = [];
        for (let n = 0; n < 30; n++) {
            expected.push(await put(store, `tool${30 - n}`, utf8('x')));
        }
        same(await ids(store), expected);
    },

    'ids that are paths, empty or unknown are not found': async (store) => {
        const hostile = [
            '', '.', '..', '../x', '/etc/passwd', 'a/b', 'a\\b', 'nul\0', 'x.json', '.x.part', '日本語', 'a b', 'a\n',
            'C:x', 'a'.repeat(65), 'CON', '__proto__', 'constructor', 'art_t_0000000000', 'never',
        ];
        for (const id of hostile) {
            await fails(() => store.stat(id), 'not_found');
            await fails(() => store.read(id, 0, 1), 'not_found');
            await fails(() => store.append(id, utf8('x')), 'not_found');
            await fails(() => store.seal(id, 1), 'not_found');
            await fails(() => store.delete(id), 'not_found');
        }
        same(await store.listArtifacts(), []);
    },
};

/** Makes the same calls on a store and on a {@link MemoryStore}. */
async function randomCalls(empty: () => AsyncStore | Promise<AsyncStore>): Promise<void> {
    const [store, model] = [await empty(), new MemoryStore()];
    // The ids of the same artifact in the two stores.
    const pairs: [string, string][] = [['art_t_0000000000', 'art_t_0000000000']];
    let seed = 4711;
    const below = (bound: number) => (seed = (seed * 48271) % 0x7fffffff) % bound;
    for (let step = 0; step < 400; step++) {
        const pair = pairs[below(pairs.length)] as [string, string];
        const [bytes, offset, length, lines] = [noise(below(3) * below(900)), below(1200), below(1200), below(9)];
        const calls: ((store: AsyncStore, id: string) => unknown)[] = [
            (store) => store.create(`t${step}`, 'text/plain'),
            (store, id) => store.append(id, bytes),
            (store, id) => store.append(id, bytes),
            (store, id) => store.seal(id, lines),
            (store, id) => store.stat(id),
            (store, id) => store.read(id, offset, length),
            async (store) => [...(await store.listArtifacts())].sort((a, b) => (a.tool < b.tool ? -1 : 1)),
            (store, id) => store.delete(id),
        ];
        const kind = below(calls.length);
        const call = calls[kind]!;
        const found = await outcome(() => call(store, pair[0]));
        const expected = await outcome(() => call(model, pair[1]));
        if (kind === 0) {
            pairs.push([found as string, expected as string]);
        } else {
            const renamed = pairs.reduce((text, [ours, theirs]) => text.replaceAll(ours, theirs), show(found));
            same(renamed, show(expected), `step ${step}: ${call}`);
        }
    }
}

/** Returns the result of a call, or the code of the error that it throws. */
async function outcome(call: () => unknown): Promise<unknown> {
    try {
        return timeless(await call());
    } catch (error) {
        return { throws: isStoreError(error) ? error.code : String(error) };
    }
}

/** Returns a result without creation times. */
function timeless(result: unknown): unknown {
    if (Array.isArray(result)) {
        return result.map(timeless);
    }
    const isArtifact = typeof result === 'object' && result !== null && 'createdAt' in result;
    return isArtifact ? { ...result, createdAt: 0 } : result;
}
