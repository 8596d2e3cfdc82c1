/** Agent loops over the `openai` package, with a scripted model behind a local server. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import OpenAI from 'openai';
import { toResponseInputItems } from 'openai/lib/responses/ResponseInputItems';
import { type View } from 'tuckaway';
import {
    ToolResult, chatToolDefinitions, responsesToolDefinitions, runChatToolCalls, runResponsesToolCalls, usedTokens,
} from 'tuckaway/openai';

import { artifactId, newTuckaway, pixel, rows, scriptedModel, weather } from './support.js';

type ChatRequest = OpenAI.ChatCompletionCreateParamsNonStreaming;
type ResponsesRequest = OpenAI.Responses.ResponseCreateParamsNonStreaming & { input: OpenAI.Responses.ResponseInput };

const usage = { prompt_tokens: 900, completion_tokens: 100, total_tokens: 1000 };

/** A completion as it comes over the wire. */
function completion(message: { content?: string; calls?: [id: string, name: string, args: string][] }) {
    return {
        id: 'chatcmpl-1',
        object: 'chat.completion',
        created: 1_760_000_000,
        model: 'scripted',
        choices: [
            {
                index: 0,
                finish_reason: message.calls ? 'tool_calls' : 'stop',
                logprobs: null,
                message: {
                    role: 'assistant',
                    content: message.content ?? null,
                    refusal: null,
                    ...(message.calls && {
                        tool_calls: message.calls.map(([id, name, args]) => ({
                            id,
                            type: 'function',
                            function: { name, arguments: args },
                        })),
                    }),
                },
            },
        ],
        usage,
    };
}

/** A response as it comes over the wire. */
function response(output: object[]) {
    const usage = {
        input_tokens: 900,
        output_tokens: 100,
        total_tokens: 1000,
        input_tokens_details: { cached_tokens: 0 },
        output_tokens_details: { reasoning_tokens: 0 },
    };
    return { id: 'resp_1', object: 'response', created_at: 1_760_000_000, model: 'scripted', status: 'completed', output, usage };
}

/** The content of the tool message that answers a call. */
function answerTo(request: ChatRequest, id: string): string {
    const message = request.messages.find((each) => each.role === 'tool' && each.tool_call_id === id);
    assert.ok(typeof message?.content === 'string', `no tool message answers ${id}`);
    return message.content;
}

test('chat: big output, envelope, artifact_jq, answer', async (t) => {
    const tuckaway = await newTuckaway();
    const model = await scriptedModel<ChatRequest>(t, [
        () => completion({ calls: [['call_1', 'sql_query', '{"query": "select *"}'], ['call_2', 'weather', '']] }),
        (request) => {
            const args = { artifact_id: artifactId(answerTo(request, 'call_1')), filter: '.[19999].name', raw: true };
            return completion({ calls: [['call_3', 'artifact_jq', JSON.stringify(args)]] });
        },
        (request) => completion({ content: `The last one is ${answerTo(request, 'call_3').trim()}.` }),
    ]);
    const client = new OpenAI({ apiKey: 'none', baseURL: `${model.origin}/v1`, maxRetries: 0 });
    const queries: unknown[] = [];
    const views: [string, View][] = [];
    const handlers = {
        sql_query: ({ query }: { query: string }) => (queries.push(query), rows),
        weather: async (args: object) => ({ ...args, ...weather }),
    };

    const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'What is the last row?' }];
    const tools: OpenAI.ChatCompletionTool[] = await chatToolDefinitions(tuckaway);
    let answer;
    for (;;) {
        const reply = await client.chat.completions.create({ model: 'scripted', messages, tools });
        messages.push(reply.choices[0]!.message);
        const replies = await runChatToolCalls(tuckaway, reply, handlers, {
            onView: (call, view) => views.push([call.name, view]),
        });
        if (replies.length === 0) {
            answer = reply.choices[0]!.message.content;
            break;
        }
        messages.push(...replies);
    }

    assert.equal(answer, 'The last one is row 19999.');
    assert.deepEqual(queries, ['select *']);
    assert.equal(model.requests.length, 3);
    assert.deepEqual(
        views.map(([name, { decision }]) => [name, decision.action, decision.gate]),
        [
            ['sql_query', 'artifact', 'ceiling'],
            ['weather', 'inline', 'below-floor'],
            ['artifact_jq', 'inline', 'artifact-tool'],
        ],
    );
    const last = model.requests.at(-1)!;
    assert.equal(answerTo(last, 'call_2'), JSON.stringify(weather));
    assert.ok(JSON.stringify(last.messages).length < 10_000, 'the output is in the conversation after all');
    assert.deepEqual(
        last.tools?.map((tool) => tool.type === 'function' && tool.function.name),
        ['artifact_read', 'artifact_grep', 'artifact_jq'],
    );
    const id = artifactId(answerTo(last, 'call_1'));
    assert.equal(tuckaway.read(id, { bytes: [0, 20] }).text, JSON.stringify(rows).slice(0, 20), 'what was put away came in');
});

