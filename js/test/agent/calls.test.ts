/** The turn of an agent and its edges, in the shape of Anthropic's messages and of Chat Completions. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { TuckawayError, type Tuckaway, type View } from 'tuckaway';
import { type ToolCall, type ToolHandlers, ToolResult, runToolCalls } from 'tuckaway/anthropic';
import { runChatToolCalls, runResponsesToolCalls } from 'tuckaway/openai';

import { FlakyStore, artifactId, newTuckaway, rows } from './support.js';

/** A message that calls tools by their names; the ids are their places. */
const calling = (...names: string[]) => ({
    content: names.map((name, place) => ({ type: 'tool_use', id: `toolu_${place}`, name, input: {} })),
});

/** A completion that calls the tool `echo` with these arguments, one call each. */
const echoing = (...args: string[]) => ({
    choices: [
        {
            message: {
                tool_calls: args.map((text, place) => ({
                    id: `call_${place}`,
                    type: 'function' as const,
                    function: { name: 'echo', arguments: text },
                })),
            },
        },
    ],
});

const text = (bytes: number) => 'all work and no play. '.repeat(Math.ceil(bytes / 22)).slice(0, bytes);

async function contents(tuckaway: Tuckaway, handlers: ToolHandlers, ...names: string[]) {
    const results = await runToolCalls(tuckaway, calling(...names), handlers);
    return results.map(({ content, is_error }) => ({ content, is_error: is_error ?? false }));
}

test('outputs of every kind', async () => {
    const tuckaway = await newTuckaway();
    const handlers = {
        string: () => 'as it is',
        json: () => ({ a: [1, null] }),
        nothing: () => {},
        bytes: async () => new TextEncoder().encode('b\u00fcte'),
        buffer: () => Buffer.from('buffer'),
        nil: () => null,
        failed: () => new ToolResult('no such table', { isError: true }),
        empty: () => new ToolResult([]),
    };
    const ok = (content: unknown) => ({ content, is_error: false });
    assert.deepEqual(await contents(tuckaway, handlers, ...Object.keys(handlers)), [
        ok('as it is'),
        ok('{"a":[1,null]}'),
        ok(''),
        ok('b\u00fcte'),
        ok('buffer'),
        ok('null'),
        { content: 'no such table', is_error: true },
        ok([]),
    ]);
});

test('what fails is an error to the model and leaves the other calls alone', async () => {
    const tuckaway = await newTuckaway();
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    const handlers = {
        good: () => 'good',
        throws: () => {
            throw new RangeError('too far');
        },
        rejects: () => Promise.reject('just words'),
        odd: () => Promise.reject(circular),
        circular: () => circular,
    };
    const answers = await contents(tuckaway, handlers, ...Object.keys(handlers), 'toString', 'artifact_jq');
    assert.deepEqual(
        answers.map(({ is_error }) => is_error),
        [false, true, true, true, true, true, true],
    );
    const said = answers.map(({ content }) => String(content));
    assert.deepEqual(said.slice(0, 4), [
        'good',
        'RangeError: too far',
        'Error: just words',
        'Error: what the tool threw can not be told.',
    ]);
    assert.match(String(said[4]), /^TypeError: .*circular/);
    assert.equal(
        said[5],
        'Error: there is no tool "toString". The tools are: good, throws, rejects, odd, circular, ' +
            'artifact_read, artifact_grep, artifact_jq.',
    );
    assert.match(String(said[6]), /artifact_id/, 'the component says what is missing');
});

test('an error that is too big keeps its message', async () => {
    const tuckaway = await newTuckaway();
    const message = `${text(200_000)}\nFATAL: disk full\n${text(2_000_000)}`;
    const failed = () => {
        throw new Error(message);
    };
    const [answer] = await contents(tuckaway, { failed }, 'failed');
    const wanted = tuckaway.process({ tool: 'failed', isError: true, content: `Error: ${message}` });
    const id = artifactId(answer?.content);
    assert.equal(answer?.content, wanted.text.replace(artifactId(wanted.text), id));
    assert.match(String(answer?.content), /FATAL: disk full/);
});

