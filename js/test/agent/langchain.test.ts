/** Agents of LangChain.js, with a scripted model. */

import { strict as assert } from 'node:assert';
import { test } from 'node:test';

import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { createAgent, tool } from 'langchain';
import { createTuckaway } from 'tuckaway';
import { tuckawayMiddleware } from 'tuckaway/langchain';

type Call = [name: string, args: Record<string, unknown>];

/** A model that makes the given calls, step by step, and then answers. */
class ScriptedModel extends BaseChatModel {
    #step = 0;
    offered: string[] = [];

    constructor(readonly steps: readonly (readonly Call[])[], readonly tokens = 1_000) {
        super({});
    }

    _llmType(): string {
        return 'scripted';
    }

    override bindTools(tools: unknown[]): this {
        this.offered = tools.map((each) => (each as { name: string }).name);
        return this;
    }

    async _generate() {
        const calls = this.steps[this.#step++] ?? [];
        const message = new AIMessage({
            content: calls.length > 0 ? '' : 'Done.',
            tool_calls: calls.map(([name, args], index) => ({ name, args, id: `call_${this.#step}_${index}` })),
            usage_metadata: { input_tokens: this.tokens, output_tokens: 0, total_tokens: this.tokens },
        });
        return { generations: [{ text: '', message }] };
    }
}

const rows = Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}` }));
const schema = { type: 'object', properties: {} } as const;
const query = (execute: () => unknown, name = 'query') =>
    tool(async () => execute(), { name, description: 'Returns rows.', schema });

/** Runs an agent, and returns its tool messages. */
async function run(model: ScriptedModel, tools: ReturnType<typeof query>[], middleware: any): Promise<ToolMessage[]> {
    const agent = createAgent({ model, tools, middleware: [middleware] });
    const { messages } = (await agent.invoke({ messages: [new HumanMessage('How many rows?')] })) as { messages: BaseMessage[] };
    assert.equal(messages.at(-1)!.content, 'Done.');
    return messages.filter((message) => ToolMessage.isInstance(message));
}

test('an oversized output is offloaded, and queried with the artifact tools', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000 });
    const middleware = await tuckawayMiddleware(tuckaway);
    const first = new ScriptedModel([[['query', {}]]]);
    const [shown] = await run(first, [query(() => JSON.stringify(rows))], middleware);
    const { id } = tuckaway.listArtifacts()[0]!;
    assert.ok(`${shown!.content as string}`.includes(id) && shown!.content.length < 6_000);
    assert.deepEqual([shown!.tool_call_id, shown!.name], ['call_1_0', 'query']);
    assert.deepEqual(first.offered.toSorted(), ['artifact_grep', 'artifact_jq', 'artifact_read', 'query']);
    const second = new ScriptedModel([[['artifact_jq', { artifact_id: id, filter: 'length' }]]]);
    const [reply] = await run(second, [query(() => '')], middleware);
    assert.equal(reply!.content, '20000\n');
});

test('what passes is unchanged, and blocks that are not text are preserved', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000 });
    const image = { type: 'image_url', image_url: { url: 'https://example.com/a.png' } };
    const large = [{ type: 'text', text: 'x\n'.repeat(300_000) }, image];
    const made = (content: unknown) => () => new ToolMessage({ content: content as never, tool_call_id: 'call_1_1', artifact: { raw: 1 } });
    const tools = [query(() => 'short', 'query_0'), query(made(large), 'query_1')];
    const model = new ScriptedModel([[['query_0', {}], ['query_1', {}]]]);
    const [text, parts] = await run(model, tools, await tuckawayMiddleware(tuckaway));
    assert.equal(text!.content, 'short');
    const [view, kept] = parts!.content as unknown as [{ text: string }, unknown];
    assert.ok(view.text.includes('artifact_id'));
    assert.deepEqual([kept, parts!.artifact], [image, { raw: 1 }]);
});

test('the tokens of the conversation, and calls of the same step, count', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 20_000, tokens: (text) => Math.ceil(text.length / 4) });
    const gates: string[] = [];
    const middleware = await tuckawayMiddleware(tuckaway, { onView: (_, view) => gates.push(view.decision.gate) });
    const model = new ScriptedModel([[['query', {}], ['query', {}]], [['query', {}]]], 10_500);
    await run(model, [query(() => 'x '.repeat(4_000))], middleware);
    assert.deepEqual(gates, ['fits', 'headroom', 'fits']);
});

test('the history is kept within the window', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 8_000, policy: { overrides: [{ tools: 'query', exempt: true }] } });
    const steps = Array.from({ length: 12 }, () => [['query', {}] as Call]);
    const requests: BaseMessage[][] = [];
    class Recording extends ScriptedModel {
        override async _generate(messages?: BaseMessage[]) {
            requests.push([...messages!]);
            return super._generate();
        }
    }
    const summaries: number[] = [];
    const manage = { summarize: ({ messages }: { messages: unknown[] }) => `Summary ${summaries.push(messages.length)}.` };
    const middleware = await tuckawayMiddleware(tuckaway, { manage });
    const agent = createAgent({ model: new Recording(steps, 0), tools: [query(() => 'row '.repeat(1_000))], middleware: [middleware] });
    const state = await agent.invoke({ messages: [new HumanMessage('How many rows?')] }, { recursionLimit: 100 });
    const sizes = requests.map((messages) => messages.reduce((sum, { content }) => sum + `${content as string}`.length, 0));
    assert.equal(requests.length, 13);
    assert.ok(Math.max(...sizes) < 32_000, `${sizes}`);
    assert.ok(!('_tuckawayMemory' in state));
    for (const messages of requests) {
        const calls = messages.flatMap((message) => (message as AIMessage).tool_calls?.map(({ id }) => id) ?? []);
        const results = messages.filter((message) => ToolMessage.isInstance(message)).map((message) => message.tool_call_id);
        assert.deepEqual(results, calls);
    }
    // Messages that are kept are the same objects.
    assert.ok(requests.at(-1)!.includes(requests.at(-2)!.at(-1)!));
});

test('names of artifact tools are reserved, and options are checked', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000 });
    const middleware = await tuckawayMiddleware(tuckaway);
    await assert.rejects(run(new ScriptedModel([]), [query(() => '', 'artifact_read')], middleware), /artifact_read/);
    await assert.rejects(tuckawayMiddleware(tuckaway, { maxByte: 1 } as object), /did you mean maxBytes\?/);
});
