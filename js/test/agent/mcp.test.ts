/** Results of a real MCP client that is connected to a server in memory. */

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';

import { type CallToolResult, Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { McpServer } from '@modelcontextprotocol/server';
import { TuckawayError } from 'tuckaway';
import { mcpToolResult, runToolCalls } from 'tuckaway/anthropic';
import { mcpOutput, mcpResult } from 'tuckaway/mcp';

import { artifactId, newTuckaway, pixel, rows } from './support.js';

/** Returns a client of a server whose tool `report` returns the given result. */
async function clientOf(t: TestContext, returned: CallToolResult): Promise<Client> {
    const server = new McpServer({ name: 'reports', version: '1.0.0' });
    server.registerTool('report', { description: 'Makes a report.' }, () => returned);
    const client = new Client({ name: 'agent', version: '1.0.0' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(far), client.connect(near)]);
    t.after(() => Promise.all([client.close(), server.close()]));
    return client;
}

async function report(t: TestContext, returned: CallToolResult): Promise<CallToolResult> {
    const client = await clientOf(t, returned);
    return client.callTool({ name: 'report' });
}

test('repeated content is stored once, and images stay', async (t) => {
    const tuckaway = await newTuckaway();
    const image = { type: 'image' as const, data: pixel, mimeType: 'image/png' };
    const text = JSON.stringify({ rows }, null, 2);
    const result = await report(t, { content: [image, { type: 'text', text }], structuredContent: { rows } });
    const view = tuckaway.process(mcpOutput('report', result));
    assert.deepEqual(view.kept, [0]);
    assert.equal(view.decision.keptTokens, 1600);
    assert.deepEqual(view.artifacts.map(({ mediaType, sizeBytes }) => [mediaType, sizeBytes]), [
        ['application/json', text.length],
    ]);
    assert.deepEqual(mcpResult(result, view), { content: [{ type: 'text', text: view.text }, image] });
    const { text: found } = tuckaway.jq(artifactId(view.text), '.rows[19999].name', { raw: true });
    assert.equal(found, 'row 19999\n');
});

test('texts, resources and additional structured content are separate parts', async (t) => {
    const tuckaway = await newTuckaway();
    const csv = `id,name\n${rows.map(({ id, name }) => `${id},${name}`).join('\n')}\n`;
    const result = await report(t, {
        isError: true,
        content: [
            { type: 'text', text: 'The report is incomplete.' },
            { type: 'resource', resource: { uri: 'file:///rows.csv', mimeType: 'text/csv', text: csv } },
            { type: 'resource', resource: { uri: 'file:///rows.bin', blob: btoa('\0\x01\xff'.repeat(3000)) } },
            { type: 'resource_link', uri: 'https://reports.test/1', name: 'the report' },
        ],
        structuredContent: { rows },
    });
    const output = mcpOutput('report', result);
    assert.equal(output.isError, true);
    const view = tuckaway.process(output);
    assert.deepEqual(
        view.artifacts.map(({ mediaType }) => mediaType),
        ['text/csv', 'application/octet-stream', 'application/json'],
    );
    assert.ok(view.text.startsWith('The report is incomplete.\n{\n  "artifact_id"'), view.text);
    assert.match(view.text, /\n\{.*"type":"resource_link".*\}\n/);
    const shown = mcpResult(result, view);
    assert.deepEqual(shown, { content: [{ type: 'text', text: view.text }], isError: true });
});

test('a small result passes unchanged', async (t) => {
    const tuckaway = await newTuckaway();
    const result = await report(t, { content: [{ type: 'text', text: 'done' }], structuredContent: { done: true } });
    const view = tuckaway.process(mcpOutput('report', result));
    assert.equal(view.text, 'done\n{"done":true}');
    assert.equal(mcpResult(result, view), result);
});

test('a handler of an agent loop can return a result', async (t) => {
    const tuckaway = await newTuckaway();
    const image = { type: 'image' as const, data: pixel, mimeType: 'image/png' };
    const small = await report(t, { content: [{ type: 'text', text: '{"done": true}' }, image], structuredContent: { done: true } });
    const large = await report(t, { content: [image], structuredContent: { rows }, isError: true });
    const calling = { content: ['small', 'large'].map((name) => ({ type: 'tool_use', id: name, name, input: {} })) };
    const handlers = { small: () => mcpToolResult(small), large: () => mcpToolResult(large) };
    const [first, second] = await runToolCalls(tuckaway, calling, handlers);
    const shown = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } };
    assert.deepEqual(first?.content, [{ type: 'text', text: '{"done": true}' }, shown]);
    const [view, still] = second?.content as [{ text: string }, unknown];
    assert.deepEqual([still, second?.is_error], [shown, true]);
    const { text: count } = tuckaway.jq(artifactId(view.text), '.rows | length');
    assert.equal(count, '20000\n');
});

test('a malformed result is rejected', () => {
    assert.throws(() => mcpOutput('report', { content: 'text' } as never), TuckawayError);
});
