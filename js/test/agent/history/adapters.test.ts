/** Histories in the providers' formats, converted to the neutral form, and after a plan. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Account, Entry, Plan, Replacement } from 'tuckaway';
import { type FormatName, applyPlan, detectFormat, toConversation } from 'tuckaway/history';

import { pixel } from '../support.js';

const nothing: Account = { system: 0, tools: 0, history: 0, toolOutputs: 0, total: 0, cacheBreakpoint: 0 };

/** Returns a plan with this history and these results. */
function plan(history: Entry[], replacements: Partial<Replacement>[] = [], removedTools: string[] = []): Plan {
    return {
        isEmpty: false,
        history,
        replacements: replacements.map((each) => ({ message: 0, part: 0, text: '[trimmed]', artifact: 'art_1', ...each })),
        removedTools,
        before: nothing,
        after: nothing,
        receipts: [],
        alarms: [],
        state: {},
    };
}

const keep = (start: number, end: number): Entry => ({ keep: { start, end } });
const summary: Entry = { insert: { role: 'user', text: 'What came before.' } };

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } };
const messages = [
    { role: 'user', content: [{ type: 'text', text: 'Fix it.' }, { ...image, cache_control: { type: 'ephemeral' } }] },
    {
        role: 'assistant',
        content: [
            { type: 'thinking', thinking: 'Look at the log first.', signature: 'EqQBCkYIBRgC' },
            { type: 'text', text: 'Reading.' },
            { type: 'tool_use', id: 'toolu_1', name: 'read', input: { path: 'a.log' }, caller: { type: 'direct' } },
            { type: 'tool_use', id: 'toolu_2', name: 'shot', input: {} },
        ],
    },
    {
        role: 'user',
        content: [
            { type: 'tool_result', tool_use_id: 'toolu_1', content: 'line 1\nline 2', cache_control: { type: 'ephemeral' } },
            {
                type: 'tool_result',
                tool_use_id: 'toolu_2',
                is_error: true,
                content: [{ type: 'text', text: 'one' }, image, { type: 'text', text: 'two' }],
            },
            { type: 'text', text: 'Go on.' },
        ],
    },
    { role: 'assistant', content: [{ type: 'redacted_thinking', data: 'abc' }, { type: 'text', text: 'Done.' }] },
];

test('Anthropic: a block is a part, and the media of a result follow its text', () => {
    const system = [{ type: 'text', text: 'Be brief.', cache_control: { type: 'ephemeral' } }];
    const tools = [
        { name: 'read', input_schema: { type: 'object' } },
        { type: 'web_search_20250305', name: 'web_search' },
        { type: 'bash_20250124', name: 'bash' },
        { name: 'artifact_read', input_schema: { type: 'object' } },
    ];
    const usage = { input_tokens: 10, output_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 };
    const conversation = toConversation('anthropic', messages, { system, tools, usage, artifacts: { toolu_1: 'art_log' } });
    assert.deepEqual(conversation.messages, [
        { role: 'system', parts: [{ text: 'Be brief.' }] },
        { role: 'user', parts: [{ text: 'Fix it.' }, { media: 1600 }] },
        {
            role: 'assistant',
            parts: [
                { opaque: JSON.stringify(messages[1]!.content[0]).length },
                { text: 'Reading.' },
                { toolCall: { id: 'toolu_1', name: 'read', arguments: '{"path":"a.log"}' } },
                { toolCall: { id: 'toolu_2', name: 'shot', arguments: '{}' } },
            ],
        },
        {
            role: 'user',
            parts: [
                { toolResult: { callId: 'toolu_1', text: 'line 1\nline 2', isError: false, artifact: 'art_log' } },
                { toolResult: { callId: 'toolu_2', text: 'one\ntwo', isError: true } },
                { text: 'Go on.' },
                { media: 1600 },
            ],
        },
        { role: 'assistant', parts: [{ opaque: JSON.stringify(messages[3]!.content[0]).length }, { text: 'Done.' }] },
    ]);
    assert.deepEqual(
        conversation.tools?.map(({ name, pinned }) => [name, pinned ?? false]),
        [['read', false], ['web_search', true], ['bash', false], ['artifact_read', true]],
    );
    assert.deepEqual(conversation.usage, {
        tokens: { inputTokens: 10, outputTokens: 5, cacheCreationTokens: 20, cacheReadTokens: 100 },
        messages: 5,
    });
});

