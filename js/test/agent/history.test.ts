/** Histories of any format, kept within their window: the caller's own objects, values that are not JSON, repairs. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type ContextMemory, createTuckaway } from 'tuckaway';
import { manageSteps } from 'tuckaway/ai-sdk';
import { manageHistory } from 'tuckaway/history';

const long = (n: number) => `line of ${n}\n`.repeat(400);

/** Returns a history of Bedrock with a text and an image in each result. */
function shots(turns: number): any[] {
    return Array.from({ length: turns }, (_, n) => [
        { role: 'user', content: [{ text: `Take shot ${n}.` }] },
        { role: 'assistant', content: [{ toolUse: { toolUseId: `use_${n}`, name: 'shot', input: { n } } }] },
        {
            role: 'user',
            content: [{
                toolResult: {
                    toolUseId: `use_${n}`,
                    content: [{ text: long(n) }, { image: { format: 'png', source: { bytes: new Uint8Array([n, 1, 2]) } } }],
                },
            }],
        },
        { role: 'assistant', content: [{ text: 'Done.' }] },
    ]).flat();
}

const trimming = { cache: { contextBudgetTokens: 2_000, keepMedia: 100 } };

test('items that stay are the same objects, and so are the bytes in items that change', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000 });
    const items = shots(6);
    const untouched = structuredClone(items);
    const managed = await manageHistory(tuckaway, { items, system: [{ text: 'Be brief.' }] }, trimming);
    assert.deepEqual(items, untouched);
    assert.equal(managed.report.format, 'bedrock');
    assert.ok(managed.report.before.system > 0);
    const changed = [...items.keys()].filter((index) => managed.items[index] !== items[index]);
    assert.ok(changed.length > 2 && changed.every((index) => index % 4 === 2), changed.join());
    for (const index of changed) {
        const [text, { image }] = managed.items[index].content[0].toolResult.content;
        assert.match(text.text, /^\[tool output trimmed; ref=\S+\]$/);
        assert.equal(image.source.bytes, items[index].content[0].toolResult.content[1].image.source.bytes);
    }
});

test('buffers and URLs are written as JSON, and come back as they were', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000 });
    const url = new URL('https://example.org/a.png');
    const buffer = Buffer.from('abc');
    const array = new ArrayBuffer(3);
    const value = [
        { type: 'text', text: long(1) }, { type: 'image-url', url }, { type: 'media', data: buffer }, { type: 'media', data: array },
        { type: 'media', data: url.href },
    ];
    const result = { type: 'tool-result', toolCallId: 'a', toolName: 'shot', output: { type: 'content', value } };
    const items = [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'shot', input: {} }] },
        { role: 'tool', content: [result] },
        { role: 'assistant', content: 'Done.' },
        { role: 'user', content: 'Go on.' },
    ];
    const options = { cache: { contextBudgetTokens: 1, keepLast: 0, keepMedia: 100 } };
    const managed = await manageHistory<any>(tuckaway, { format: 'ai-sdk', items }, options);
    const [text, ...media] = managed.items[2].content[0].output.value;
    assert.match(text.text, /^\[tool output trimmed/);
    assert.equal(media[0].url, url);
    assert.equal(media[1].data, buffer);
    assert.equal(media[2].data, array);
    assert.equal(media[3].data, url.href, 'a text stays a text');
});

test('tools of the AI SDK that are removed are removed from the own object', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 20_000 });
    const tool = (name: string) => ({
        description: `Does ${name}. `.repeat(80), inputSchema: { jsonSchema: { type: 'object' } }, execute: () => name,
    });
    const tools = Object.fromEntries(['read', ...Array.from({ length: 40 }, (_, n) => `tool_${n}`)].map((name) => [name, tool(name)]));
    const items = [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'read', input: {} }] },
        { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'read', output: { type: 'text', value: 'x' } }] },
    ];
    const same = await manageHistory(tuckaway, { items, tools });
    assert.equal(same.tools, tools);
    const managed = await manageHistory(tuckaway, { items, tools }, { budget: 'general' });
    const names = Object.keys(managed.tools);
    assert.ok(names.includes('read') && names.length < 41, names.join());
    assert.ok(names.every((name) => managed.tools[name] === tools[name]));
    assert.equal(managed.report.receipts.filter(({ removal }) => removal === 'pruned').length, 41 - names.length);
});

