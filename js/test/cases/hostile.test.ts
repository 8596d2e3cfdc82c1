/** Hostile input, in Node and in Chromium: each answer is correct, or a helpful error. */

import { test } from 'node:test';

import { load, openPage, runTests, startBrowser } from '../support/browser.js';
import { tests as counters } from './hostile/counters.js';
import { tests as inputs } from './hostile/inputs.js';
import { tests as limits } from './hostile/limits.js';
import { tests as stores } from './hostile/stores.js';
import { tests as strings } from './hostile/strings.js';

const MODULES = { counters, inputs, limits, stores, strings };

for (const [name, tests] of Object.entries(MODULES)) {
    test(`hostile ${name}, in Node`, async (t) => {
        for (const [title, run] of Object.entries(tests)) {
            await t.test(title, run);
        }
    });
}

test('in Chromium', async (t) => {
    const { site, browser } = await startBrowser(t);
    for (const name of [...Object.keys(MODULES), 'async']) {
        await t.test(`hostile ${name}`, async (t) => {
            const page = await openPage(site, browser);
            await runTests(t, await load(site, page, `cases/hostile/${name}.ts`, 'page'));
            await page.close();
        });
    }
});