test('Anthropic: items that are kept are the same objects, and only the text of a result changes', () => {
    const before = structuredClone(messages);
    const changed = applyPlan(
        'anthropic',
        messages,
        plan([keep(0, 1), summary, keep(2, 5)], [{ message: 3, part: 0 }, { message: 3, part: 1, text: '[gone]' }], ['read']),
        { system: 'Be brief.', tools: [{ name: 'read' }, { name: 'shot' }] },
    );
    assert.deepEqual(messages, before, 'the original is unchanged');
    assert.deepEqual(changed.tools, [{ name: 'shot' }]);
    assert.equal(changed.dropsPreviousResponse, false);
    const [inserted, call, results, answer, ...more] = changed.history as any[];
    assert.deepEqual(inserted, { role: 'user', content: 'What came before.' });
    assert.equal(call, messages[1]);
    assert.equal(answer, messages[3]);
    assert.deepEqual(more, []);
    assert.deepEqual(results.content, [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: '[trimmed]', cache_control: { type: 'ephemeral' } },
        { type: 'tool_result', tool_use_id: 'toolu_2', is_error: true, content: [{ type: 'text', text: '[gone]' }, image] },
        { type: 'text', text: 'Go on.' },
    ]);
    assert.equal(results.content[2], (messages[2] as any).content[2]);
});

test('Chat Completions: calls of every kind, thinking of compatible servers, deprecated functions', () => {
    const history = [
        { role: 'developer', content: 'Be brief.' },
        { role: 'user', name: 'ada', content: [{ type: 'text', text: 'Hi' }, { type: 'image_url', image_url: { url: 'x', detail: 'low' } }] },
        {
            role: 'assistant',
            content: null,
            reasoning_content: 'hm',
            tool_calls: [
                { id: 'a', type: 'function', function: { name: 'read', arguments: '{"p":1}' } },
                { id: 'b', type: 'custom', custom: { name: 'sql', input: 'select 1' } },
                { id: 'c', type: 'function', function: { name: 'now' } },
            ],
        },
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: 'x' }, { type: 'text', text: 'y' }] },
        { role: 'tool', tool_call_id: 'b', content: '1' },
        { role: 'tool', tool_call_id: 'c', content: '' },
        { role: 'assistant', content: '', function_call: { name: 'old', arguments: '{}' } },
        { role: 'function', name: 'old', content: 'ok' },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
    ];
    const { messages, usage } = toConversation('openai-chat', history, {
        usage: { prompt_tokens: 100, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 64 } },
    });
    assert.deepEqual(messages, [
        { role: 'system', parts: [{ text: 'Be brief.' }] },
        { role: 'user', parts: [{ text: 'Hi' }, { media: 85 }] },
        {
            role: 'assistant',
            parts: [
                { toolCall: { id: 'a', name: 'read', arguments: '{"p":1}' } },
                { toolCall: { id: 'b', name: 'sql', arguments: 'select 1' } },
                { toolCall: { id: 'c', name: 'now', arguments: '{}' } },
                { opaque: 4 },
            ],
        },
        { role: 'tool', parts: [{ toolResult: { callId: 'a', text: 'x\ny' } }] },
        { role: 'tool', parts: [{ toolResult: { callId: 'b', text: '1' } }] },
        { role: 'tool', parts: [{ toolResult: { callId: 'c', text: '' } }] },
        { role: 'assistant', parts: [{ text: '' }, { toolCall: { id: 'function_call_6', name: 'old', arguments: '{}' } }] },
        { role: 'tool', parts: [{ toolResult: { callId: 'function_call_6', text: 'ok' } }] },
        { role: 'assistant', parts: [{ text: 'No.' }] },
    ]);
    assert.deepEqual(usage, {
        tokens: { inputTokens: 36, outputTokens: 7, cacheCreationTokens: 0, cacheReadTokens: 64 },
        messages: 9,
    });
    const changed = applyPlan('openai-chat', history, plan([keep(0, 9)], [{ message: 3 }, { message: 4, text: 't' }])).history as any[];
    assert.deepEqual(changed[3], { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: '[trimmed]' }] });
    assert.deepEqual(changed[4], { role: 'tool', tool_call_id: 'b', content: 't' });
    assert.deepEqual([...changed.keys()].filter((index) => changed[index] !== history[index]), [3, 4]);
});

