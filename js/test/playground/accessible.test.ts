/** All pages according to axe-core, wide and light, narrow and dark; and the header, which is the same on all. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import axe from 'axe-core';
import type { Page } from 'playwright-core';

import { ask, startPlayground, textOf } from './support.js';

/** Each page with its name in the header, and a sentence that is there once its sample was processed. */
const PAGES = [
    ['index.html', 'Output', '#window-sentence'],
    ['conversation.html', 'Conversation', '#buckets-sum'],
    ['extraction.html', 'Extraction', '#answer-sum'],
] as const;

/** Returns the findings of axe-core, each with its elements. */
async function findings(page: Page): Promise<string[]> {
    // As code of the debugger: the policy of the page forbids scripts from elsewhere.
    await page.evaluate(axe.source);
    const { violations } = await page.evaluate(() => (globalThis as unknown as { axe: typeof axe }).axe.run());
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join(' ')}`);
}

test('the pages', async (t) => {
    const playground = await startPlayground(t);
    for (const [file, label, sentence] of PAGES) {
        const page = await playground.openPage(file);
        await textOf(page, sentence, /instead of/);
        for (const [width, colorScheme] of [[1440, 'light'], [390, 'dark']] as const) {
            await t.test(`axe-core finds nothing on ${file} at ${width} pixels, ${colorScheme}`, async () => {
                await page.setViewportSize({ width, height: 900 });
                await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
                assert.deepEqual(await findings(page), []);
                assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
            });
        }
        if (file === 'index.html') {
            await t.test('axe-core finds nothing in answers, code, a transcript and dialogs', async () => {
                await ask(page, 'grep', 'error');
                await page.click('#tab-mcp');
                assert.deepEqual(await findings(page), []);
                await page.click('#paste');
                const output = { type: 'tool_result', tool_use_id: 'a', content: 'one\ntwo' };
                await page.fill('#paste-text', JSON.stringify([{ role: 'user', content: [output] }]));
                assert.deepEqual(await findings(page), []);
                await page.click('#paste-dialog button.primary');
                await textOf(page, '#transcript-sum', /\d/);
                assert.deepEqual(await findings(page), []);
                await page.evaluate(() => document.querySelector<HTMLDialogElement>('#help')!.showModal());
                assert.deepEqual(await findings(page), []);
                await page.evaluate(() => document.querySelector<HTMLDialogElement>('#help')!.close());
            });
        }
        await t.test(`${file} has the header of all pages`, async () => {
            assert.deepEqual(await page.locator('header.top nav a').allTextContents(), PAGES.map(([, name]) => name));
            assert.deepEqual(await page.locator('header.top [aria-current=page]').allTextContents(), [label]);
            assert.ok(await page.isVisible('#copy-link'));
            assert.ok(await page.isVisible('#theme'));
        });
        await page.close();
    }
});
