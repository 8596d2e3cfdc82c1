/** The tarball through bundlers, in a browser that allows nothing but 'wasm-unsafe-eval'. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';

import { nodeResolve } from '@rollup/plugin-node-resolve';
import { rollup } from 'rollup';
import webpack, { type Stats } from 'webpack';

import { type Browser, launch, packageRoot, serve } from '../support/browser.js';
import { install } from './fresh.js';
import { ANSWER, PRINT, agents, single } from './programs.js';

const CSP = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";

const HTML = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>';

/** Returns the programs that a page runs, with additional options. */
const programs = (options = '') => ({
    tuckaway: single('tuckaway', options),
    'agent loops over tuckaway/async': agents('tuckaway/async', options),
});

/** Returns the answer of the program on a page, or the browser's refusals. */
async function answerOf(browser: Browser, url: string): Promise<string> {
    const page = await browser.context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
    page.on('pageerror', (error) => refused.push(error.message));
    await page.goto(url);
    // Not `waitForFunction`: it polls with eval, which the page does not allow.
    const late = "new Promise((done) => setTimeout(done, 60_000, 'no answer in 60 s'))";
    const answer = await page.evaluate<string>(`Promise.race([globalThis.answer, ${late}])`);
    const text = [...refused, answer].join('\n');
    await page.close();
    return text;
}

async function answerOfFolder(test: TestContext, browser: Browser, folder: string): Promise<string> {
    const site = await serve({ roots: { '/': folder }, csp: CSP });
    test.after(() => site.close());
    return answerOf(browser, `${site.origin}/index.html`);
}

