/** An agent loop over `@anthropic-ai/sdk`, with a scripted model on a local server. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import Anthropic from '@anthropic-ai/sdk';
import { ToolResult, runToolCalls, toolDefinitions, usedTokens } from 'tuckaway/anthropic';

import { artifactId, newTuckaway, pixel, rows } from './support.js';
import { type MessagesRequest, message, scriptedModel, text, toolResultTo, toolUse } from './wire.js';

test('large output with an image, an error, envelope, artifact_jq, answer', async (t) => {
    const tuckaway = await newTuckaway();
    const image: Anthropic.ImageBlockParam = {
        type: 'image',
        source: { type: 'base64', media_type: 'image/png', data: pixel },
    };
    const model = await scriptedModel<MessagesRequest>(t, [
        () => message(toolUse('toolu_1', 'chart', { of: 'scores' }), toolUse('toolu_2', 'mail', {})),
        (request) => {
            const content = toolResultTo(request, 'toolu_1').content as Anthropic.TextBlockParam[];
            const input = { artifact_id: artifactId(content[0]?.text), filter: '.[19999].name', raw: true };
            return message(toolUse('toolu_3', 'artifact_jq', input));
        },
        (request) => message(text(`It is ${String(toolResultTo(request, 'toolu_3').content).trim()}.`)),
    ]);
    const client = new Anthropic({ apiKey: 'none', baseURL: model.origin, maxRetries: 0 });
    const handlers = {
        chart: () => new ToolResult([image, { type: 'text', text: JSON.stringify(rows) }]),
        mail: () => {
            throw new TypeError('the server hung up');
        },
    };

    const messages: Anthropic.MessageParam[] = [{ role: 'user', content: 'What is the last row?' }];
    const tools: Anthropic.Tool[] = await toolDefinitions(tuckaway);
    let answer;
    for (;;) {
        const reply = await client.messages.create({ model: 'scripted', max_tokens: 1000, messages, tools });
        messages.push({ role: 'assistant', content: reply.content });
        const results = await runToolCalls(tuckaway, reply, handlers);
        if (results.length === 0) {
            answer = reply.content;
            break;
        }
        messages.push({ role: 'user', content: results });
    }

    assert.deepEqual(answer, [{ type: 'text', text: 'It is row 19999.' }]);
    const last = model.requests.at(-1)!;
    const chart = toolResultTo(last, 'toolu_1');
    const [view, kept, ...more] = chart.content as Anthropic.ContentBlockParam[];
    assert.deepEqual([view?.type, kept, more], ['text', image, []]);
    assert.equal('is_error' in chart, false);
    assert.deepEqual(toolResultTo(last, 'toolu_2'), {
        type: 'tool_result',
        tool_use_id: 'toolu_2',
        content: 'TypeError: the server hung up',
        is_error: true,
    });
    assert.ok(JSON.stringify(last.messages).length < 10_000, 'the full output is in the conversation');
    const names = last.tools?.map((tool) => 'name' in tool && tool.name);
    assert.deepEqual(names, ['artifact_read', 'artifact_grep', 'artifact_jq']);
});

test('blocks that pass are unchanged and in order', async () => {
    const tuckaway = await newTuckaway();
    const blocks = [
        { type: 'text', text: 'before' },
        { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } },
        { type: 'text', text: 'after', cache_control: { type: 'ephemeral' } },
    ];
    const [result] = await runToolCalls(
        tuckaway,
        { content: [toolUse('toolu_1', 'look', {})] },
        { look: () => new ToolResult(blocks) },
    );
    assert.deepEqual(result, { type: 'tool_result', tool_use_id: 'toolu_1', content: blocks });
});

test('only client tools are run, and calls by a program receive the full output', async () => {
    const tuckaway = await newTuckaway();
    const caller = { type: 'code_execution_20250825', tool_id: 'srvtoolu_1' };
    const content = [
        { type: 'text', text: 'Let me see.' },
        { type: 'server_tool_use', id: 'srvtoolu_1', name: 'code_execution', input: {} },
        { ...toolUse('toolu_1', 'sql_query', {}), caller, toolset_name: 'db' },
    ];
    const results = await runToolCalls(tuckaway, { content }, { sql_query: () => rows });
    assert.deepEqual(results, [
        { type: 'tool_result', tool_use_id: 'toolu_1', content: JSON.stringify(rows), toolset_name: 'db' },
    ]);
});

test('used tokens are input, cached or not, and output', () => {
    const cached = { cache_creation_input_tokens: 300, cache_read_input_tokens: 500 };
    const usage = { input_tokens: 100, ...cached, output_tokens: 100 };
    assert.equal(usedTokens(usage), 1000);
    assert.equal(usedTokens({ input_tokens: 7, output_tokens: 5 }), 12);
    assert.equal(usedTokens({ input_tokens: 7 }), 7);
    assert.equal(usedTokens({ cache_read_input_tokens: 5, output_tokens: 3 }), 8);
    assert.equal(usedTokens({}), 0);
    assert.equal(usedTokens(undefined), 0);
});
