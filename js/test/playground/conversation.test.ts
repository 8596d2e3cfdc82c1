/** The page of a conversation: its buckets, its plan, the messages before and after. */

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

/** Shows a conversation in a window. */
async function show(page: Page, conversation: unknown, tokens: { window: number; outputs?: number }): Promise<void> {
    await page.fill('#window-tokens', String(tokens.window));
    await page.fill('#cache-tokens', tokens.outputs === undefined ? '' : String(tokens.outputs));
    await page.fill('#history', typeof conversation === 'string' ? conversation : JSON.stringify(conversation));
    await page.click('#plan');
    await idle(page);
}

/** Returns the number in an element that matches a pattern with one group. */
async function numberIn(page: Page, selector: string, pattern: RegExp): Promise<number> {
    return Number(pattern.exec(await textOf(page, selector, pattern))?.[1]?.replaceAll(',', ''));
}

const fates = (page: Page, id: string): Promise<(string | undefined)[]> =>
    page.$$eval(`#${id} .message`, (all) => all.map((each) => (each as HTMLElement).dataset.fate));

test('the page of a conversation', async (t) => {
    const playground = await startPlayground(t);
    const page = await playground.openPage('conversation.html');
    await idle(page);

    await t.test('a sample is planned at once, and all sums agree', async () => {
        assert.match(await textOf(page, '#steps-sum', /./), /^Read as anthropic; 2 steps\.$/);
        assert.equal(await page.locator('#buckets .bar').count(), 6);
        const [after, before] = [
            await numberIn(page, '#buckets-sum', /^([\d,]+) tokens instead/),
            await numberIn(page, '#buckets-sum', /instead of ([\d,]+), in a window of 10,000\.$/),
        ];
        // The two newest turns and the summary stay.
        assert.ok(after < 8_000 && after > 1_000 && before > 20_000, `${before} → ${after}`);
        assert.equal(await numberIn(page, '#before-sum', /^25 messages, ([\d,]+) tokens in all\.$/), before);
        assert.equal(await numberIn(page, '#after-sum', /^\d+ messages, ([\d,]+) tokens in all\.$/), after);
        const amounts = await page.$$eval('#buckets .amount', (all) => all.map((each) => Number(each.textContent!.replaceAll(',', ''))));
        assert.deepEqual([amounts[0], amounts[5]], [before, after]);
        assert.equal(amounts.slice(1, 5).reduce((sum, each) => sum + each, 0), after);
        const steps = await page.locator('.step > .muted').allTextContents();
        assert.equal(steps.length, 2);
        assert.ok(steps[0]!.startsWith((await page.textContent('[data-bucket=Before] .amount'))!));
        assert.ok(steps[1]!.endsWith(`${await page.textContent('[data-bucket=After] .amount')} tokens.`));
        assert.equal(await page.locator('button.primary').count(), 1);
    });

    await t.test('removed content can be read', async () => {
        assert.ok((await page.locator('.receipt[data-removal=trimmed]').count()) > 2);
        assert.match(await textOf(page, '#artifact', /Compiling/), /Compiling dependency-0/);
        await page.locator('.receipt[data-removal=trimmed] button').nth(1).click();
        await textOf(page, '#artifact', /pub fn/);
        assert.match((await page.textContent('#artifact-of')) ?? '', /^art_read_file_/);
    });

    await t.test('a summary is requested, and a fallback is shown without one', async () => {
        assert.ok(await page.isVisible('#answer-field'), 'the model is asked');
        await page.click('.asked summary');
        assert.match((await page.textContent('.asked pre')) ?? '', /summar/i);
        assert.ok((await fates(page, 'after')).includes('new'));
        assert.ok((await fates(page, 'before')).includes('removed'));
        assert.match((await page.textContent('#after')) ?? '', /Backoff::delay/);

        await page.fill('#answer', '');
        await page.click('#plan');
        await textOf(page, '.alarm[data-alarm=no_summary]', /./);
        await page.click('#sample');
        await textOf(page, '#after', /Backoff::delay/);
        assert.equal(await page.locator('.alarm').count(), 0);
    });

    await t.test('the settings are in the address, and a link opens them', async () => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await show(page, await page.inputValue('#history'), { window: 12_000, outputs: 2_000 });
        await page.selectOption('#preset', 'voice');
        await idle(page);
        assert.match(page.url(), /#window=12000&outputs=2000&budget=voice$/);
        await page.click('#copy-link');
        await textOf(page, '#copy-link', /^Copied$/);
        const link = await page.evaluate(() => navigator.clipboard.readText());
        const other = await playground.openPage(link.replace(/.*\//, ''));
        await idle(other);
        const sum = (await page.textContent('#buckets-sum')) ?? '';
        assert.match(sum, /in a window of 12,000\.$/);
        assert.match(await textOf(other, '#buckets-sum', /./), /in a window of 12,000\.$/);
        assert.equal(await other.inputValue('#preset'), 'voice');
        await other.close();
        await page.click('#sample');
        await idle(page);
        assert.doesNotMatch(page.url(), /#/);
    });

    await t.test('a file that is dropped anywhere is planned', async (t) => {
        const folder = await mkdtemp(join(tmpdir(), 'tuckaway-dropped-'));
        t.after(() => rm(folder, { recursive: true }));
        const file = join(folder, 'chat.json');
        await writeFile(file, JSON.stringify({ model: 'm', messages: [{ role: 'system', content: 'Hi' }, { role: 'user', content: 'Hi' }] }));
        await drop(page, file);
        await textOf(page, '#steps-sum', /^Read as openai-chat; 1 step\.$/);
        assert.match(await textOf(page, '#steps', /due/), /Nothing is due/);
        await page.click('#copy-link');
        await textOf(page, '#copy-link', /^Copied without the messages$/);
        await drop(page, join(folder, 'missing.json'));
        await textOf(page, '#problem', /^“missing.json” could not be read/);
    });

    await t.test('OpenAI, Gemini, the neutral form, and budgets', async () => {
        const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } };
        const chat = [
            { role: 'user', content: 'Hi' },
            { role: 'assistant', content: null, tool_calls: [call] },
            { role: 'tool', tool_call_id: 'call_1', content: 'x' },
        ];
        await show(page, { model: 'm', messages: chat }, { window: 10_000 });
        assert.match(await textOf(page, '#steps-sum', /./), /openai-chat/);
        const part = { tool_result: { call_id: 'c', text: 'x', is_error: false, artifact: null } };
        const neutral = [
            { role: 'assistant', parts: [{ tool_call: { id: 'c', name: 'read', arguments: '{}' } }], tokens: null },
            { role: 'tool', parts: [part], pinned: true },
        ];
        await show(page, { messages: neutral, usage: null }, { window: 10_000 });
        assert.match(await textOf(page, '#steps-sum', /./), /neutral/);
        assert.ok(await page.isEnabled('#copy'));
        await show(page, { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }, { window: 10_000 });
        assert.match(await textOf(page, '#steps-sum', /./), /gemini/);
        await page.selectOption('#preset', 'voice');
        await idle(page);
        await show(page, chat, { window: 32_000 });
        assert.equal(await page.locator('#buckets .headroom').count(), 4);
        await page.selectOption('#preset', '');
    });

    await t.test('mistakes are explained', async () => {
        await show(page, '{"messages": [', { window: 10_000 });
        assert.match(await textOf(page, '#problem', /./), /^The history is malformed JSON/);
        await show(page, { text: 'Hi' }, { window: 10_000 });
        assert.match(await textOf(page, '#problem', /items/), /no list of items/);
        assert.ok(await page.isDisabled('#copy'));
        assert.equal(await page.locator('.message').count(), 0);
    });

    await t.test('what an aborted turn left is repaired', async () => {
        await show(page, [{ role: 'tool', tool_call_id: 'a', content: 'x' }], { window: 10_000 });
        assert.match(await textOf(page, '[data-repair]', /./), /"a", which no call awaits/);
        assert.deepEqual(await fates(page, 'before'), ['changed']);
        assert.deepEqual(await fates(page, 'after'), ['new']);
    });

    for (const colorScheme of ['light', 'dark'] as const) {
        await t.test(`meets the contrast of WCAG AA in ${colorScheme}`, async () => {
            await page.emulateMedia({ colorScheme });
            await page.click('#sample');
            await idle(page);
            await page.evaluate(async () => {
                await Promise.allSettled(document.getAnimations().map((transition) => transition.finished));
            });
            assert.deepEqual(await page.evaluate(faintTexts), []);
        });
    }

    await t.test('can be used with the keyboard alone', async () => {
        await page.focus('#window-tokens');
        await page.keyboard.press('Control+A');
        await page.keyboard.type('200000');
        await page.keyboard.press('Enter');
        await textOf(page, '#buckets-sum', /of 200,000/);
        assert.match(await textOf(page, '.step', /due/), /Nothing is due/);
    });

    await t.test('fits 390 pixels', async () => {
        await page.setViewportSize({ width: 390, height: 800 });
        await page.click('#sample');
        await idle(page);
        const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.equal(await overflow(), 0);
        assert.deepEqual(await namelessControls(page), []);
    });
});