test('Responses: items without a role are the model\'s, outputs answer calls of every kind', () => {
    const shot = { type: 'computer_screenshot', image_url: 'data:image/png;base64,AAAA' };
    const history = [
        { role: 'user', content: [{ type: 'input_text', text: 'Go.' }, { type: 'input_file', file_id: 'file_1' }] },
        { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAAA' },
        { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'read', arguments: '{"p":1}', status: 'completed' },
        { type: 'custom_tool_call', id: 'ctc_1', call_id: 'c2', name: 'sql', input: 'select 1' },
        { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'x' }, { type: 'input_image', image_url: 'y' }] },
        { type: 'custom_tool_call_output', call_id: 'c2', output: '1' },
        { type: 'shell_call', call_id: 'c3', action: { commands: ['ls'] } },
        { type: 'shell_call_output', call_id: 'c3', output: [{ stdout: 'a', stderr: '', outcome: { type: 'exit', exit_code: 0 } }] },
        { type: 'computer_call', id: 'cu_1', call_id: 'c4', action: { type: 'screenshot' } },
        { type: 'computer_call_output', call_id: 'c4', output: shot },
        { type: 'web_search_call', id: 'ws_1', status: 'completed' },
        { type: 'compaction', id: 'cmp_1', encrypted_content: 'gBBBB' },
        { id: 'msg_9' },
        { type: 'message', id: 'msg_1', role: 'assistant', phase: 'final', content: [{ type: 'output_text', text: 'Done.', annotations: [] }] },
    ];
    const usage = { input_tokens: 50, output_tokens: 9, input_tokens_details: { cached_tokens: 20, cache_write_tokens: 10 } };
    const { messages, usage: counted } = toConversation('openai-responses', history, { system: 'Be brief.', usage });
    const size = (index: number) => ({ opaque: JSON.stringify(history[index]).length });
    assert.deepEqual(messages, [
        { role: 'system', parts: [{ text: 'Be brief.' }] },
        { role: 'user', parts: [{ text: 'Go.' }, { media: 1600 }] },
        { role: 'assistant', parts: [size(1)] },
        { role: 'assistant', parts: [{ toolCall: { id: 'c1', name: 'read', arguments: '{"p":1}' } }] },
        { role: 'assistant', parts: [{ toolCall: { id: 'c2', name: 'sql', arguments: 'select 1' } }] },
        { role: 'tool', parts: [{ toolResult: { callId: 'c1', text: 'x' } }, { media: 1600 }] },
        { role: 'tool', parts: [{ toolResult: { callId: 'c2', text: '1' } }] },
        { role: 'assistant', parts: [{ toolCall: { id: 'c3', name: 'shell', arguments: '{"commands":["ls"]}' } }] },
        { role: 'tool', parts: [{ toolResult: { callId: 'c3', text: JSON.stringify(history[7]!.output) } }] },
        { role: 'assistant', parts: [{ toolCall: { id: 'c4', name: 'computer', arguments: '{"type":"screenshot"}' } }] },
        { role: 'tool', parts: [{ toolResult: { callId: 'c4', text: '' } }, { media: 1600 }] },
        { role: 'assistant', parts: [size(10)] },
        { role: 'assistant', parts: [size(11)], pinned: true },
        { role: 'assistant', parts: [size(12)] },
        { role: 'assistant', parts: [{ text: 'Done.' }] },
    ]);
    assert.deepEqual(counted, {
        tokens: { inputTokens: 20, outputTokens: 9, cacheCreationTokens: 10, cacheReadTokens: 20 },
        messages: 15,
    });
    const replaced = [{ message: 5 }, { message: 6 }, { message: 8 }, { message: 10 }];
    const changed = applyPlan('openai-responses', history, plan([keep(0, 15)], replaced), { system: 'Be brief.' });
    assert.equal(changed.dropsPreviousResponse, true, 'the provider has the old items');
    const outputs = (changed.history as any[]).filter(({ output }) => output).map(({ output }) => output);
    assert.deepEqual(outputs, [
        [{ type: 'input_text', text: '[trimmed]' }, { type: 'input_image', image_url: 'y' }],
        '[trimmed]',
        [{ stdout: '[trimmed]', stderr: '', outcome: { type: 'exit', exit_code: 0 } }],
        shot,
    ]);
});

