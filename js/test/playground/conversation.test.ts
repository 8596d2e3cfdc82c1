/** The page of a conversation: its buckets, its plan step by step, the messages before and after. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { PATIENCE, faintTexts, namelessControls, startPlayground, textOf } from './support.js';

/** Waits until the page has answered. */
async function idle(page: Page): Promise<void> {
    await page.waitForFunction(() => document.querySelector('main')?.ariaBusy === 'false', null, PATIENCE);
}

/** Shows a conversation in a window. */
async function show(page: Page, conversation: unknown, tokens: { window: number; outputs?: number }): Promise<void> {
    await page.fill('#history', typeof conversation === 'string' ? conversation : JSON.stringify(conversation));
    await page.fill('#window-tokens', String(tokens.window));
    await page.fill('#cache-tokens', tokens.outputs === undefined ? '' : String(tokens.outputs));
    await page.click('#given button[type=submit]');
    await idle(page);
}

const fates = (page: Page, id: string): Promise<(string | undefined)[]> =>
    page.$$eval(`#${id} .message`, (all) => all.map((each) => (each as HTMLElement).dataset.fate));

test('the page of a conversation', async (t) => {
    const playground = await startPlayground(t);
    const page = await playground.openPage('conversation.html');
    await idle(page);

    await t.test('a sample is loaded, and its buckets are bars', async () => {
        assert.match(await textOf(page, '#steps-sum', /./), /^Read as anthropic\.$/);
        assert.equal(await page.locator('#buckets .bar').count(), 5);
        assert.match(await textOf(page, '#buckets-sum', /./), /^[\d,]+ of 10,000 tokens, \d+ %\.$/);
        assert.ok((await fates(page, 'before')).length > 20);
        assert.equal(await page.locator('#after .message').count(), 0);
    });

    await t.test('the plan is taken step by step, with an answer in between', async () => {
        for (let steps = 0; await page.isEnabled('#next'); steps++) {
            assert.ok(steps < 10, 'the plan does not end');
            await page.click('#next');
            await idle(page);
        }
        assert.match(await textOf(page, '#next-note', /./), /^The plan is complete/);
        assert.ok((await page.locator('.receipt[data-removal=trimmed]').count()) > 2);
        assert.match(await textOf(page, '#buckets-sum', /before/), /; [\d,]+ before\.$/);
    });

    await t.test('removed content can be read', async () => {
        await page.locator('.receipt[data-removal=trimmed] button').first().click();
        assert.match(await textOf(page, '#artifact', /Compiling|pub fn/), /Compiling dependency-0|pub fn/);
        assert.match((await page.textContent('#artifact-of')) ?? '', /^art_/);
    });

    await t.test('a summary is requested, and a fallback is shown without one', async () => {
        await page.click('#sample');
        await idle(page);
        await page.click('#next');
        await idle(page);
        assert.ok(await page.isVisible('#answer-form'), 'the model is asked');
        assert.match((await page.textContent('#asked')) ?? '', /summar/i);
        await page.click('#next');
        await idle(page);
        assert.ok((await fates(page, 'after')).includes('new'));
        assert.ok((await fates(page, 'before')).includes('removed'));
        assert.match((await page.textContent('#after')) ?? '', /Backoff/);

        await page.click('#sample');
        await idle(page);
        await page.click('#next');
        await idle(page);
        await page.fill('#answer', '');
        await page.click('#next');
        await idle(page);
        assert.equal(await page.locator('.alarm[data-alarm=no_summary]').count(), 1);
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
        await page.click('#next');
        await idle(page);
        assert.ok(await page.isEnabled('#copy'));
        await show(page, { contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] }, { window: 10_000 });
        assert.match(await textOf(page, '#steps-sum', /./), /gemini/);
        await page.selectOption('#preset', 'voice');
        await show(page, chat, { window: 32_000 });
        assert.equal(await page.locator('#buckets .headroom').count(), 4);
        await page.selectOption('#preset', '');
    });

    await t.test('mistakes are explained', async () => {
        await show(page, '{"messages": [', { window: 10_000 });
        assert.match(await textOf(page, '#problem', /./), /^The history is malformed JSON/);
        await show(page, { text: 'Hi' }, { window: 10_000 });
        assert.match(await textOf(page, '#problem', /items/), /no list of items/);
        assert.ok(await page.isDisabled('#next'));
    });

    await t.test('what an aborted turn left is repaired', async () => {
        await show(page, [{ role: 'tool', tool_call_id: 'a', content: 'x' }], { window: 10_000 });
        await page.click('#next');
        await idle(page);
        assert.match(await textOf(page, '[data-repair]', /./), /"a", which no call awaits/);
        assert.deepEqual(await fates(page, 'before'), ['changed']);
        assert.deepEqual(await fates(page, 'after'), ['new']);
    });

    for (const colorScheme of ['light', 'dark'] as const) {
        await t.test(`meets the contrast of WCAG AA in ${colorScheme}`, async () => {
            await page.emulateMedia({ colorScheme });
            await page.click('#sample');
            await idle(page);
            for (let steps = 0; await page.isEnabled('#next') && steps < 10; steps++) {
                await page.click('#next');
                await idle(page);
            }
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
        await idle(page);
        await page.focus('#next');
        await page.keyboard.press('Enter');
        assert.match(await textOf(page, '.step', /due/), /Nothing is due/);
    });

    await t.test('fits 390 pixels', async () => {
        await page.setViewportSize({ width: 390, height: 800 });
        await page.click('#sample');
        await idle(page);
        const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.equal(await overflow(), 0);
        await page.click('#next');
        await idle(page);
        assert.equal(await overflow(), 0);
        assert.deepEqual(await namelessControls(page), []);
    });
});
