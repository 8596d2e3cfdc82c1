/** The parts of the playground that need no browser: types, samples, number formats, code. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

import { createTuckaway, type Match } from 'tuckaway';

import { nodeCode, rustCode } from '../../playground/src/code.js';
import { duration, number, share, size, tokens } from '../../playground/src/format.js';
import { DEFAULT_KNOBS, knobsFrom, writeKnobs, type Knobs } from '../../playground/src/knobs.js';
import { SAMPLE_NAMES, makeSample } from '../../playground/src/samples.js';
import { marker } from '../../playground/src/worker/spans.js';
import { bytesOf, countTokens, excerpt } from '../../playground/src/worker/excerpt.js';
import { packageRoot } from '../support/browser.js';

/** A match at the start of a line. */
const MATCH: Match = { line: 1, column: 1, byteOffset: 0, text: '', clipped: false, before: [], after: [] };

const text = (bytes: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(bytes);

test('the playground type-checks', () => {
    const tsc = join(packageRoot, 'node_modules/typescript/bin/tsc');
    const options = { cwd: packageRoot, encoding: 'utf8' } as const;
    const { status, stdout } = spawnSync(process.execPath, [tsc, '--project', 'playground'], options);
    assert.equal(status, 0, stdout);
});

test('samples have the requested size, and are always the same', () => {
    for (const name of SAMPLE_NAMES) {
        const sample = makeSample(name, 100_000);
        assert.ok(Math.abs(sample.length - 100_000) < 1_000, `${name} has ${sample.length} bytes`);
        assert.deepEqual(makeSample(name, 100_000), sample);
        text(sample);
    }
});

test('samples have the format that their names say', () => {
    assert.ok(JSON.parse(text(makeSample('rows', 50_000))).rows.length > 200);
    for (const line of text(makeSample('events', 50_000)).trim().split('\n')) JSON.parse(line);
    const rows = text(makeSample('csv', 50_000)).trim().split('\n');
    const columns = rows.map((row) => row.replace(/"(?:[^"]|"")*"/g, '').split(',').length);
    assert.deepEqual([...new Set(columns)], [8]);
    assert.equal(text(makeSample('line', 50_000)).includes('\n'), false);
    const log = text(makeSample('build', 50_000));
    assert.ok(Math.abs(log.indexOf('error[E0308]') - 25_000) < 1_000);
    assert.equal(log.split('error[E0308]').length, 2);
});

test('numbers are readable', () => {
    const cases: [string, string][] = [
        [size(0), '0 B'], [size(999), '999 B'], [size(1_000), '1 KB'], [size(3_360), '3.4 KB'],
        [size(999_499), '999 KB'], [size(999_999), '1 MB'],
        [size(50_000_000), '50 MB'], [share(0), '0 %'], [share(0.00001), '< 0.01 %'], [share(0.0042), '0.42 %'],
        [share(2.06), '206 %'], [number(1_234_567), '1,234,567'], [number(Infinity), '∞'],
        [tokens({ tokens: 12_345_678, exact: false }), '≈ 12,300,000'],
        [duration(8.4), '8 ms'], [duration(1_240), '1.24 s'],
    ];
    for (const [found, wanted] of cases) assert.equal(found, wanted);
});

test('knobs survive a round trip through the address', () => {
    const knobs: Knobs = {
        tool: 'sql & more', isError: true, counter: 'estimate', contextWindow: 8_192, usedTokens: 100, tools: ['grep'],
        policy: {
            enabled: false, mode: 'truncate', contextPercentage: 0.1,
            overrides: [{ tools: 'sql_*', exempt: true }],
        },
    };
    const address = new URLSearchParams();
    writeKnobs(knobs, address);
    assert.deepEqual(knobsFrom(new URLSearchParams(address.toString())), knobs);
    const none = new URLSearchParams();
    writeKnobs(DEFAULT_KNOBS, none);
    assert.equal(none.toString(), '');
});

test('nonsense in an address means the defaults', () => {
    const nonsense = 'contextWindow=much&mode=other&enabled=1&overrides=[{"x":1},3]&counter=abacus&previewBytes=';
    assert.deepEqual(knobsFrom(new URLSearchParams(nonsense)), { ...DEFAULT_KNOBS, tools: ['read', 'grep', 'jq'] });
});

test('code contains only what differs from the defaults', () => {
    const code = nodeCode(DEFAULT_KNOBS, 'tool') + rustCode(DEFAULT_KNOBS, 'tool');
    assert.doesNotMatch(code, /policy:|let policy|isError|Estimate/);
    const knobs: Knobs = {
        ...DEFAULT_KNOBS, counter: 'estimate', tools: ['read', 'jq'],
        policy: {
            mode: 'truncate', bytesPerToken: 3, maxViewBytes: 2_000,
            overrides: [{ tools: "it's\t\"odd\"", mode: 'artifact', maxThresholdBytes: 65_536 }],
        },
    };
    assert.equal(nodeCode(knobs, "o'tool").split('\n')[2],
        "const tuckaway = await createTuckaway({ contextWindow: 200_000, tools: ['read', 'jq'], " +
        "policy: { mode: 'truncate', bytesPerToken: 3, maxViewBytes: 2_000, " +
        "overrides: [{ tools: 'it\\'s\\t\"odd\"', mode: 'artifact', maxThresholdBytes: 65_536 }] } });");
    const rust = rustCode(knobs, 'a "tool"\n');
    for (const part of [
        'use tuckaway_host::{ArtifactTool, ArtifactTools, Block, Content, Estimate, Mode, Policy, ToolOutput, ' +
            'ToolOverride, Tuckaway, Turn};',
        'tool: "a \\"tool\\"\\u{a}".into()',
        'tools: ArtifactTools::from([ArtifactTool::Read, ArtifactTool::Jq])',
        'mode: Mode::Truncate, bytes_per_token: 3.0, max_view_bytes: Some(2_000)',
        'exempt: false, mode: Some(Mode::Artifact), max_threshold_bytes: Some(65_536) }]',
    ]) {
        assert.ok(rust.includes(part), `${part} is not in\n${rust}`);
    }
});

test('marks are at the matches of a pattern', () => {
    const match = { ...MATCH, column: 3, text: 'a Lisbon, lisbon-x' };
    assert.deepEqual(marker('Lisbon', {})(match), [[2, 8]]);
    assert.deepEqual(marker('(?i)lisbon', {})(match), [[2, 8], [10, 16]]);
    assert.deepEqual(marker('lisbon\\-x', {})(match), [[10, 18]]);
    assert.deepEqual(marker('n-x', { fixedString: true })(match), [[15, 18]]);
    assert.deepEqual(marker('(?P<city>L\\w+)', {})(match), [[2, 8]]);
    assert.deepEqual(marker('Lisbon', { invert: true })(match), []);
    assert.deepEqual(marker('LISBON|A', { ignoreCase: true })(match), [[0, 1], [2, 8], [10, 16]]);
    for (const pattern of ['(?x) L i', '[[:alpha:]]+', 'L\\x{69}', '(Li|sb)+', 'Lisbon, (?i)L', 'L{,2}', 'L??*']) {
        assert.deepEqual(marker(pattern, {})(match), [[2, 3]], `only the start of ${pattern} is marked`);
        assert.deepEqual(marker(pattern, {})({ ...match, clipped: true }), [], pattern);
    }
});

test('marks are exactly what the engine finds', async (t) => {
    const tuckaway = await createTuckaway({ contextWindow: 8_000 });
    t.after(() => tuckaway.dispose());
    const lines = [
        'GET /v1/orders 200 12ms', '[2026-03-01T10:00:00Z] error[E0308]: a-b_c', 'a🦀b🦁c',
        'Zürich 日本 élan É\u212a\u017f KS ks', '{"name": "Ada", "id": 7}\t$1.50 (net)', 'aaa aab ab\u00a0b',
        'me@example.com, you.too@b.co', '\u2028x\r y', '',
    ];
    const content = JSON.stringify({ lines, filler: 'x'.repeat(100_000) });
    const [artifact] = tuckaway.process({ tool: 't', content }).artifacts;
    for (const pattern of [
        '\\w+', '\\W+', '\\d+', '\\D', '\\s', '\\S+', '\\bb', 'b\\b', '.', '.{3}', '^.', '.$', 'é|É|x', '日.',
        'a+?', 'a*b', 'a{2}', 'a{1,2}b', 'a{2,}?', '(a)(b)?', 'a((b)??c)?', '(a|aa)b', 'a|', '(|a)a',
        '[^\\w-]+', '[-a-c]+', '[a-c-]+', '[\\s,]', '[\\]\\[]', '[🦀-🦁]', '[^\\-a]', '\\[[^:]*\\]', ']', '}', '"',
        '(?i)ks', '(?i)[k-s]', '(?i)é', '(?i)[^a-y]+', '\\$\\d\\.', '\\t', '\\{"', 'a-b', '#|&|~|/', 'a\\-b',
        '(?P<user>[\\w.]+)@(?<host>\\w+)\\.com?', '(?:GET|POST) (/\\w+)(/\\w+)',
    ]) {
        const filter = `.lines[] | [match(${JSON.stringify(pattern)}; "g") | .string]`;
        const found = tuckaway.jq(artifact!.id, filter, { compact: true });
        assert.equal(found.failure, undefined, pattern);
        const wanted = found.text.trim().split('\n').map((line) => JSON.parse(line) as string[]);
        const spansOf = marker(pattern, {});
        for (const [index, text] of lines.entries()) {
            const marks = spansOf({ ...MATCH, text });
            const marked = marks.map(([from, to]) => text.slice(from, to));
            assert.deepEqual(marked, wanted[index]!.filter((each) => each !== ''), `${pattern} in ${text}`);
        }
    }
});

test('no pattern takes long to mark', () => {
    const x = 'x'.repeat(399);
    const began = performance.now();
    for (const pattern of [
        '(x+x+)+y', '(x*)*y', 'x*x*y', 'x*x*x*x*x*y', `${'x?'.repeat(200)}${x}y`, `${'(x|x)'.repeat(40)}y`,
    ]) {
        marker(pattern, {})({ ...MATCH, text: `${x}-` });
    }
    assert.ok(performance.now() - began < 1_000);
});

test('an excerpt ends between characters and lines', () => {
    const bytes = new TextEncoder().encode('añ\nb\nc');
    assert.deepEqual(excerpt(bytesOf(bytes), 2), { text: 'a', sizeBytes: 7, complete: false });
    assert.deepEqual(excerpt(bytesOf(bytes), 100, 2), { text: 'añ\nb\n', sizeBytes: 7, complete: false });
    assert.deepEqual(excerpt(bytesOf(bytes), 100), { text: 'añ\nb\nc', sizeBytes: 7, complete: true });
});

test('token counts of large texts are scaled up from samples', () => {
    const large = bytesOf(new Uint8Array(10_000_000).fill(97));
    const { tokens: counted, exact } = countTokens(large, (sample) => sample.length / 4);
    assert.equal(exact, false);
    assert.ok(Math.abs(counted - 2_500_000) < 1_000);
    assert.deepEqual(countTokens(bytesOf(new Uint8Array(8)), (sample) => sample.length), { tokens: 8, exact: true });
});