test('Responses: reasoning and the items that depend on it are removed together', () => {
    const history = [
        { role: 'user', content: 'Go.' },
        { type: 'reasoning', id: 'rs_1', summary: [] },
        { type: 'message', id: 'msg_1', role: 'assistant', content: [{ type: 'output_text', text: 'Reading.' }] },
        { type: 'function_call', id: 'fc_1', call_id: 'c1', name: 'read', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c1', output: 'x' },
        { type: 'reasoning', id: 'rs_2', summary: [] },
        { type: 'reasoning', id: 'rs_3', summary: [] },
        { type: 'item_reference', id: 'msg_2' },
        { type: 'message', id: 'msg_3', role: 'assistant', content: [{ type: 'output_text', text: 'Done.' }] },
    ];
    const of = (...entries: Entry[]) => applyPlan('openai-responses', history, plan(entries)).history;
    assert.deepEqual(of(keep(0, 9)), history);
    const { id: _, ...anonymous } = history[3] as { id: string };
    assert.deepEqual(of(keep(0, 1), keep(3, 5)), [history[0], anonymous, history[4]]);
    assert.deepEqual(of(keep(0, 2), keep(4, 5)), [history[0], history[4]], 'reasoning without its item goes');
    const { id: __, ...last } = history[8] as { id: string };
    assert.deepEqual(of(keep(0, 1), keep(5, 7), keep(8, 9)), [history[0], last]);
});

test('content that the provider has compacted is kept, and outputs report failures', () => {
    const compacted = [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: [{ type: 'compaction', content: 'What came before.' }, { type: 'text', text: 'On.' }] },
    ];
    assert.deepEqual(toConversation('anthropic', compacted).messages.map(({ pinned }) => pinned), [undefined, true]);
    const patch = [
        { type: 'apply_patch_call', call_id: 'a', operation: { type: 'update_file' } },
        { type: 'apply_patch_call_output', call_id: 'a', status: 'failed', output: 'x' },
    ];
    const [, answer] = toConversation('openai-responses', patch).messages;
    assert.deepEqual(answer?.parts, [{ toolResult: { callId: 'a', text: 'x', isError: true } }]);
});

test('a message of many results is rewritten', () => {
    const count = 20_000;
    const ids = Array.from({ length: count }, (_, index) => `toolu_${index}`);
    const history = [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: ids.map((id) => ({ type: 'tool_use', id, name: 'read', input: {} })) },
        { role: 'user', content: ids.map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'x' })) },
    ];
    const replaced = ids.map((_, part) => ({ message: 2, part }));
    const { history: changed } = applyPlan('anthropic', history, plan([keep(0, 3)], replaced));
    assert.ok((changed[2] as any).content.every(({ content }: any) => content === '[trimmed]'));
});

