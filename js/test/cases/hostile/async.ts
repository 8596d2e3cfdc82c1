/** `tuckaway/async` with stores and counters that answer late, incorrectly, or not at all. */

import {
    createTuckaway, MemoryStore, StoreError, type AsyncStore, type AsyncTuckaway, type AsyncTuckawayOptions,
} from 'tuckaway/async';

import { ok, same } from '../../support/expect.js';
import { BIG, Counting, refuses, refusesWith, storeWith, trapping, watchInstances, works, type Tests } from './support.js';

const METHODS = ['create', 'append', 'seal', 'stat', 'read', 'listArtifacts', 'delete'] as const;

function open(options: Partial<AsyncTuckawayOptions> = {}): Promise<AsyncTuckaway> {
    return createTuckaway({ contextWindow: 100_000, ...options });
}

function pause(milliseconds = 0): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

/** Returns a store that delays each answer by `delay` milliseconds. */
function delayed(store: AsyncStore, delay: () => number): AsyncStore {
    const slow = Object.fromEntries(METHODS.map((method) => [
        method,
        async (...args: never[]) => {
            await pause(delay());
            return (store[method] as (...args: never[]) => unknown)(...args);
        },
    ]));
    return slow as unknown as AsyncStore;
}

function contentOf(n: number): string {
    return `output ${n}\n`.repeat(20_000);
}

/** Stores an output and reads it back. */
async function roundTrip(tuckaway: AsyncTuckaway, n: number): Promise<void> {
    const { artifacts } = await tuckaway.process({ tool: `tool ${n}`, content: contentOf(n) });
    const [artifact] = artifacts;
    same(artifact?.tool, `tool ${n}`);
    const { text } = await tuckaway.read(artifact?.id ?? '', { lines: { start: 20_000 } });
    same(text, `output ${n}\n`);
}

