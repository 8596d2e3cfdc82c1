/** Wrapped tools of the AI SDK in its own loops, with a scripted model. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
    type UIMessage, convertToModelMessages, dynamicTool, generateText, isStepCount, jsonSchema, readUIMessageStream,
    simulateReadableStream, streamText, tool, toUIMessageStream,
} from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import type { View } from 'tuckaway';
import { type OffloadedOutput, isOffloaded, offloadTools } from 'tuckaway/ai-sdk';
import { z } from 'zod';

import { FlakyStore, artifactId, newTuckaway, pixel, rows, weather } from './support.js';

type CallOptions = Parameters<MockLanguageModelV4['doGenerate']>[0];
type Generated = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
type Streamed = Awaited<ReturnType<MockLanguageModelV4['doStream']>>['stream'];
type StreamPart = Streamed extends ReadableStream<infer Part> ? Part : never;
type ToolResults = Extract<CallOptions['prompt'][number], { role: 'tool' }>['content'];

const usage = {
    inputTokens: { total: 900, noCache: 900, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 100, text: 100, reasoning: undefined },
};

const call = (toolCallId: string, toolName: string, input: object) =>
    ({ type: 'tool-call', toolCallId, toolName, input: JSON.stringify(input) }) as const;

/** Returns a reply of the model: calls, or a text. */
function reply(...content: Generated['content']): Generated {
    const unified = content.some(({ type }) => type === 'tool-call') ? 'tool-calls' : 'stop';
    return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] };
}

/** Returns a model that answers by a script. Each answer is a function of the prompt. */
function scriptedModel(...script: ((prompt: CallOptions['prompt']) => Generated)[]) {
    let step = 0;
    const next = ({ prompt }: CallOptions) => {
        const answer = script[step++];
        assert.ok(answer, `the script has no answer number ${step}`);
        return answer(prompt);
    };
    return new MockLanguageModelV4({
        doGenerate: async (options) => next(options),
        doStream: async (options) => {
            const { content, finishReason } = next(options);
            const chunks = content.flatMap((part): StreamPart[] => {
                if (part.type === 'tool-call') {
                    return [part];
                }
                assert.ok(part.type === 'text');
                const { text: delta } = part;
                const id = '1';
                return [{ type: 'text-start', id }, { type: 'text-delta', id, delta }, { type: 'text-end', id }];
            });
            chunks.push({ type: 'finish', finishReason, usage });
            return { stream: simulateReadableStream({ chunks }) };
        },
    });
}

/** Returns the result that the model received for a call. */
function answerTo(prompt: CallOptions['prompt'], id: string) {
    const results = prompt.flatMap((each): ToolResults => (each.role === 'tool' ? each.content : []));
    const result = results.find((part) => part.type === 'tool-result' && part.toolCallId === id);
    assert.ok(result?.type === 'tool-result', `nothing answers ${id}`);
    return result.output;
}

function textOf(prompt: CallOptions['prompt'], id: string): string {
    const output = answerTo(prompt, id);
    assert.ok(output.type === 'text', `the answer to ${id} is ${output.type}`);
    return output.value;
}

const jq = (prompt: CallOptions['prompt'], id: string, filter: string) =>
    reply(call('call_jq', 'artifact_jq', { artifact_id: artifactId(textOf(prompt, id)), filter, raw: true }));

const sqlQuery = tool({
    description: 'Runs a query.',
    inputSchema: z.object({ query: z.string() }),
    outputSchema: z.array(z.object({ id: z.number(), name: z.string() })),
    execute: async ({ query }) => (query === 'select *' ? rows : []),
});

const getWeather = tool({
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }) => ({ ...weather, city }),
});