test('AI SDK: outputs of every type, calls of the provider, tools by name', () => {
    const result = (toolCallId: string, output: object) => ({ type: 'tool-result', toolCallId, toolName: 'read', output });
    const history = [
        { role: 'system', content: 'Be brief.', providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
        { role: 'user', content: [{ type: 'text', text: 'Hi' }, { type: 'image', image: new Uint8Array(3) }] },
        {
            role: 'assistant',
            content: [
                { type: 'reasoning', text: 'hm', providerOptions: { anthropic: { signature: 's' } } },
                { type: 'tool-call', toolCallId: 'p', toolName: 'web', input: {}, providerExecuted: true },
                { type: 'tool-result', toolCallId: 'p', toolName: 'web', output: { type: 'json', value: 1 } },
                ...['a', 'b', 'c', 'd'].map((toolCallId) => ({ type: 'tool-call', toolCallId, toolName: 'read', input: { toolCallId } })),
            ],
        },
        {
            role: 'tool',
            content: [
                result('a', { type: 'text', value: 'x' }),
                result('b', { type: 'json', value: { y: [1] } }),
                result('c', { type: 'content', value: [{ type: 'text', text: 'z' }, { type: 'image-url', url: 'u' }] }),
                result('d', { type: 'error-json', value: null }),
            ],
        },
        { role: 'assistant', content: 'Done.' },
    ];
    const schema = { type: 'object', properties: { p: { type: 'string' } } };
    const tools = {
        read: { description: 'Reads.', inputSchema: { jsonSchema: schema }, execute: () => 1 },
        web: { type: 'provider', id: 'openai.web_search', args: {} },
    };
    const usage = { inputTokens: 40, outputTokens: 2, inputTokenDetails: { cacheReadTokens: 30 } };
    const conversation = toConversation('ai-sdk', history, { tools, usage });
    const { content } = history[2] as any;
    const opaque = (part: object) => ({ opaque: JSON.stringify(part).length });
    assert.deepEqual(conversation.messages.slice(2), [
        {
            role: 'assistant',
            parts: [
                ...content.slice(0, 3).map(opaque),
                ...['a', 'b', 'c', 'd'].map((id) => ({ toolCall: { id, name: 'read', arguments: `{"toolCallId":"${id}"}` } })),
            ],
        },
        {
            role: 'tool',
            parts: [
                { toolResult: { callId: 'a', text: 'x', isError: false } },
                { toolResult: { callId: 'b', text: '{"y":[1]}', isError: false } },
                { toolResult: { callId: 'c', text: 'z', isError: false } },
                { toolResult: { callId: 'd', text: 'null', isError: true } },
                { media: 1600 },
            ],
        },
        { role: 'assistant', parts: [{ text: 'Done.' }] },
    ]);
    assert.deepEqual(conversation.tools, [
        { name: 'read', definition: JSON.stringify({ name: 'read', description: 'Reads.', inputSchema: schema }) },
        { name: 'web', definition: '{"name":"web","args":{}}', pinned: true },
    ]);
    assert.deepEqual(conversation.usage?.tokens, { inputTokens: 10, outputTokens: 2, cacheCreationTokens: 0, cacheReadTokens: 30 });
    const replaced = [0, 1, 2, 3].map((part) => ({ message: 3, part }));
    const changed = applyPlan('ai-sdk', history, plan([keep(0, 5)], replaced, ['read']), { tools });
    assert.deepEqual((changed.history[3] as any).content.map(({ output }: any) => output), [
        { type: 'text', value: '[trimmed]' },
        { type: 'text', value: '[trimmed]' },
        { type: 'content', value: [{ type: 'text', text: '[trimmed]' }, { type: 'image-url', url: 'u' }] },
        { type: 'error-text', value: '[trimmed]' },
    ]);
    assert.deepEqual(Object.keys(changed.tools), ['web']);
});

test('the neutral form converts to itself, and keeps the artifacts of replaced results', () => {
    const history = [
        { role: 'user', parts: [{ text: 'Hi' }], pinned: true },
        { role: 'assistant', parts: [{ toolCall: { id: 'a', name: 'read', arguments: '{}' } }] },
        { role: 'tool', parts: [{ toolResult: { callId: 'a', text: 'x' } }] },
    ];
    assert.deepEqual(toConversation('neutral', history).messages, history);
    const changed = applyPlan('neutral', history, plan([keep(0, 1), summary, keep(1, 3)], [{ message: 2 }]));
    assert.deepEqual(changed.history, [
        history[0],
        { role: 'user', parts: [{ text: 'What came before.' }], inserted: true },
        history[1],
        { role: 'tool', parts: [{ toolResult: { callId: 'a', text: '[trimmed]', artifact: 'art_1' } }] },
    ]);
});

test('media report their size, and blocks that are not texts are JSON', () => {
    const sized = { type: 'image', source: { type: 'base64', width: 100, height: 150 } };
    const hit = { type: 'search_result', title: 'a', content: [{ type: 'text', text: 'b' }] };
    const content = [hit, sized, { type: 'text', text: 'c', cache_control: { type: 'ephemeral' } }];
    const history = [
        { role: 'user', content: [sized, { type: 'document', source: { type: 'text', data: 'plain' } }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'search', input: {} }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] },
    ];
    const { messages } = toConversation('anthropic', history);
    assert.deepEqual(messages[0]?.parts, [{ media: 20 }, { text: 'plain' }]);
    const text = `${JSON.stringify(hit)}\nc`;
    assert.deepEqual(messages[2]?.parts, [{ toolResult: { callId: 'a', text, isError: false } }, { media: 20 }]);
    const changed = applyPlan('anthropic', history, plan([keep(0, 3)], [{ message: 2 }])).history[2] as any;
    const replaced = { type: 'text', text: '[trimmed]', cache_control: { type: 'ephemeral' } };
    assert.deepEqual(changed.content[0].content, [replaced, sized]);
});

