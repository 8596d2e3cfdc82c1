/** Hostile input, in all environments: each answer is correct, or a helpful error. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { install } from '../packaging/fresh.js';
import { callIn, type Call, RUNTIMES } from '../packaging/runtimes.js';
import { load, openPage, runTests, startBrowser } from '../support/browser.js';
import { tests as counters } from './hostile/counters.js';
import { tests as inputs } from './hostile/inputs.js';
import { tests as limits } from './hostile/limits.js';
import { tests as stores } from './hostile/stores.js';
import { tests as strings } from './hostile/strings.js';

const MODULES = { counters, inputs, limits, stores, strings };

const ALL = [...Object.keys(MODULES), 'async'];

for (const [name, tests] of Object.entries(MODULES)) {
    test(`hostile ${name}, in Node`, async (t) => {
        for (const [title, run] of Object.entries(tests)) {
            await t.test(title, run);
        }
    });
}

test('in Chromium', async (t) => {
    const { site, browser } = await startBrowser(t);
    for (const name of ALL) {
        await t.test(`hostile ${name}`, async (t) => {
            const page = await openPage(site, browser);
            await runTests(t, await load(site, page, `cases/hostile/${name}.ts`, 'page'));
            await page.close();
        });
    }
});

test('in other runtimes', async (t) => {
    const fresh = await install(t);
    for (const runtime of Object.keys(RUNTIMES)) {
        for (const name of ALL) {
            await t.test(`hostile ${name}, in ${runtime}`, async (t) => {
                const answersTo = (calls: Call[]) => callIn(runtime, fresh, `cases/hostile/${name}.ts`, calls);
                const [names] = await answersTo([['testNames']]);
                if (names?.error !== undefined) {
                    throw new Error(names.error);
                }
                const titles = names?.value as string[];
                assert.notEqual(titles.length, 0);
                const answers = await answersTo(titles.map((title) => ['runTest', title]));
                for (const [index, title] of titles.entries()) {
                    await t.test(title, () => {
                        if (answers[index]?.error !== undefined) {
                            throw new Error(answers[index].error);
                        }
                    });
                }
            });
        }
    }
});
