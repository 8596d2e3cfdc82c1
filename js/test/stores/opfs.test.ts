import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';
import { test } from 'node:test';

import { load, openPage, runTests, serve, startBrowser } from '../support/browser.js';

const SUITE = 'stores/opfs-suite.ts';

test('OpfsStore in Chromium', async (t) => {
    const { site, browser } = await startBrowser(t);
    const inWorker = async () => load(site, await openPage(site, browser), SUITE, 'worker');

    await t.test('in a worker', async (t) => runTests(t, await inWorker()));

    await t.test('in a page, the error says where the store works', async () => {
        const module = await load(site, await openPage(site, browser), SUITE, 'page');
        assert.deepEqual(await module.call('openingThrows'), {
            name: 'TuckawayError',
            kind: 'unsupported',
            message: 'OpfsStore works only in a dedicated worker; run tuckaway in one, or use IndexedDbStore with '
                + 'tuckaway/async.',
        });
    });

    await t.test('only one of two tabs can have the store; the other one can when the first is closed', async () => {
        const [first, second] = [await openPage(site, browser), await openPage(site, browser)];
        await (await load(site, first, SUITE, 'worker')).call('open', 'tabs');
        const other = await load(site, second, SUITE, 'worker');
        await assert.rejects(other.call('open', 'tabs', 0.2), /the store "tabs" is open elsewhere/);
        await first.close();
        await other.call('open', 'tabs');
        assert.deepEqual(await other.call('listed', 'tabs'), []);
    });

    await t.test('a page that ends during writing loses nothing that was sealed', async () => {
        for (const [round, end] of (['reload', 'crash', 'reload', 'crash', 'close'] as const).entries()) {
            const name = `ended-${round}`;
            const page = await openPage(site, browser);
            const steps: { sealed?: string; deleting?: string }[] = [];
            await page.exposeFunction('step', (step: object) => steps.push(step));
            await page.evaluate(() => {
                const channel = new BroadcastChannel('steps');
                const { step } = globalThis as unknown as { step(step: unknown): Promise<void> };
                channel.onmessage = async ({ data }) => {
                    await step(data);
                    channel.postMessage('received');
                };
            });
            const writing = (await load(site, page, SUITE, 'worker')).call('writeOn', name);
            writing.catch(() => {});
            while (steps.length < 25 + 7 * round) {
                await pause(5);
            }
            const devtools = await browser.context.newCDPSession(page);
            if (end === 'crash') {
                devtools.send('Page.crash').catch(() => {});
                await new Promise((crashed) => page.once('crash', crashed));
            } else if (end === 'close') {
                await page.close();
            } else {
                await page.reload();
            }
            // Everything that was reported to the page before it ended is durable; any part of the rest may be.
            const reported = [...steps];
            const after = await inWorker();
            await after.call('open', name);
            const listed = (await after.call('listed', name)) as string[];
            const deleting = new Set(reported.map((step) => step.deleting));
            for (const { sealed } of reported) {
                const isLost = sealed !== undefined && !deleting.has(sealed) && !listed.includes(sealed);
                assert.ok(!isLost, `${end} lost ${sealed}`);
            }
            assert.ok(listed.length >= 8 && listed.length <= 10, `${listed.length} are left`);
        }
    });

    await t.test('a full disk is quota_exceeded', async (t) => {
        const small = await serve();
        t.after(() => small.close());
        const page = await openPage(small, browser);
        const devtools = await browser.context.newCDPSession(page);
        await devtools.send('Storage.overrideQuotaForOrigin', { origin: small.origin, quotaSize: 2_000_000 });
        await (await load(small, page, SUITE, 'worker')).call('fill');
    });
});
