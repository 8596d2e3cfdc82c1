/** Agents of Mastra, with a scripted model. */

import { strict as assert } from 'node:assert';
import { test } from 'node:test';

import { Agent, type AgentConfig } from '@mastra/core/agent';
import { Mastra } from '@mastra/core/mastra';
import { MockMemory } from '@mastra/core/memory';
import type { InputProcessor, ProcessLLMRequestArgs } from '@mastra/core/processors';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { APICallError } from 'ai';
import { MockLanguageModelV3, simulateReadableStream } from 'ai/test';
import { createTuckaway as createAsyncTuckaway } from 'tuckaway/async';
import { type MastraOptions, withTuckaway } from 'tuckaway/mastra';
import { z } from 'zod';

import { FlakyStore, artifactId, newTuckaway, pixel, rows, weather } from './support.js';

type Call = [name: string, args?: object];
type Reply = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>;
type Message = Parameters<MockLanguageModelV3['doGenerate']>[0]['prompt'][number];

/** Returns a model that makes the given calls, step by step, and then answers; again for each run. */
function scripted(steps: readonly (readonly Call[])[], tokens = 1_000): MockLanguageModelV3 {
    let step = 0;
    const reply = (): Reply => {
        const calls = steps[step++ % (steps.length + 1)] ?? [];
        const made = calls.map(([toolName, args = {}], index) => {
            return { type: 'tool-call' as const, toolCallId: `call_${step}_${index}`, toolName, input: JSON.stringify(args) };
        });
        return {
            content: made.length > 0 ? made : [{ type: 'text', text: 'Done.' }],
            finishReason: { unified: made.length > 0 ? 'tool-calls' : 'stop', raw: undefined },
            usage: {
                inputTokens: { total: tokens, noCache: tokens, cacheRead: undefined, cacheWrite: undefined },
                outputTokens: { total: 0, text: 0, reasoning: undefined },
            },
            warnings: [],
        };
    };
    return new MockLanguageModelV3({
        doGenerate: async () => reply(),
        doStream: async () => {
            const { content, finishReason, usage } = reply();
            const text = ['start', 'delta', 'end'].map((part) => ({ type: `text-${part}`, id: '1', delta: 'Done.' }));
            const parts = finishReason.unified === 'stop' ? text : content;
            const chunks: unknown[] = [{ type: 'stream-start', warnings: [] }, ...parts, { type: 'finish', finishReason, usage }];
            return { stream: simulateReadableStream({ chunks }) as never };
        },
    });
}

const query = (execute: () => unknown, toModelOutput?: (output: unknown) => unknown) =>
    createTool({
        id: 'query',
        description: 'Returns rows.',
        inputSchema: z.object({}),
        execute: async () => execute(),
        ...(toModelOutput && { toModelOutput }),
    });

interface Given {
    model: MockLanguageModelV3;
    tools?: AgentConfig['tools'];
    memory?: MockMemory;
}

/** Makes an agent with tuckaway. */
async function agentOf(tuckaway: Parameters<typeof withTuckaway>[0], { model, ...given }: Given, options?: MastraOptions) {
    const config = { id: 'a', name: 'a', instructions: 'Be brief.', model: model as never, ...given };
    return new Agent((await withTuckaway(tuckaway, config, options)) as AgentConfig);
}

/** Returns the outputs in a request. */
function outputsIn(prompt: readonly Message[]) {
    const parts = prompt.flatMap(({ role, content }) => (role === 'tool' ? content : []));
    return parts.flatMap((part) => (part.type === 'tool-result' ? [part.output] : []));
}

/** Returns the outputs that the model was shown last. */
function shown(model: MockLanguageModelV3) {
    return outputsIn((model.doGenerateCalls.at(-1) ?? model.doStreamCalls.at(-1))!.prompt);
}

/** Runs the calls of one step, and returns the model's view of their outputs. */
async function run(
    tools: AgentConfig['tools'],
    calls: readonly Call[],
    options?: MastraOptions,
    tuckaway: Promise<Parameters<typeof withTuckaway>[0]> = newTuckaway(),
) {
    const model = scripted([calls]);
    const agent = await agentOf(await tuckaway, { model, tools }, options);
    assert.equal((await agent.generate('How many rows?')).text, 'Done.');
    return shown(model);
}

