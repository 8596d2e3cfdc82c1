/** The tarball's entry point for asynchronous stores, in a Node that can suspend WebAssembly. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { install } from './fresh.js';
import { ANSWER, PRINT, agents } from './programs.js';

test('the tarball runs agent loops over tuckaway/async', async (t) => {
    const fresh = await install(t);
    await fresh.write({ 'agents.js': `${agents('tuckaway/async')}${PRINT}` });
    assert.equal((await fresh.run(process.execPath, 'agents.js')).trim(), ANSWER);
});