test('generateText: large output, envelope, artifact_jq, answer', async () => {
    const tuckaway = await newTuckaway();
    const views: [string, View][] = [];
    const tools = await offloadTools(
        tuckaway,
        { sqlQuery, getWeather },
        { onView: ({ name }, view) => views.push([name, view]) },
    );
    const model = scriptedModel(
        () =>
            reply(
                call('call_1', 'sqlQuery', { query: 'select *' }),
                call('call_2', 'getWeather', { city: 'Delft' }),
            ),
        (prompt) => jq(prompt, 'call_1', '.[19999].name'),
        (prompt) => reply({ type: 'text', text: `It is ${textOf(prompt, 'call_jq').trim()}.` }),
    );
    const result = await generateText({ model, tools, prompt: 'What is the last row?', stopWhen: isStepCount(5) });

    assert.equal(result.text, 'It is row 19999.');
    const { prompt, tools: offered } = model.doGenerateCalls.at(-1)!;
    assert.deepEqual(answerTo(prompt, 'call_2'), { type: 'json', value: weather });
    assert.ok(JSON.stringify(prompt).length < 10_000, 'the full output is in the conversation');
    assert.deepEqual(
        offered?.map(({ name }) => name),
        ['sqlQuery', 'getWeather', 'artifact_read', 'artifact_grep', 'artifact_jq'],
    );
    const [definition] = tuckaway.toolDefinitions(['jq']);
    const offeredJq = offered?.find(({ name }) => name === 'artifact_jq');
    assert.ok(offeredJq?.type === 'function');
    assert.deepEqual([offeredJq.description, offeredJq.inputSchema], [definition?.description, definition?.inputSchema]);
    assert.deepEqual(
        views.map(([name, { decision }]) => [name, decision.gate]),
        [
            ['sqlQuery', 'ceiling'],
            ['getWeather', 'below_floor'],
            ['artifact_jq', 'artifact_tool'],
        ],
    );

    const [first, second] = result.steps[0]!.toolResults;
    assert.ok(first?.toolName === 'sqlQuery' && isOffloaded(first.output));
    assert.equal(first.output.artifacts[0]?.sizeBytes, JSON.stringify(rows).length);
    assert.ok(!second?.dynamic && second?.toolName === 'getWeather' && !isOffloaded(second.output));
    assert.equal(second.output.celsius, 11, 'an output that passes has its own type');
});

test('streamText: preliminary outputs are passed on, and saved messages convert to the same prompt', async () => {
    const tuckaway = await newTuckaway();
    const sales = tool({
        inputSchema: z.object({}),
        execute: async function* () {
            yield { state: 'loading' as const };
            yield { state: 'ready' as const, rows };
        },
    });
    const tools = await offloadTools(tuckaway, { sales });
    const model = scriptedModel(
        () => reply(call('call_1', 'sales', {})),
        (prompt) => jq(prompt, 'call_1', '.rows | length'),
        (prompt) => reply({ type: 'text', text: textOf(prompt, 'call_jq').trim() }),
    );
    const result = streamText({ model, tools, prompt: 'How many?', stopWhen: isStepCount(5) });
    const outputs: unknown[] = [];
    let message: UIMessage | undefined;
    for await (const state of readUIMessageStream({ stream: toUIMessageStream({ stream: result.fullStream }) })) {
        message = state;
        for (const part of state.parts) {
            if (part.type === 'tool-sales' && part.state === 'output-available' && part.output !== outputs.at(-1)) {
                outputs.push(part.output);
            }
        }
    }
    assert.equal(await result.text, '20000');
    assert.deepEqual(outputs[0], { state: 'loading' });
    assert.ok(isOffloaded(outputs.at(-1)));

    const kept = JSON.stringify(message);
    assert.ok(kept.length < 10_000, 'the full output is in the saved messages');
    const again = await convertToModelMessages([JSON.parse(kept) as UIMessage], { tools });
    const before = model.doStreamCalls.at(-1)!.prompt;
    const prompt = again as CallOptions['prompt'];
    assert.deepEqual(answerTo(prompt, 'call_1'), { type: 'text', value: textOf(before, 'call_1') });
    assert.deepEqual(answerTo(prompt, 'call_jq'), { type: 'text', value: textOf(before, 'call_jq') });
    assert.equal(tuckaway.listArtifacts().length, 1);
});

test('a stream that passes is unchanged', async () => {
    const counting = tool({
        inputSchema: z.object({}),
        execute: async function* () {
            yield* [{ n: 1 }, { n: 2 }];
        },
    });
    const tools = await offloadTools(await newTuckaway(), { counting });
    const options = { toolCallId: 'call_1', messages: [], context: {} };
    const seen: unknown[] = [];
    for await (const output of tools.counting.execute({}, options) as AsyncIterable<unknown>) {
        seen.push(output);
    }
    assert.deepEqual(seen, [{ n: 1 }, { n: 2 }]);
});

