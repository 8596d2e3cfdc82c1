/** Runtimes other than Node and browsers, with the package that users install. */

import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { type Answer, bundle, functionsOf } from '../support/bundle.js';
import { packageRoot } from '../support/browser.js';
import type { FreshFolder } from './fresh.js';

/** A runtime, and how it runs a program that defines the function `print`. */
interface Runtime {
    /** The end of the program. */
    ending: string;
    /** Runs `main.js` in a folder. Returns its output. */
    run(fresh: FreshFolder): Promise<string>;
}

export const RUNTIMES: Record<string, Runtime> = {
    Deno: { ending: 'await print();', run: (fresh) => fresh.tool('deno', 'run', '--allow-read', 'main.js') },
    Bun: { ending: 'await print();', run: (fresh) => fresh.tool('bun', 'run', 'main.js') },
    workerd: { ending: 'export default { test: print };', run: inWorkerd },
};

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

/** A call of a function that a module exports, whose arguments and result are JSON. */
export type Call = [name: string, ...args: unknown[]];

/** Precedes an answer in the output of a runtime, which may print lines of its own. */
const MARK = 'answer: ';

/** Bundles the module `js/test/<file>`, and makes calls in one process of a runtime. Returns the answer of each. */
export async function callIn(runtime: string, fresh: FreshFolder, file: string, calls: Call[]): Promise<Answer[]> {
    const { ending, run } = RUNTIMES[runtime] as Runtime;
    const module = await bundle(functionsOf(join(packageRoot, 'test', file)), { external: ['tuckaway', 'tuckaway/*'] });
    // The calls are a text, so that their JSON is parsed in the runtime.
    const program = `
        import { call } from './module.js';
        import calls from './calls.js';
        const print = async () => {
            for (const [name, ...args] of JSON.parse(calls)) {
                console.log('${MARK}' + JSON.stringify(await call(name, args)));
            }
        };
        ${ending}
    `;
    const text = JSON.stringify(JSON.stringify(calls));
    await fresh.write({ 'module.js': module, 'calls.js': `export default ${text};`, 'main.js': program });
    const printed = await run(fresh);
    const answers = printed.split('\n').filter((line) => line.startsWith(MARK)).map((line) => line.slice(MARK.length));
    if (answers.length !== calls.length) {
        throw new Error(`${runtime} gave ${answers.length} answers to ${calls.length} calls:\n${printed}`);
    }
    return answers.map((answer) => JSON.parse(answer) as Answer);
}
