import { test } from 'node:test';

import { load, openPage, runTests, serve, startBrowser } from '../support/browser.js';

const SUITE = 'stores/indexeddb-suite.ts';

test('IndexedDbStore in Chromium', async (t) => {
    const { site, browser } = await startBrowser(t);
    for (const environment of ['page', 'worker'] as const) {
        await t.test(`in a ${environment}`, async (t) => {
            await runTests(t, await load(site, await openPage(site, browser), SUITE, environment));
        });
    }

    await t.test('survives a reload, and can be used by several tabs', async () => {
        const [page, other] = [await openPage(site, browser), await openPage(site, browser)];
        const first = (await (await load(site, page, SUITE, 'page')).call('write', 'tabs', 4321)) as string;
        await (await load(site, page, SUITE, 'worker')).call('leave', 'tabs');
        await page.reload();
        const second = (await (await load(site, other, SUITE, 'worker')).call('write', 'tabs', 1234)) as string;
        const expected = [[first, 4321], [second, 1234]];
        await (await load(site, page, SUITE, 'page')).call('check', 'tabs', expected);
        await (await load(site, other, SUITE, 'worker')).call('check', 'tabs', expected);
    });

    await t.test('a full disk is quota_exceeded', async (t) => {
        // A separate origin: the browser caches for a while how much space there was.
        const small = await serve();
        t.after(() => small.close());
        const page = await openPage(small, browser);
        const devtools = await browser.context.newCDPSession(page);
        await devtools.send('Storage.overrideQuotaForOrigin', { origin: small.origin, quotaSize: 2_000_000 });
        await (await load(small, page, SUITE, 'page')).call('fill');
    });
});
