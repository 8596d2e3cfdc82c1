/** The tarball in runtimes other than Node: workerd, Deno, Bun. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { install } from './fresh.js';
import { ANSWER, PRINT, STORES, WORKERD_TEST, agents, single } from './programs.js';
import { inWorkerd } from './runtimes.js';

test('runtimes', async (t) => {
    const fresh = await install(t);

    for (const entry of ['tuckaway', 'tuckaway/async']) {
        await t.test(`workerd, with imported modules: ${entry}`, async () => {
            await fresh.write({ 'main.js': single(entry, '', WORKERD_TEST) });
            assert.match(await inWorkerd(fresh), new RegExp(`^${ANSWER}$`, 'm'));
        });
    }

    await t.test('workerd refuses modules from bytes, and the error says what to do', async () => {
        const ending = 'export default { async test() { console.log(await run().catch(String)); } };';
        await fresh.write({ 'main.js': single('tuckaway/inline', '', ending) });
        assert.match(await inWorkerd(fresh), /could not be loaded: .*code generation disallowed.*condition workerd/);
    });

    for (const [runtime, args] of [['deno', ['run', '--allow-read']], ['bun', ['run']]] as const) {
        const programs = { tuckaway: single('tuckaway'), 'tuckaway/inline': single('tuckaway/inline'), 'agent loops': agents('tuckaway') };
        for (const [name, program] of Object.entries(programs)) {
            await t.test(`${runtime}: ${name}`, async () => {
                await fresh.write({ 'main.js': `${program}${PRINT}` });
                assert.equal((await fresh.tool(runtime, ...args, 'main.js')).trim(), ANSWER);
            });
        }
    }

    for (const [runtime, args] of [['deno', ['run', '--allow-read', '--allow-write']], ['bun', ['run']]] as const) {
        await t.test(`${runtime}: the contract of stores`, async () => {
            await fresh.write({ 'main.js': STORES });
            assert.match(await fresh.tool(runtime, ...args, 'main.js'), /^[1-9]\d* checks passed\n$/);
        });
    }
});
