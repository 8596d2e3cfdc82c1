/** The three consoles: pages, marks, history, errors, and endless queries. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ask, startPlayground, stopOnceWorking, takeSample, textOf, unfoldKnobs } from './support.js';

test('the consoles', async (t) => {
    const { open } = await startPlayground(t);
    const page = await open();
    await unfoldKnobs(page);
    await takeSample(page, 'rows', 1_000_000);
    const id = (await page.textContent('#consoles-of')) ?? '';

    await t.test('read pages forward and back', async () => {
        const first = await ask(page, 'read');
        assert.match(first, /^\s*1\s+\{"database":"billing"/);
        assert.equal(await page.isDisabled('[data-console=read] .pager button:first-of-type'), true);
        await page.click('[data-console=read] .pager button:last-of-type');
        await textOf(page, '[data-console=read] .status', /^page 2, /);
        const second = await page.textContent('[data-console=read] .answer');
        assert.notEqual(second, first);
        await page.click('[data-console=read] .pager button:first-of-type');
        await textOf(page, '[data-console=read] .status', /^page 1, /);
        assert.equal(await page.textContent('[data-console=read] .answer'), first);
    });

    await t.test('read accepts a range, and reports an invalid one', async () => {
        await page.fill('[aria-label=From]', '3');
        await page.fill('[aria-label=To]', '4');
        const lines = (await ask(page, 'read')).trim().split('\n');
        assert.deepEqual(lines.map((line) => line.trim().split(/\s/)[0]), ['3', '4']);
        await page.fill('[aria-label=From]', '9999999');
        await page.fill('[aria-label=To]', '');
        assert.match(await ask(page, 'read'), /invalid_input .*9999999/);
    });

    await t.test('grep marks the matches, and pages through the rest', async () => {
        await ask(page, 'grep', 'Nairobi|Oslo');
        const marks = await page.$$eval('.matches mark', (all) => all.map((mark) => mark.textContent));
        assert.ok(marks.length >= 100);
        assert.deepEqual([...new Set(marks)].sort(), ['Nairobi', 'Oslo']);
        const first = await page.textContent('.matches .no');
        await page.click('[data-console=grep] .pager button:last-of-type');
        await textOf(page, '[data-console=grep] .status', /^page 2, 100 lines,/);
        assert.notEqual(await page.textContent('.matches .no'), first);
    });

    await t.test('grep marks the start of a match if JavaScript cannot express the pattern', async () => {
        await ask(page, 'grep', '(?x) Kyoto # a city');
        assert.equal(await page.textContent('.matches mark'), 'K');
        await page.check('text=plain text');
        assert.match(await ask(page, 'grep', '(?x)'), /No line matches/);
        await page.uncheck('text=plain text');
        assert.match(await ask(page, 'grep', '('), /invalid_input/);
    });

    await t.test('jq answers, keeps a history, and shows errors', async () => {
        assert.equal(await ask(page, 'jq', '.rows | length'), `${await rowCount()}\n`);
        assert.match(await ask(page, 'jq', '.rows['), /invalid_input/);
        assert.match(
            await ask(page, 'jq', '.rows[0].id, (.rows[0].name | tonumber)'),
            /^1001\ninvalid_input The filter failed: string "Ken Perlman" is not a number/,
        );
        await page.focus('[data-console=jq] textarea');
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('ArrowUp');
        assert.equal(await page.inputValue('[data-console=jq] textarea'), '.rows[');
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('Enter');
        await textOf(page, '[data-console=jq] .answer', /^\d+\n$/);
        assert.match((await page.textContent('[data-console=jq] .chips')) ?? '', /keyslength\.rows\[0\]/);
    });

    await t.test('an endless query can be stopped, and everything still works', async () => {
        await page.fill('[data-console=jq] textarea', 'range(1e12) | empty');
        const stopped = stopOnceWorking(page, 'Escape');
        await page.click('[data-console=jq] button[type=submit]');
        assert.equal(await stopped, 'Stop');
        await textOf(page, '[data-console=jq] .status', /^Stopped/);
        assert.match(await ask(page, 'jq', '.database'), /"billing"/);
        assert.equal(await page.textContent('#store-kind'), 'OPFS store');
        assert.match((await page.textContent('#artifacts')) ?? '', new RegExp(id));
        // The new worker has answered when the view is rendered again.
        await page.$eval('#view .json-key', (key) => (key.id = 'of-before'));
        await page.check('#knob-isError');
        await page.locator('#of-before').waitFor({ state: 'detached' });
        assert.match(await textOf(page, '#view', /artifact_id/), new RegExp(id));
    });

    async function rowCount(): Promise<number> {
        const shape = (await page.textContent('#view')) ?? '';
        return Number(/"rows": "array\((\d+)\)/.exec(shape)?.[1]);
    }
});