test('bundlers', async (t) => {
    const browser = await launch();
    t.after(() => browser.close());

    for (const [name, main] of Object.entries(programs())) {
        await t.test(`Vite, built: ${name}`, async (t) => {
            const fresh = await install(t);
            await fresh.write({ 'index.html': HTML, 'main.js': main });
            await fresh.tool('vite', 'build', '--logLevel', 'warn');
            assert.equal(await answerOfFolder(t, browser, join(fresh.path, 'dist')), ANSWER);
        });

        await t.test(`Vite, serving the sources: ${name}`, async (t) => {
            const fresh = await install(t);
            await fresh.write({ 'index.html': HTML, 'main.js': main });
            const args = ['--port', '0', '--host', '127.0.0.1', '--logLevel', 'info'];
            const server = spawn(join(packageRoot, 'node_modules/.bin/vite'), args, { cwd: fresh.path });
            t.after(() => server.kill());
            let printed = '';
            while (!/http:\/\/127\.0\.0\.1:\d+/.test(printed)) {
                printed += String((await once(server.stdout, 'data'))[0]).replaceAll(/\u001b\[\d+m/g, '');
            }
            const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? '';
            assert.equal(await answerOf(browser, url), ANSWER);
        });
    }

    for (const [name, main] of Object.entries(programs("wasm: '/core.wasm'"))) {
        await t.test(`esbuild, with the core module next to the bundle: ${name}`, async (t) => {
            const fresh = await install(t);
            await fresh.write({ 'site/index.html': HTML, 'main.js': main });
            await fresh.tool('esbuild', 'main.js', '--bundle', '--format=esm', '--outfile=site/main.js');
            await fresh.run('cp', 'node_modules/tuckaway/generated/core.wasm', 'site/core.wasm');
            assert.equal(await answerOfFolder(t, browser, join(fresh.path, 'site')), ANSWER);
        });
    }

    await t.test('webpack', async (t) => {
        const fresh = await install(t);
        await fresh.write({ 'site/index.html': HTML, 'main.js': single('tuckaway') });
        const output = { path: join(fresh.path, 'site'), filename: 'main.js' };
        const stats = await new Promise<Stats | undefined>((built, failed) => {
            const options = { mode: 'none', context: fresh.path, entry: './main.js', output } as const;
            webpack(options, (error, stats) => (error === null ? built(stats) : failed(error)));
        });
        assert.deepEqual(stats?.toJson().errors, []);
        assert.equal(await answerOfFolder(t, browser, output.path), ANSWER);
    });

    await t.test('Rollup, with the core module next to the bundle', async (t) => {
        const fresh = await install(t);
        await fresh.write({ 'site/index.html': HTML, 'main.js': single('tuckaway', "wasm: '/core.wasm'") });
        const bundle = await rollup({ input: join(fresh.path, 'main.js'), plugins: [nodeResolve({ browser: true })] });
        await bundle.write({ file: join(fresh.path, 'site/main.js') });
        await bundle.close();
        await fresh.run('cp', 'node_modules/tuckaway/generated/core.wasm', 'site/core.wasm');
        assert.equal(await answerOfFolder(t, browser, join(fresh.path, 'site')), ANSWER);
    });

    await t.test('esbuild, in a single file for browsers', async (t) => {
        const fresh = await install(t);
        await fresh.write({ 'site/index.html': HTML, 'main.js': single('tuckaway/inline') });
        await fresh.tool('esbuild', 'main.js', '--bundle', '--format=esm', '--minify', '--outfile=site/main.js');
        assert.equal(await answerOfFolder(t, browser, join(fresh.path, 'site')), ANSWER);
    });

    await t.test('esbuild, the store contract, for browsers', async (t) => {
        const fresh = await install(t);
        const main = `
            import { MemoryStore } from 'tuckaway';
            import { limitsContract, storeContract } from 'tuckaway/store-contract';
            const empty = (options) => new MemoryStore(options);
            const tests = Object.values({ ...storeContract(empty), ...limitsContract(empty) });
            const run = async () => { for (const test of tests) await test(); return 'kept ' + (tests.length > 15); };
            globalThis.answer = run().catch(String);
        `;
        await fresh.write({ 'site/index.html': HTML, 'main.js': main });
        await fresh.tool('esbuild', 'main.js', '--bundle', '--format=esm', '--outfile=site/main.js');
        const bundle = await readFile(join(fresh.path, 'site/main.js'), 'utf8');
        assert.doesNotMatch(bundle, /node:|aws-sdk|amazonaws/);
        assert.equal(await answerOfFolder(t, browser, join(fresh.path, 'site')), 'kept true');
    });

    await t.test('esbuild, no code of Node or of a provider in bundles for browsers', async (t) => {
        const fresh = await install(t);
        for (const entry of ['tuckaway', 'tuckaway/async']) {
            await fresh.write({ 'main.js': `export * from '${entry}';` });
            await fresh.tool('esbuild', 'main.js', '--bundle', '--format=esm', '--outfile=all.js');
            assert.doesNotMatch(await readFile(join(fresh.path, 'all.js'), 'utf8'), /node:|aws-sdk|amazonaws/);
        }
    });

    await t.test('esbuild, in a single file for Node', async (t) => {
        const fresh = await install(t);
        await fresh.write({ 'main.js': `${agents('tuckaway/inline')}${PRINT}` });
        await fresh.tool('esbuild', 'main.js', '--bundle', '--platform=node', '--format=cjs', '--outfile=single.cjs');
        assert.equal((await fresh.run('node', 'single.cjs')).trim(), ANSWER);
    });

    await t.test('esbuild, as CommonJS, which has no import.meta.url, says what to do', async (t) => {
        const fresh = await install(t);
        await fresh.write({ 'main.js': "import { createTuckaway } from 'tuckaway'; createTuckaway({ contextWindow: 8000 }).catch((error) => console.log(error.message));" });
        const options = ['--bundle', '--platform=node', '--format=cjs', '--outfile=bundle.cjs', '--log-level=error'];
        await fresh.tool('esbuild', 'main.js', ...options);
        assert.match(await fresh.run('node', 'bundle.cjs'), /could not be loaded: .*Pass it as the option `wasm`.*tuckaway\/inline/);
    });

    await t.test('a browser that does not allow WebAssembly says so', async (t) => {
        const fresh = await install(t);
        await fresh.write({ 'site/index.html': HTML, 'main.js': single('tuckaway/inline') });
        await fresh.tool('esbuild', 'main.js', '--bundle', '--format=esm', '--outfile=site/main.js');
        const site = await serve({ roots: { '/': join(fresh.path, 'site') }, csp: CSP.replace(" 'wasm-unsafe-eval'", '') });
        t.after(() => site.close());
        assert.match(await answerOf(browser, `${site.origin}/index.html`), /TuckawayError: The component's core module could not be loaded: .*unsafe-eval/);
    });
});