test('arguments are parsed, and told to be mended where that fails', async () => {
    const tuckaway = await newTuckaway();
    const ran: unknown[] = [];
    const handlers = {
        echo: (args: unknown, { id, name }: ToolCall) => {
            ran.push(args);
            return `${name} ${id}`;
        },
    };
    const replies = await runChatToolCalls(tuckaway, echoing('{"a": 1}', ' ', '{"a": ', '[1]', 'null'), handlers);
    assert.deepEqual(ran, [{ a: 1 }, {}]);
    assert.deepEqual(
        replies.map(({ tool_call_id }) => tool_call_id),
        ['call_0', 'call_1', 'call_2', 'call_3', 'call_4'],
    );
    const [first, second, broken, array, nil] = replies.map(({ content }) => String(content));
    assert.deepEqual([first, second], ['echo call_0', 'echo call_1']);
    assert.match(String(broken), /^Error: the arguments are no JSON \(.+\)\. Call the tool again with a JSON ob/);
    assert.equal(array, 'Error: the arguments are no JSON object. Call the tool again with one.');
    assert.equal(nil, array);
});

test('calls of a turn run at the same time', async () => {
    const tuckaway = await newTuckaway();
    let open: (() => void) | undefined;
    const handlers = {
        waits: () => new Promise((done) => (open = () => done('opened'))),
        opens: () => open?.(),
    };
    const answers = await contents(tuckaway, handlers, 'waits', 'opens');
    assert.equal(answers[0]?.content, 'opened');
});

test('outputs of a turn share the headroom that the usage record leaves', async () => {
    // Each is 4,000 tokens: all of them fit from 0, one has to go from 60,000, and none fits from 69,000.
    const tuckaway = await newTuckaway({ contextWindow: 100_000, tokens: (text) => Math.ceil(text.length / 4) });
    const handlers = { dump: () => text(16_000) };
    const actions = async (input_tokens: number, usedTokens?: number) => {
        const seen: View[] = [];
        const message = { ...calling('dump', 'dump', 'dump'), usage: { input_tokens, output_tokens: 0 } };
        const onView = (_: ToolCall, view: View) => seen.push(view);
        await runToolCalls(tuckaway, message, handlers, { turn: { usedTokens }, onView });
        return seen.map(({ decision }) => decision.action).sort();
    };
    assert.deepEqual(await actions(0), ['inline', 'inline', 'inline']);
    assert.deepEqual(await actions(60_000), ['artifact', 'inline', 'inline']);
    assert.deepEqual(await actions(69_000), ['artifact', 'artifact', 'artifact']);
    assert.deepEqual(await actions(69_000, 0), ['inline', 'inline', 'inline'], 'what the caller says counts');
});