test('an oversized output is offloaded, and queried with the artifact tools', async () => {
    const tuckaway = await newTuckaway();
    const views: string[] = [];
    const model = scripted([[['query']]]);
    const agent = await agentOf(tuckaway, { model, tools: { query: query(() => rows) } }, {
        onView: ({ id, name }, view) => views.push(`${id} ${name} ${view.decision.action}`),
    });
    const { steps } = await agent.generate('How many rows?');
    // The application gets the tool's own output.
    assert.deepEqual(steps[0]!.toolResults[0]!.payload.result, rows);
    assert.deepEqual(views, ['call_1_0 query artifact']);
    const [output] = shown(model) as [{ type: string; value: string }];
    assert.equal(output.type, 'text');
    assert.ok(output.value.length < 6_000);
    const id = artifactId(output.value);
    assert.deepEqual(model.doGenerateCalls[0]!.tools!.map(({ name }) => name), [
        'query', 'artifact_read', 'artifact_grep', 'artifact_jq',
    ]);
    const queries: Call[] = [
        ['artifact_jq', { artifact_id: id, filter: 'length' }], ['artifact_read', { artifact_id: id }], ['artifact_jq', {}],
    ];
    const [count, head, wrong] = (await run({}, queries, {}, Promise.resolve(tuckaway))) as { type: string; value: string }[];
    assert.deepEqual(count, { type: 'text', value: '20000\n' });
    assert.match(head!.value, /row 0/);
    assert.deepEqual([wrong!.type, wrong!.value.includes('artifact_id')], ['error-text', true]);
});

test('a stream has the outputs of the tool, and each of two equal outputs has a view', async () => {
    const model = scripted([[['query'], ['query']]]);
    const large = 'x\n'.repeat(300_000);
    const ids: string[] = [];
    const tuckaway = await newTuckaway();
    const onView: MastraOptions['onView'] = ({ id }) => ids.push(id);
    const agent = await agentOf(tuckaway, { model, tools: { query: query(() => large) } }, { onView });
    const { steps } = await (await agent.stream('How many rows?')).getFullOutput();
    assert.deepEqual(steps[0]!.toolResults.map(({ payload }) => payload.result === large), [true, true]);
    assert.deepEqual(ids.toSorted(), ['call_1_0', 'call_1_1']);
    assert.deepEqual(shown(model).map(({ type }) => type), ['text', 'text']);
    const artifacts = new Set((shown(model) as { value: string }[]).map(({ value }) => artifactId(value)));
    assert.equal(tuckaway.listArtifacts().length, artifacts.size);
});

test('what passes is unchanged, and parts that are not text are preserved', async () => {
    const image = { type: 'image-data', data: pixel, mediaType: 'image/png' };
    const large = { type: 'text', text: 'x\n'.repeat(300_000) };
    const result = { content: [large, { type: 'image', data: pixel, mimeType: 'image/png' }] };
    const tools = {
        text: query(() => 'short'),
        json: query(() => weather),
        own: query(() => rows, () => ({ type: 'text', value: '20000 rows' })),
        parts: query(() => rows, () => ({ type: 'content', value: [large, image] })),
        mcp: query(() => result),
        big: query(() => ({ count: 10n, rows })),
        many: query(() => Array.from({ length: 1_100_000 }, (_, n) => n % 10)),
    };
    const ids: string[] = [];
    const onView: MastraOptions['onView'] = ({ id }) => ids.push(id);
    const calls = Object.keys(tools).map((name): Call => [name]);
    const [text, json, own, parts, mcp, big, many] = (await run(tools, calls, { onView })) as any[];
    assert.deepEqual(text, { type: 'text', value: 'short' });
    assert.deepEqual(json, { type: 'json', value: weather });
    assert.deepEqual(own, { type: 'text', value: '20000 rows' });
    for (const { value: [view, kept] } of [parts, mcp]) {
        assert.ok(view.text.includes('artifact_id') && view.text.length < 6_000);
        assert.deepEqual(kept, image);
    }
    // Mastra copies outputs that JSON cannot represent, and very large ones.
    assert.match(big.value, /artifact_id/);
    assert.match(many.value, /artifact_id/);
    assert.deepEqual(ids.toSorted(), calls.map((_, index) => `call_1_${index}`));
});

