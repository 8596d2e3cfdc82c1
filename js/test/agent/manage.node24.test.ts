/** Conversations kept within their window: in the AI SDK's own loop, and over an asynchronous store. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type ModelMessage, type UIMessage, generateText, isStepCount, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { MemoryStore, createTuckaway } from 'tuckaway';
import { type ContextMemory, type ContextReport, manageContext, manageSteps, offloadTools } from 'tuckaway/ai-sdk';
import { manageContext as manageMessages } from 'tuckaway/anthropic';
import { createTuckaway as createAsyncTuckaway } from 'tuckaway/async';
import { z } from 'zod';

import { asAiSdk, asAnthropic, seeded, session } from './sessions.js';

const usage = (total: number) => ({
    inputTokens: { total, noCache: total, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 20, text: 20, reasoning: undefined },
});

const page = (n: number) => `page ${n}: all work and no play\n`.repeat(100);

/** Returns a model that calls `read` in each of the first steps, and records its prompts. */
function reader(steps: number, prompts: any[][]) {
    let step = 0;
    return new MockLanguageModelV4({
        doGenerate: async ({ prompt }) => {
            prompts.push(prompt);
            const n = step++;
            const content = n < steps
                ? [{ type: 'tool-call' as const, toolCallId: `call_${n}`, toolName: 'read', input: `{"n":${n}}` }]
                : [{ type: 'text' as const, text: 'All read.' }];
            const unified = n < steps ? ('tool-calls' as const) : ('stop' as const);
            return { content, finishReason: { unified, raw: undefined }, usage: usage(500 + 900 * n), warnings: [] };
        },
    });
}

test('manageSteps in generateText: trimmed outputs lead to the artifacts of the wrapped tools', async () => {
    const store = new MemoryStore();
    const tuckaway = await createTuckaway({ contextWindow: 100_000, store, policy: { keepAll: true } });
    const read = tool({ inputSchema: z.object({ n: z.number() }), execute: ({ n }) => page(n) });
    const tools = await offloadTools(tuckaway, { read });
    const prompts: any[][] = [];
    const seen: [ContextMemory, ContextReport][] = [];
    const { text } = await generateText({
        model: reader(12, prompts),
        tools,
        instructions: 'Be brief.',
        prompt: 'Read them all.',
        stopWhen: isStepCount(20),
        prepareStep: manageSteps(tuckaway, {
            tools, cache: { contextBudgetTokens: 3_000 }, onContext: (...each) => seen.push(each),
        }),
    });
    assert.equal(text, 'All read.');
    assert.equal(seen.length, 13);
    const last = prompts.at(-1)!;
    const outputs = last.filter(({ role }) => role === 'tool').flatMap(({ content }) => content).map(({ output }) => output.value);
    assert.equal(outputs.length, 12);
    const refs = outputs.map((value: string) => /^\[tool output trimmed; ref=(\S+)\]$/.exec(value)?.[1]);
    assert.ok(refs[0] !== undefined && refs.at(-1) === undefined);
    assert.equal(tuckaway.read(refs[0]!, { maxBytes: 10_000 }).text, page(0));
    assert.equal(store.listArtifacts().length, 12, 'nothing is stored twice');
    const isTrimmed = (prompt: any[]) => JSON.stringify(prompt).includes('tool output trimmed');
    const first = prompts.findIndex(isTrimmed);
    assert.ok(first > 2 && prompts.slice(first).every(isTrimmed), 'what was trimmed stays trimmed');
    const { before } = seen[first]![1];
    assert.ok(Math.abs(before.total - (500 + 900 * (first - 1) + 20)) < 1_500, 'the usage of the last step counts');
    assert.ok(before.tools > 250 && before.system > 0);
});

test('manageContext of the AI SDK: messages, instructions and tools by name', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 6_000 });
    const messages = asAiSdk(session(seeded(3), 12, 4_000)) as ModelMessage[];
    const tools = { read: tool({ description: 'Reads.', inputSchema: z.object({ path: z.string() }) }) };
    const asked: unknown[] = [];
    const summarize = async (call: unknown) => {
        asked.push(call);
        return '<summary>They read.</summary>';
    };
    const managed = await manageContext(tuckaway, { messages, instructions: 'Be brief.', tools }, { summarize });
    assert.ok(asked.length > 0);
    const typed: ModelMessage[] = managed.messages;
    assert.equal(typed.at(-1), messages.at(-1));
    assert.match(JSON.stringify(typed), /They read\./);
    assert.ok(managed.report.before.tools > 20, 'the schema counts');
    assert.deepEqual(Object.keys(managed.tools), ['read']);
    const unreported = { inputTokens: undefined, outputTokens: undefined, totalTokens: undefined, inputTokenDetails: {} };
    const again = await manageContext(tuckaway, { messages: managed.messages, usage: unreported, memory: managed.memory });
    assert.equal(again.report.isChanged, false, 'a provider need not report a usage');
});

test('manageContext of the AI SDK with UI messages: their results count and are trimmed', async () => {
    const store = new MemoryStore();
    const tuckaway = await createTuckaway({ contextWindow: 100_000, store });
    const asked: UIMessage = { id: 'asked', role: 'user', parts: [{ type: 'text', text: 'Read them all.' }] };
    const read = (n: number): UIMessage => ({
        id: `read_${n}`,
        role: 'assistant',
        parts: [
            { type: 'step-start' },
            { type: 'dynamic-tool', toolName: 'read', toolCallId: `call_${n}`, state: 'output-available', input: { n }, output: page(n) },
            { type: 'text', text: `Read page ${n}.` },
        ],
    });
    const messages = [asked, ...Array.from({ length: 12 }, (_, n) => read(n))];
    const managed = await manageContext(tuckaway, { messages }, { cache: { contextBudgetTokens: 3_000 } });
    assert.equal(managed.report.format, 'ai-sdk-ui');
    assert.ok(managed.report.before.toolOutputs > 5_000, 'results count as results');
    const outputs = managed.messages.slice(1).map(({ parts }) => (parts[1] as { output: string }).output);
    const refs = outputs.map((output) => /^\[tool output trimmed; ref=(\S+)\]$/.exec(output)?.[1]);
    assert.ok(refs[0] !== undefined && refs.at(-1) === undefined);
    assert.equal(tuckaway.read(refs[0], { maxBytes: 10_000 }).text, page(0));
    assert.equal(managed.messages[0], asked);
    const { messages: again, memory } = managed;
    const next = await manageContext(tuckaway, { messages: again, memory }, { cache: { contextBudgetTokens: 3_000 } });
    assert.equal(next.report.isChanged, false);
});

test('manageContext over an asynchronous store', async () => {
    const tuckaway = await createAsyncTuckaway({ contextWindow: 6_000 });
    const messages = asAnthropic(session(seeded(5), 12, 4_000));
    const managed = await manageMessages(tuckaway, { messages }, { summarize: () => '<summary>They read.</summary>' });
    assert.ok(managed.report.isChanged && managed.report.summaries > 0);
    for (const { artifact } of managed.report.receipts) {
        assert.ok((await tuckaway.read(artifact!)).text.length > 0);
    }
    const again = await manageMessages(tuckaway, { messages: managed.messages, memory: managed.memory });
    assert.equal(again.report.isChanged, false);
    await assert.rejects(tuckaway.manage({ messages: 5 } as never), /^TuckawayError: conversation\.messages is 5/);
    await assert.rejects(tuckaway.cache.trim({ messages: [] }, { config: { keepLast: -1 } }), /^TuckawayError: config\.keepLast is -1/);
    assert.equal((await tuckaway.budget.preset('voice')).totalWindow, 32_000);
});
