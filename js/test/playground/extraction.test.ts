/** The page of an extraction: its plan, its requests, its answer, with the scripted model. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { PATIENCE, faintTexts, namelessControls, startPlayground, textOf } from './support.js';

/** Waits until the page has answered. */
async function idle(page: Page): Promise<void> {
    await page.waitForFunction(() => document.querySelector('main')?.ariaBusy === 'false', null, PATIENCE);
}

async function run(page: Page): Promise<void> {
    await page.click('#run');
    await textOf(page, '#answer-sum', /./);
    await idle(page);
}

test('the page of an extraction', async (t) => {
    const playground = await startPlayground(t);
    const page = await playground.openPage('extraction.html');
    await idle(page);

    await t.test('a plan is shown before any request', async () => {
        assert.match(await textOf(page, '#plan-sum', /./), /^read-grep: it takes \d+ chunks, more than 1/);
        assert.match(await textOf(page, '#plan', /Tokens in/), /12 at most/);
        assert.equal(await page.locator('.request').count(), 0);
    });

    await t.test('many lines are searched and read', async () => {
        await run(page);
        assert.match(await textOf(page, '#answer', /STRATEGY/), /STRATEGY:read-grep:\n\n.*Kraków/);
        assert.equal(await page.locator('.request.is-answered').count(), 3);
        assert.match(await textOf(page, '#facts', /Used/), /^Read\d{2,3} B of 1 MB.*Used3 requests/s);
    });

    await t.test('one long line is read in chunks, even if a field was changed just before', async () => {
        await page.selectOption('#sample', 'line');
        await idle(page);
        await page.fill('#context-tokens', '64000');
        await run(page);
        assert.match(await textOf(page, '#plan-sum', /full/), /^full-chunked: its lines have \d+ bytes in the mean/);
        assert.match(await textOf(page, '#facts', /Read/), /Read1 MB of 1 MB, (\d+) of \1 chunks/);
    });

    await t.test('a canceled run keeps its findings', async () => {
        await page.fill('#context-tokens', '16000');
        await page.click('#run');
        await page.waitForSelector('.request.is-answered');
        await page.click('#cancel');
        await idle(page);
        assert.match(await textOf(page, '#answer-sum', /./), /partial|failed/);
        assert.match((await page.textContent('#result')) ?? '', /canceled/);
    });

    await t.test('mistakes are explained', async () => {
        await page.fill('#what', '');
        await page.click('#given button[type=submit]');
        assert.match(await textOf(page, '#problem', /./), /^extract is empty/);
        await page.selectOption('#sample', 'build');
        await page.fill('#context-tokens', '100');
        await page.evaluate(() => document.querySelector<HTMLFormElement>('#given')!.noValidate = true);
        await page.click('#given button[type=submit]');
        assert.match(await textOf(page, '#problem', /./), /^contextTokens is 100; it must be from 2048/);
        await page.fill('#context-tokens', '128000');
        await page.click('#given button[type=submit]');
        await textOf(page, '#plan-sum', /read-grep/);
        assert.equal(await page.textContent('#problem'), '');
    });

    for (const colorScheme of ['light', 'dark'] as const) {
        await t.test(`meets the contrast of WCAG AA in ${colorScheme}`, async () => {
            await page.emulateMedia({ colorScheme });
            await run(page);
            assert.match(await textOf(page, '#answer', /E0308/), /\[line \d+\]|E0308/);
            await page.evaluate(async () => {
                await Promise.allSettled(document.getAnimations().map((transition) => transition.finished));
            });
            assert.deepEqual(await page.evaluate(faintTexts), []);
        });
    }

    await t.test('fits 390 pixels, and everything has a name', async () => {
        await page.setViewportSize({ width: 390, height: 800 });
        await page.selectOption('#api', 'anthropic');
        assert.ok(await page.isVisible('#key'));
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0);
        assert.deepEqual(await namelessControls(page), []);
    });
});
