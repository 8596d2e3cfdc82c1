// `npm run bench -- hostile`: measures the filters of the corpus that are meant to run forever, in this Node and, if
// it is installed, in Chromium. `--json` prints all of them as records. The times are wall-clock times: a busy machine
// shows more.

import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { createTuckaway } from 'tuckaway';

import { measure } from './hostile.mjs';

const CHROMIUM = process.env.TUCKAWAY_CHROMIUM ?? '/usr/bin/chromium';
const BUDGET_MS = 2000;
const SHOWN = 10;

const js = new URL('../', import.meta.url);
const cases = JSON.parse(readFileSync(new URL('../cases/query/jq-hostile.json', js), 'utf8'));

const measured = { [`Node ${process.versions.node}`]: await measure(createTuckaway, cases) };
if (existsSync(CHROMIUM)) {
    measured.Chromium = await inChromium();
} else {
    console.error(`${CHROMIUM} is missing (install it with "apt-get install chromium"); its figures are omitted.`);
}

if (process.argv.includes('--json')) {
    console.log(JSON.stringify(measured, null, 2));
} else {
    for (const [where, runs] of Object.entries(measured)) {
        runs.sort((a, b) => b.ms - a.ms);
        const limits = runs.filter(({ ended }) => ended === 'limit').length;
        console.log(`| ${where}: ${runs.length} filters, ${limits} end with a limit | ms | ends with |\n|---|---|---|`);
        for (const { filter, ms, ended } of runs.slice(0, SHOWN)) {
            const shown = filter.length > 140 ? `${filter.slice(0, 70)} … ${filter.slice(-70)}` : filter;
            console.log(`| \`${shown.replaceAll('|', '\\|')}\` | ${ms.toFixed(0)} | ${ended} |`);
        }
    }
}
for (const [where, runs] of Object.entries(measured)) {
    const missed = runs.filter(({ ms }) => ms > BUDGET_MS).length;
    if (missed > 0) {
        console.error(`${where}: ${missed} filters take more than ${BUDGET_MS} ms.`);
        process.exitCode = 1;
    }
}

/** Measures the filters in a page, which loads the package as a browser does. */
async function inChromium() {
    const { chromium } = await import('playwright-core');
    const types = { '.js': 'text/javascript', '.mjs': 'text/javascript', '.wasm': 'application/wasm' };
    const server = createServer((request, response) => {
        const path = new URL(request.url, 'http://localhost').pathname;
        const file = fileURLToPath(new URL(`.${path}`, js));
        if (path === '/') {
            response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>');
        } else if (existsSync(file)) {
            response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain' }).end(readFileSync(file));
        } else {
            response.writeHead(404).end();
        }
    });
    await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
    const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--headless=new', '--no-sandbox'] });
    try {
        const page = await browser.newPage();
        await page.goto(`http://127.0.0.1:${server.address().port}/`);
        return await page.evaluate(async (cases) => {
            const { createTuckaway } = await import('/dist/entry/browser.js');
            const { measure } = await import('/scripts/hostile.mjs');
            return measure(createTuckaway, cases);
        }, cases);
    } finally {
        await browser.close();
        server.close();
    }
}