/** The data of a PNG image of 9,000 x 800 pixels, which Anthropic refuses and OpenAI accepts. */
const WIDE = 'iVBORw0KGgoAAAANSUhEUgAAIygAAAMgCAYAAAAAAAAJ';

test('the limits of the provider of the model apply', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000 });
    const image = { type: 'file', mediaType: 'image/png', data: WIDE };
    const items = [{ role: 'user', content: [{ type: 'text', text: 'What is this?' }, image] }];
    const given = { format: 'ai-sdk', items } as const;
    for (const [model, isChanged] of [['claude-sonnet-4-5', true], ['gpt-5', false], [undefined, false]] as const) {
        const { report } = await manageHistory(tuckaway, given, { model });
        assert.equal(report.isChanged, isChanged, model);
    }
    const steps = (model: unknown, options = {}) => manageSteps(tuckaway, options)({ messages: items, steps: [], model });
    const isKept = async (step: ReturnType<typeof steps>) => (await step).messages[0] === items[0];
    assert.equal(await isKept(steps({ modelId: 'claude-sonnet-4-5' })), false);
    assert.equal(await isKept(steps('anthropic/claude-sonnet-4.5')), false);
    assert.equal(await isKept(steps({ modelId: 'claude-sonnet-4-5' }, { model: 'gpt-5' })), true);
    assert.equal(await isKept(steps(undefined)), true);
    await assert.rejects(manageHistory(tuckaway, given, { model: 1 as never }), /options\.model/);
});

test('what an aborted turn left is repaired, unless the caller is strict', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000 });
    const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{}' } };
    const items = [
        { role: 'user', content: 'Read it.' },
        { role: 'assistant', content: null, tool_calls: [call] },
        { role: 'user', content: 'Never mind.' },
    ];
    const managed = await manageHistory<any>(tuckaway, { items });
    assert.equal(managed.report.isChanged, true);
    assert.equal(managed.report.repairs.length, 1);
    assert.match(managed.report.repairs[0]!, /call_1/);
    assert.equal(managed.items.length, 4);
    assert.deepEqual(managed.items.filter((item) => items.includes(item)), items);
    assert.equal(managed.items[2].tool_call_id, 'call_1');
    const again = await manageHistory(tuckaway, { items: managed.items, memory: managed.memory }, { strict: true });
    assert.equal(again.report.isChanged, false);
    const refused = { name: 'TuckawayError', kind: 'invalid_input', message: /call_1/ };
    await assert.rejects(manageHistory(tuckaway, { items }, { strict: true }), refused);
});

test('a memory that was saved as JSON is read by another tuckaway over the same store', async () => {
    const first = await createTuckaway({ contextWindow: 100_000 });
    const managed = await manageHistory<any>(first, { format: 'bedrock', items: shots(6) }, trimming);
    const { version, ...rest } = JSON.parse(JSON.stringify(managed.memory)) as ContextMemory;
    assert.ok(version >= 1);
    const next = await createTuckaway({ contextWindow: 100_000 });
    const again = await manageHistory(next, { items: managed.items, memory: { version, ...rest } }, trimming);
    assert.equal(again.report.isChanged, false);
    assert.deepEqual(again.memory, managed.memory);
});

test('a history of unclear format, and one that only continues another, are refused', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000 });
    const refused = (message: RegExp) => ({ name: 'TuckawayError', kind: 'invalid_input', message });
    await assert.rejects(manageHistory(tuckaway, { items: [{ role: 'user', parts: [{ text: 'Hi' }] }] }), refused(/gemini or neutral/));
    await assert.rejects(manageHistory(tuckaway, { format: 'gpt' as never, items: [] }), refused(/^history\.format is "gpt"; it must be/));
    const circle: { self?: object } = {};
    circle.self = circle;
    await assert.rejects(manageHistory(tuckaway, { items: [circle] }), refused(/^the history cannot be written as JSON/));
});
