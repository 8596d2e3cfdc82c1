/** The page for everyone: by keyboard alone, narrow, dark, without a worker or a store. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Page } from 'playwright-core';

import { ask, drop, emptyStore, faintTexts, namelessControls, startPlayground, stopOnceWorking, takeSample, textOf, unfoldKnobs, type Playground } from './support.js';

test('the page', async (t) => {
    const playground = await startPlayground(t);
    const page = await playground.open();

    await t.test('can be used with the keyboard alone', async () => {
        await tabTo(page, 'Skip to the result');
        await tabTo(page, 'SQL rows');
        await page.keyboard.press('Enter');
        await textOf(page, '#view', /artifact_id/);
        assert.equal(await focused(page), 'SQL rows', 'the focus stays where it was');
        await tabTo(page, 'read');
        await page.keyboard.press('ArrowRight');
        assert.equal(await focused(page), 'grep');
        await page.keyboard.press('2');
        await page.keyboard.type('Lisbon');
        await page.keyboard.press('Enter');
        await textOf(page, '[data-console=grep] .status', /^page 1, \d+ of \d+ lines/);
        await tabTo(page, 'Next ›');
        await page.keyboard.press('Enter');
        await textOf(page, '[data-console=grep] .status', /^page 2/);
        await page.keyboard.press('[');
        await textOf(page, '[data-console=grep] .status', /^page 1/);
        await page.keyboard.press('3');
        await page.keyboard.type('.rows[0].city');
        await page.keyboard.press('Enter');
        await textOf(page, '[data-console=jq] .answer', /^".*"\n$/);
        await tabTo(page, 'Node');
        await page.keyboard.press('ArrowRight');
        assert.match((await page.textContent('#panel-python:not([hidden])')) ?? '', /^from tuckaway import/);
        await page.keyboard.press('ArrowRight');
        assert.match((await page.textContent('#panel-rust:not([hidden])')) ?? '', /tuckaway_host/);
        await page.keyboard.press('?');
        assert.match((await page.textContent('dialog[open]')) ?? '', /open a file.*stop the current call/s);
        await page.keyboard.press('Escape');
        await page.keyboard.press('k');
        assert.equal(await page.evaluate(() => document.activeElement?.id), 'knob-contextWindow');
    });

    for (const width of [1_440, 360]) {
        await t.test(`has a stable layout at ${width} pixels: nothing moves when an answer arrives`, async () => {
            await emptyStore(page);
            await page.setViewportSize({ width, height: 800 });
            const positions = (): Promise<number[]> =>
                page.$$eval('main h2', (all) => all.filter((each) => each.checkVisibility())
                    .map((each) => Math.round(each.getBoundingClientRect().top + scrollY)));
            const empty = await positions();
            await takeSample(page, 'rows', 1_000_000);
            await ask(page, 'jq', '.rows[0].name | tonumber');
            assert.deepEqual(await positions(), empty);
            await takeSample(page, 'csv', 64_000);
            assert.deepEqual(await positions(), empty);
        });
    }

    await t.test('shows where the focus is, and names all controls', async () => {
        assert.deepEqual(await namelessControls(page), []);
        await page.keyboard.press('Tab');
        assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement!).outlineStyle), 'none');
    });

    for (const theme of ['light', 'dark'] as const) {
        await t.test(`meets the contrast of WCAG AA in ${theme}`, async () => {
            await page.emulateMedia({ colorScheme: theme });
            await page.evaluate(async () => {
                await Promise.allSettled(document.getAnimations().map((transition) => transition.finished));
            });
            const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
            assert.equal(Number(/\d+/.exec(ground)?.[0]) < 128, theme === 'dark');
            assert.deepEqual(await page.evaluate(faintTexts), []);
        });
    }

    await t.test('saves the chosen theme, which overrides the theme of the system', async () => {
        await page.emulateMedia({ colorScheme: 'dark' });
        await page.click('#theme');
        assert.equal(await page.textContent('#theme'), '○ Light');
        await page.reload();
        const ground = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
        assert.ok(Number(/\d+/.exec(ground)?.[0]) > 128);
    });

    await t.test('fits 360 pixels, in every state', async () => {
        const narrow = await playground.browser.context.newPage();
        await narrow.setViewportSize({ width: 360, height: 740 });
        await page.close();
        await narrow.goto(`${playground.site.origin}/index.html`);
        await narrow.locator('#store-kind', { hasText: /store$/ }).waitFor();
        const overflow = (): Promise<number> => narrow.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.equal(await overflow(), 0);
        await takeSample(narrow, 'line');
        for (const name of ['read', 'grep', 'jq']) {
            await narrow.click(`#tab-${name}`);
            assert.equal(await overflow(), 0, name);
        }
        assert.equal(await narrow.$eval('#knobs-fold', (fold) => (fold as HTMLDetailsElement).open), false);
        await narrow.click('#knobs-fold summary');
        await unfoldKnobs(narrow);
        await narrow.click('text=+ Override for a tool');
        assert.equal(await overflow(), 0, 'knobs');
        await narrow.close();
    });
});

test('missing features', async (t) => {
    const playground = await startPlayground(t);
    const { open, site, browser } = playground;

    await t.test('a store that another tab has open is replaced by memory, with a notice', async () => {
        const [first, second] = [await open(), await open()];
        assert.equal(await first.textContent('#store-kind'), 'OPFS store');
        assert.equal(await second.textContent('#store-kind'), 'memory store');
        assert.match(
            (await second.textContent('#notice')) ?? '',
            /^Artifacts are kept in memory until .* open elsewhere/,
        );
        await takeSample(second, 'csv', 1_000_000);
        assert.match(await textOf(second, '#view', /artifact_id/), /art_export_report_/);
        await Promise.all([first.close(), second.close()]);
    });

    await t.test('a browser without OPFS gets a notice', async () => {
        const page = await openWith(playground, 'delete StorageManager.prototype.getDirectory;');
        assert.equal(await textOf(page, '#store-kind', /store$/), 'memory store');
        assert.match((await page.textContent('#notice')) ?? '', /no private file system/);
        await takeSample(page, 'rows', 1_000_000);
        const lost = await page.textContent('#consoles-of');
        await page.click('#tab-jq');
        await page.fill('[data-console=jq] textarea', 'range(1e12) | empty');
        const stopped = stopOnceWorking(page, 'button');
        await page.click('[data-console=jq] button[type=submit]');
        await stopped;
        await page.waitForFunction(
            (id) => ![null, '', id].includes(document.querySelector('#consoles-of')!.textContent),
            lost,
        );
        assert.match(await ask(page, 'jq', '.database'), /billing/, 'the output is offloaded again');
        await page.close();
    });

    await t.test('a worker that fails is reported', async () => {
        const page = await openWith(playground, 'throw new Error("no such luck");');
        assert.match(await textOf(page, '#view .error', /./), /worker failed: .*no such luck/);
        await page.close();
        playground.offences.splice(0);
    });

    await t.test('a browser without workers gets an error', async () => {
        const page = await browser.context.newPage();
        await page.addInitScript('delete globalThis.Worker');
        await page.goto(`${site.origin}/index.html`);
        assert.match(await textOf(page, '#view .error', /./), /needs workers/);
        await page.close();
    });

    await t.test('a file that cannot be read shows an error instead of its view', async () => {
        const page = await open();
        await drop(page, '/nonexistent/file.json');
        assert.match(await textOf(page, '#view .error', /./), /could not be (found|read)/);
        await page.close();
    });
});

/** Opens the page with a worker whose script begins with this code. */
async function openWith({ browser, site }: Playground, code: string): Promise<Page> {
    const page = await browser.context.newPage();
    await page.route(/\/assets\/main-.*\.js$/, async (route) => {
        const response = await route.fetch();
        await route.fulfill({ response, body: code + (await response.text()) });
    });
    await page.goto(`${site.origin}/index.html`);
    return page;
}

async function focused(page: Page): Promise<string> {
    return page.evaluate(() => (document.activeElement as HTMLElement | null)?.innerText.trim() ?? '');
}

/** Presses Tab until the control with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
    for (let presses = 0; (await focused(page)) !== name; presses += 1) {
        assert.ok(presses < 120, `Tab does not lead to ${name}`);
        await page.keyboard.press('Tab');
    }
}
