/** Calls that take longer than the caller allows. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MemoryStore, createTuckaway } from 'tuckaway';

/** A store each of whose reads takes some milliseconds. */
class SlowStore extends MemoryStore {
    milliseconds = 0;
    reads = 0;

    override read(id: string, offset: number, length: number): Uint8Array {
        this.reads += 1;
        const end = performance.now() + this.milliseconds;
        while (performance.now() < end);
        return super.read(id, offset, length);
    }
}

const LINES = 'one line of a log that never ends\n'.repeat(200_000);

test('a query that takes longer than the deadline is stopped, and the next call works', async () => {
    const store = new SlowStore();
    const patient = await createTuckaway({ store, contextWindow: 8000 });
    const { id } = patient.process({ tool: 'tool', content: LINES }, {}, { keepAll: true }).artifacts[0]!;
    const tuckaway = await createTuckaway({ store, contextWindow: 8000, deadlineMs: 2000 });
    store.milliseconds = 700;
    store.reads = 0;
    assert.throws(() => tuckaway.grep(id, 'absent'), {
        name: 'TuckawayError',
        kind: 'limit',
        message: 'This took longer than 2000 ms, the deadline for a call; narrow the query, or raise deadlineMs.',
        arguments: ['deadlineMs'],
    });
    assert.ok(store.reads <= 4, `${store.reads} reads of 700 ms within 2000 ms`);
    store.milliseconds = 0;
    assert.deepEqual(tuckaway.grep(id, 'absent').matches, []);
});

test('an output that cannot be stored in time is truncated, and leaves nothing behind', async () => {
    const store = new MemoryStore();
    const create = store.create.bind(store);
    store.create = (tool, mediaType) => {
        const end = performance.now() + 50;
        while (performance.now() < end);
        return create(tool, mediaType);
    };
    const tuckaway = await createTuckaway({ store, contextWindow: 8000, deadlineMs: 30 });
    const view = tuckaway.process({ tool: 'tool', content: LINES });
    assert.equal(view.artifacts.length, 0);
    assert.ok(view.text.startsWith('one line of a log'), view.text.slice(0, 200));
    assert.ok(view.text.length < 20_000);
    assert.deepEqual(store.listArtifacts(), []);
});

test('a deadline that is no time is refused', async () => {
    for (const deadlineMs of [0, -1, Number.NaN, '1s']) {
        const options = { contextWindow: 8000, deadlineMs: deadlineMs as number };
        await assert.rejects(createTuckaway(options), { kind: 'invalid_input', arguments: ['deadlineMs'] });
    }
    await createTuckaway({ contextWindow: 8000, deadlineMs: Infinity });
});
