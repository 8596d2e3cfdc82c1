/** The cases in Chromium. */

import { test } from 'node:test';

import { load, openPage, startBrowser } from '../support/browser.js';
import type { Report } from './corpus/corpus.js';
import { caseFiles, judge, ONLY } from './corpus/files.js';

test('the cases, in Chromium', async (t) => {
    const { site, browser } = await startBrowser(t);
    for (const [module, environment] of [['sync', 'page'], ['sync', 'worker'], ['async', 'page']] as const) {
        await t.test(`${module}, in a ${environment}`, async (t) => {
            const page = await openPage(site, browser);
            const loaded = await load(site, page, `cases/corpus/${module}.ts`, environment);
            judge(t, (await loaded.call('run', caseFiles(), ONLY)) as Report);
            await page.close();
        });
    }
});
