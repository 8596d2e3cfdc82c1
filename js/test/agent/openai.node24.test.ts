/** Agent loops over the `openai` package, with a scripted model on a local server. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import OpenAI from 'openai';
import { toResponseInputItems } from 'openai/lib/responses/ResponseInputItems';
import { type View } from 'tuckaway';
import {
    ToolResult, chatToolDefinitions, responsesToolDefinitions, runChatToolCalls, runResponsesToolCalls, usedTokens,
} from 'tuckaway/openai';

import { artifactId, newTuckaway, pixel, rows, weather } from './support.js';
import {
    type ChatRequest, type ResponsesRequest, completion, functionCall, outputText, outputTo, response, scriptedModel,
    toolCall, toolMessageTo,
} from './wire.js';

test('chat: large output, envelope, artifact_jq, answer', async (t) => {
    const tuckaway = await newTuckaway();
    const model = await scriptedModel<ChatRequest>(t, [
        () => completion(toolCall('call_1', 'sql_query', { query: 'select *' }), toolCall('call_2', 'weather', '')),
        (request) => {
            const artifact_id = artifactId(toolMessageTo(request, 'call_1'));
            const args = { artifact_id, filter: '.[19999].name', raw: true };
            return completion(toolCall('call_3', 'artifact_jq', args));
        },
        (request) => completion(`The last one is ${toolMessageTo(request, 'call_3').trim()}.`),
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
            ['weather', 'inline', 'below_floor'],
            ['artifact_jq', 'inline', 'artifact_tool'],
        ],
    );
    const last = model.requests.at(-1)!;
    assert.equal(toolMessageTo(last, 'call_2'), JSON.stringify(weather));
    assert.ok(JSON.stringify(last.messages).length < 10_000, 'the full output is in the conversation');
    assert.deepEqual(
        last.tools?.map((tool) => tool.type === 'function' && tool.function.name),
        ['artifact_read', 'artifact_grep', 'artifact_jq'],
    );
    const id = artifactId(toolMessageTo(last, 'call_1'));
    assert.equal(tuckaway.read(id, { bytes: { end: 20 } }).text, JSON.stringify(rows).slice(0, 20));
});

test('chat: custom tools receive their text unchanged', async () => {
    const tuckaway = await newTuckaway();
    const custom = { id: 'call_1', type: 'custom' as const, custom: { name: 'shell', input: 'ls -l {' } };
    const replies = await runChatToolCalls(
        tuckaway,
        { choices: [{ message: { tool_calls: [custom] } }] },
        { shell: (text: string) => `$ ${text}` },
    );
    assert.deepEqual(replies, [{ role: 'tool', tool_call_id: 'call_1', content: '$ ls -l {' }]);
});

test('responses: large output with an image, envelope, artifact_grep, answer', async (t) => {
    const tuckaway = await newTuckaway();
    const image = { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${pixel}` };
    const model = await scriptedModel<ResponsesRequest>(t, [
        () =>
            response(
                { type: 'reasoning', id: 'rs_1', summary: [] },
                functionCall('call_1', 'chart', { of: 'scores' }),
            ),
        (request) => {
            const [text] = outputTo(request, 'call_1') as OpenAI.Responses.ResponseInputText[];
            const args = { artifact_id: artifactId(text?.text), pattern: 'row 1999\\d' };
            return response(functionCall('call_2', 'artifact_grep', args));
        },
        () => response(outputText('Ten rows.')),
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
    const [text, kept, ...more] = outputTo(last, 'call_1');
    assert.deepEqual([(text as { type: string }).type, kept, more], ['input_text', image, []]);
    assert.match(String(outputTo(last, 'call_2')), /row 19995/);
    const [tool, ...others] = last.tools ?? [];
    assert.ok(tool?.type === 'function');
    assert.deepEqual([tool.name, tool.strict, others], ['artifact_grep', false, []]);
});

test('responses: calls by a program get the full output, and custom tools have their own output type', async () => {
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
    assert.deepEqual(tuckaway.listArtifacts(), []);
});

test('used tokens are input plus output, or the total if one of them is missing', () => {
    assert.equal(usedTokens({ prompt_tokens: 900, completion_tokens: 100 }), 1000);
    assert.equal(usedTokens({ input_tokens: 7, output_tokens: 5 }), 12);
    assert.equal(usedTokens({ prompt_tokens: 7, completion_tokens: 5, total_tokens: 99 }), 12);
    assert.equal(usedTokens({ total_tokens: 5 }), 5);
    assert.equal(usedTokens({ prompt_tokens: 7, total_tokens: 12 }), 12);
    assert.equal(usedTokens({ prompt_tokens: 7, completion_tokens: null }), 7);
    assert.equal(usedTokens({ output_tokens: 5 }), 5);
    assert.equal(usedTokens({}), 0);
    assert.equal(usedTokens(null), 0);
});