test('the texts of an output with several parts are offloaded', async () => {
    const tuckaway = await newTuckaway();
    const image = { type: 'file' as const, mediaType: 'image/png', data: { type: 'data' as const, data: pixel } };
    const page = (text: string) => ({ content: [{ text }, { image: pixel }] });
    // As the client of @ai-sdk/mcp makes them.
    const browse = dynamicTool({
        inputSchema: jsonSchema({ type: 'object' }),
        execute: async (input) => page((input as { big: boolean }).big ? JSON.stringify(rows) : 'small'),
        toModelOutput: ({ output }) => ({
            type: 'content',
            value: [{ type: 'text', text: (output as ReturnType<typeof page>).content[0]!.text! }, image],
        }),
    });
    const failing = tool({
        inputSchema: z.object({}),
        execute: () => rows,
        toModelOutput: ({ output }) => ({ type: 'error-json', value: output }),
    });
    const tools = await offloadTools(tuckaway, { browse, failing });
    const model = scriptedModel(
        () =>
            reply(
                call('big', 'browse', { big: true }),
                call('small', 'browse', {}),
                call('failing', 'failing', {}),
            ),
        () => reply({ type: 'text', text: 'Seen.' }),
    );
    const { steps } = await generateText({ model, tools, prompt: 'Look!', stopWhen: isStepCount(5) });
    const { prompt } = model.doGenerateCalls.at(-1)!;

    const big = answerTo(prompt, 'big');
    assert.ok(big.type === 'content');
    const [text, ...others] = big.value;
    assert.ok(text?.type === 'text');
    assert.equal(tuckaway.read(artifactId(text.text), { bytes: { end: 10 } }).text, JSON.stringify(rows).slice(0, 10));
    const small = answerTo(prompt, 'small');
    assert.ok(small.type === 'content');
    assert.deepEqual(small.value[0], { type: 'text', text: 'small' });
    assert.deepEqual(others, small.value.slice(1), 'the image is the same as with a text that passes');
    assert.deepEqual(steps[0]?.toolResults[1]?.output, page('small'), 'an output that passes is unchanged');
    assert.equal(answerTo(prompt, 'failing').type, 'error-text');
});

test('a tool that throws', async () => {
    const tuckaway = await newTuckaway();
    const small = new RangeError('too far');
    const big = new Error(`query failed: ${JSON.stringify(rows)}`);
    const throwing = (execute: () => unknown) => tool({ inputSchema: z.object({}), execute });
    const tools = await offloadTools(tuckaway, {
        now: throwing(() => {
            throw small;
        }),
        later: throwing(async () => {
            throw big;
        }),
        streaming: throwing(async function* () {
            yield 'so far';
            throw small;
        }),
    });
    const names = ['now', 'later', 'streaming'];
    const model = scriptedModel(
        () => reply(...names.map((name) => call(name, name, {})), call('jq', 'artifact_jq', { filter: '.' })),
        () => reply({ type: 'text', text: 'Alas.' }),
    );
    const { steps } = await generateText({ model, tools, prompt: 'Go!', stopWhen: isStepCount(5) });
    const { prompt } = model.doGenerateCalls.at(-1)!;

    assert.deepEqual(answerTo(prompt, 'now'), { type: 'error-text', value: 'RangeError: too far' });
    assert.deepEqual(answerTo(prompt, 'streaming'), { type: 'error-text', value: 'RangeError: too far' });
    const later = answerTo(prompt, 'later');
    assert.ok(later.type === 'error-text');
    const id = artifactId(later.value);
    assert.equal(tuckaway.read(id, { bytes: { end: 20 } }).text, String(big).slice(0, 20));
    const missing = answerTo(prompt, 'jq');
    assert.ok(missing.type === 'error-text' && missing.value.includes('artifact_id'), 'the argument is not named');
    const errors = steps[0]!.content.filter((part) => part.type === 'tool-error').map(({ error }) => error);
    assert.equal(errors[0], small);
    assert.equal((errors[1] as Error).cause, big);
    assert.equal(errors[2], small);
});

test('the model does not see the message of a failing store', async () => {
    const store = new FlakyStore();
    const tuckaway = await newTuckaway({ store });
    const { artifacts } = tuckaway.process({ tool: 'sql', content: JSON.stringify(rows) });
    const tools = await offloadTools(tuckaway, {});
    store.isBroken = true;
    const model = scriptedModel(
        () => reply(call('read', 'artifact_read', { artifact_id: artifacts[0]?.id })),
        () => reply({ type: 'text', text: 'Alas.' }),
    );
    await generateText({ model, tools, prompt: 'Read!', stopWhen: isStepCount(5) });
    const answer = answerTo(model.doGenerateCalls.at(-1)!.prompt, 'read');
    assert.deepEqual(answer, {
        type: 'error-text',
        value: 'Error: the store failed. Try the call again, or continue without the output.',
    });
});

