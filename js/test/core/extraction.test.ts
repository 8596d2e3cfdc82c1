/** The methods for extractions: arguments, rejected arguments, results. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type ExtractionEvent, MemoryStore, type Question, TuckawayError, createTuckaway } from 'tuckaway';

const LINES = 'a line of the log\n'.repeat(2_000);

async function stored() {
    const tuckaway = await createTuckaway({ contextWindow: 128_000, store: new MemoryStore() });
    const view = tuckaway.process({ tool: 'log', content: LINES }, {}, { keepAll: true });
    return { tuckaway, artifact: view.artifacts[0]!.id };
}

test('defaults depend on the window, which defaults to the one given to createTuckaway', async () => {
    const { tuckaway, artifact } = await stored();
    const { defaults, estimate } = tuckaway.extraction;
    assert.deepEqual(defaults(), {
        contextTokens: 128_000, maxOutputTokens: 4_096, maxFullChunks: 1, longLineBytes: 1_000, maxChunks: 64,
        overlapPct: 10, maxParallel: 4, maxRequests: 150, maxTurns: 12, maxToolCalls: 40, maxReplyBytes: 16_384,
        maxAnswerBytes: 32_768,
    });
    assert.equal(defaults(16_000).maxOutputTokens, 2_000);
    const question = { artifact, extract: 'the errors' };
    const { strategy, reason, sizeBytes, lineCount, chunks, requests } = estimate(question);
    assert.deepEqual([strategy, sizeBytes, lineCount, chunks, requests], ['full-chunked', LINES.length, 2_000, 1, 1]);
    assert.ok(reason.length > 10);
    assert.equal(estimate(question, { contextTokens: 4_096 }).strategy, 'read-grep');
    assert.equal(estimate({ ...question, mode: 'full-chunked' }, { contextTokens: 4_096, maxOutputTokens: undefined }).strategy, 'full-chunked');
});

test('a search step by step, with tools and results as data', async () => {
    const { tuckaway, artifact } = await stored();
    const { start, step } = tuckaway.extraction;
    const question: Question = { artifact, extract: 'the errors', mode: 'read-grep', nonce: 'N0nce0001' };
    const first = start(question, { contextTokens: 32_000, maxTokens: Infinity });
    const [request] = first.requests;
    assert.deepEqual(request?.tools.map(({ name, inputSchema }) => [name, inputSchema.type]), [['Read', 'object'], ['Grep', 'object']]);
    assert.ok(request?.mayCall && request.purpose === 'search' && typeof request.inputTokens === 'number');
    assert.equal('answer' in first, false, 'members without a value are omitted');
    const calls = [{ id: 'c1', name: 'Read', arguments: JSON.stringify({ filename: artifact, limit: 1 }) }];
    const second = step(first.state, { reply: { request: request.id, reply: { turn: { text: '', calls } } } });
    assert.deepEqual(second.requests[0]?.messages.slice(1), [
        { model: { text: '', calls } },
        { results: [{ callId: 'c1', text: (second.requests[0]!.messages[2] as { results: { text: string }[] }).results[0]!.text, isError: false }] },
    ]);
    const again = step(second.state, { resume: true });
    assert.deepEqual(again.requests, second.requests);
    const said = '<ai-agent-N0nce0001-FINAL>It says `a line of the log`.</ai-agent-N0nce0001-FINAL>';
    const reply = { turn: { text: said }, inputTokens: 10, outputTokens: null };
    const { answer, state, requests } = step(second.state, { reply: { request: second.requests[0]!.id, reply } });
    assert.deepEqual([answer?.outcome, answer?.strategy, state, requests.length], ['found', 'read-grep', '', 0]);
    assert.deepEqual(answer?.quotes, [{ text: 'a line of the log', line: 1, byteOffset: 0 }]);
    assert.deepEqual(answer?.coverage.read, [{ start: 0, end: 18 }]);
    assert.match(step(second.state, { cancel: true }).answer!.text, /canceled/);
});

test('calls of tool_output are parsed, and error messages are for the model', async () => {
    const { tuckaway, artifact } = await stored();
    const { parseCall } = tuckaway.extraction;
    const question = { artifact, extract: 'all', mode: 'auto' };
    assert.deepEqual(parseCall(JSON.stringify({ handle: artifact, extract: 'all' })), question);
    assert.deepEqual(parseCall({ handle: artifact, extract: 'all', mode: 'read-grep' }), { ...question, mode: 'read-grep' });
    const cyclic: { self?: object } = {};
    cyclic.self = cyclic;
    for (const wrong of ['', 'nonsense', '[]', '{}', {}, { handle: [], extract: 'x' }, cyclic, null, 5]) {
        assert.throws(() => parseCall(wrong as string), (error) => error instanceof TuckawayError && error.kind === 'invalid_input');
    }
});

test('malformed arguments are rejected, and the error names them', async () => {
    const { tuckaway, artifact } = await stored();
    const { start, step, defaults } = tuckaway.extraction;
    const question = { artifact, extract: 'x' };
    const config = { contextTokens: 32_000 };
    const { state, requests } = start(question, config);
    const reply = (reply: unknown) => ({ reply: { request: requests[0]!.id, reply } }) as ExtractionEvent;
    const wrong: [() => unknown, RegExp][] = [
        [() => defaults(-1), /^contextTokens is -1/],
        [() => start(question, { contextTokens: 100 }), /^contextTokens is 100; it must be from 2048/],
        [() => start(question, { ...config, maxParallel: 65, overlapPct: 51 }), /^overlapPct is 51.*maxParallel is 65/],
        [() => start(question, { ...config, max_chunks: 1 } as object), /did you mean maxChunks/],
        [() => start({ ...question, mode: 'full_chunked' as 'auto' }, config), /question\.mode is "full_chunked"/],
        [() => start({ ...question, nonce: '<x>' }, config), /nonce has to be 8 to 64/],
        [() => start({ artifact, extract: '' }, config), /^extract is empty/],
        [() => step('', { resume: true }), /not the state of an extraction/],
        [() => step(state, {} as ExtractionEvent), /event is an object .*one of reply, failed, resume, cancel/],
        [() => step(state, reply({ turn: {} })), /event\.reply\.reply\.turn\.text is undefined/],
        [() => step(state, reply({ turn: { text: '' }, stop: 'tired' })), /stop is "tired"/],
        [() => step(state, { failed: { request: 'other-9', why: 'x' } }), TuckawayError as unknown as RegExp],
    ];
    for (const [call, expected] of wrong) {
        assert.throws(call, (error: Error) => {
            assert.ok(error instanceof TuckawayError, String(error));
            assert.ok(!(expected instanceof RegExp) || expected.test(error.message), error.message);
            return true;
        });
    }
    assert.ok(step(state, { resume: true }).requests.length > 0, 'after an error the state is still valid');
});
