/** As `hostile.test.ts`, for what suspends WebAssembly. */

import { test } from 'node:test';

import { tests } from './hostile/async.js';

test('hostile stores that answer later, in Node', async (t) => {
    for (const [title, run] of Object.entries(tests)) {
        await t.test(title, run);
    }
});
