/** Memory after calls of `tuckaway/async` that trapped. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MemoryStore, createTuckaway } from 'tuckaway/async';

test('the memory of calls that trapped is released while others follow', async () => {
    const store = new MemoryStore();
    const tuckaway = await createTuckaway({ store, contextWindow: 8000 });
    const { artifacts } = await tuckaway.process({ tool: 'tool', content: '{}' }, {}, { keepAll: true });
    store.read = () => Object.defineProperty(new Uint8Array(1), 'byteLength', { get: () => assert.fail('no length') });
    let tasks = 0;
    const counting = setInterval(() => (tasks += 1));
    for (let calls = 0; calls < 20; calls++) {
        await assert.rejects(tuckaway.jq(artifacts[0]!.id, '.'), { kind: 'limit', message: /trapped/ });
    }
    clearInterval(counting);
    // Without a task between them, the engine would keep the suspended stack and the memory of every call.
    assert.ok(tasks >= 10, `${tasks} tasks ran between 20 calls`);
});
