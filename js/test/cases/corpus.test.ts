/** The runner of the cases: a case passes if and only if its result is as expected. */

import { strict as assert } from 'node:assert';
import { test } from 'node:test';

import { createTuckaway } from 'tuckaway';

import { CONTEXT_WINDOW, run } from './corpus/corpus.js';
import { agree } from './corpus/expect.js';
import type { Json, JsonObject } from './corpus/json.js';
import type { Skip } from './corpus/skips.js';

const PASSES = { name: 'passes', call: 'truncate', input: { text: 'as it is', max_bytes: 512 }, expect: 'as it is' };

/** Runs cases and returns the report. */
function report(cases: JsonObject[], skips: Skip[] = [], only = '') {
    const open = (world: Parameters<Parameters<typeof run>[0]>[0]) =>
        createTuckaway({ store: world, tokens: (text) => world.count(text), contextWindow: CONTEXT_WINDOW });
    return run(open, [{ name: 'file.json', content: { cases } }], only, skips);
}

test('texts agree if and only if they are the same, in any notation', async () => {
    const actual = { text: 'a\na\na\n', n: 1 };
    const texts: Json[] = [
        ['a', 'a', 'a', ''], { repeat: 'a\n', times: 3 }, 'a\na\na\n', { hex: '61 0a 61 0a 61 0a' },
    ];
    for (const text of texts) {
        assert.ok(await agree({ text, n: 1 }, actual));
    }
    const others: Json[] = [
        { text: ['a', 'a', 'a'], n: 1 }, { text: actual.text }, { ...actual, m: 1 }, { ...actual, n: 2 },
        { ...actual, n: '1' }, actual.text, [actual], null,
    ];
    for (const expected of others) {
        assert.ok(!(await agree(expected, actual)), JSON.stringify(expected));
    }
});

test('long texts agree with their digest, bytes with their recipe', async () => {
    const long = 'x'.repeat(5_000);
    const sha256 = 'c59d3c0480cc2d71d8f646e735e92da65450311eec46e81a5db8c7e6e8a92054';
    const digest = { bytes: 5_000, sha256, starts: 'x'.repeat(60), ends: 'x'.repeat(60) };
    assert.ok(await agree(digest, long));
    assert.ok(await agree({ repeat: 'x', times: 5_000 }, long));
    assert.ok(!(await agree(digest, 'y'.repeat(5_000))));
    assert.ok(!(await agree({ ...digest, ends: '' }, long)));
    assert.ok(await agree({ hex: 'ff' }, { base64: '/w==' }));
    assert.ok(!(await agree({ hex: 'fe' }, { base64: '/w==' })));
});

test('a case with a different result fails, and shows a diff of expected and actual', async () => {
    const { passed, failures } = await report([
        PASSES,
        { ...PASSES, name: 'another text', expect: 'as it was' },
        { ...PASSES, name: 'no error', input: { text: 'x', max_bytes: 1 } },
        { ...PASSES, name: 'nothing stored', after: { counted: 1 } },
        { ...PASSES, name: 'no such call', call: 'shorten' },
    ]);
    assert.equal(passed, 1);
    assert.equal(failures.length, 4);
    assert.ok(failures[0]?.startsWith('file.json: another text\n'), failures[0]);
    assert.match(failures[0] ?? '', /- +"expect": "as it was"\n +\+ +"expect": "as it is"/);
    assert.match(failures[1] ?? '', /\+ +"kind": "invalid_input"/);
    assert.match(failures[2] ?? '', /- +"counted": 1/);
    assert.match(failures[3] ?? '', /there is no call: "shorten"/);
});

test('the artifacts that a case leaves behind are part of the expectation', async () => {
    const { failures } = await report([
        {
            name: 'stored',
            call: 'process',
            input: { output: { text: 'x' }, policy: { keep_all: true } },
            expect: {},
        },
    ]);
    assert.match(failures[0] ?? '', /\+ +"art_tool_0000000001"/);
});

test('recipes in a history are written out, and the names in its JSON stay', async () => {
    const call = { type: 'tool-call', toolCallId: 'c%', toolName: 'read', input: {} };
    const output = { type: 'text', value: { repeat: 'a line\n', times: 400 } };
    const turn: Json[] = [
        { role: 'user', content: 'Read %.' },
        { role: 'assistant', content: [call] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'c%', toolName: 'read', output }] },
    ];
    const history: Json[] = [{ each: turn, from: 1, to: 2 }, { role: 'user', content: 'Thanks.' }];
    const task = { trim: { context_window: 10_000, config: { context_budget_tokens: 800 } } };
    const { passed, failures } = await report([
        { name: 'format', call: 'detect_format', input: { history }, expect: 'ai-sdk' },
        { name: 'trimmed', call: 'manage_history', input: { history, task }, expect: {} },
    ]);
    assert.equal(passed, 1, failures[0]);
    assert.match(failures[0] ?? '', /"insert": \{\n[^}]*"toolCallId": "c1"/);
});

test('a skip must name a case, and the case must fail', async () => {
    const fails = { ...PASSES, name: 'fails', expect: 'as it was' };
    const skip = (name: string): Skip => ({ file: 'file.json', name, reason: 'because' });
    const due = await report([PASSES, fails], [skip('fails')]);
    assert.deepEqual(due, { passed: 1, skipped: ['file.json: fails (because)'], failures: [] });
    const stale = await report([PASSES], [skip('passes')]);
    assert.deepEqual([stale.passed, stale.skipped], [0, []]);
    assert.match(stale.failures[0] ?? '', /passes: remove it from the list/);
    const lost = await report([PASSES], [skip('gone')]);
    assert.match(lost.failures[0] ?? '', /there is no such case/);
});

test('only the selected cases run', async () => {
    const cases = [PASSES, { ...PASSES, name: 'another' }];
    assert.equal((await report(cases, [], 'another')).passed, 1);
    assert.equal((await report(cases, [], 'file.json')).passed, 2);
    assert.equal((await report(cases, [], 'nothing')).passed, 0);
});
