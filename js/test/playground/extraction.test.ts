/** The page of an extraction: its plan, its requests, its answer, with the scripted model. */

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { PATIENCE, drop, faintTexts, namelessControls, startPlayground, textOf } from './support.js';

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

    await t.test('a question is answered at once, at the cost that the plan expects', async () => {
        assert.match(await textOf(page, '#plan-sum', /./), /^read-grep: it takes \d+ chunks, more than 1/);
        assert.match(await textOf(page, '#answer', /STRATEGY/), /STRATEGY:read-grep:\n\n.*Kraków/);
        assert.equal(await page.locator('.request.is-answered').count(), 3);
        assert.match(await textOf(page, '#facts', /Used/), /^Read\d{2,3} B of 1 MB.*Used3 requests/s);
        assert.match(await textOf(page, '#answer-sum', /./), /^found, by read-grep: \d{3} tokens instead of 2\d\d,\d{3}\.$/);

        const cell = async (name: string): Promise<number> =>
            Number((await page.textContent(`[data-${name}]`))?.replaceAll(',', ''));
        assert.equal(await cell('likely=requests'), 3);
        const used = Number(/([\d,]+) tokens in/.exec((await page.textContent('#facts')) ?? '')?.[1]?.replaceAll(',', ''));
        const likely = await cell('likely=inputTokens');
        // The ids in the prompts differ from run to run.
        assert.ok(Math.abs(likely / used - 1) < 0.05, `${likely} expected, ${used} used`);
        assert.equal(await cell('most=requests'), 12);
        assert.ok((await cell('most=inputTokens')) > 10 * likely, 'the bound is beside it');
        assert.equal(await page.locator('button.primary').count(), 1);
    });

    await t.test('a changed question is planned, not run', async () => {
        await page.fill('#what', 'Which customers are in "Oslo"?');
        await page.press('#what', 'Tab');
        await idle(page);
        assert.equal(await page.locator('.request').count(), 0);
        assert.equal(await page.textContent('[data-likely=requests]'), '3');
        await run(page);
        assert.match(await textOf(page, '#answer', /STRATEGY/), /Oslo/);
    });

    await t.test('a link opens the same question', async () => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.selectOption('#bytes', '64000');
        await page.selectOption('#mode', 'full-chunked');
        await idle(page);
        assert.match(page.url(), /#sample=rows&size=64000&ask=Which.*Oslo.*&mode=full-chunked$/);
        await page.click('#copy-link');
        await textOf(page, '#copy-link', /^Copied$/);
        const link = await page.evaluate(() => navigator.clipboard.readText());
        const other = await playground.openPage(link.replace(/.*\//, ''));
        await textOf(other, '#answer', /STRATEGY:full-chunked:\n\n.*Oslo/);
        assert.equal(await other.textContent('#plan-bound'), 'At most, if nothing fails');
        await other.close();
        const nonsense = await playground.openPage('extraction.html#sample=none&size=-1&mode=other&window=many');
        await textOf(nonsense, '#answer', /STRATEGY:read-grep:\n\n.*Kraków/);
        await nonsense.close();
        await page.selectOption('#bytes', '1000000');
        await page.selectOption('#mode', 'auto');
    });

    await t.test('a file that is dropped anywhere is the output', async (t) => {
        const folder = await mkdtemp(join(tmpdir(), 'tuckaway-dropped-'));
        t.after(() => rm(folder, { recursive: true }));
        const file = join(folder, 'service.log');
        const lines = Array.from({ length: 40_000 }, (_, n) => `line ${n} ${n === 30_000 ? 'an error: the disk is full' : 'ok'}`);
        await writeFile(file, lines.join('\n'));
        await drop(page, file);
        await textOf(page, '#output-facts', /40,000 lines/);
        assert.equal(await page.inputValue('#sample'), 'file');
        await idle(page);
        await run(page);
        assert.match(await textOf(page, '#answer', /STRATEGY/), /the disk is full/);
        // Without quotation marks, the scripted model searches for the longest word.
        await page.fill('#what', 'Is the disk full?');
        await run(page);
        assert.match(await textOf(page, '#answer', /STRATEGY/), /the disk is full/);
        await page.click('#copy-link');
        await textOf(page, '#copy-link', /^Copied without the file$/);
        assert.doesNotMatch(page.url(), /service|sample/);
        await drop(page, join(folder, 'missing.log'));
        await textOf(page, '#problem', /could not be (found|read)/);
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
        await page.press('#what', 'Tab');
        assert.match(await textOf(page, '#problem', /./), /^extract is empty/);
        await page.selectOption('#sample', 'build');
        await page.fill('#context-tokens', '100');
        await page.press('#context-tokens', 'Tab');
        assert.match(await textOf(page, '#problem', /./), /^contextTokens is 100; it must be from 2048/);
        await page.fill('#context-tokens', '128000');
        await page.press('#context-tokens', 'Tab');
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
