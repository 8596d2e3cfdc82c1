import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MemoryStore, createTuckaway } from 'tuckaway';
import { sessionsContract, type EmptyStore } from 'tuckaway/store-contract';

import { fails } from '../support/expect.js';
import { contract, ids, noise, put } from './contract.js';

test('the contract', async (t) => {
    const empty: EmptyStore<MemoryStore> = (options) => new MemoryStore(options);
    for (const [name, check] of Object.entries({ ...contract(empty), ...sessionsContract(empty) })) {
        await t.test(name, check);
    }
});

test('a Buffer is copied like any bytes, and never returned', async () => {
    const store = new MemoryStore();
    const id = store.create('t', '');
    const buffer = Buffer.from('original');
    store.append(id, buffer);
    buffer.fill(0);
    store.seal(id, 1);
    const bytes = store.read(id, 0, 99);
    assert.equal(Object.getPrototypeOf(bytes), Uint8Array.prototype);
    assert.equal(new TextDecoder().decode(bytes), 'original');
});

test('an expired artifact is remembered for a while', async () => {
    let now = 1_700_000_000;
    const store = new MemoryStore({ maxAgeSeconds: 60, clock: () => now * 1000 });
    const id = await put(store, 't', noise(10));
    now += 59;
    const later = await put(store, 't', noise(10));
    now += 1;
    await fails(() => store.stat(id), 'expired');
    assert.deepEqual(await ids(store), [later]);
    now += 3 * 24 * 60 * 60;
    await fails(() => store.stat(id), 'not_found');
});

test('the default quota is 1 GiB', async () => {
    // Its pages are never written, so it takes no memory.
    const tooMuch = new Uint8Array(2 ** 30 + 1);
    for (const store of [new MemoryStore(), new MemoryStore({ quotaBytes: undefined, maxAgeSeconds: 60 })]) {
        await put(store, 't', noise(100));
        await fails(() => store.append(store.create('t', ''), tooMuch.subarray(0, 2 ** 30 - 99)), 'quota_exceeded');
        await fails(() => store.append(store.create('t', ''), tooMuch), 'quota_exceeded');
        assert.equal((await ids(store)).length, 1);
    }
    const store = new MemoryStore({ quotaBytes: 10_000 });
    const tuckaway = await createTuckaway({ store, contextWindow: 8000 });
    const content = 'words and more\n'.repeat(600);
    assert.equal(tuckaway.process({ tool: 't', content }).artifacts.length, 1);
    const { artifacts, decision } = tuckaway.process({ tool: 't', content });
    assert.deepEqual([artifacts, decision.action, decision.failures[0]?.kind], [[], 'truncate', 'store']);
    assert.match(decision.failures[0]!.message, /quota is used up .*; delete artifacts or raise the quota/);
    tuckaway.listArtifacts().forEach(({ id }) => store.delete(id));
    assert.equal(tuckaway.process({ tool: 't', content }).artifacts.length, 1);
});

test('an invalid option is reported', () => {
    for (const [options, message] of [
        [{ quotaBytes: -1 }, 'options.quotaBytes is -1; it must be a number of at least 0, or Infinity.'],
        [{ quotaBytes: Number.NaN }, 'options.quotaBytes is NaN; it must be a number of at least 0, or Infinity.'],
        [{ maxAgeSeconds: '60' }, 'options.maxAgeSeconds is "60"; it must be a number of at least 0, or Infinity.'],
        [{ clock: 0 }, 'options.clock is 0; it must be a function that returns milliseconds, such as Date.now.'],
        [{ quotaByte: 1 }, 'options has no member "quotaByte"; did you mean quotaBytes?'],
    ] as const) {
        const expected = { name: 'TuckawayError', kind: 'invalid_input', message };
        assert.throws(() => new MemoryStore(options as object), expected);
    }
});
