/** Agents of the OpenAI Agents SDK, with a scripted model. */

import { strict as assert } from 'node:assert';
import { test } from 'node:test';

import { Agent, type Model, type ModelRequest, type ModelResponse, Runner, Usage, tool } from '@openai/agents';
import { createTuckaway } from 'tuckaway';
import { withTuckaway } from 'tuckaway/openai-agents';
import { z } from 'zod';

type Call = [name: string, args: object];

/** A model that makes the given calls, step by step, and then answers. It keeps its requests. */
class ScriptedModel implements Model {
    readonly requests: ModelRequest[] = [];

    constructor(readonly steps: readonly (readonly Call[])[], readonly tokens = 1_000) {}

    async getResponse(request: ModelRequest): Promise<ModelResponse> {
        const calls = this.steps[this.requests.length] ?? [];
        this.requests.push(structuredClone({ ...request, signal: undefined }) as ModelRequest);
        const usage = new Usage({ requests: 1, inputTokens: this.tokens, outputTokens: 0, totalTokens: this.tokens });
        const output = calls.map(([name, args], index) => ({
            type: 'function_call' as const,
            callId: `call_${this.requests.length}_${index}`,
            name,
            arguments: JSON.stringify(args),
            status: 'completed' as const,
        }));
        const answer = {
            type: 'message' as const,
            role: 'assistant' as const,
            status: 'completed' as const,
            content: [{ type: 'output_text' as const, text: 'Done.' }],
        };
        return { usage, output: output.length > 0 ? output : [answer] };
    }

    async *getStreamedResponse(): AsyncGenerator<never> {
        throw new Error('this model does not stream');
    }

    /** Returns the texts of the results that the model was shown last. */
    results(): string[] {
        const items = this.requests.at(-1)!.input as { type?: string; output?: unknown }[];
        return items.filter(({ type }) => type === 'function_call_result').map(({ output }) => JSON.stringify(output));
    }
}

const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}` }));
const query = (execute: () => unknown, name = 'query') =>
    tool({ name, description: 'Returns rows.', parameters: z.object({}), execute: async () => execute() });

async function run(model: ScriptedModel, agent: Agent) {
    const runner = new Runner({ model, tracingDisabled: true });
    const result = await runner.run(agent, 'How many rows are there?');
    assert.equal(result.finalOutput, 'Done.');
}

test('an oversized output is offloaded, and queried with the artifact tools', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000 });
    const views: string[] = [];
    const agent = await withTuckaway(tuckaway, new Agent({ name: 'a', tools: [query(() => rows)] }), {
        onView: ({ id, name }, view) => views.push(`${id} ${name} ${view.decision.action}`),
    });
    const first = new ScriptedModel([[['query', {}]]]);
    await run(first, agent);
    assert.deepEqual(views, ['call_1_0 query artifact']);
    const { id } = tuckaway.listArtifacts()[0]!;
    assert.ok(first.results()[0]!.includes(id) && first.results()[0]!.length < 6_000);
    assert.deepEqual(first.requests[0]!.tools.map((each) => (each as { name: string }).name), [
        'query', 'artifact_read', 'artifact_grep', 'artifact_jq',
    ]);
    const second = new ScriptedModel([[['artifact_jq', { artifact_id: id, filter: 'length' }]], [['artifact_jq', {}]]]);
    await run(second, agent);
    assert.match(second.results()[0]!, /20000/);
    assert.match(second.results()[1]!, /artifact_id/);
});

test('what passes is unchanged, and parts that are not text are preserved', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000 });
    const image = { type: 'image' as const, image: 'https://example.com/a.png' };
    const outputs = ['short', { total: 3 }, [{ type: 'text' as const, text: 'x\n'.repeat(300_000) }, image]];
    const tools = outputs.map((output, index) => query(() => output, `query_${index}`));
    const model = new ScriptedModel([[['query_0', {}], ['query_1', {}], ['query_2', {}]]]);
    await run(model, await withTuckaway(tuckaway, new Agent({ name: 'a', tools })));
    const [text, json, parts] = model.results();
    assert.match(text!, /"short"/);
    assert.match(json!, /\{\\"total\\":3\}/);
    assert.ok(parts!.includes('artifact_id') && parts!.includes('https://example.com/a.png') && parts!.length < 6_000);
});

test('the tokens of the last request, and calls of the same step, count', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 20_000, tokens: (text) => Math.ceil(text.length / 4) });
    const actions: string[] = [];
    const agent = await withTuckaway(tuckaway, new Agent({ name: 'a', tools: [query(() => 'x '.repeat(4_000))] }), {
        onView: (_, view) => actions.push(view.decision.gate),
    });
    await run(new ScriptedModel([[['query', {}], ['query', {}]], [['query', {}]]], 10_500), agent);
    assert.deepEqual(actions, ['fits', 'headroom', 'fits']);
});

test('names of artifact tools are reserved, and options are checked', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000 });
    const agent = new Agent({ name: 'a', tools: [query(() => 1, 'artifact_read')] });
    await assert.rejects(withTuckaway(tuckaway, agent), /^TuckawayError: artifact_read: reserved/);
    const wrong = { maxByte: 1 } as object;
    await assert.rejects(withTuckaway(tuckaway, new Agent({ name: 'a' }), wrong), /did you mean maxBytes\?/);
});
