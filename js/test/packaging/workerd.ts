/** Programs in workerd, the runtime of Cloudflare Workers. */

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import type { FreshFolder } from './fresh.js';

/** Bundles `main.js` as the tool of Cloudflare Workers does, and runs its test in workerd. Returns its output. */
export async function inWorkerd(fresh: FreshFolder): Promise<string> {
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
