/** The tarball through bundlers, to a browser that allows nothing but 'wasm-unsafe-eval'. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';

import { type Browser, launch, packageRoot, serve } from '../support/browser.js';
import { install, pack } from './fresh.js';

const CSP = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; img-src data:";

const HTML = '<!doctype html><link rel="icon" href="data:,"><script type="module" src="/main.js"></script>';

/** Puts an output away, asks it, and leaves the answer where the test finds it. */
const program = (entry: string, options = '') => `
    import { createTuckaway } from '${entry}';
    const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: 'row ' + id }));
    const run = async () => {
        const tuckaway = await createTuckaway({ contextWindow: 8000, ${options} });
        const view = tuckaway.process({ tool: 'sql', content: JSON.stringify(rows) });
        const { text } = tuckaway.jq(view.artifacts[0].id, '.[19999].name', { raw: true });
        return view.decision.action + ': ' + text.trim();
    };
    run().then((answer) => { globalThis.answer = answer; }, (error) => { globalThis.answer = String(error); });
`;

const ANSWER = 'artifact: row 19999';

/** What the program on a page came to; what the browser refused goes before it. */
async function answerOf(browser: Browser, url: string): Promise<string> {
    const page = await browser.context.newPage();
    const refused: string[] = [];
    page.on('console', (message) => message.type() === 'error' && refused.push(message.text()));
    page.on('pageerror', (error) => refused.push(error.message));
    await page.goto(url);
    const answer = await page.waitForFunction('globalThis.answer', undefined, { timeout: 60_000 });
    const text = [...refused, await answer.jsonValue()].join('\n');
    await page.close();
    return text;
}

async function answerOfFolder(test: TestContext, browser: Browser, folder: string): Promise<string> {
    const site = await serve({ roots: { '/': folder }, csp: CSP });
    test.after(() => site.close());
    return answerOf(browser, `${site.origin}/index.html`);
}

test('bundlers', async (t) => {
    const { tarball } = await pack(t);
    const browser = await launch();
    t.after(() => browser.close());

    await t.test('Vite, built', async (t) => {
        const fresh = await install(t, tarball);
        await fresh.write({ 'index.html': HTML, 'main.js': program('tuckaway') });
        await fresh.tool('vite', 'build', '--logLevel', 'warn');
        assert.equal(await answerOfFolder(t, browser, join(fresh.path, 'dist')), ANSWER);
    });

    await t.test('Vite, serving the sources', async (t) => {
        const fresh = await install(t, tarball);
        await fresh.write({ 'index.html': HTML, 'main.js': program('tuckaway') });
        const server = spawn(join(packageRoot, 'node_modules/.bin/vite'), ['--port', '0', '--host', '127.0.0.1', '--logLevel', 'info'], { cwd: fresh.path });
        t.after(() => server.kill());
        let printed = '';
        while (!/http:\/\/127\.0\.0\.1:\d+/.test(printed)) {
            printed += String((await once(server.stdout, 'data'))[0]).replaceAll(/\u001b\[\d+m/g, '');
        }
        const url = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? '';
        assert.equal(await answerOf(browser, url), ANSWER);
    });

    await t.test('esbuild, with the core module beside the bundle', async (t) => {
        const fresh = await install(t, tarball);
        await fresh.write({ 'site/index.html': HTML, 'main.js': program('tuckaway', "wasm: '/core.wasm'") });
        await fresh.tool('esbuild', 'main.js', '--bundle', '--format=esm', '--outfile=site/main.js', '--log-level=error');
        await fresh.run('cp', 'node_modules/tuckaway/generated/core.wasm', 'site/core.wasm');
        assert.equal(await answerOfFolder(t, browser, join(fresh.path, 'site')), ANSWER);
    });

    await t.test('esbuild, in a single file for browsers', async (t) => {
        const fresh = await install(t, tarball);
        await fresh.write({ 'site/index.html': HTML, 'main.js': program('tuckaway/inline') });
        await fresh.tool('esbuild', 'main.js', '--bundle', '--format=esm', '--minify', '--outfile=site/main.js');
        assert.equal(await answerOfFolder(t, browser, join(fresh.path, 'site')), ANSWER);
    });

    await t.test('esbuild, in a single file for Node', async (t) => {
        const fresh = await install(t, tarball);
        const main = `${program('tuckaway/inline')}; setInterval(() => globalThis.answer && (console.log(globalThis.answer), process.exit()), 10);`;
        await fresh.write({ 'main.js': main });
        await fresh.tool('esbuild', 'main.js', '--bundle', '--platform=node', '--format=cjs', '--outfile=single.cjs');
        assert.equal((await fresh.run('node', 'single.cjs')).trim(), ANSWER);
    });

    await t.test('a browser that may not compile WebAssembly says so', async (t) => {
        const fresh = await install(t, tarball);
        await fresh.write({ 'site/index.html': HTML, 'main.js': program('tuckaway/inline') });
        await fresh.tool('esbuild', 'main.js', '--bundle', '--format=esm', '--outfile=site/main.js');
        const site = await serve({ roots: { '/': join(fresh.path, 'site') }, csp: CSP.replace(" 'wasm-unsafe-eval'", '') });
        t.after(() => site.close());
        assert.match(await answerOf(browser, `${site.origin}/index.html`), /TuckawayError: The component's core module could not be loaded: .*unsafe-eval/);
    });
});
