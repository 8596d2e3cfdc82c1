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

/** Refuses requests of more than 40,000 characters, as a model with a smaller window than expected. */
class SmallModel extends ScriptedModel {
    readonly sent: number[] = [];

    override async _generate(messages: BaseMessage[] = []) {
        const length = messages.reduce((sum, { content }) => sum + String(content).length, 0);
        this.sent.push(length);
        if (length > 40_000) {
            throw new Error(`prompt is too long: ${length / 4} tokens > 10000 maximum`);
        }
        return super._generate();
    }
}

/** Returns messages of earlier turns, each with a result of 8,000 characters. */
const past = (turns: number): BaseMessage[] =>
    Array.from({ length: turns }, (_, n) => [
        new HumanMessage(`Query ${n}.`),
        new AIMessage({ content: '', tool_calls: [{ name: 'query', args: { n }, id: `old_${n}` }] }),
        new ToolMessage({ content: `row ${n} `.repeat(1_200), tool_call_id: `old_${n}` }),
        new AIMessage('It is fine.'),
    ]).flat();

test('a history that is refused is shortened and sent once more', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 200_000 });
    const model = new SmallModel([[['query', {}]]]);
    const middleware = [await tuckawayMiddleware(tuckaway, { manage: true })];
    const agent = createAgent({ model, tools: [query(() => 'two rows')], middleware });
    const { messages } = await agent.invoke({ messages: [...past(8), new HumanMessage('And now?')] });
    const [refused, again, after] = model.sent;
    assert.equal(model.sent.length, 3);
    // The state has the shorter history: the next request is not refused.
    assert.ok(refused! > 40_000 && again! < 40_000 && after! > again! && after! < 40_000, `${model.sent}`);
    assert.deepEqual(messages.slice(-4).map(({ content }) => content), ['And now?', '', 'two rows', 'Done.']);
    const calls = messages.flatMap((message) => (message as AIMessage).tool_calls?.map(({ id }) => id) ?? []);
    assert.deepEqual(messages.filter((message) => ToolMessage.isInstance(message)).map((each) => each.tool_call_id), calls);
});

test('other errors of the model are not answered', async () => {
    class Failing extends SmallModel {
        override async _generate(): Promise<never> {
            this.sent.push(1);
            throw new Error(this.tokens === 0 ? 'prompt is too long' : 'Overloaded');
        }
    }
    const tuckaway = await createTuckaway({ contextWindow: 200_000 });
    const asked = async (messages: BaseMessage[], tokens: number, manage = true) => {
        const model = new Failing([], tokens);
        const agent = createAgent({ model, tools: [], middleware: [await tuckawayMiddleware(tuckaway, { manage })] });
        await assert.rejects(agent.invoke({ messages }), /Overloaded|prompt is too long/);
        return model.sent.length;
    };
    const long = [...past(8), new HumanMessage('And now?')];
    assert.equal(await asked(long, 1), 1);
    assert.equal(await asked(long, 0, false), 1);
    // Nothing can be removed from a history of one message.
    assert.equal(await asked([new HumanMessage('Hi.')], 0), 1);
    // The second request is refused, too.
    assert.equal(await asked(long, 0), 2);
});

test('names of artifact tools are reserved, and options are checked', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000 });
    const middleware = await tuckawayMiddleware(tuckaway);
    await assert.rejects(run(new ScriptedModel([]), [query(() => '', 'artifact_read')], middleware), /artifact_read/);
    await assert.rejects(tuckawayMiddleware(tuckaway, { maxByte: 1 } as object), /did you mean maxBytes\?/);
});