test('chat: custom tools get their text as it is', async () => {
    const tuckaway = await newTuckaway();
    const custom = { id: 'call_1', type: 'custom' as const, custom: { name: 'shell', input: 'ls -l {' } };
    const replies = await runChatToolCalls(
        tuckaway,
        { choices: [{ message: { tool_calls: [custom] } }] },
        { shell: (text: string) => `$ ${text}` },
    );
    assert.deepEqual(replies, [{ role: 'tool', tool_call_id: 'call_1', content: '$ ls -l {' }]);
});

test('responses: big output with an image, envelope, artifact_grep, answer', async (t) => {
    const tuckaway = await newTuckaway();
    const image = { type: 'input_image' as const, detail: 'auto' as const, image_url: `data:image/png;base64,${pixel}` };
    const call = (call_id: string, name: string, args: string) => ({
        type: 'function_call', id: `fc_${call_id}`, call_id, name, arguments: args, status: 'completed',
    });
    const outputOf = (request: ResponsesRequest, id: string) => {
        const item = request.input.find((each) => each.type === 'function_call_output' && each.call_id === id);
        assert.ok(item?.type === 'function_call_output', `nothing answers ${id}`);
        return item.output;
    };
    const model = await scriptedModel<ResponsesRequest>(t, [
        () => response([{ type: 'reasoning', id: 'rs_1', summary: [] }, call('call_1', 'chart', '{"of": "scores"}')]),
        (request) => {
            const [text] = outputOf(request, 'call_1') as OpenAI.Responses.ResponseInputText[];
            const args = { artifact_id: artifactId(text?.text), pattern: 'row 1999\\d' };
            return response([call('call_2', 'artifact_grep', JSON.stringify(args))]);
        },
        () => response([
            {
                type: 'message', id: 'msg_1', role: 'assistant', status: 'completed',
                content: [{ type: 'output_text', text: 'Ten rows.', annotations: [] }],
            },
        ]),
    ]);
    const client = new OpenAI({ apiKey: 'none', baseURL: `${model.origin}/v1`, maxRetries: 0 });
    const lines = rows.map((row) => `${JSON.stringify(row)}\n`).join('');
    const handlers = {
        chart: () => new ToolResult([{ type: 'input_text', text: lines }, image]),
    };

    const input: OpenAI.Responses.ResponseInput = [{ role: 'user', content: 'How many rows are 1999x?' }];
    const tools: OpenAI.Responses.Tool[] = await responsesToolDefinitions(tuckaway, ['grep']);
    let answer;
    for (;;) {
        const reply = await client.responses.create({ model: 'scripted', input, tools, store: false });
        const replies = await runResponsesToolCalls(tuckaway, reply, handlers);
        if (replies.length === 0) {
            answer = reply.output_text;
            break;
        }
        input.push(...toResponseInputItems(reply.output), ...replies);
    }

    assert.equal(answer, 'Ten rows.');
    const last = model.requests.at(-1)!;
    const [text, kept, ...more] = outputOf(last, 'call_1');
    assert.deepEqual([(text as { type: string }).type, kept, more], ['input_text', image, []]);
    assert.match(String(outputOf(last, 'call_2')), /row 19995/);
    assert.deepEqual(last.tools?.map((tool) => [tool.type, 'name' in tool && tool.name, 'strict' in tool && tool.strict]), [
        ['function', 'artifact_grep', false],
    ]);
});

test('responses: what a program called it is given whole, and custom tools answer as such', async () => {
    const tuckaway = await newTuckaway();
    const caller = { type: 'program' as const, caller_id: 'prog_1' };
    const output: OpenAI.Responses.ResponseOutputItem[] = [
        { type: 'function_call', call_id: 'call_1', name: 'sql_query', arguments: '{}', caller },
        { type: 'custom_tool_call', id: 'ctc_1', call_id: 'call_2', name: 'shell', input: 'ls' },
    ];
    const replies: OpenAI.Responses.ResponseInputItem[] = await runResponsesToolCalls(
        tuckaway,
        { output },
        { sql_query: () => rows, shell: (text: string) => `$ ${text}` },
    );
    assert.deepEqual(replies, [
        { type: 'function_call_output', call_id: 'call_1', output: JSON.stringify(rows), caller },
        { type: 'custom_tool_call_output', call_id: 'call_2', output: '$ ls' },
    ]);
    assert.deepEqual(tuckaway.list(), []);
});

test('used tokens are input and output', () => {
    assert.equal(usedTokens(usage), 1000);
    assert.equal(usedTokens({ input_tokens: 7, output_tokens: 5 }), 12);
    assert.equal(usedTokens(null), 0);
});