test('the tokens of the last response, and calls of the same step, count', async () => {
    const tuckaway = await newTuckaway({ contextWindow: 20_000, tokens: (text) => Math.ceil(text.length / 4) });
    const gates: string[] = [];
    const model = scripted([[['query'], ['query']], [['query']]], 10_500);
    const tools = { query: query(() => 'x '.repeat(4_000)) };
    const agent = await agentOf(tuckaway, { model, tools }, { onView: (_, view) => gates.push(view.decision.gate) });
    await agent.generate('How many rows?');
    assert.deepEqual(gates, ['fits', 'headroom', 'fits']);
});

test('errors of tools reach the model', async () => {
    const fail = (message: string) => query(() => {
        throw new TypeError(message);
    });
    const tools = { small: fail('no such city'), large: fail('no such row\n'.repeat(50_000)) };
    const [small, large] = (await run(tools, [['small'], ['large'], ['query']])) as { type: string; value: string }[];
    assert.deepEqual(small, { type: 'error-text', value: 'no such city' });
    assert.ok(large!.value.includes('artifact_id') && large!.value.length < 6_000);
});

test('errors of the artifact tools reach the model', async () => {
    const store = new FlakyStore();
    const tuckaway = newTuckaway({ store });
    const [view] = (await run({ query: query(() => rows) }, [['query']], {}, tuckaway)) as { value: string }[];
    store.isBroken = true;
    const calls: Call[] = [['artifact_read', { artifact_id: artifactId(view!.value) }]];
    const [reply] = (await run({}, calls, {}, tuckaway)) as { type: string; value: string }[];
    assert.equal(reply!.type, 'error-text');
    assert.match(reply!.value, /the store failed/);
    assert.ok(!reply!.value.includes('secret'));
});

test('a tool gets the context, and its abort signal', async () => {
    const controller = new AbortController();
    let seen: unknown;
    const wait = createTool({
        id: 'wait',
        description: 'Waits.',
        inputSchema: z.object({}),
        execute: async (_, { abortSignal, agent }) => {
            seen = agent!.toolCallId;
            controller.abort();
            abortSignal!.throwIfAborted();
        },
    });
    const model = scripted([[['wait']]]);
    const agent = await agentOf(await newTuckaway(), { model, tools: { wait } });
    const { steps } = await (await agent.stream('Wait.', { abortSignal: controller.signal })).getFullOutput();
    assert.equal(seen, 'call_1_0');
    assert.deepEqual([model.doStreamCalls.length, steps.flatMap(({ toolResults }) => toolResults)], [1, []]);
});

test('a tool that waits for a person is measured once it has resumed', async () => {
    const approve = createTool({
        id: 'approve',
        description: 'Asks a person.',
        suspendSchema: z.object({ question: z.string() }),
        resumeSchema: z.object({ approved: z.boolean() }),
        execute: async (_, { agent }) => (agent!.resumeData === undefined ? agent!.suspend({ question: 'All rows?' }) : rows),
    });
    const views: string[] = [];
    const model = scripted([[['approve']]]);
    const agent = await agentOf(await newTuckaway(), { model, tools: { approve } }, { onView: ({ id }) => views.push(id) });
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    const { runId, finishReason } = await agent.generate('Approve it.');
    assert.deepEqual([finishReason, views], ['suspended', []]);
    const { text } = await agent.resumeGenerate({ approved: true }, { runId: runId! });
    assert.deepEqual([text, views], ['Done.', ['call_1_0']]);
    assert.match((shown(model) as { value: string }[])[0]!.value, /artifact_id/);
});

test('tools of the AI SDK, over an asynchronous store', async () => {
    const search = { description: 'Returns rows.', inputSchema: z.object({}), execute: () => rows };
    const tuckaway = createAsyncTuckaway({ contextWindow: 200_000 });
    const [output] = (await run({ search }, [['search']], { manage: true }, tuckaway)) as { value: string }[];
    assert.match((await (await tuckaway).read(artifactId(output!.value))).text, /row 0/);
});

