/** The deadline of `tuckaway/async`, where a store may never answer. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MemoryStore, createTuckaway } from 'tuckaway/async';

const LINES = 'one line of a log that never ends\n'.repeat(20_000);

/** Returns a store in memory with a method that stops answering once `isSilent` is set. */
function silent(method: 'create' | 'read') {
    const store = new MemoryStore();
    const answers = store[method].bind(store) as (...args: unknown[]) => unknown;
    const state = { isSilent: false };
    const mute = (...args: unknown[]) => (state.isSilent ? new Promise<never>(() => {}) : answers(...args));
    Object.assign(store, { [method]: mute });
    return { store, state };
}

test('a store that never answers ends a query', async () => {
    const { store, state } = silent('read');
    const patient = await createTuckaway({ store, contextWindow: 8000 });
    const { artifacts } = await patient.process({ tool: 'tool', content: LINES }, {}, { keepAll: true });
    const tuckaway = await createTuckaway({ store, contextWindow: 8000, deadlineMs: 2000 });
    state.isSilent = true;
    await assert.rejects(tuckaway.grep(artifacts[0]!.id, 'absent'), { kind: 'store', message: /did not answer in time/ });
    state.isSilent = false;
    assert.deepEqual((await tuckaway.grep(artifacts[0]!.id, 'absent')).matches, []);
});

test('a store that never answers leaves time for a view', async () => {
    const { store, state } = silent('create');
    const tuckaway = await createTuckaway({ store, contextWindow: 8000, deadlineMs: 2000 });
    state.isSilent = true;
    const view = await tuckaway.process({ tool: 'tool', content: LINES });
    assert.equal(view.artifacts.length, 0);
    assert.ok(view.text.startsWith('one line of a log'), view.text.slice(0, 200));
});
