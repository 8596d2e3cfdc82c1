/** The requests that the adapters write, and the answers that they read. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { ModelRequest, RequestMessage } from 'tuckaway';

import { messagesBody, readMessage } from '../../src/extraction/models/anthropic.js';
import { chatBody, readCompletion } from '../../src/extraction/models/openai.js';
import { retryAfterMs, waitMs } from '../../src/extraction/models/retry.js';

const call = (id: string, args: string) => ({ id, name: 'Read', arguments: args });
const result = (callId: string, isError: boolean) => ({ callId, text: `of ${callId}`, isError });

const MESSAGES: RequestMessage[] = [
    { user: 'begin' },
    { model: { text: 'I read. ', calls: [call('a', '{"filename":"x"}'), call('b', '{"cut')] } },
    { results: [result('a', false), result('b', true)] },
    { model: { text: '', calls: [] } },
    { user: 'no wrapper' },
    { user: 'the last turn' },
];

function request(mayCall: boolean, tools = true): ModelRequest {
    const inputSchema = { type: 'object' as const, properties: {}, required: ['filename'] };
    return {
        id: 'search-3', purpose: 'search', system: 'the system', messages: MESSAGES, mayCall,
        tools: tools ? [{ name: 'Read', description: 'Reads.', inputSchema }] : [],
        inputTokens: 100, maxOutputTokens: 50,
    };
}

test('a conversation for OpenAI', () => {
    const body = chatBody('m', request(false)) as any;
    assert.deepEqual(
        body.messages.map(({ role }: { role: string }) => role),
        ['system', 'user', 'assistant', 'tool', 'tool', 'assistant', 'user', 'user'],
    );
    // The model's own text is repeated unchanged.
    const again = { id: 'b', type: 'function', function: { name: 'Read', arguments: '{"cut' } };
    assert.deepEqual(body.messages[2].tool_calls[1], again);
    assert.deepEqual(body.messages[4], { role: 'tool', tool_call_id: 'b', content: 'of b' });
    assert.deepEqual([body.tool_choice, body.tools[0].function.parameters.required], ['none', ['filename']]);
    assert.equal((chatBody('m', request(true)) as any).tool_choice, 'auto');
});

test('a conversation for Anthropic', () => {
    const body = messagesBody('m', request(false)) as any;
    const { messages } = body;
    assert.deepEqual(
        messages.map(({ role }: { role: string }) => role),
        ['user', 'assistant', 'user', 'assistant', 'user'],
    );
    assert.deepEqual(messages[1].content, [
        { type: 'text', text: 'I read.' },
        { type: 'tool_use', id: 'a', name: 'Read', input: { filename: 'x' } },
        { type: 'tool_use', id: 'b', name: 'Read', input: {} },
    ]);
    assert.equal(messages[2].content[1].is_error, true);
    assert.deepEqual(messages[3].content, [{ type: 'text', text: '(nothing)' }], 'an empty turn would be refused');
    assert.equal(messages[4].content.length, 2);
    assert.deepEqual([body.system, body.max_tokens, body.tool_choice], ['the system', 50, { type: 'none' }]);
    assert.deepEqual((messagesBody('m', request(true)) as any).tool_choice, { type: 'auto' });
    assert.equal(MESSAGES.length, 6);
    for (const without of [chatBody('m', request(false, false)), messagesBody('m', request(false, false))]) {
        assert.ok(!('tools' in without) && !('tool_choice' in without));
    }
});

test('answers of OpenAI', () => {
    const usage = { prompt_tokens: 90, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 40 } };
    const read = (message: unknown, finish_reason: string) =>
        readCompletion('search-3', { choices: [{ message, finish_reason }], usage });
    const yes = { turn: { text: 'yes', calls: [] }, stop: 'finished', inputTokens: 90, outputTokens: 7 };
    assert.deepEqual(read({ content: 'yes' }, 'stop'), yes);
    const parts = [{ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'ye' }, null, { type: 'text', text: 's' }];
    assert.equal(read({ content: parts }, 'length').turn.text, 'yes');
    assert.equal(read({ content: 'ye' }, 'content_filter').stop, 'length');
    assert.throws(() => read({ content: null }, 'content_filter'), /filter/);
    assert.throws(() => read({ content: null, refusal: 'no' }, 'stop'), /refused: no/);
    // Servers leave ids empty, and write arguments as objects.
    const tool_calls = [{ id: '', function: { name: 'Read', arguments: { filename: 'x' } } }, { id: 5 }, 'x'];
    const { turn } = read({ content: null, tool_calls }, 'tool_calls');
    assert.deepEqual(turn.calls, [{ id: 'call_search_3_0', name: 'Read', arguments: '{"filename":"x"}' }]);
    for (const wrong of [null, 5, {}, [], { choices: [] }, { choices: [{ message: 'x' }] }]) {
        assert.throws(() => readCompletion('r', wrong), /no message/);
    }
    const uncounted = readCompletion('r', { choices: [{ message: { content: '' } }], usage: { prompt_tokens: -5, completion_tokens: 0.5 } });
    assert.deepEqual([uncounted.inputTokens, uncounted.outputTokens], [undefined, undefined]);
});

test('answers of Anthropic', () => {
    const usage = { input_tokens: 10, cache_read_input_tokens: 80, output_tokens: 7 };
    const read = (content: unknown, stop_reason: string) => readMessage('r', { content, stop_reason, usage });
    const reply = read([
        { type: 'thinking', thinking: '<ai-agent-x-FINAL>' },
        { type: 'text', text: 'ye' },
        { type: 'server_tool_use', name: 'web' },
        { type: 'text', text: 's' },
        { type: 'tool_use', id: 't', name: 'Grep', input: { pattern: 'a' } },
    ], 'tool_use');
    const calls = [{ id: 't', name: 'Grep', arguments: '{"pattern":"a"}' }];
    assert.deepEqual(reply, { turn: { text: 'yes', calls }, stop: 'finished', inputTokens: 90, outputTokens: 7 });
    assert.equal(read([], 'max_tokens').stop, 'length');
    assert.throws(() => read([], 'refusal'), /refused/);
    for (const wrong of [null, {}, { content: 'text' }]) {
        assert.throws(() => readMessage('r', wrong), /no content/);
    }
});

test('waits double up to the cap, or are what the server asks for', () => {
    for (const [attempt, most] of [[1, 1_000], [2, 2_000], [3, 4_000], [6, 30_000], [2_000, 30_000]] as const) {
        const wait = waitMs(attempt, 1_000, 30_000, undefined);
        assert.ok(wait <= most && wait >= most / 2, `${attempt}: ${wait}`);
    }
    assert.deepEqual([7_000, 0, Infinity].map((wish) => waitMs(1, 1_000, 30_000, wish)), [7_000, 0, 30_000]);
    const now = Date.parse('Sun, 06 Nov 1994 08:49:37 GMT');
    const read = (value: string | null) => retryAfterMs(value, now);
    assert.deepEqual([read(' 120 '), read('0.5')], [120_000, 500]);
    assert.equal(read('Sun, 06 Nov 1994 08:49:47 GMT'), 10_000);
    assert.equal(read('Sun, 06 Nov 1994 08:00:00 GMT'), 0);
    for (const wrong of [null, '', '-1', 'soon', 'NaN', '1e400', 'Sun, 99 Nov 1994 08:49:37 GMT']) {
        assert.equal(read(wrong), undefined, String(wrong));
    }
});