test('a tool outside of an agent returns its own output', async () => {
    const tuckaway = await newTuckaway();
    const config = await withTuckaway(tuckaway, { id: 'a', tools: { query: query(() => rows) } });
    assert.equal(await config.tools.query.execute!({}, {} as never), rows);
    assert.deepEqual(tuckaway.listArtifacts(), []);
    // Mastra may convert the output of a tool that another process has executed.
    const output = (await config.tools.query.toModelOutput!(rows)) as { type: string; value: string };
    assert.deepEqual([output.type, artifactId(output.value)], ['text', tuckaway.listArtifacts()[0]!.id]);
});

/** Outputs are exempt from the gates, so that the history must be shortened. */
const small = { contextWindow: 8_000, policy: { overrides: [{ tools: 'query', exempt: true }] } };

/** Returns a message as the model sees it. */
function seen({ role, content }: Message): string {
    const hidden = ['providerOptions', 'input'];
    return JSON.stringify({ role, content }, (key, value: unknown) => (hidden.includes(key) ? undefined : value));
}

/** Checks that each call in a request has its result, and no result has lost its call. */
function checkPairs(prompt: readonly Message[]): void {
    type Part = { type: string; toolCallId?: string };
    const parts = prompt.flatMap(({ content }) => (typeof content === 'string' ? [] : (content as Part[])));
    const ids = (type: string) => parts.filter((part) => part.type === type).map(({ toolCallId }) => toolCallId);
    assert.deepEqual(ids('tool-result'), ids('tool-call'));
}

test('the history of each request is kept within the window', async () => {
    const steps = Array.from({ length: 12 }, (): Call[] => [['query']]);
    const page = 'row '.repeat(1_000);
    for (const manage of [true, { summarize: ({ messages }: { messages: unknown[] }) => `Summary of ${messages.length}.` }]) {
        const model = scripted(steps, 0);
        const agent = await agentOf(await newTuckaway(small), { model, tools: { query: query(() => page) } }, { manage });
        const { steps: made, text } = await agent.generate('How many rows?', { maxSteps: 20 });
        assert.equal(text, 'Done.');
        const requests = model.doGenerateCalls.map(({ prompt }) => prompt);
        assert.equal(requests.length, 13);
        const sizes = requests.map((prompt) => prompt.map(seen).join('').length);
        assert.ok(Math.max(...sizes) < 32_000, `${sizes}`);
        requests.forEach(checkPairs);
        for (const prompt of requests) {
            assert.deepEqual(prompt[0], { role: 'system', content: 'Be brief.' });
            assert.ok(prompt.slice(1).every(({ content }) => Array.isArray(content)));
        }
        // The application has the whole history.
        assert.ok(made.slice(0, 12).every(({ toolResults }) => toolResults[0]!.payload.result === page));
    }
});

test('a request that is refused is shortened and made once more', async () => {
    const model = scripted([[['query']], [['query']], [['query']], [['query']]], 0);
    const { doGenerate } = model;
    const sent: number[] = [];
    let accepted = 40_000;
    model.doGenerate = async (options) => {
        sent.push(options.prompt.map(seen).join('').length);
        if (sent.at(-1)! > accepted) {
            const responseBody = JSON.stringify({ error: { message: 'prompt is too long: 12000 tokens > 8000 maximum' } });
            const given = { message: 'Bad Request', url: '', requestBodyValues: {}, statusCode: 400, responseBody };
            throw new APICallError({ ...given, isRetryable: false });
        }
        return doGenerate.call(model, options);
    };
    const tuckaway = await newTuckaway({ policy: { overrides: [{ tools: 'query', exempt: true }] } });
    let calls = 0;
    const tools = { query: query(() => `${(calls += 1)} row `.repeat(2_300)) };
    const agent = await agentOf(tuckaway, { model, tools }, { manage: true });
    assert.equal((await agent.generate('How many rows?', { maxSteps: 20 })).text, 'Done.');
    const refused = sent.findIndex((length) => length > accepted);
    assert.equal(sent.length, 6, `${sent}`);
    // Later requests begin with the shorter history.
    assert.ok(sent.slice(refused + 1).every((length) => length < accepted), `${sent}`);
    accepted = 0;
    await assert.rejects(agent.generate('How many rows?'));
    assert.equal(sent.length, 8, `${sent}`);
});

