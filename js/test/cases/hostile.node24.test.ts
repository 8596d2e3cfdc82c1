/** Like `hostile.test.ts`, for the entry point that suspends WebAssembly. */

import { test } from 'node:test';

import { tests } from './hostile/async.js';

test('hostile asynchronous stores, in Node', async (t) => {
    for (const [title, run] of Object.entries(tests)) {
        await t.test(title, run);
    }
});