test('usage: figures that providers report, and impossible figures', () => {
    const history = [{ role: 'user', content: 'Hi' }, { role: 'assistant', content: 'Hi.' }, { role: 'user', content: 'Go.' }];
    const tokens = (format: FormatName, usage: unknown) =>
        toConversation(format, history, { usage }).usage?.tokens;
    const sum = (usage: ReturnType<typeof tokens>) => Object.values(usage ?? {}).reduce((a, b) => a + b, 0);
    assert.equal(toConversation('openai-chat', history, { usage: { total_tokens: 5 } }).usage?.messages, 2);
    assert.equal(toConversation('openai-chat', history.slice(0, 1), { usage: { total_tokens: 5 } }).usage, undefined);
    assert.equal(sum(tokens('openai-chat', { total_tokens: 5 })), 5);
    assert.equal(tokens('openai-chat', {}), undefined);
    assert.equal(tokens('openai-chat', null), undefined);
    assert.equal(sum(tokens('openai-chat', { prompt_tokens: 3, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 9 } })), 13);
    assert.equal(sum(tokens('ai-sdk', { inputTokens: undefined, outputTokens: 4, totalTokens: 10 })), 10);
    assert.deepEqual(tokens('ai-sdk', { inputTokens: 10, outputTokens: 1, cachedInputTokens: 4 })?.cacheReadTokens, 4);
    const refused: [Parameters<typeof tokens>[0], unknown, RegExp][] = [
        ['openai-chat', { prompt_tokens: -1 }, /^usage\.prompt_tokens is -1; it must be a whole number of tokens from 0 to 1000000000\./],
        ['openai-chat', { prompt_tokens: 2e9 }, /^usage\.prompt_tokens is 2000000000; it must be/],
        ['openai-chat', { prompt_tokens: '12' }, /^usage\.prompt_tokens is "12"/],
        ['openai-chat', { prompt_tokens: 1, prompt_tokens_details: { cached_tokens: NaN } }, /^usage\.prompt_tokens_details\.cached_tokens is NaN/],
        ['openai-responses', { input_tokens: 1.5 }, /^usage\.input_tokens is 1\.5/],
        ['anthropic', { input_tokens: 1, cache_read_input_tokens: -2 }, /^usage\.cache_read_input_tokens is -2/],
        ['ai-sdk', { inputTokens: Infinity }, /^usage\.inputTokens is Infinity/],
        ['anthropic', 5, /^usage is 5; it must be an object/],
    ];
    for (const [format, usage, message] of refused) {
        assert.throws(() => tokens(format, usage), { name: 'TuckawayError', kind: 'invalid-input', message });
    }
});

