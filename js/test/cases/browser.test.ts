/** The cases in Chromium. */

import { test } from 'node:test';

import { load, openPage, startBrowser } from '../support/browser.js';
import type { Report } from './corpus/corpus.js';
import { caseFiles, judge, ONLY } from './corpus/files.js';

test('the cases, in Chromium', async (t) => {
    const { site, browser } = await startBrowser(t);
    for (const [module, environment] of [['sync', 'page'], ['sync', 'worker'], ['async', 'page']] as const) {
        await t.test(`${module}, in a ${environment}`, async (t) => {
            const run = async (): Promise<Report> => {
                const page = await openPage(site, browser);
                const loaded = await load(site, page, `cases/corpus/${module}.ts`, environment);
                const report = (await loaded.call('run', caseFiles(), ONLY)) as Report;
                await page.close();
                return report;
            };
            judge(t, await run().catch((error: unknown) => {
                // A crash of Chromium says nothing about the cases, unless it happens again.
                if (!String(error).includes('Target crashed')) {
                    throw error;
                }
                t.diagnostic('the process of the page crashed; the cases run again in a new one');
                return run();
            }));
        });
    }
});
