/** Agent loops over a tuckaway with an asynchronous store. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { generateText, isStepCount, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { type AsyncStore, MemoryStore } from 'tuckaway';
import { offloadTools } from 'tuckaway/ai-sdk';
import { runToolCalls, toolDefinitions } from 'tuckaway/anthropic';
import { createTuckaway } from 'tuckaway/async';
import { z } from 'zod';

import { artifactId, rows } from './support.js';
import { toolUse } from './wire.js';

/** Returns a store in memory that delays every answer. */
function slowStore(): AsyncStore {
    const store = new MemoryStore();
    const slow = <Args extends unknown[], Answer>(method: (...args: Args) => Answer) =>
        async (...args: Args) => {
            await new Promise((done) => setTimeout(done, 1));
            return method.apply(store, args);
        };
    return {
        create: slow(store.create),
        append: slow(store.append),
        seal: slow(store.seal),
        stat: slow(store.stat),
        read: slow(store.read),
        listArtifacts: slow(store.listArtifacts),
        delete: slow(store.delete),
    };
}

test('runToolCalls', async () => {
    const tuckaway = await createTuckaway({ store: slowStore(), contextWindow: 200_000 });
    assert.equal((await toolDefinitions(tuckaway)).length, 3);
    const [put] = await runToolCalls(tuckaway, { content: [toolUse('toolu_1', 'sql', {})] }, { sql: () => rows });
    const jq = toolUse('toolu_2', 'artifact_jq', { artifact_id: artifactId(put?.content), filter: 'length' });
    const [length] = await runToolCalls(tuckaway, { content: [jq] }, {});
    assert.equal(String(length?.content).trim(), '20000');
});

test('offloadTools: overlapping calls of a step account for each other', async () => {
    const tuckaway = await createTuckaway({
        store: slowStore(),
        contextWindow: 10_000,
        tokens: async (text) => Math.ceil(text.length / 4),
        policy: { contextPercentage: 1 },
    });
    const dump = tool({ inputSchema: z.object({}), execute: () => 'word '.repeat(2_000) });
    const actions: string[] = [];
    const tools = await offloadTools(
        tuckaway,
        { dump },
        { onView: (_, { decision }) => actions.push(decision.action) },
    );
    const call = (id: string) => ({ type: 'tool-call' as const, toolCallId: id, toolName: 'dump', input: '{}' });
    const usage = {
        inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
        outputTokens: { total: 1, text: 1, reasoning: 0 },
    };
    const finishReason = { unified: 'tool-calls' as const, raw: undefined };
    const model = new MockLanguageModelV4({
        doGenerate: { content: ['1', '2', '3', '4'].map(call), finishReason, usage, warnings: [] },
    });
    await generateText({ model, tools, prompt: 'Dump!', stopWhen: isStepCount(1) });
    assert.deepEqual(actions, ['inline', 'inline', 'artifact', 'artifact']);
});
