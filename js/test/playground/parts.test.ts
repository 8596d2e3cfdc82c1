/** The parts of the playground that need no browser: types, samples, number formats, code. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';

import { createTuckaway, estimate, type Match } from 'tuckaway';

import { nodeCode } from '../../playground/src/code/javascript.js';
import { mcpSettings } from '../../playground/src/code/mcp.js';
import { pythonCode } from '../../playground/src/code/python.js';
import { rustCode } from '../../playground/src/code/rust.js';
import { duration, number, share, size, tokens } from '../../playground/src/format.js';
import { DEFAULT_KNOBS, knobsFrom, writeKnobs, type Knobs } from '../../playground/src/knobs.js';
import { questionFrom, writeQuestion, type Question } from '../../playground/src/question.js';
import { DEFAULT_SAMPLE, SAMPLE_NAMES, SAMPLES, makeSample, sampleFrom } from '../../playground/src/samples.js';
import { readTranscript } from '../../playground/src/transcript.js';
import { truncatePlainly } from '../../playground/src/worker/plain.js';
import { Scratch } from '../../playground/src/worker/scratch.js';
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
            enabled: false, mode: 'truncate', dialect: 'cache', contextPercentage: 0.1,
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
    const nonsense = 'contextWindow=much&mode=other&dialect=constructor&enabled=1&overrides=[{"x":1},3]&counter=abacus&previewBytes=';
    assert.deepEqual(knobsFrom(new URLSearchParams(nonsense)), { ...DEFAULT_KNOBS, tools: ['read', 'grep', 'jq'] });
});

test('code contains only what differs from the defaults', () => {
    const code = nodeCode(DEFAULT_KNOBS, 'tool') + rustCode(DEFAULT_KNOBS, 'tool')
        + pythonCode(DEFAULT_KNOBS, 'tool') + mcpSettings(DEFAULT_KNOBS);
    assert.doesNotMatch(code, /policy|isError|is_error=|Estimate|cap =/);
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
        'use tuckaway_host::{ArtifactTool, Block, Content, Estimate, Mode, Policy, ToolOutput, ToolOverride, ' +
            'Tuckaway, Turn};',
        'tool: "a \\"tool\\"\\u{a}".into()',
        'tools: vec![ArtifactTool::Read, ArtifactTool::Jq]',
        'mode: Mode::Truncate, bytes_per_token: 3.0, max_view_bytes: Some(2_000)',
        'exempt: false, mode: Some(Mode::Artifact), max_threshold_bytes: Some(65_536) }]',
    ]) {
        assert.ok(rust.includes(part), `${part} is not in\n${rust}`);
    }
});

test('code for Python and settings for MCP have what differs from the defaults', () => {
    const knobs: Knobs = {
        ...DEFAULT_KNOBS, counter: 'estimate', isError: true, contextWindow: 64_000, usedTokens: 1_000, tools: ['read', 'jq'],
        policy: {
            mode: 'truncate', dialect: 'file', keepAll: true, contextPercentage: 0.1, maxOutputTokens: 5_000, maxThresholdBytes: Infinity,
            overrides: [{ tools: 'it\'s "odd"', exempt: true }, { tools: 'sql_*', mode: 'artifact', maxThresholdBytes: 65_536 }],
        },
    };
    assert.equal(pythonCode(knobs, 'a "tool"\n'), [
        'from tuckaway import Policy, ToolOverride, Tuckaway',
        '',
        'tuckaway = Tuckaway(context_window=64_000, tools=["read", "jq"], policy=Policy(mode="truncate", dialect="file", '
            + 'keep_all=True, context_percentage=0.1, max_output_tokens=5_000, max_threshold_bytes=2**64 - 1, '
            + 'overrides=[ToolOverride(tools="it\'s \\"odd\\"", exempt=True), '
            + 'ToolOverride(tools="sql_*", mode="artifact", max_threshold_bytes=65_536)]))',
        'view = tuckaway.process(output, tool="a \\"tool\\"\\n", is_error=True, used_tokens=1_000)',
        'messages.append({"role": "tool", "content": view.text})',
        '',
    ].join('\n'));
    assert.match(pythonCode(DEFAULT_KNOBS, 'tool'), /^from tuckaway import Tiktoken, Tuckaway\n\n.*\(tokens=Tiktoken\(\), context_window=200_000\)/);
    assert.equal(mcpSettings(knobs), [
        '# tuckaway.toml, for: tuckaway mcp proxy --config tuckaway.toml',
        'window = 64_000', 'mode = "truncate"', 'dialect = "file"', 'cap = 5_000', '',
        '[policy]', 'keep_all = true', 'context_percentage = 0.1', 'max_threshold_bytes = 9_007_199_254_740_991', '',
        '[servers.NAME]', 'command = "COMMAND"', 'args = ["ARGUMENT"]', '',
        '[[tools]]', 'glob = "it\'s \\"odd\\""', 'exempt = true', '',
        '[[tools]]', 'glob = "sql_*"', 'mode = "artifact"', 'max_threshold_bytes = 65_536', '',
    ].join('\n'));
});

test('code has the dialect, and the defaults that come with it', () => {
    const knobs: Knobs = { ...DEFAULT_KNOBS, policy: { dialect: 'file', previewBytes: 100 } };
    assert.match(nodeCode(knobs, 'tool'), /policy: \{ dialect: 'file', previewBytes: 100 \} \}\);/);
    const rust = rustCode(knobs, 'tool');
    assert.match(rust, /^use tuckaway_host::\{ArtifactTool, Block, Content, Dialect, Policy, /);
    assert.match(rust, /let policy = Policy \{ preview_bytes: 100, \.\.Policy::for_dialect\(Dialect::File\) \};/);
    const handle: Knobs = { ...DEFAULT_KNOBS, policy: { dialect: 'handle' } };
    assert.match(rustCode(handle, 'tool'), /&turn, &Policy::for_dialect\(Dialect::Handle\)\)/);
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

test('marks are exactly the matches of the engine', async (t) => {
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

test('patterns that make a backtracking engine take years are marked', () => {
    const x = 'x'.repeat(399);
    for (const pattern of [
        '(x+x+)+y', '(x*)*y', 'x*x*y', 'x*x*x*x*x*y', `${'x?'.repeat(200)}${x}y`, `${'(x|x)'.repeat(40)}y`,
    ]) {
        marker(pattern, {})({ ...MATCH, text: `${x}-` });
    }
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

test('samples and questions survive a round trip through the address', () => {
    const questions = [
        ...SAMPLE_NAMES.map((name): Question => SAMPLES[name].puzzle.question),
        { console: 'grep', values: { pattern: 'a & b=#?', ignoreCase: 'true', before: '2' } },
        { console: 'read', values: { from: '3', to: '4', numbers: 'false' } },
    ] satisfies Question[];
    for (const question of questions) {
        const address = new URLSearchParams({ contextWindow: '8192' });
        writeQuestion(question, address);
        assert.deepEqual(questionFrom(new URLSearchParams(address.toString())), question);
    }
    assert.equal(questionFrom(new URLSearchParams('ask=sed&pattern=x')), undefined);
    assert.deepEqual(questionFrom(new URLSearchParams('ask=jq&pattern=x&filter=.')), { console: 'jq', values: { filter: '.' } });
    const sample = (address: string): unknown => sampleFrom(new URLSearchParams(address));
    assert.deepEqual(sample('sample=csv&size=64000'), { sample: 'csv', bytes: 64_000 });
    assert.equal(sample('sample=other'), undefined);
    for (const size of ['', '&size=1', '&size=9e12', '&size=-1', '&size=much']) {
        assert.deepEqual(sample(`sample=csv${size}`), { sample: 'csv', bytes: DEFAULT_SAMPLE.bytes });
    }
});

test('plain truncation keeps head and tail', () => {
    const short = new TextEncoder().encode('short');
    assert.deepEqual(truncatePlainly(bytesOf(short)), short);
    const long = text(truncatePlainly(bytesOf(makeSample('build', 100_000))));
    assert.match(long, /^\$ cargo test.*\n… \[83\d{3} bytes truncated\] …\n.*build failed, waiting[^\n]*\n$/s);
});

test('only one of the two answers the question of a sample', async () => {
    const scratch = new Scratch(estimate);
    const answers: Record<string, string> = {};
    for (const name of SAMPLE_NAMES) {
        const { tool, puzzle: { question } } = SAMPLES[name];
        const sample = makeSample(name, 1_000_000);
        const whole = await scratch.find(tool, sample, question);
        const plain = await scratch.find(tool, truncatePlainly(bytesOf(sample)), question);
        assert.equal(whole.failed, false, `${name}: ${whole.text}`);
        assert.notEqual(plain.text, whole.text, name);
        answers[name] = whole.text;
    }
    const rows = JSON.parse(text(makeSample('rows', 1_000_000))).rows as object[];
    const events = text(makeSample('events', 1_000_000)).trim().split('\n').map((line) => JSON.parse(line) as { status: number });
    assert.equal(answers.rows, String(rows.filter((row) => 'suspended_at' in row).length));
    assert.equal(answers.events, String(events.filter(({ status }) => status === 500).length));
    assert.equal(answers.build, '--> ledger/src/settle.rs:214:31');
    assert.equal(answers.csv, String(text(makeSample('csv', 1_000_000)).split(',Oslo,').length - 1));
    assert.equal(answers.line, String(text(makeSample('line', 1_000_000)).split('e.filter(').length - 1));
    const lines = text(makeSample('prose', 1_000_000)).split('\n');
    assert.equal(answers.prose, String(lines.filter((line) => line.includes('큰 출력')).length));
});

test('the outputs in transcripts are found', () => {
    const found = (transcript: unknown): unknown =>
        readTranscript(JSON.stringify(transcript)).map(({ tool, text, isError }) => [tool, text, isError]);
    const listing = ['ls', 'a\nb', false];
    const chat = [
        { role: 'user', content: 'list' },
        { role: 'assistant', tool_calls: [{ id: 'c1', type: 'function', function: { name: 'ls', arguments: '{}' } }] },
        { role: 'tool', tool_call_id: 'c1', content: 'a\nb' },
        { role: 'tool', tool_call_id: 'c2', content: [{ type: 'text', text: 'x' }, { type: 'image_url' }, { type: 'text', text: 'y' }] },
    ];
    assert.deepEqual(found(chat), [listing, ['tool', 'x\ny', false]]);
    assert.deepEqual(found({ model: 'm', messages: chat }), found(chat));
    assert.deepEqual(found({ input: [
        { type: 'function_call', call_id: 'c1', id: 'fc', name: 'ls', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'a\nb' },
    ] }), [listing]);
    const anthropic = [
        { role: 'assistant', content: [{ type: 'text', text: '…' }, { type: 'tool_use', id: 't1', name: 'ls', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'a\nb' }] }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't2', content: 'no', is_error: true }] },
    ];
    assert.deepEqual(found(anthropic), [listing, ['tool', 'no', true]]);
    const mcp = [
        { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'ls', arguments: {} } },
        { jsonrpc: '2.0', id: 1, result: { content: [{ type: 'text', text: 'a\nb' }] } },
        { jsonrpc: '2.0', id: 2, result: { content: [], structuredContent: { a: 1 }, isError: true } },
    ];
    assert.deepEqual(found(mcp), [listing, ['tool', '{"a":1}', true]]);
    assert.deepEqual(found({ content: [{ type: 'text', text: 'alone' }], isError: false }), [['tool', 'alone', false]]);
    const lines = anthropic.map((message) => JSON.stringify({ type: message.role, message })).join('\n');
    assert.equal(readTranscript(`${lines}\n`).length, 2);
    for (const other of ['', 'plain "isError" text', '{"rows":[1]}', '{"tool_use_id":', '[{"role":"user","content":"isError"}]']) {
        assert.deepEqual(readTranscript(other), [], other);
    }
});

test('the outputs of a transcript are measured in order', async () => {
    const rows = text(makeSample('rows', 64_000));
    const calls = [rows, 'short', rows].map((each) => ({ tool: 't', text: each, isError: false }));
    const turn = { contextWindow: 50_000, usedTokens: 0, tools: ['read', 'grep', 'jq'] as const };
    const measured = await new Scratch(estimate).measure({
        calls, turn: { ...turn, tools: [...turn.tools] }, policy: { contextPercentage: 0.5 }, counter: 'estimate',
    });
    assert.deepEqual(measured.map(({ action }) => action), ['inline', 'inline', 'artifact']);
    assert.equal(measured[0]!.before.tokens, estimate(rows));
    assert.equal(measured[0]!.after.tokens, estimate(rows));
    assert.ok(measured[2]!.after.tokens < 1_000);
});
