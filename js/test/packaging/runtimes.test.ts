/** The tarball in runtimes other than Node: workerd, Deno, Bun. */

import assert from 'node:assert/strict';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { type FreshFolder, install } from './fresh.js';
import { ANSWER, PRINT, WORKERD_TEST, agents, single } from './programs.js';

/** Bundles `main.js` as the tool of Cloudflare Workers does, and runs its test in workerd. Returns its output. */
async function inWorkerd(fresh: FreshFolder): Promise<string> {
    const options = ['--bundle', '--format=esm', '--conditions=workerd,worker,browser', '--loader:.wasm=copy'];
    await rm(join(fresh.path, 'worker'), { recursive: true, force: true });
    await fresh.tool('esbuild', 'main.js', ...options, '--outfile=worker/main.js', '--log-level=error');
    const modules = (await readdir(join(fresh.path, 'worker')))
        .sort((a, b) => Number(b === 'main.js') - Number(a === 'main.js'))
        .map((name) => `(name = "${name}", ${name.endsWith('.wasm') ? 'wasm' : 'esModule'} = embed "worker/${name}")`);
    await fresh.write({
        'config.capnp': `
            using Workerd = import "/workerd/workerd.capnp";
            const config :Workerd.Config = (services = [(name = "main", worker = .main)]);
            const main :Workerd.Worker = (modules = [${modules.join(', ')}], compatibilityDate = "2026-11-01");
        `,
    });
    return fresh.tool('workerd', 'test', 'config.capnp');
}

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
});
