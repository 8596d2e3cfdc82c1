/** The methods for histories: arguments, rejected arguments, results. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type HistoryInput, createTuckaway } from 'tuckaway';

/** Returns messages of Chat Completions with a long result in each turn. */
function reading(turns: number): object[] {
    return Array.from({ length: turns }, (_, n) => {
        const call = { id: `c${n}`, type: 'function', function: { name: 'read', arguments: `{"n":${n}}` } };
        return [
            { role: 'user', content: `Read ${n}.` },
            { role: 'assistant', content: null, tool_calls: [call] },
            { role: 'tool', tool_call_id: `c${n}`, content: `line of ${n}\n`.repeat(400) },
            { role: 'assistant', content: `Read ${n}.` },
        ];
    }).flat();
}

test('formats are detected and usages read, from JSON text or values', async () => {
    const { histories } = await createTuckaway({ contextWindow: 100_000 });
    assert.equal(histories.detectFormat(reading(1)), 'openai-chat');
    assert.equal(histories.detectFormat(JSON.stringify({ contents: [{ role: 'user', parts: [{ text: 'Hi' }] }] })), 'gemini');
    const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 };
    const read = { inputTokens: 10, outputTokens: 5, cacheCreationTokens: 20, cacheReadTokens: 100 };
    assert.deepEqual(histories.readUsage(usage), read);
    assert.deepEqual(histories.readUsage(JSON.stringify(usage)), read);
});

test('an account changes nothing', async () => {
    const { histories } = await createTuckaway({ contextWindow: 100_000 });
    const json = JSON.stringify({ messages: reading(2) }, null, 1);
    const { state, request, history } = histories.start({ json, withJson: true }, null, { account: true });
    assert.equal(state, '');
    assert.equal(request, undefined);
    assert.equal(history.json, json);
    assert.deepEqual(history.items, [{ keep: { start: 0, end: 8 } }]);
    assert.equal('keptTools' in history, false, 'members without a value are omitted');
    const { isChanged, itemCount, before, after } = history.report;
    assert.deepEqual([isChanged, itemCount, after], [false, 8, before]);
    assert.ok(before.toolOutputs > 1_000);
});

test('a history is trimmed and summarized step by step, and its memory goes into the next call', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 6_000 });
    const { histories } = tuckaway;
    const [input, task] = [{ json: JSON.stringify(reading(6)), pinned: [1, 2] }, { manage: {} }];
    const first = histories.start(input, null, task);
    assert.ok(first.request !== undefined && first.state !== '');
    const failed = histories.step(input, task, first.state, { failed: 'overloaded' });
    assert.deepEqual([failed.request, failed.state], [undefined, '']);
    assert.deepEqual(failed.history.report.summaryErrors, ['overloaded']);
    assert.ok(failed.history.report.refusal !== undefined);
    const { history } = histories.step(input, task, first.state, { text: '<summary>They read.</summary>' });
    const inserted = history.items.flatMap((item) => ('insert' in item ? [item.insert] : []));
    assert.match(inserted.join(), /They read\./);
    assert.ok(history.items.some((item) => 'keep' in item && item.keep.start <= 1 && item.keep.end >= 3), 'pinned');
    assert.equal(history.report.requests, 1);
    const left = history.items.flatMap((item) =>
        'keep' in item ? reading(6).slice(item.keep.start, item.keep.end) : [JSON.parse(item.insert) as object]);
    const again = histories.start({ json: JSON.stringify(left) }, JSON.stringify(history.memory), task);
    assert.equal(again.history.report.isChanged, false);
    const refused = { name: 'TuckawayError', kind: 'invalid_input' };
    assert.throws(() => histories.step({ json: JSON.stringify(left) }, task, first.state, { text: '' }), refused);
});

test('known artifacts are used', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000, policy: { keepAll: true } });
    const text = 'line of 0\n'.repeat(400);
    const artifact = tuckaway.process({ tool: 'read', content: text }).artifacts[0]!.id;
    const trim = { trim: { config: { contextBudgetTokens: 1_000 } } };
    const trimmed = (known: Partial<HistoryInput>) =>
        JSON.stringify(tuckaway.histories.start({ json: JSON.stringify(reading(3)), ...known }, null, trim).history.items);
    assert.ok(trimmed({ artifacts: [{ callId: 'c0', artifact }] }).includes(artifact));
    assert.ok(trimmed({ artifacts: [{ callId: 'c0', text, artifact }] }).includes(artifact));
    assert.ok(!trimmed({ artifacts: [{ callId: 'c0', text: 'another', artifact }] }).includes(artifact));
});

test('mistakes are explained', async () => {
    const { histories } = await createTuckaway({ contextWindow: 100_000 });
    const refused = (call: () => unknown, message: RegExp) =>
        assert.throws(call, { name: 'TuckawayError', kind: 'invalid_input', message });
    const account = { account: true } as const;
    refused(() => histories.detectFormat(5 as never), /^history is 5; it must be JSON text or an object/);
    refused(() => histories.detectFormat('['), /^The history is malformed JSON/);
    refused(() => histories.readUsage({ tokens: 1 }), /^The usage has none of/);
    refused(() => histories.start({ json: '[]', strict: true } as never, null, account), /did you mean isStrict\?/);
    refused(() => histories.start({ json: [] } as never, null, account), /^history\.json is an array; it must be a string/);
    refused(() => histories.start({ json: '[]', pinned: [-1] }, null, account), /^history\.pinned\[0\] is -1/);
    refused(() => histories.start({ json: '[]' }, { version: 0 }, account), /^The memory is invalid/);
    refused(() => histories.start({ json: '[]' }, null, { trim: { contextWindow: 0 } }), /^contextWindow is 0/);
    refused(() => histories.step({ json: '[]' }, account, '{}', { text: '' }), /^The state is invalid/);
    refused(() => histories.step({ json: '[]' }, account, '{}', {} as never), /^answer is an object \(Object\); it must be an object with one of text, failed/);
});
