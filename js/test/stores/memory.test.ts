import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MemoryStore } from 'tuckaway';

import { fails } from '../support/expect.js';
import { contract, ids, noise, put } from './contract.js';

test('the contract', async (t) => {
    for (const [name, check] of Object.entries(contract((options) => new MemoryStore(options)))) {
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
    await fails(() => store.stat(id), 'not-found');
});

test('an invalid option is reported', () => {
    for (const [options, message] of [
        [{ quotaBytes: -1 }, 'options.quotaBytes is -1; it must be a number of at least 0, or Infinity.'],
        [{ quotaBytes: Number.NaN }, 'options.quotaBytes is NaN; it must be a number of at least 0, or Infinity.'],
        [{ maxAgeSeconds: '60' }, 'options.maxAgeSeconds is "60"; it must be a number of at least 0, or Infinity.'],
        [{ clock: 0 }, 'options.clock is 0; it must be a function that returns milliseconds, such as Date.now.'],
        [{ quotaByte: 1 }, 'options has no member "quotaByte"; did you mean quotaBytes?'],
    ] as const) {
        const expected = { name: 'TuckawayError', kind: 'invalid-input', message };
        assert.throws(() => new MemoryStore(options as object), expected);
    }
});
