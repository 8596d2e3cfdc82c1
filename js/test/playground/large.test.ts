/** 50 MB: the page stays responsive, and shows only an excerpt. */

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { makeSample } from '../../playground/src/samples.js';
import { ask, drop, emptyStore, startPlayground, stopOnceWorking, takeSample, textOf, unfoldKnobs } from './support.js';

const FIFTY_MEGABYTES = 50_000_000;

/**
 * A page that draws nothing for this long is unresponsive. Layout or search of 50 MB by the page itself would take
 * longer; a busy machine still draws more often.
 */
const MAX_SILENCE_MILLISECONDS = 2_000;

test('a file of 50 MB', async (t) => {
    const { open } = await startPlayground(t);
    const page = await open();
    await unfoldKnobs(page);
    await emptyStore(page);
    const folder = await mkdtemp(join(tmpdir(), 'tuckaway-large-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const file = join(folder, 'rows.json');
    await writeFile(file, makeSample('rows', FIFTY_MEGABYTES));

    await page.evaluate(() => {
        let last = performance.now();
        const heart = globalThis as typeof globalThis & { longestSilence?: number };
        heart.longestSilence = 0;
        const beat = (now: number): void => {
            heart.longestSilence = Math.max(heart.longestSilence!, now - last);
            last = now;
            requestAnimationFrame(beat);
        };
        requestAnimationFrame(beat);
    });

    await t.test('is stored, and its tokens are estimated from samples', async () => {
        await drop(page, file);
        await page.locator('#view', { hasText: 'artifact_id' }).waitFor({ timeout: 120_000 });
        assert.match((await page.textContent('#input-facts')) ?? '', /Size50,000,\d{3} B.*Tokens≈ 1\d,\d00,000/);
        assert.match((await page.textContent('.bar.before .percent')) ?? '', /^[678],\d{3} %$/);
    });

    await t.test('can be queried', async () => {
        assert.match(await ask(page, 'grep', '"id":1001,'), /"id":1001,/);
        assert.match(await ask(page, 'jq', '[.rows[] | select(.plan == "team")] | length'), /^\d{6}\n$/);
    });

    await t.test('is processed no more often than needed while a slider moves', async () => {
        for (let percent = 0; percent <= 100; percent += 5) {
            await page.$eval('#knob-contextPercentage', (input, value) => {
                (input as HTMLInputElement).value = value;
                input.dispatchEvent(new Event('input'));
            }, String(percent / 100));
        }
        await page.waitForFunction(() => document.querySelector('main')?.ariaBusy === 'false', null, { timeout: 120_000 });
        assert.match(await textOf(page, '.is-deciding', /./), /^ceiling50,000,\d{3} bytes > 1,048,576yes$/);
    });

    await t.test('is passed on completely if no gate applies, and shown in part', async () => {
        await page.uncheck('#knob-enabled');
        const text = await page.waitForFunction(() => {
            const shown = document.querySelector('#view')?.textContent ?? '';
            return shown.startsWith('{"database"') ? shown.length : false;
        }, null, { timeout: 120_000 });
        assert.ok(Number(await text.jsonValue()) <= 256 * 1024);
        assert.match((await page.textContent('#view-note')) ?? '', /^The first 262 KB of 50 MB\.$/);
        assert.equal(await page.isDisabled('#view-copy'), true);
    });

    await t.test('can be stopped while it is processed, and everything still works', async () => {
        await page.click('text=Reset all');
        await textOf(page, '.is-deciding', /^ceiling/);
        const hash = await page.evaluate(() => location.hash.replace(/&ask=.*/, ''));
        await page.selectOption('#sample-size', String(FIFTY_MEGABYTES));
        const stopped = stopOnceWorking(page, 'Escape');
        await page.click('[data-sample=events]');
        await stopped;
        await textOf(page, '#view .error', /^Stopped\.$/);
        await takeSample(page, 'rows');
        await page.click('#artifacts tr:last-child .link');
        await page.locator('#view', { hasText: 'artifact_id' }).waitFor({ timeout: 120_000 });
        assert.equal(await page.evaluate(() => location.hash), hash);
    });

    await t.test('never blocked the page', async () => {
        const silence = await page.evaluate(() => (globalThis as { longestSilence?: number }).longestSilence ?? NaN);
        t.diagnostic(`the longest time without a frame: ${Math.round(silence)} ms`);
        assert.ok(silence < MAX_SILENCE_MILLISECONDS, `${Math.round(silence)} ms without a frame`);
    });

    await t.test('is there after a reload', async () => {
        await page.reload();
        await page.locator('#view', { hasText: 'artifact_id' }).waitFor({ timeout: 120_000 });
        assert.match(await ask(page, 'jq', '.rows[0].id'), /^1001\n$/);
        await takeSample(page, 'prose');
    });
});
