/** Stores that fail, return nonsense, or lack methods. */

import { StoreError, type Store } from 'tuckaway';

import { ok, same } from '../../support/expect.js';
import { BIG, open, refuses, refusesWith, storeWith, works, type Tests } from './support.js';

const METHODS = ['create', 'append', 'seal', 'stat', 'read', 'listArtifacts', 'delete'] as const;
const READERS = ['stat', 'read', 'listArtifacts'] as const;
const WRITERS = ['create', 'append', 'seal'] as const;

/** Values that stores throw, and the parts of them that the component must report. */
const THROWN: [thrown: unknown, said: string][] = [
    [new StoreError('quota_exceeded'), 'quota'],
    [new StoreError('other', 'the disk is on fire'), 'the disk is on fire'],
    [new StoreError('no such code' as 'other', 'of another version'), 'of another version'],
    [new Error('ENOSPC'), 'ENOSPC'],
    [Object.assign(new Error(), { message: 5 }), '5'],
    ['a string', 'a string'],
    [null, 'null'],
    [undefined, 'undefined'],
    [Symbol('why'), 'why'],
    [Object.create(null), 'cannot be converted to text'],
];

/** Invalid values in place of bytes. */
const NO_BYTES = [
    [116, 101], new ArrayBuffer(4), new DataView(new ArrayBuffer(4)), new Uint16Array(4), 'text', 5, null, undefined, {},
    { [Symbol.toStringTag]: 'Uint8Array', length: 4 }, new Proxy(new Uint8Array(4), {}),
];

/** Invalid values in place of a number of an artifact. */
const NO_NUMBERS = [NaN, -1, 1.5, 2 ** 53, -Infinity, 5n, '5', null, undefined];

/** Makes a call that calls this method of the store. */
async function ask(store: Store, method: (typeof READERS)[number]): Promise<unknown> {
    const tuckaway = await open({ store });
    return method === 'listArtifacts' ? tuckaway.listArtifacts() : tuckaway.read(stored(store));
}

/** Stores an artifact. */
function stored(store: Store, content = 'one\ntwo\n'): string {
    const id = store.create('tool', 'text/plain');
    store.append(id, new TextEncoder().encode(content));
    store.seal(id, 2);
    return id;
}