test('the policy of a turn, and where the model has no artifact tools', async () => {
    const tuckaway = await newTuckaway();
    const handlers = { dump: () => text(6_000) };
    const run = async (options: Parameters<typeof runToolCalls>[3]) => {
        const [result] = await runToolCalls(tuckaway, calling('dump'), handlers, options);
        return String(result?.content);
    };
    assert.equal(await run({}), text(6_000));
    assert.match(await run({ policy: { maxThresholdBytes: 5_000 } }), /^\{\n? *"artifact_id"/);
    const truncated = await run({ policy: { maxThresholdBytes: 5_000 }, turn: { tools: [] } });
    assert.ok(truncated.length <= 5_000 && truncated.includes('truncated'), truncated);
});

test('replies of artifact tools pass whatever they say, and others do not by saying the same', async () => {
    const tuckaway = await newTuckaway({ policy: { minThresholdBytes: 100, maxThresholdBytes: 5_000 } });
    const [put] = await runToolCalls(tuckaway, calling('sql'), { sql: () => rows });
    const id = artifactId(put?.content);
    const read = { type: 'tool_use', id: 'toolu_1', name: 'artifact_read', input: { artifact_id: id } };
    const [page] = await runToolCalls(tuckaway, { content: [read] }, {});
    assert.ok(String(page?.content).length > 10_000, 'a page is larger than the ceiling');
    const [short] = await runToolCalls(tuckaway, { content: [read] }, {}, { maxBytes: 1_000 });
    const length = String(short?.content).length;
    assert.ok(length > 500 && length <= 1_000, `a page of ${length} characters where 1,000 bytes were asked for`);
    const [parrot] = await runToolCalls(tuckaway, calling('parrot'), { parrot: () => page?.content });
    assert.notEqual(artifactId(parrot?.content), id);
});

test('an output in the store already is referred to', async () => {
    const tuckaway = await newTuckaway();
    const [put] = await runToolCalls(tuckaway, calling('sql'), { sql: () => rows });
    const stored = artifactId(put?.content);
    const [again] = await runToolCalls(tuckaway, calling('same'), { same: () => new ToolResult({ stored }) });
    assert.equal(artifactId(again?.content), stored);
});

test('several texts are put away as one', async () => {
    const tuckaway = await newTuckaway();
    const parts = [text(700_000), text(700_000)].map((each) => ({ type: 'text', text: each }));
    const [put] = await runToolCalls(tuckaway, calling('texts'), { texts: () => new ToolResult(parts) });
    const id = artifactId(put?.content);
    assert.equal(tuckaway.list()[0]?.sizeBytes, 1_400_001, 'both, with a line feed between them');
    assert.equal(tuckaway.read(id, { bytes: [1_399_997] }).text, text(700_000).slice(-4));
});

test('names of artifact tools are taken', async () => {
    const tuckaway = await newTuckaway({ tools: ['read'] });
    const taken = runToolCalls(tuckaway, calling(), { artifact_jq: () => '' });
    await assert.rejects(taken, (error: TuckawayError) => {
        assert.equal(error.kind, 'invalid-input');
        return error.message.startsWith('artifact_jq: this name');
    });
});

test('what is no reply of a model, or no tool, is refused with a word on what to give', async () => {
    const tuckaway = await newTuckaway();
    const message = calling('ping');
    const ping = () => 'pong';
    const refused = (run: Promise<unknown>, said: RegExp) =>
        assert.rejects(run, { name: 'TuckawayError', kind: 'invalid-input', message: said });
    await refused(runToolCalls(tuckaway, {} as never, { ping }), /^message\.content is no array.+whole reply/);
    await refused(runChatToolCalls(tuckaway, message as never, { ping }), /^completion\.choices is no array/);
    await refused(runResponsesToolCalls(tuckaway, message as never, { ping }), /^response\.output is no array/);
    await refused(runToolCalls(tuckaway, message, { ping, pong: 1 as never }), /^pong: a tool is a function/);
});

test('a turn, a policy or a bound that is wrong is known before a tool runs', async () => {
    const tuckaway = await newTuckaway();
    let ran = false;
    const handlers = { pay: () => (ran = true) };
    const wrong = [{ turn: { contextWindow: 0 } }, { policy: { contextPercentage: 7 } }, { maxBytes: 100 }];
    for (const options of wrong) {
        await assert.rejects(runToolCalls(tuckaway, calling('pay'), handlers, options), { kind: 'invalid-input' });
    }
    assert.equal(ran, false);
});

test('of a store that fails under a query the model is told little, and the host all', async () => {
    const store = new FlakyStore();
    const tuckaway = await newTuckaway({ store });
    const [put] = await runToolCalls(tuckaway, calling('sql'), { sql: () => rows });
    store.isBroken = true;
    const input = { artifact_id: artifactId(put?.content) };
    const content = [...calling('ping').content, { type: 'tool_use', id: 'toolu_1', name: 'artifact_read', input }];
    const errors: [string, unknown][] = [];
    const results = await runToolCalls(
        tuckaway,
        { content },
        { ping: () => 'pong' },
        { onError: ({ name }, error) => errors.push([name, error]) },
    );
    assert.deepEqual(results, [
        { type: 'tool_result', tool_use_id: 'toolu_0', content: 'pong' },
        {
            type: 'tool_result',
            tool_use_id: 'toolu_1',
            content: 'Error: the store of the outputs failed. Try once more, or go on without.',
            is_error: true,
        },
    ]);
    const [[name, error] = [], ...more] = errors;
    assert.deepEqual([name, more], ['artifact_read', []]);
    const { cause } = error as Error;
    assert.ok(cause instanceof TuckawayError && cause.kind === 'store' && cause.message.includes('/srv/secret'));
});
