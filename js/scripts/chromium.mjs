// Runs a measurement in Chromium, in a page that loads the package as a browser does.

import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const CHROMIUM = process.env.TUCKAWAY_CHROMIUM ?? '/usr/bin/chromium';
const TYPES = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
// A page that is isolated from other origins has a clock resolution of 5 µs instead of 100 µs.
const ISOLATED = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };
const js = new URL('../', import.meta.url);

/**
 * Returns the result of a module's `measure(createTuckaway, input)` in a page, or undefined if Chromium is missing,
 * which is reported on stderr. The module is a path in the package.
 */
export async function inChromium(module, input) {
    if (!existsSync(CHROMIUM)) {
        console.error(`${CHROMIUM} is missing (install it with "apt-get install chromium"); its figures are omitted.`);
        return undefined;
    }
    const { chromium } = await import('playwright-core');
    const server = createServer((request, response) => {
        const path = new URL(request.url, 'http://localhost').pathname;
        const file = fileURLToPath(new URL(`.${path}`, js));
        if (path === '/') {
            response.writeHead(200, { ...ISOLATED, 'content-type': 'text/html' }).end('<!doctype html>');
        } else if (existsSync(file)) {
            const type = TYPES[extname(file)] ?? 'text/plain';
            response.writeHead(200, { ...ISOLATED, 'content-type': type }).end(readFileSync(file));
        } else {
            response.writeHead(404).end();
        }
    });
    await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--headless=new', '--no-sandbox'] });
    try {
        const page = await browser.newPage();
        await page.goto(`http://127.0.0.1:${server.address().port}/`);
        return await page.evaluate(async ([module, input]) => {
            const { createTuckaway } = await import('/dist/entry/browser.js');
            const { measure } = await import(module);
            return measure(createTuckaway, input);
        }, [module, input]);
    } finally {
        await browser.close();
        server.close();
    }
}
