/** The output, the model's view of it, the reason, and the effect of the knobs. */

import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';

import { createTuckaway, estimate } from 'tuckaway';
import { gptTokens } from 'tuckaway/gpt-tokens';

import { makeSample } from '../../playground/src/samples.js';
import { packageRoot } from '../support/browser.js';
import { decidingGate, drop, emptyStore, settled, startPlayground, takeSample, textOf, unfoldKnobs } from './support.js';

/** Replaces ids, which are random. */
const withoutIds = (text: string): string => text.replaceAll(/art_\w+/g, 'art_…');

test('the playground', async (t) => {
    const { open, site } = await startPlayground(t);
    const page = await open();
    await unfoldKnobs(page);
    const folder = await mkdtemp(join(tmpdir(), 'tuckaway-dropped-'));
    t.after(() => rm(folder, { recursive: true, force: true }));

    await t.test('keeps artifacts in OPFS', async () => {
        assert.equal(await page.textContent('#store-kind'), 'OPFS store');
        assert.equal(await page.isVisible('#notice'), false);
    });

    await t.test('shows first-time visitors a sample, its plain truncation, and both answers', async () => {
        assert.match((await page.textContent('.intro')) ?? '', /^\s*tuckaway keeps .*queries the rest\.\s*$/s);
        assert.match((await page.textContent('#input-facts')) ?? '', /FromBuild log, failed$/);
        assert.match(page.url(), /#sample=build&size=1000000$/);
        await textOf(page, '[data-answer=whole]', /^--> ledger\/src\/settle\.rs:214:31 grep/);
        assert.match((await page.textContent('[data-answer=plain]')) ?? '', /^no match/);
        const view = await page.textContent('#view');
        await page.click('[data-choice=plain]');
        assert.match(await textOf(page, '#view', /^\$ cargo/), /bytes truncated\].*build failed/s);
        assert.match((await page.textContent('#view-facts')) ?? '', /Size16,\d{3} BActionhead and tailTokens[\d,]+Took—/);
        await page.click('[data-choice=view]');
        assert.equal(await page.textContent('#view'), view);
        await page.reload();
        await textOf(page, '#view', /artifact_id/);
        assert.equal(await page.locator('#artifacts tr').count(), 1, 'the sample is stored once');
        await unfoldKnobs(page);
    });

    await t.test('switches the dialect, here and in the address', async () => {
        const shown = await page.textContent('#view');
        await page.selectOption('#knob-dialect', 'handle');
        await textOf(page, '#view', /^Tool output is too large \(\d+ bytes, \d+ lines, \d+ tokens\)\.\nCall tool_output\(/);
        assert.match(page.url(), /dialect=handle/);
        await page.selectOption('#knob-dialect', 'file');
        await textOf(page, '#view', /^Tool output was large and saved to file: tool_\d{8}_\d{6}_run_command\.txt\n/);
        assert.equal(await page.getAttribute('#knob-maxOutputTokens', 'placeholder'), '10,000');
        const other = await open('#sample=build&size=1000000&dialect=cache');
        assert.equal(await other.inputValue('#knob-dialect'), 'cache');
        assert.match((await other.textContent('#view')) ?? '', /ref=art_\w+: tool_output_cache continues at offset \d+, /);
        await other.close();
        await page.selectOption('#knob-dialect', 'artifact');
        await textOf(page, '#view', /artifact_id/);
        assert.equal(await page.textContent('#view'), shown);
        assert.doesNotMatch(page.url(), /dialect/);
    });

    await t.test('shows everyone the same under a link', async () => {
        await page.click('#puzzle-ask');
        const answer = await textOf(page, '[data-console=grep] .answer', /settle\.rs/);
        const other = await open(new URL(page.url()).hash);
        assert.equal(await textOf(other, '[data-console=grep] .answer', /settle\.rs/), answer);
        assert.equal(await other.inputValue('[data-console=grep] .grow'), '^ +--> ');
        assert.equal(withoutIds((await other.textContent('#view')) ?? ''), withoutIds((await page.textContent('#view')) ?? ''));
        await other.evaluate(() => (location.hash = '#sample=rows&size=64000&contextWindow=8192&ask=jq&filter=.rows%5B0%5D.id'));
        assert.equal(await textOf(other, '[data-console=jq] .answer', /\d/), '1001\n');
        await other.close();
    });

    await t.test('measures each tool call of a transcript', async () => {
        const outputs = [makeSample('events', 64_000), makeSample('build', 1_000_000), new TextEncoder().encode('ok')]
            .map((bytes) => new TextDecoder().decode(bytes));
        const transcript = outputs.flatMap((content, index) => [
            { role: 'assistant', tool_calls: [{ id: `c${index}`, type: 'function', function: { name: `tool_${index}` } }] },
            { role: 'tool', tool_call_id: `c${index}`, content },
        ]);
        await writeFile(join(folder, 'chat.json'), JSON.stringify(transcript));
        await drop(page, join(folder, 'chat.json'));
        const sum = await textOf(page, '#transcript-sum', /saved/);
        assert.match(sum, /^[\d,]+ tokens of tool outputs instead of ≈ [\d,]+, 9\d(\.\d)? % saved/);
        const rows = await page.$$eval('#calls tr', (all) => all.map((row) => row.textContent));
        const few = gptTokens(outputs[0]!).toLocaleString('en-US');
        assert.equal(rows[0], `1 tool_0${few}${few}0 %passed on`);
        assert.match(rows[1] ?? '', /^2 tool_1≈ [\d,]+\d{3}99\.\d %stored$/);
        assert.equal(rows[2], '3 tool_2110 %passed on');
        await textOf(page, '#input-facts', /FromCall 2$/);
        await page.click('#calls tr:last-child .link');
        assert.equal(await textOf(page, '#view', /^ok$/), 'ok');
        await page.click('#transcript-whole');
        await textOf(page, '#input-facts', /FromPasted text$/);
        assert.equal(await page.isVisible('#transcript'), false);
        await settled(page);
        await emptyStore(page);
    });

    await t.test('stores a dropped file, and shows the same view as Node', async () => {
        const events = makeSample('events', 1_000_000);
        await writeFile(join(folder, 'events.ndjson'), events);
        await drop(page, join(folder, 'events.ndjson'));
        await textOf(page, '#view', /artifact_id/);

        const tuckaway = await createTuckaway({ tokens: gptTokens, contextWindow: 200_000 });
        const view = tuckaway.process({ tool: 'read_file', content: events });
        assert.equal(withoutIds((await page.textContent('#view')) ?? ''), withoutIds(view.text));
        assert.equal(await decidingGate(page), view.decision.gate);
        assert.match(
            (await page.textContent('.is-deciding')) ?? '',
            /1,000,\d{3} bytes > 200,000 \(0\.25 × 200,000 tokens × 4 bytes\)yes/,
        );
        assert.equal(await page.locator('#gates tr').count(), 9);
        assert.match(
            (await page.textContent('#input-facts')) ?? '',
            /Size1,000,\d{3} BLines[\d,]+Tokens≈ [\d,]+Fromevents\.ndjson/,
        );
        const viewTokens = gptTokens((await page.textContent('#view')) ?? '');
        assert.equal(await page.textContent('.bar.after .amount'), String(viewTokens));
    });

    await t.test('shows the share of the window before and after', async () => {
        const width = (bar: string): Promise<number> =>
            page.$eval(`.bar.${bar} .output`, (part) => part.getBoundingClientRect().width);
        assert.ok((await width('before')) > 50 * (await width('after')), 'the bar after is much shorter');
        assert.ok((await width('after')) > 0);
        assert.match(
            (await page.getAttribute('.bar.before .track', 'aria-label')) ?? '',
            /^Output: ≈ [\d,]+ tokens, \d+ % of the context window$/,
        );
    });

    await t.test('shows only the head of an output', async () => {
        const lines = await page.locator('#input .line').count();
        assert.ok(lines > 100 && lines <= 1_000, `${lines} lines`);
        assert.match((await page.textContent('#input-note')) ?? '', /^The first [\d.]+ KB of 1 MB\.$/);
    });

    await t.test('passes on what fits, and stores nothing', async () => {
        await emptyStore(page);
        await page.click('#paste');
        await page.fill('#paste-text', 'three\nshort\nlines\n');
        await page.click('#paste-dialog .primary');
        assert.equal(await textOf(page, '#view', /^three/), 'three\nshort\nlines\n');
        assert.equal(await decidingGate(page), 'below_floor');
        assert.equal(await page.locator('#artifacts tr').count(), 0);
        assert.match((await page.textContent('[data-console=read] .answer')) ?? '', /was not stored/);
        await page.click('#knob-keepAll');
        await textOf(page, '#consoles-of', /^art_run_command_/);
        await page.click('text=Reset all');
    });

    await t.test('accepts a paste anywhere', async () => {
        await page.evaluate(() => {
            const clipboardData = new DataTransfer();
            clipboardData.setData('text/plain', 'pasted\n'.repeat(2_000));
            document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
        });
        await textOf(page, '#input-facts', /Lines2,000Tokens[\d,]+FromPasted text/);
    });

    await t.test('passes an image on unchanged, and stores other binary files', async () => {
        const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
        await writeFile(join(folder, 'pixel.png'), Buffer.from(pixel, 'base64'));
        await drop(page, join(folder, 'pixel.png'));
        await textOf(page, '#view', /^The block is passed to the model unchanged\.$/);
        await page.waitForFunction(() =>
            ['#input img', '#view img'].every((each) => document.querySelector<HTMLImageElement>(each)?.naturalWidth === 1));
        await writeFile(join(folder, 'data.bin'), new Uint8Array(300_000).map((_, index) => (index * index) % 251));
        await drop(page, join(folder, 'data.bin'));
        await textOf(page, '#view', /"size_bytes": 300000/);
        await textOf(page, '[data-console=read] .status', /KB/);
    });

    await t.test('copies the view and the code', async () => {
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        const pasted = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
        await page.click('#view-copy');
        await textOf(page, '#view-copy', /^Copied$/);
        assert.equal(await pasted(), await page.textContent('#view'));
        await page.click('#tab-rust');
        await page.click('#code-copy');
        await textOf(page, '#code-copy', /^Copied$/);
        assert.match(await pasted(), /^use tuckaway_host::/);
    });

    await t.test('decides again about the same artifact when a knob is changed', async () => {
        await emptyStore(page);
        await takeSample(page, 'build', 1_000_000);
        const id = await page.textContent('#consoles-of');
        await page.uncheck('#knob-tools-read');
        await page.uncheck('#knob-tools-grep');
        await page.uncheck('#knob-tools-jq');
        await textOf(page, '#gates-verdict', /^per_output: truncated, because the model has no tools to query with$/);
        const view = (await page.textContent('#view')) ?? '';
        assert.match(view, /^\$ cargo test.*\[\d+ lines omitted\].*error\[E0308\]: mismatched types/s);

        await page.fill('#knob-maxThresholdBytes', '900000');
        await textOf(page, '.is-deciding', /^ceiling1,000,\d{3} bytes > 900,000yes$/);
        assert.match(page.url(), /#tools=&maxThresholdBytes=900000&sample=build&size=1000000$/);
        assert.equal(await page.textContent('#knobs-changed'), '2 changed');
        assert.equal(await page.textContent('#consoles-of'), id);
        assert.equal(await page.locator('#artifacts tr').count(), 1);
    });

    await t.test('counts tokens with the selected counter', async () => {
        const shown = async (): Promise<number> => gptTokens((await page.textContent('#view')) ?? '');
        assert.equal(Number((await page.textContent('.bar.after .amount'))?.replaceAll(',', '')), await shown());
        await page.selectOption('#knob-counter', 'estimate');
        const estimated = String(estimate((await page.textContent('#view')) ?? ''));
        await textOf(page, '.bar.after .amount', new RegExp(`^${estimated.replace(/\B(?=(\d{3})+$)/g, ',')}$`));
        await page.selectOption('#knob-counter', 'gpt');
    });

    await t.test('keeps a single artifact when the tool is renamed', async () => {
        await page.fill('#knob-tool', 'sql_query');
        await page.press('#knob-tool', 'Enter');
        await page.click('text=+ Override for a tool');
        await textOf(page, '.is-deciding', /^exemptoverride “sql_\*” exempts sql_query/);
        await page.click('text=Reset all');
        await textOf(page, '#consoles-of', /^art_run_command_/);
        assert.equal(await page.locator('#artifacts tr').count(), 1);
        assert.doesNotMatch(page.url(), /overrides|tool/);
    });

    await t.test('reports an invalid policy with the message of the engine', async () => {
        await page.fill('#knob-contextPercentage', '2');
        const message = await textOf(page, '#knobs-problem', /./);
        const tuckaway = await createTuckaway({ contextWindow: 200_000 });
        assert.throws(() => tuckaway.process({ tool: 't', content: '' }, {}, { contextPercentage: 2 }), { message });
        assert.equal(await page.textContent('#view .error'), message);
        await page.fill('#knob-contextPercentage', '');
        await textOf(page, '#view', /artifact_id/);
        assert.equal(await page.textContent('#knobs-problem'), '');
    });

    await t.test('shows code that does the same', async () => {
        await page.fill('#knob-contextPercentage', '0.1');
        await page.fill('#knob-usedTokens', '12000');
        const shown = await textOf(page, '#panel-node', /policy: \{ contextPercentage: 0\.1 \}.*usedTokens: 12_000/s);
        await textOf(page, '#view', /artifact_id/);
        // Within the package, so that the code can import the package by its name.
        await mkdir(join(packageRoot, 'build'), { recursive: true });
        const folder = await mkdtemp(join(packageRoot, 'build/shown-'));
        t.after(() => rm(folder, { recursive: true }));
        const file = join(folder, 'shown.mjs');
        await writeFile(file, shown);
        const messages: { content: string }[] = [];
        Object.assign(globalThis, { messages, output: makeSample('build', 1_000_000) });
        await import(pathToFileURL(file).href);
        assert.equal(withoutIds(messages[0]?.content ?? ''), withoutIds((await page.textContent('#view')) ?? ''));
        assert.match(
            (await page.textContent('#panel-rust')) ?? '',
            /Policy \{ context_percentage: 0\.1, \.\.Policy::default\(\) \}/,
        );
        await page.click('text=Reset all');
    });

    await t.test('goes back to an artifact, and deletes one', async () => {
        await takeSample(page, 'csv', 1_000_000);
        assert.equal(await page.locator('#artifacts tr').count(), 2);
        await page.click('#artifacts tr:nth-child(2) .link');
        await textOf(page, '#view', /art_run_command_/);
        await page.click('#artifacts tr.is-chosen .delete');
        await textOf(page, '#view', /^The text that the model would read/);
        assert.equal(await page.locator('#artifacts tr').count(), 1);
        assert.equal(await page.evaluate(() => document.activeElement?.className), 'quiet delete');
    });

    await t.test('restores artifact, knobs and theme after a reload', async () => {
        await page.click('#artifacts .link');
        await page.fill('#knob-previewBytes', '0');
        await page.waitForFunction(() => location.hash.includes('previewBytes=0'));
        await page.click('#theme');
        const id = await textOf(page, '#consoles-of', /^art_export_report_/);
        await page.reload();
        assert.match(await textOf(page, '#view', /artifact_id/), new RegExp(id));
        assert.doesNotMatch((await page.textContent('#view')) ?? '', /preview/);
        assert.match(await textOf(page, '[data-console=read] .answer', /order_id/), /1\s+order_id,ordered_at/);
        assert.equal(await page.getAttribute('html', 'data-theme'), 'light');
        assert.equal(await page.textContent('#store-kind'), 'OPFS store');
    });

    await t.test('reports that an artifact in the address is missing', async () => {
        const other = await page.context().newPage();
        await other.goto(`${site.origin}/index.html#artifact=art_gone_0000000000`);
        await textOf(other, '#view .error', /^art_gone_0000000000 is not in the store/);
        await other.close();
    });
});