test('later requests of a conversation begin with what was sent before', async () => {
    const manage = { summarize: ({ messages }: { messages: unknown[] }) => `Summary of ${messages.length}.` };
    const model = scripted(Array.from({ length: 6 }, (): Call[] => [['query']]), 0);
    let calls = 0;
    const rows = () => `${(calls += 1)} row `.repeat(700);
    const given = { model, memory: new MockMemory(), tools: { query: query(rows) } };
    const agent = await agentOf(await newTuckaway(small), given, { manage });
    const ask = (thread: string) =>
        agent.generate('How many rows?', { maxSteps: 10, memory: { thread, resource: 'r', options: { lastMessages: 100 } } });
    await ask('first');
    await ask('first');
    const [before, after] = [model.doGenerateCalls[6]!.prompt, model.doGenerateCalls[7]!.prompt];
    assert.match(JSON.stringify(before[1]), /earlier messages of this conversation/);
    assert.deepEqual(after.slice(0, before.length).map(seen), before.map(seen));
    assert.deepEqual(after.slice(before.length).map(({ role }) => role), ['assistant', 'user']);
    // A history that does not continue the last one is managed from scratch.
    await ask('second');
    assert.deepEqual(model.doGenerateCalls[14]!.prompt.map(({ role }) => role), ['system', 'user']);
});

test('definitions of tools for which there is no space are removed', async () => {
    const description = 'A tool that does this and that. '.repeat(30);
    const unused = (id: string) => createTool({ id, description, execute: async () => id });
    const tools = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`tool_${n}`, unused(`tool_${n}`)]));
    const model = scripted([[['query']]]);
    const given = { model, tools: { ...tools, query: query(() => weather) } };
    const agent = await agentOf(await newTuckaway({ contextWindow: 20_000 }), given, { manage: { budget: 'general' } });
    await agent.generate('How many rows?');
    const [first, second] = model.doGenerateCalls.map((call) => call.tools!.map(({ name }) => name));
    assert.equal(first!.length, 44);
    assert.ok(second!.length < 30 && second!.includes('query') && second!.includes('artifact_jq'), second!.join());
});

test('tools and processors may be functions of the request', async () => {
    const requests: number[] = [];
    const first: InputProcessor = {
        id: 'first',
        processLLMRequest: ({ prompt }: ProcessLLMRequestArgs) => {
            requests.push(prompt.length);
        },
    };
    const model = scripted([[['query']]]);
    const tuckaway = await newTuckaway();
    const config = {
        id: 'a',
        name: 'a',
        instructions: 'Be brief.',
        model: model as never,
        tools: async () => ({ query: query(() => rows) }),
        inputProcessors: () => [first],
    };
    const agent = new Agent(await withTuckaway(tuckaway, config, { manage: true }));
    await agent.generate('How many rows?');
    assert.match((shown(model) as { value: string }[])[0]!.value, /artifact_id/);
    assert.deepEqual(requests, [2, 4]);
    const reserved = new Agent(await withTuckaway(tuckaway, { ...config, tools: () => ({ artifact_jq: query(() => 1) }) }));
    await assert.rejects(reserved.generate('How many rows?'), /artifact_jq: reserved/);
});

test('names of artifact tools are reserved, and options are checked', async () => {
    const tuckaway = await newTuckaway();
    const config = { id: 'a', tools: { artifact_read: query(() => 1) } };
    await assert.rejects(withTuckaway(tuckaway, config), /^TuckawayError: artifact_read: reserved/);
    await assert.rejects(withTuckaway(tuckaway, { id: 'a' }, { maxByte: 1 } as object), /did you mean maxBytes\?/);
    const manage = { window: 5 } as object;
    await assert.rejects(withTuckaway(tuckaway, { id: 'a' }, { manage }), /options has no member "window"/);
});
