/** Calls that trap or need much memory, and the calls after them. */

import { MemoryStore, type Tuckaway } from 'tuckaway';

import { ok, same } from '../../support/expect.js';
import {
    BIG, Counting, LINE, open, refuses, refusesWith, storeWith, watchInstances, works, trapping, type Tests,
} from './support.js';

/** Enough to make an instance grow beyond the size that is kept. */
const HUGE_BYTES = 300 * 2 ** 20;

/** Filters that recurse until the stack is exhausted. */
const TOO_DEEP = ['def f: [f]; f', 'def f: {a: f}; f', 'def f: f | .; f', 'def f: 1 + f; f'];

/** Returns the number of modules that are instantiated while an action runs. */
function instancesMadeBy(action: () => unknown): number {
    const seen = watchInstances();
    try {
        action();
    } finally {
        seen.stop();
    }
    return seen.made;
}

function smallCall(tuckaway: Tuckaway): () => void {
    return () => same(tuckaway.truncate('unchanged', 512), 'unchanged');
}

/** Fails unless an instance serves several calls, and is replaced after the action. */
async function replaces(tuckaway: Tuckaway, action: () => unknown): Promise<void> {
    same(instancesMadeBy(smallCall(tuckaway)), 0, 'a call on an idle instance');
    await action();
    ok(instancesMadeBy(smallCall(tuckaway)) > 0, 'the instance was not replaced');
    same(instancesMadeBy(smallCall(tuckaway)), 0, 'the new instance is not kept');
}

export const tests: Tests = {
    'a call that traps is a limit error, and its instance is replaced': async () => {
        const store = new MemoryStore();
        const tuckaway = await open({ store, policy: { keepAll: true } });
        const id = tuckaway.process({ tool: 'sql', content: '{"a": 1}' }).artifacts[0]?.id ?? '';
        const read = store.read.bind(store);
        store.read = trapping;
        await replaces(tuckaway, () => refusesWith('limit', ['too deep'], () => tuckaway.jq(id, '.a')));
        store.read = read;
        same(tuckaway.jq(id, '.a').text, '1\n');
        await works(tuckaway);
    },
    'an endless filter hits a limit, and later calls work': async () => {
        const store = new MemoryStore();
        const tuckaway = await open({ store, policy: { keepAll: true } });
        const id = tuckaway.process({ tool: 'sql', content: '{"a": 1}' }).artifacts[0]?.id ?? '';
        const before = store.listArtifacts();
        for (const filter of TOO_DEEP) {
            await refusesWith('limit', ['levels deep'], () => tuckaway.jq(id, filter));
            same(tuckaway.callTool('artifact_jq', { artifact_id: id, filter }).isError, true);
            same(tuckaway.jq(id, '.a').text, '1\n', `after ${filter}`);
        }
        same(store.listArtifacts(), before);
        await works(tuckaway);
    },

    '300 MB as bytes are stored completely, and their memory is released': async () => {
        const store = new Counting();
        const tuckaway = await open({ store });
        const content = new Uint8Array(HUGE_BYTES).fill(0x78);
        await replaces(tuckaway, () => {
            const { text, decision } = tuckaway.process({ tool: 'sql', content });
            same([decision.action, decision.sizeBytes, store.bytes], ['artifact', HUGE_BYTES, HUGE_BYTES]);
            ok(text.length < 4_096, `the view has ${text.length} characters`);
        });
    },

    '300 MB as a string are stored completely, and their memory is released': async () => {
        const store = new Counting();
        const tuckaway = await open({ store });
        const content = 'a line of an output\n'.repeat(HUGE_BYTES / 20);
        await replaces(tuckaway, () => {
            const { decision } = tuckaway.process({ tool: 'sql', content });
            same([decision.action, decision.lineCount, store.bytes], ['artifact', HUGE_BYTES / 20, HUGE_BYTES]);
        });
    },

    '300 MB are truncated': async () => {
        const tuckaway = await open();
        const text = 'a line of an output\n'.repeat(HUGE_BYTES / 20);
        await replaces(tuckaway, () => {
            const view = tuckaway.truncate(text, 1_000);
            ok(view.length <= 1_000 && view.startsWith('a line of'), `it has ${view.length} characters`);
        });
    },

    'more than a memory can hold is a limit error, and nothing is stored': async () => {
        const store = new Counting();
        const tuckaway = await open({ store });
        // The buffer is never written to, so it takes no physical memory.
        const content = new Uint8Array(2 ** 31);
        await refusesWith('limit', ['output.content', '2147483648', 'memory'], () =>
            tuckaway.process({ tool: 'sql', content }));
        same([store.bytes, [...store.unsealed]], [0, []]);
        smallCall(tuckaway)();
    },

    'an unsealed artifact is deleted when its call traps': async () => {
        const store = new Counting();
        const honest = store.append.bind(store);
        const memories = watchInstances();
        const tuckaway = await open({ store });
        const process = () => tuckaway.process({ tool: 'sql', content: BIG });
        let unsealed = 0;
        store.append = (id, bytes) => {
            honest(id, bytes);
            unsealed = store.unsealed.size;
            // The component returns to a corrupted stack.
            for (const memory of memories.found) {
                new Uint8Array(memory.buffer).fill(0xff);
            }
        };
        try {
            await refuses('limit', process);
        } finally {
            memories.stop();
        }
        same([unsealed, [...store.unsealed]], [1, []]);
        store.append = honest;
        store.bytes = 0;
        same(process().decision.action, 'artifact');
    },

    'calls of a disposed tuckaway fail with an error that says so': async () => {
        const store = storeWith({});
        const tuckaway = await open({ store });
        const id = tuckaway.process({ tool: 'sql', content: BIG }).artifacts[0]?.id ?? '';
        tuckaway[Symbol.dispose]();
        tuckaway[Symbol.dispose]();
        for (const call of [
            () => tuckaway.process({ tool: 'sql', content: 'x' }), () => tuckaway.decide({ tool: 'sql', content: 'x' }),
            () => tuckaway.processTurn([]), () => tuckaway.truncate('x', 512), () => tuckaway.inferShape('x'),
            () => tuckaway.read(id), () => tuckaway.grep(id, 'x'), () => tuckaway.jq(id, '.'), () => tuckaway.listArtifacts(),
            () => tuckaway.toolDefinitions(), () => tuckaway.callTool('artifact_read', { artifact_id: id }),
        ]) {
            await refusesWith('invalid_input', ['disposed'], call);
        }
        same(tuckaway.policy.enabled, true);
        same((await open({ store })).read(id, { lines: { start: 1, end: 1 } }).text, LINE, 'the store is the caller\'s');
    },

    'disposing within a call does not end it': async () => {
        const honest = storeWith({});
        const tuckaway = await open({
            store: {
                ...honest,
                append: (id, bytes) => {
                    tuckaway[Symbol.dispose]();
                    honest.append(id, bytes);
                },
            },
        });
        same(tuckaway.process({ tool: 'sql', content: BIG }).decision.action, 'artifact');
        await refusesWith('invalid_input', ['disposed'], () => tuckaway.listArtifacts());
    },
};
