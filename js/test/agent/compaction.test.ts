/** The provider's own compaction, as an option of histories and over HTTP. */

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';

import { createTuckaway } from 'tuckaway';
import { type CompactHistory, manageContext } from 'tuckaway/anthropic';
import { anthropicCompaction, openaiCompaction } from 'tuckaway/extraction';
import { manageHistory } from 'tuckaway/history';

const long = 'It rains. '.repeat(280);
const block = { type: 'compaction', content: 'It rains every day.', signature: 'EuYB' };

const anthropic: object[] = Array.from({ length: 5 }, (_, n) => [
    { role: 'user', content: `Request ${n}.` },
    { role: 'assistant', content: [{ type: 'tool_use', id: `c${n}`, name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `c${n}`, content: long }] },
    { role: 'assistant', content: 'Seen.' },
]).flat();

const responses: object[] = Array.from({ length: 5 }, (_, n) => [
    { role: 'user', content: `Request ${n}.` },
    { type: 'function_call', call_id: `c${n}`, name: 'look', arguments: '{}' },
    { type: 'function_call_output', call_id: `c${n}`, output: long },
    { role: 'assistant', content: 'Seen.' },
]).flat();

const manage = async (compact: CompactHistory, summarize?: () => string) =>
    manageContext(await createTuckaway({ contextWindow: 3_000 }), { messages: anthropic }, { compact, summarize });

/** Starts a server that answers every request with a body. */
async function server(t: TestContext, answer: object) {
    const asked: { url: string | undefined; beta: unknown; body: any }[] = [];
    const listening = createServer(async (incoming, outgoing) => {
        const chunks: Buffer[] = [];
        for await (const chunk of incoming) {
            chunks.push(chunk as Buffer);
        }
        const { url, headers } = incoming;
        asked.push({ url, beta: headers['anthropic-beta'], body: JSON.parse(Buffer.concat(chunks).toString()) });
        outgoing.end(JSON.stringify(answer));
    });
    await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
    t.after(() => {
        listening.closeAllConnections();
        listening.close();
    });
    return { asked, baseUrl: `http://127.0.0.1:${(listening.address() as AddressInfo).port}/v1` };
}

test('the compaction takes the place of the oldest messages', async () => {
    let covered: object[] = [];
    const managed = await manage((items) => {
        covered = items;
        return [{ role: 'assistant', content: [block] }];
    });
    assert.ok(covered.length > 0 && covered.every((item, index) => item === anthropic[index]), 'the same objects');
    assert.deepEqual(managed.messages[0], { role: 'assistant', content: [block] });
    assert.match((managed.messages[1] as any).content, /stored as ref=art_/);
    assert.equal(managed.messages.at(-1), anthropic.at(-1));
    assert.deepEqual([managed.report.errors, managed.report.summaries], [[], 1]);
    assert.ok(managed.report.after.total < managed.report.before.total);
});

test('a compaction that fails or cannot be used is replaced by a summary', async () => {
    const failure = new Error('The provider is overloaded.');
    const failed = await manage(() => Promise.reject(failure), () => '<summary>It rains.</summary>');
    assert.deepEqual([failed.report.errors, failed.report.summaries], [[failure], 1]);
    const unusable = await manage(() => [{ role: 'assistant', content: 'No.' }], () => '<summary>It rains.</summary>');
    assert.equal(unusable.report.summaries, 2);
    assert.match(String(unusable.report.errors[0]), /compaction was not used: no item is a compaction/);
    for (const { messages } of [failed, unusable]) {
        assert.match(JSON.stringify(messages), /It rains\."/);
    }
});

test('Anthropic compacts on demand', async (t) => {
    const { asked, baseUrl } = await server(t, { content: [block], stop_reason: 'compaction' });
    const tools = [{ name: 'look', input_schema: { type: 'object' } }];
    const compact = anthropicCompaction({ model: 'm', apiKey: 'k', baseUrl });
    const tuckaway = await createTuckaway({ contextWindow: 3_000 });
    const { messages } = await manageContext(tuckaway, { messages: anthropic, system: 'Be brief.', tools }, { compact });
    assert.deepEqual(messages[0], { role: 'assistant', content: [block] });
    const [{ url, beta, body }] = asked as [(typeof asked)[0]];
    assert.deepEqual([asked.length, url, beta], [1, '/v1/messages', 'compact-2026-09-04']);
    assert.deepEqual([body.system, body.tools, body.compaction], ['Be brief.', tools, { type: 'summarize' }]);
    assert.deepEqual(body.messages, anthropic.slice(0, body.messages.length));

    const empty = await server(t, { content: [], stop_reason: 'max_tokens' });
    const { report } = await manage(anthropicCompaction({ model: 'm', baseUrl: empty.baseUrl }));
    assert.match(String(report.errors[0]), /no compaction \(stop_reason "max_tokens"\)/);
    assert.equal(empty.asked.length, 1, 'it is not requested again');
});

test('OpenAI compacts at its own endpoint', async (t) => {
    const output = [{ role: 'user', content: 'Request 0.' }, { type: 'compaction', id: 'cmp_1', encrypted_content: 'gAAA' }];
    const { asked, baseUrl } = await server(t, { object: 'response.compaction', output });
    const compact = openaiCompaction({ model: 'm', apiKey: 'k', baseUrl });
    const tuckaway = await createTuckaway({ contextWindow: 3_000 });
    const { items } = await manageHistory(tuckaway, { items: responses, system: 'Be brief.' }, { compact });
    assert.deepEqual(items.slice(0, 2), output);
    const [{ url, body }] = asked as [(typeof asked)[0]];
    assert.deepEqual([asked.length, url, body.model, body.instructions], [1, '/v1/responses/compact', 'm', 'Be brief.']);
    assert.deepEqual(body.input, responses.slice(0, body.input.length));

    const wrong = openaiCompaction({ model: 'm', baseUrl: (await server(t, { output: [] })).baseUrl });
    const failed = await manageHistory(tuckaway, { items: responses }, { compact: wrong });
    assert.match(String(failed.report.errors[0]), /has no compaction/);
});
