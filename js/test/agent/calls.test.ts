/** The turn of an agent and its edge cases, in the formats of Anthropic's Messages and of Chat Completions. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';

import { TuckawayError, type Tuckaway, type View } from 'tuckaway';
import { type ToolCall, type ToolHandlers, ToolResult, runToolCalls } from 'tuckaway/anthropic';
import { runChatToolCalls, runResponsesToolCalls } from 'tuckaway/openai';

import { FlakyStore, artifactId, newTuckaway, rows } from './support.js';

/** Returns a message that calls tools by their names; the ids are their indexes. */
const calling = (...names: string[]) => ({
    content: names.map((name, index) => ({ type: 'tool_use', id: `toolu_${index}`, name, input: {} })),
});

/** Returns a completion that calls the tool `echo` once with each of these arguments. */
const echoing = (...args: string[]) => ({
    choices: [
        {
            message: {
                tool_calls: args.map((text, index) => ({
                    id: `call_${index}`,
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
        string: () => 'unchanged',
        json: () => ({ a: [1, null] }),
        nothing: () => {},
        bytes: async () => new TextEncoder().encode('b\u00fcte'),
        buffer: () => Buffer.from('buffer'),
        foreign: () => runInNewContext('new Uint8Array([104, 105])') as unknown,
        words: () => new Uint16Array(new TextEncoder().encode('-words').buffer, 2, 2),
        memory: () => runInNewContext('new Uint8Array([104, 105]).buffer') as unknown,
        nil: () => null,
        plain: () => runInNewContext('({})') as unknown,
        bare: () => Object.create(null) as unknown,
        date: () => new Date(0),
        failed: () => new ToolResult('no such table', { isError: true }),
        empty: () => new ToolResult([]),
    };
    const ok = (content: unknown) => ({ content, is_error: false });
    assert.deepEqual(await contents(tuckaway, handlers, ...Object.keys(handlers)), [
        ok('unchanged'),
        ok('{"a":[1,null]}'),
        ok(''),
        ok('b\u00fcte'),
        ok('buffer'),
        ok('hi'),
        ok('ords'),
        ok('hi'),
        ok('null'),
        ok('{}'),
        ok('{}'),
        ok('"1970-01-01T00:00:00.000Z"'),
        { content: 'no such table', is_error: true },
        ok([]),
    ]);
});

test('a failure is an error for the model, and does not affect the other calls', async () => {
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
    const texts = answers.map(({ content }) => String(content));
    assert.deepEqual(texts.slice(0, 4), [
        'good',
        'RangeError: too far',
        'Error: just words',
        'Error: the tool failed, and its error cannot be represented as text.',
    ]);
    assert.match(String(texts[4]), /^TypeError: .*circular/);
    assert.equal(
        texts[5],
        'Error: there is no tool "toString". The tools are: good, throws, rejects, odd, circular, ' +
            'artifact_read, artifact_grep, artifact_jq.',
    );
    assert.match(String(texts[6]), /artifact_id/, 'the component names the missing argument');
});

test('a value that JSON would lose is an error, not an empty output', async () => {
    const tuckaway = await newTuckaway();
    const lost: [returned: unknown, shown: string][] = [
        [new Map([[1, 2]]), 'an object (Map)'],
        [runInNewContext('new Set([1])'), 'an object (Set)'],
        [new Error('late'), 'an object (Error)'],
        [new URLSearchParams('a=1').keys(), 'an object (Object)'],
        [() => 1, 'a function'],
        [Symbol('x'), 'Symbol(x)'],
    ];
    for (const [returned, shown] of lost) {
        const [answer] = await contents(tuckaway, { odd: () => returned }, 'odd');
        assert.equal(answer?.is_error, true);
        const message = `the output of odd is ${shown}; it must be text, bytes, or a value that JSON can represent.`;
        assert.equal(answer.content, `TuckawayError: ${message}`);
    }
});

test('a ToolResult with invalid content is an error of that tool alone', async () => {
    const tuckaway = await newTuckaway();
    for (const content of [undefined, null, 5, rows[0], new ArrayBuffer(2), ['text'], [null], [{ text: 'a' }]]) {
        const handlers = { good: () => 'good', odd: () => new ToolResult(content as never) };
        const [good, odd] = await contents(tuckaway, handlers, 'good', 'odd');
        assert.deepEqual(good, { content: 'good', is_error: false });
        assert.equal(odd?.is_error, true);
        assert.match(String(odd.content), /^TuckawayError: content is .+ must be a string, a Uint8Array, /);
    }
});

test('an error that is too large keeps its message', async () => {
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

test('arguments are parsed; if that fails, the model is asked to correct them', async () => {
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
    assert.match(String(broken), /^Error: the arguments are not valid JSON \(.+\)\. Call the tool again with a JSON ob/);
    assert.equal(array, 'Error: the arguments are not a JSON object. Call the tool again with one.');
    assert.equal(nil, array);
});

test('arguments may be missing, or an object instead of its JSON', async () => {
    const tuckaway = await newTuckaway();
    const ran: unknown[] = [];
    const handlers = { echo: (args: unknown) => void ran.push(args) };
    const given = [undefined, null, { a: 1 }];
    await runChatToolCalls(tuckaway, echoing(...(given as never[])), handlers);
    const calls = given.map((args) => ({ type: 'function_call', call_id: '1', name: 'echo', arguments: args }));
    await runResponsesToolCalls(tuckaway, { output: calls }, handlers);
    const used = given.map((input) => ({ type: 'tool_use', id: '1', name: 'echo', input, caller: null }));
    await runToolCalls(tuckaway, { content: used }, handlers);
    assert.deepEqual(ran, Array(3).fill([{}, {}, { a: 1 }]).flat());
    const [put] = await runToolCalls(tuckaway, calling('sql'), { sql: () => rows });
    const asked = { artifact_id: artifactId(put?.content), filter: 'length' };
    const jq = { id: 'call_1', type: 'function', function: { name: 'artifact_jq', arguments: asked } };
    const [length] = await runChatToolCalls(tuckaway, { choices: [{ message: { tool_calls: [jq] } }] }, {});
    assert.equal(String(length?.content).trim(), '20000');
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
    // Each is 4,000 tokens: with 0 tokens used all fit, with 60,000 one must be reduced, and with 69,000 none fits.
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
    assert.deepEqual(await actions(69_000, 0), ['inline', 'inline', 'inline'], 'the option takes precedence');
});

test('the policy of a turn, and a model without artifact tools', async () => {
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

test('replies of artifact tools always pass; the same text from another tool does not', async () => {
    const tuckaway = await newTuckaway({ policy: { minThresholdBytes: 100, maxThresholdBytes: 5_000 } });
    const [put] = await runToolCalls(tuckaway, calling('sql'), { sql: () => rows });
    const id = artifactId(put?.content);
    const read = { type: 'tool_use', id: 'toolu_1', name: 'artifact_read', input: { artifact_id: id } };
    const [page] = await runToolCalls(tuckaway, { content: [read] }, {});
    assert.ok(String(page?.content).length > 10_000, 'a page is larger than the ceiling');
    const [short] = await runToolCalls(tuckaway, { content: [read] }, {}, { maxBytes: 1_000 });
    const length = String(short?.content).length;
    assert.ok(length > 500 && length <= 1_000, `a page of ${length} characters for a limit of 1,000 bytes`);
    const [parrot] = await runToolCalls(tuckaway, calling('parrot'), { parrot: () => page?.content });
    assert.notEqual(artifactId(parrot?.content), id);
});

test('an output that is already in the store is referenced', async () => {
    const tuckaway = await newTuckaway();
    const [put] = await runToolCalls(tuckaway, calling('sql'), { sql: () => rows });
    const stored = artifactId(put?.content);
    const [again] = await runToolCalls(tuckaway, calling('same'), { same: () => new ToolResult({ stored }) });
    assert.equal(artifactId(again?.content), stored);
});

test('several texts are stored as one', async () => {
    const tuckaway = await newTuckaway();
    const parts = [text(700_000), text(700_000)].map((each) => ({ type: 'text', text: each }));
    const [put] = await runToolCalls(tuckaway, calling('texts'), { texts: () => new ToolResult(parts) });
    const id = artifactId(put?.content);
    assert.equal(tuckaway.listArtifacts()[0]?.sizeBytes, 1_400_001, 'both, with a line feed between them');
    assert.equal(tuckaway.read(id, { bytes: { start: 1_399_997 } }).text, text(700_000).slice(-4));
});

test('names of artifact tools are reserved', async () => {
    const tuckaway = await newTuckaway({ tools: ['read'] });
    const taken = runToolCalls(tuckaway, calling(), { artifact_jq: () => '' });
    await assert.rejects(taken, (error: TuckawayError) => {
        assert.equal(error.kind, 'invalid_input');
        return error.message.startsWith('artifact_jq: reserved');
    });
});

test('an invalid reply or tool is rejected with a message that says what to pass', async () => {
    const tuckaway = await newTuckaway();
    const message = calling('ping');
    const ping = () => 'pong';
    const refused = (run: Promise<unknown>, said: RegExp) =>
        assert.rejects(run, { name: 'TuckawayError', kind: 'invalid_input', message: said });
    await refused(runToolCalls(tuckaway, {} as never, { ping }), /^message\.content is not an array.+whole reply/);
    await refused(runChatToolCalls(tuckaway, message as never, { ping }), /^completion\.choices is not an array/);
    await refused(runResponsesToolCalls(tuckaway, message as never, { ping }), /^response\.output is not an array/);
    await refused(runToolCalls(tuckaway, message, { ping, pong: 1 as never }), /^pong: a tool must be a function/);
    const hole = { content: [null] } as never;
    await refused(runToolCalls(tuckaway, hole, { ping }), /^message\.content\[0\] is not an object/);
    for (const none of [null, undefined] as never[]) {
        await refused(runToolCalls(tuckaway, none, { ping }), /^message\.content is not an array/);
        await refused(runChatToolCalls(tuckaway, none, { ping }), /^completion\.choices is not an array/);
        await refused(runResponsesToolCalls(tuckaway, none, { ping }), /^response\.output is not an array/);
        await refused(runToolCalls(tuckaway, message, none), /^handlers is (null|undefined); it must be an obj/);
    }
    const choices: [unknown, RegExp][] = [
        [{}, /^completion\.choices\[0\]\.message is not an object\. Pass the model's whole reply/],
        [{ message: { tool_calls: {} } }, /\.message\.tool_calls is not an array/],
        [{ message: { tool_calls: ['ping'] } }, /\.tool_calls\[0\] is not an object/],
        [{ message: { tool_calls: [{ id: '1' }] } }, /\.tool_calls\[0\]\.function is not an object/],
        [{ message: { tool_calls: [{ id: '1', type: 'custom' }] } }, /\.tool_calls\[0\]\.custom is not an object/],
    ];
    for (const [choice, said] of choices) {
        await refused(runChatToolCalls(tuckaway, { choices: [choice] } as never, { ping }), said);
    }
    assert.deepEqual(await runChatToolCalls(tuckaway, { choices: [] }, { ping }), []);
});

test('a usage record may be incomplete', async () => {
    const tuckaway = await newTuckaway({ contextWindow: 10_000 });
    const headroom = async (usage: object) => {
        const seen: (number | undefined)[] = [];
        const onView = (_: ToolCall, { decision }: View) => seen.push(decision.headroomTokens);
        const handlers = { echo: () => '', ping: () => '' };
        await runChatToolCalls(tuckaway, { ...echoing('{}'), usage }, handlers, { onView });
        await runToolCalls(tuckaway, { ...calling('ping'), usage }, handlers, { onView });
        return seen;
    };
    assert.deepEqual(await headroom({}), [7_000, 7_000]);
    assert.deepEqual(await headroom({ input_tokens: 3_000, output_tokens: null }), [4_000, 4_000]);
    assert.deepEqual(await headroom({ prompt_tokens: null, total_tokens: 5_000 }), [2_000, 7_000]);
});

test('no output is lost when a callback fails', async () => {
    const tuckaway = await newTuckaway();
    const handlers = {
        good: () => 'good',
        bad: () => {
            throw new Error('bad');
        },
    };
    const run = (callback: () => void) =>
        runToolCalls(tuckaway, calling('good', 'bad'), handlers, { onView: callback, onError: callback });
    let called = 0;
    const results = await run(() => void called++);
    const throwing = await run(() => {
        throw new Error(`no disk, ${called++}`);
    });
    const rejecting = await run(async () => Promise.reject(new Error(`no network, ${called++}`)));
    assert.deepEqual([throwing, rejecting], [results, results]);
    assert.equal(called, 9);
});

test('an invalid option is reported before a tool runs', async () => {
    const tuckaway = await newTuckaway();
    let ran = false;
    const handlers = { pay: () => (ran = true) };
    const wrong: [object | null, RegExp][] = [
        [{ turn: { contextWindow: 0 } }, /contextWindow is 0/],
        [{ policy: { contextPercentage: 7 } }, /contextPercentage is 7/],
        [{ maxBytes: 100 }, /100/],
        [{ polcy: {} }, /^options has no member "polcy"; did you mean policy\?$/],
        [{ onView: 'log' }, /^options\.onView is "log"; it must be a function\.$/],
        [{ onError: {} }, /^options\.onError is an object/],
        [null, /^options is null/],
    ];
    for (const [options, message] of wrong) {
        const run = runToolCalls(tuckaway, calling('pay'), handlers, options as never);
        await assert.rejects(run, { kind: 'invalid_input', message });
    }
    assert.equal(ran, false);
});

test('if the store fails during a query, the host receives the full error and the model a summary', async () => {
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
            content: 'Error: the store failed. Try the call again, or continue without the output.',
            is_error: true,
        },
    ]);
    const [[name, error] = [], ...more] = errors;
    assert.deepEqual([name, more], ['artifact_read', []]);
    const { cause } = error as Error;
    assert.ok(cause instanceof TuckawayError && cause.kind === 'store' && cause.message.includes('/srv/secret'));
});