export const tests: Tests = {
    'after any exception while an output is stored, the view is bounded and reports it': async () => {
        for (const method of WRITERS) {
            for (const [thrown, said] of THROWN) {
                const tuckaway = await open({
                    store: storeWith({
                        [method]: () => {
                            throw thrown;
                        },
                    }),
                });
                const { text, artifacts, decision } = tuckaway.process({ tool: 'sql', content: BIG });
                same([decision.action, artifacts], ['truncate', []], method);
                ok(text.length < BIG.length, `${method}: the view is as long as the output`);
                same(decision.failures.map(({ kind }) => kind), ['store'], method);
                ok(decision.failures[0]?.message.includes(said), `${said}: ${decision.failures[0]?.message}`);
                same(tuckaway.listArtifacts(), [], `${method}: an unsealed artifact is left`);
            }
        }
    },

    'any exception while an artifact is queried is the cause of the error': async () => {
        for (const method of READERS) {
            for (const [thrown, said] of THROWN) {
                const store = storeWith({
                    [method]: () => {
                        throw thrown;
                    },
                });
                const error = await refuses('store', () => ask(store, method));
                ok(error.message.includes(said), `${method}: ${error.message}`);
                ok(error.cause === thrown, `${method}: the cause is not what was thrown (${said})`);
            }
        }
    },

    'not_found and expired are distinguished': async () => {
        for (const code of ['not_found', 'expired'] as const) {
            const store = storeWith({
                stat: () => {
                    throw new StoreError(code);
                },
            });
            await refuses(code, () => ask(store, 'stat'));
        }
    },

    'the metadata of an expired artifact is checked': async () => {
        const expiries = [
            undefined, null, 7, 'x', {}, { tool: 'sql' }, { tool: 7, expiredAt: 1 }, { tool: 'sql', expiredAt: -1 },
            { tool: 'sql', expiredAt: 0.5 }, { tool: 'sql', expiredAt: NaN }, { tool: 'sql', expiredAt: '1' },
            { get tool(): string { throw new Error('hostile'); } }, { tool: '\ud83e\0"', expiredAt: 2 ** 53 - 1 },
        ];
        for (const expiry of expiries) {
            const store = storeWith({
                stat: () => {
                    throw Object.assign(new StoreError('expired'), { expiry });
                },
            });
            await refuses('expired', () => ask(store, 'stat'));
        }
    },

    'undefined from every method is a failure, not a trap': async () => {
        const nothing = () => undefined;
        const store = storeWith(Object.fromEntries(METHODS.map((method) => [method, nothing])));
        const tuckaway = await open({ store });
        const { decision } = tuckaway.process({ tool: 'sql', content: BIG });
        same(decision.action, 'truncate');
        ok(decision.failures[0]?.message.includes('`create` returned undefined'), decision.failures[0]?.message ?? 'none');
        for (const [method, call] of [
            ['listArtifacts', () => tuckaway.listArtifacts()],
            ['stat', () => tuckaway.read('art')],
            ['stat', () => tuckaway.grep('art', 'x')],
            ['stat', () => tuckaway.jq('art', '.')],
            ['stat', () => tuckaway.callTool('artifact_read', { artifact_id: 'art' })],
        ] as const) {
            await refusesWith('store', [`\`${method}\` returned undefined`], call);
        }
    },

    'the error for an unexpected promise names the method and the remedy': async () => {
        for (const method of METHODS) {
            for (const promise of [
                () => Promise.resolve(), () => Promise.reject(new Error('lost')), () => ({ then: () => {} }),
            ]) {
                const store = storeWith({ [method]: promise });
                const call = async () => {
                    if (method === 'stat' || method === 'read' || method === 'listArtifacts') {
                        return ask(store, method);
                    }
                    const broken = method === 'delete' ? { ...store, append: () => undefined, seal: fail } : store;
                    return (await open({ store: broken })).process({ tool: 'sql', content: BIG });
                };
                await refusesWith('invalid_input', [`\`${method}\``, 'promise', 'tuckaway/async'], call);
            }
        }
    },

    'an id with invalid characters is rejected': async () => {
        for (const id of ['', '../../etc/passwd', 'a b', 'é', 'a'.repeat(65), '\ud800', 5, null, {}, ['a']]) {
            const tuckaway = await open({ store: storeWith({ create: () => id, append: () => {} }) });
            const { decision } = tuckaway.process({ tool: 'sql', content: BIG });
            same([decision.action, decision.failures.length > 0], ['truncate', true], `id ${JSON.stringify(id)}`);
        }
    },

    'short reads are joined, and an early end is a failure': async () => {
        const content = Array.from({ length: 500 }, (_, n) => `line ${n}\n`).join('');
        const honest = storeWith({});
        const id = stored(honest, content);
        for (const length of [1, 2, 3, 7, 64]) {
            const read = (id: string, offset: number, wanted: number) =>
                honest.read(id, offset, Math.min(length, wanted));
            const store = { ...honest, read };
            const tuckaway = await open({ store });
            same(tuckaway.read(id, { maxBytes: 100_000 }).text, content, `${length} bytes at a time`);
            same(tuckaway.grep(id, 'line 499').matches[0]?.byteOffset, content.length - 9, `${length} bytes at a time`);
        }
        const ends = { ...honest, read: (id: string, offset: number) => honest.read(id, offset, 100 - offset) };
        const tuckaway = await open({ store: ends });
        await refusesWith('store', ['0 bytes', '100'], () => tuckaway.read(id));
        await refuses('store', () => tuckaway.grep(id, 'x'));
    },

    'a read that is too long is a failure': async () => {
        const honest = storeWith({});
        const more = (id: string, offset: number) => new Uint8Array(honest.read(id, offset, 1e9).length + 1);
        const store = { ...honest, read: more };
        await refuses('store', () => ask(store, 'read'));
        const endless = { ...honest, read: () => new Uint8Array(64 << 20) };
        await refuses('store', () => ask(endless, 'read'));
    },

    'a read must return bytes': async () => {
        for (const bytes of NO_BYTES) {
            await refusesWith('store', ['`read` returned', 'not a valid Uint8Array'], () =>
                ask(storeWith({ read: () => bytes }), 'read'));
        }
    },

    'bytes may be a view, shared, or of a subclass': async () => {
        const whole = new TextEncoder().encode('..one\ntwo\n..');
        // Only isolated pages have shared memory.
        const Shared = typeof SharedArrayBuffer === 'undefined' ? ArrayBuffer : SharedArrayBuffer;
        const shared = new Uint8Array(new Shared(8));
        shared.set(whole.subarray(2, 10));
        class Own extends Uint8Array {}
        for (const bytes of [whole.subarray(2, 10), shared, Own.from(whole.subarray(2, 10))]) {
            same(await ask(storeWith({ read: () => bytes }), 'read'), { text: 'one\ntwo\n' });
        }
    },

    'an invalid number of an artifact is named': async () => {
        for (const member of ['sizeBytes', 'lineCount', 'createdAt']) {
            for (const value of NO_NUMBERS) {
                const honest = storeWith({});
                const lie = (id: string) => ({ ...honest.stat(id), [member]: value });
                const listArtifacts = () => honest.listArtifacts().map((artifact) => ({ ...artifact, [member]: value }));
                const said = ['returned', typeof value === 'string' ? 'a string' : String(value), member];
                await refusesWith('store', ['`stat`', ...said], () =>
                    ask({ ...honest, stat: lie } as Store, 'stat'));
                stored(honest);
                await refusesWith('store', ['`listArtifacts`', ...said], () => ask({ ...honest, listArtifacts } as Store, 'listArtifacts'));
                const seal = (id: string, lines: number) => ({ ...honest.seal(id, lines), [member]: value });
                const tuckaway = await open({ store: { ...honest, seal } as Store });
                const { decision } = tuckaway.process({ tool: 'sql', content: BIG });
                same([decision.action, decision.failures[0]?.kind], ['truncate', 'store'], `${member} of ${String(value)}`);
            }
        }
    },

    'an invalid artifact is a failure': async () => {
        for (const artifact of [null, 5, 'art', [], {}, { id: 'art' }, () => {}]) {
            await refuses('store', () => ask(storeWith({ stat: () => artifact }), 'stat'));
            await refuses('store', () => ask(storeWith({ listArtifacts: () => [artifact] }), 'listArtifacts'));
        }
        for (const list of [null, 5, 'art', {}, new Set(), new Array(2)]) {
            await refuses('store', () => ask(storeWith({ listArtifacts: () => list }), 'listArtifacts'));
        }
    },

    'a missing method is named at once': async () => {
        for (const method of METHODS) {
            await refusesWith('invalid_input', [method], () => open({ store: storeWith({ [method]: undefined }) }));
        }
    },

    'a store that has recovered is used again': async () => {
        let broken = true;
        const honest = storeWith({});
        const tuckaway = await open({
            store: { ...honest, append: (id, bytes) => (broken ? fail() : honest.append(id, bytes)) },
        });
        same(tuckaway.process({ tool: 'sql', content: BIG }).decision.action, 'truncate');
        broken = false;
        await works(tuckaway);
    },
};

function fail(): never {
    throw new Error('no');
}