export const tests: Tests = {
    'calls can overlap': async () => {
        let turn = 0;
        const store = new MemoryStore();
        const tuckaway = await open({
            store: delayed(store, () => (turn += 7) % 5),
            tokens: async (text) => {
                await pause(turn % 3);
                return Math.ceil(text.length / 4);
            },
        });
        await Promise.all(Array.from({ length: 30 }, (_, n) => roundTrip(tuckaway, n)));
        same(store.listArtifacts().map(({ tool }) => tool).sort(), Array.from({ length: 30 }, (_, n) => `tool ${n}`).sort());
    },

    'a pending call does not block others': async () => {
        const honest = storeWith({});
        let answer = () => {};
        const waits = new Promise<void>((resolve) => {
            answer = resolve;
        });
        const tuckaway = await open({
            store: {
                ...honest,
                append: async (id, bytes) => {
                    if (bytes[0] === 'w'.charCodeAt(0)) {
                        await waits;
                    }
                    return honest.append(id, bytes);
                },
            },
        });
        const waiting = tuckaway.process({ tool: 'waits', content: `w${BIG}` });
        await works(tuckaway);
        same((await tuckaway.listArtifacts()).map(({ tool }) => tool), ['sql']);
        answer();
        same((await waiting).artifacts[0]?.tool, 'waits');
    },

    'a trap ends only its own call': async () => {
        const inner = new MemoryStore();
        const read = inner.read.bind(inner);
        const store = delayed(inner, () => 1);
        const tuckaway = await open({ store, policy: { keepAll: true } });
        const id = (await tuckaway.process({ tool: 'sql', content: '{"a": 1}' })).artifacts[0]?.id ?? '';
        inner.read = (asked, ...where) => (asked === id ? trapping() : read(asked, ...where));
        const calls = Array.from({ length: 6 }, (_, n) => [
            roundTrip(tuckaway, n),
            refusesWith('limit', ['too deep'], () => tuckaway.jq(id, '.a')),
        ]);
        await Promise.all(calls.flat());
        inner.read = read;
        same((await tuckaway.jq(id, '.a')).text, '1\n');
        await works(tuckaway);
    },

    'an unsealed artifact is deleted when its call traps': async () => {
        const store = new Counting();
        const seen = watchInstances();
        const tuckaway = await open({
            store: {
                ...delayed(store, () => 0),
                append: async (id, bytes) => {
                    await pause();
                    store.append(id, bytes);
                    // The component returns to a corrupted stack.
                    for (const memory of seen.found) {
                        new Uint8Array(memory.buffer).fill(0xff);
                    }
                },
            },
        });
        try {
            await refuses('limit', () => tuckaway.process({ tool: 'sql', content: BIG }));
        } finally {
            seen.stop();
        }
        same([store.bytes > 0, [...store.unsealed]], [true, []]);
        same(await tuckaway.truncate('as it is', 512), 'as it is');
    },

    'after any rejection, the view is bounded and reports it': async () => {
        const thrown = [
            new StoreError('other', 'on fire'), new Error('on fire'), 'on fire', null, undefined, Object.create(null),
        ];
        for (const method of ['create', 'append', 'seal'] as const) {
            for (const reason of thrown) {
                const tuckaway = await open({ store: storeWith({ [method]: () => Promise.reject(reason) }) });
                const { text, decision } = await tuckaway.process({ tool: 'sql', content: BIG });
                same([decision.action, decision.failures.map(({ kind }) => kind)], ['truncate', ['store']], method);
                ok(text.length < BIG.length, `${method}: the view is as long as the output`);
                same(await tuckaway.listArtifacts(), [], `${method}: an unsealed artifact is left`);
            }
        }
    },

    'a rejection is the cause of the error': async () => {
        const reason = new Error('on fire');
        const tuckaway = await open({ store: storeWith({ stat: () => Promise.reject(reason) }) });
        const error = await refuses('store', () => tuckaway.read('art'));
        ok(error.cause === reason && error.message.includes('on fire'), error.message);
    },

    'a promise of undefined is as invalid as undefined': async () => {
        const store = storeWith(Object.fromEntries(METHODS.map((method) => [method, () => Promise.resolve()])));
        const tuckaway = await open({ store });
        same((await tuckaway.process({ tool: 'sql', content: BIG })).decision.action, 'truncate');
        await refusesWith('store', ['`stat` returned undefined'], () => tuckaway.read('art'));
        await refusesWith('store', ['`listArtifacts` returned undefined'], () => tuckaway.listArtifacts());
    },

    'a count that is invalid, late, or both': async () => {
        const output = { tool: 'sql', content: 'x'.repeat(5_000) };
        const turn = { contextWindow: 10_000, usedTokens: 6_000 };
        for (const [tokens, estimated] of [
            [() => Promise.resolve(700), false],
            [() => 700, false],
            [async () => pause(2).then(() => 700), false],
            [() => Promise.resolve(NaN), true],
            [() => Promise.resolve(undefined), true],
            [() => Promise.reject(new Error('no vocabulary')), true],
            [() => Promise.resolve('700'), true],
        ] as [() => Promise<number>, boolean][]) {
            const decision = await (await open({ tokens })).decide(output, turn);
            same([decision.tokensEstimated, decision.tokenCount], [estimated, estimated ? 1_250 : 700]);
        }
    },

    'any thenable is awaited': async () => {
        const honest = storeWith({});
        const listArtifacts = () =>
            ({ then: (resolve: (answer: unknown) => void) => setTimeout(() => resolve(honest.listArtifacts())) });
        const tuckaway = await open({ store: { ...honest, listArtifacts } as unknown as AsyncStore });
        await works(tuckaway);
        same((await tuckaway.listArtifacts()).length, 1);
    },

    'a store can call the tuckaway that calls it': async () => {
        const honest = storeWith({});
        const tuckaway = await open({
            store: {
                ...honest,
                append: async (id, bytes) => {
                    same((await tuckaway.inferShape('{}')).mediaType, 'application/json');
                    honest.append(id, bytes);
                },
            },
        });
        await works(tuckaway);
    },

    'an invalid argument rejects the promise and never throws': async () => {
        const tuckaway = await open();
        for (const call of [
            () => tuckaway.process(undefined as never), () => tuckaway.read(5 as never),
            () => tuckaway.truncate('x', 1.5), () => tuckaway.grep('art', '('), () => tuckaway.callTool('cat', {}),
            () => tuckaway.toolDefinitions('all' as never),
            () => tuckaway.decide({ tool: 'sql', content: 'x' }, {}, { keep_all: true } as never),
        ]) {
            const answer: Promise<unknown> = call();
            await refuses('invalid_input', () => answer);
        }
        await refuses('invalid_input', () => open({ policy: { mode: 'none' as never } }));
        await refusesWith('invalid_input', ['contextWindow is missing'], () => open({ contextWindow: undefined as never }));
    },

    'disposing lets pending calls complete': async () => {
        const tuckaway = await open({ store: delayed(new MemoryStore(), () => 1) });
        const pending = threeCalls(tuckaway);
        tuckaway[Symbol.dispose]();
        const views = await pending;
        same(views.map(({ decision }) => decision.action), ['artifact', 'artifact', 'artifact']);
        await refusesWith('invalid_input', ['disposed'], () => tuckaway.listArtifacts());
    },

    'an engine that cannot suspend is reported at once': async () => {
        const engine = WebAssembly as { Suspending?: unknown };
        const { Suspending } = engine;
        delete engine.Suspending;
        try {
            const said = ['JavaScript Promise Integration', 'Node', 'Chromium', 'Use createTuckaway from tuckaway'];
            await refusesWith('unsupported', said, () => open());
        } finally {
            engine.Suspending = Suspending;
        }
    },
};

function threeCalls(tuckaway: AsyncTuckaway) {
    return Promise.all([1, 2, 3].map((n) => tuckaway.process({ tool: 'sql', content: contentOf(n) })));
}