test('calls of a step share the headroom that the model call leaves', async () => {
    const tuckaway = await newTuckaway({ contextWindow: 10_000, tokens: (text) => Math.ceil(text.length / 4) });
    // The headroom is 7,000 tokens. The model call takes 1,000 of them, and each output 2,500.
    const dump = tool({ inputSchema: z.object({}), execute: () => 'word '.repeat(2_000) });
    let usedTokens = 0;
    const views: View[] = [];
    const tools = await offloadTools(
        tuckaway,
        { dump },
        { turn: () => ({ usedTokens }), policy: { contextPercentage: 1 }, onView: (_, view) => views.push(view) },
    );
    const model = scriptedModel(
        () => reply(call('call_1', 'dump', {}), call('call_2', 'dump', {}), call('call_3', 'dump', {})),
        () => reply({ type: 'text', text: 'Enough.' }),
    );
    await generateText({
        model,
        tools,
        prompt: 'Dump!',
        stopWhen: isStepCount(5),
        onLanguageModelCallEnd: ({ usage }) => {
            usedTokens = usage.totalTokens ?? 0;
        },
    });
    assert.deepEqual(
        views.map(({ decision: { action, headroomTokens } }) => [action, headroomTokens]),
        [
            ['inline', 6_000],
            ['inline', 3_500],
            ['artifact', 1_000],
        ],
    );
});

test('each view of a step is counted once, however many calls there are', async () => {
    let counted = 0;
    const tokens = (text: string) => ((counted += text.length), Math.ceil(text.length / 4));
    const tuckaway = await newTuckaway({ contextWindow: 100_000, tokens, policy: { headroomPercentage: 0.9 } });
    const left: (number | undefined)[] = [];
    const word = tool({ inputSchema: z.object({}), execute: () => 'word '.repeat(100) });
    const tools = await offloadTools(
        tuckaway,
        { word },
        {
            onView: (_, { decision }) => {
                left.push(decision.headroomTokens);
                throw new Error('no output is lost for a log');
            },
        },
    );
    const options = { toolCallId: 'call_1', messages: [], context: {} };
    const outputs = await Promise.all(Array.from({ length: 200 }, () => tools.word.execute({}, options)));
    assert.deepEqual(new Set(outputs), new Set(['word '.repeat(100)]));
    assert.deepEqual([left[0], left[1], left[199]], [90_000, 90_000 - 125, 90_000 - 199 * 125]);
    assert.equal(counted, 199 * 500, 'all but the last one');
});

test('valid and invalid tool sets', async () => {
    const tuckaway = await newTuckaway({ tools: ['grep'] });
    const client = tool({ inputSchema: z.object({}), outputSchema: z.string() });
    const approved = tool({
        inputSchema: z.object({}),
        outputSchema: z.string(),
        needsApproval: true,
        execute: () => 'ok',
    });
    const tools = await offloadTools(tuckaway, { client, approved });
    assert.deepEqual(Object.keys(tools), ['client', 'approved', 'artifact_grep']);
    assert.equal(tools.client, client);
    assert.equal(tools.approved.needsApproval, true);
    assert.equal('outputSchema' in tools.approved && tools.approved.outputSchema, undefined);

    const wrong = offloadTools(tuckaway, {}, { turn: () => ({ contextWindow: 0 }) });
    await assert.rejects(wrong, { kind: 'invalid_input' });
    const misspelt = offloadTools(tuckaway, {}, { maxbytes: 1 } as never);
    await assert.rejects(misspelt, { kind: 'invalid_input', message: /"maxbytes"; did you mean maxBytes\?$/ });
    const deaf = offloadTools(tuckaway, {}, { onError: () => {} } as never);
    await assert.rejects(deaf, { kind: 'invalid_input', message: /"onError"/ });
    const none = offloadTools(tuckaway, undefined as never);
    await assert.rejects(none, { kind: 'invalid_input', message: /^tools is undefined; it must be an object/ });
    const twice = offloadTools(tuckaway, tools);
    await assert.rejects(twice, { kind: 'invalid_input', message: /^artifact_grep: reserved/ });
});

test('an offloaded output is recognized by its tag, even after a round trip through JSON', () => {
    const modelOutput = { type: 'text', value: 'much' } as const;
    const output: OffloadedOutput = { tuckaway: 'offloaded', artifacts: [], modelOutput };
    assert.ok(isOffloaded(JSON.parse(JSON.stringify(output))));
    for (const other of [null, 'offloaded', {}, { tuckaway: true }, undefined]) {
        assert.equal(isOffloaded(other), false);
    }
});