test('a malformed history is rejected, and the error names the position', () => {
    const refused: [Parameters<typeof toConversation>[0], unknown, RegExp][] = [
        ['openai-chat', 'Hi', /^messages is "Hi"; it must be an array: the whole history/],
        ['openai-responses', 'Hi', /^input is "Hi"/],
        ['openai-chat', [null], /^messages\[0\] is null; it must be an object/],
        ['openai-chat', [{ role: 'robot', content: '' }], /^messages\[0\]\.role is "robot"; it must be 'system'/],
        ['openai-chat', [{ role: 'user', content: 5 }], /^messages\[0\]\.content is 5; it must be a string or an array of parts/],
        ['openai-chat', [{ role: 'tool', content: '' }], /^messages\[0\]\.tool_call_id is undefined; it must be a string/],
        ['openai-chat', [{ role: 'assistant', tool_calls: [{ id: 'a' }] }], /^messages\[0\]\.tool_calls\[0\]\.function is undefined/],
        ['anthropic', [{ role: 'user', content: [{ type: 'tool_result' }] }], /^messages\[0\]\.content\[0\]\.tool_use_id is undefined/],
        ['anthropic', [{ role: 'user', content: ['Hi'] }], /^messages\[0\]\.content\[0\] is "Hi"; it must be an object/],
        ['openai-responses', [{ type: 'function_call', call_id: 'a' }], /^input\[0\]\.name is undefined/],
        ['ai-sdk', [{ role: 'tool', content: [{ type: 'tool-result', toolCallId: 'a' }] }], /\[0\]\.output is undefined/],
    ];
    for (const [format, history, message] of refused) {
        assert.throws(() => toConversation(format, history as object[]), { name: 'TuckawayError', kind: 'invalid-input', message });
    }
    assert.throws(() => toConversation('gemini' as never, []), /^TuckawayError: format is "gemini"; it must be 'openai-chat'/);
    assert.throws(() => toConversation('openai-chat', [], { system: 'Hi' }), /as the first message/);
    const short = [{ role: 'user', content: 'Hi' }];
    assert.throws(() => applyPlan('openai-chat', short, plan([keep(0, 2)])), /a plan for this history, which has 1 messages/);
});

test('the format of a history is detected', () => {
    assert.equal(detectFormat(messages), 'anthropic');
    assert.equal(detectFormat([{ role: 'user', content: 'Hi' }]), 'openai-chat');
    assert.equal(detectFormat([{ role: 'user', content: 'Hi' }, { role: 'tool', tool_call_id: 'a', content: '' }]), 'openai-chat');
    assert.equal(detectFormat([{ role: 'user', content: [{ type: 'input_text', text: '' }] }]), 'openai-responses');
    assert.equal(detectFormat([{ role: 'user', content: '' }, { type: 'reasoning' }]), 'openai-responses');
    assert.equal(detectFormat([{ role: 'tool', content: [{ type: 'tool-result' }] }]), 'ai-sdk');
    assert.equal(detectFormat([{ role: 'user', parts: [] }]), 'neutral');
});
