/** Extractions end to end: the driver, the adapters for HTTP APIs, and a scripted server that misbehaves. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Answer, type ModelRequest, TuckawayError, createTuckaway } from 'tuckaway';
import { type ExtractionProgress, type Model, ModelError, extract, openaiModel } from 'tuckaway/extraction';

import { nonceOf, wrapped } from './script.js';
import { type Fault, modelServer } from './server.js';
import { ADAPTERS, NEEDLE, manyLines, oneLine, settings, stored } from './support.js';

const WINDOW = { contextTokens: 32_000 };

async function fromOneChunk(model: Model): Promise<Answer> {
    const { tuckaway, question } = await stored(oneLine(100));
    return extract(tuckaway, question, { model, config: { contextTokens: 16_000 } });
}

for (const [name, adapter] of ADAPTERS) {
    test(`one long line of JSON is read in chunks, ${name}`, async (t) => {
        const server = await modelServer(t, [], 'slow:20');
        const { tuckaway, question } = await stored(oneLine(10_000));
        const estimate = tuckaway.extraction.estimate(question, WINDOW);
        let last: ExtractionProgress | undefined;
        const onProgress = (progress: ExtractionProgress) => void (last = progress);
        const answer = await extract(tuckaway, question, { model: adapter(settings(server)), config: WINDOW, onProgress });
        assert.deepEqual([answer.outcome, answer.strategy], ['found', 'full-chunked']);
        assert.ok(answer.text.startsWith(`ABSTRACT FROM TOOL OUTPUT monitor WITH HANDLE ${question.artifact}, STRATEGY:`));
        assert.ok(answer.text.includes(NEEDLE) && !answer.isPartial, answer.text);
        assert.deepEqual(answer.warnings, []);
        const { chunks, chunksDone, read, sizeBytes } = answer.coverage;
        assert.ok(chunks > 4 && chunks === chunksDone && chunks === estimate.chunks);
        assert.deepEqual(read, [{ start: 0, end: sizeBytes }]);
        const { requests } = answer.usage;
        assert.equal(server.asked.length, requests);
        assert.ok(requests === estimate.requests || requests === estimate.requests - 1);
        assert.deepEqual(last, { answered: requests, failed: 0, open: 0, inputTokens: requests * 1_000, outputTokens: requests * 7 });
        assert.deepEqual(answer.usage, { requests, inputTokens: requests * 1_000, outputTokens: requests * 7 });
        assert.ok(server.most.open >= 2 && server.most.open <= 4, String(server.most.open));
    });

    test(`many lines are read and searched, ${name}`, async (t) => {
        for (const config of [WINDOW, { ...WINDOW, maxTurns: 2 }]) {
            const server = await modelServer(t);
            const { tuckaway, question } = await stored(manyLines(40_000));
            const answer = await extract(tuckaway, question, { model: adapter(settings(server)), config });
            assert.deepEqual([answer.outcome, answer.strategy], ['found', 'read-grep']);
            assert.ok(answer.text.includes(NEEDLE), answer.text);
            assert.equal(answer.usage.requests, 'maxTurns' in config ? 2 : 3, 'Grep, Read, the answer');
            assert.equal(answer.coverage.read.length, 'maxTurns' in config ? 0 : 1, 'the line that was read');
            assert.ok(server.asked.every(({ body }) => body.tools.length === 2));
            const choice = server.asked.at(-1)!.body.tool_choice;
            assert.equal(choice.type ?? choice, 'maxTurns' in config ? 'none' : 'auto', 'the last turn may call nothing');
        }
    });

    test(`temporary failures are retried, ${name}`, async (t) => {
        const faults = ['slow:50', '429:0', '429', '408', '500', '529', 'half', 'disconnect', 'json', 'shape'] as const;
        for (const fault of faults) {
            const server = await modelServer(t, [fault, fault]);
            const answer = await fromOneChunk(adapter(settings(server)));
            assert.ok(answer.text.includes(NEEDLE), `${fault}: ${answer.text}`);
            assert.deepEqual([answer.outcome, answer.usage.requests, answer.warnings], ['found', 1, []], fault);
        }
    });

    test(`an answer without a report is requested again, ${name}`, async (t) => {
        for (const fault of ['wrapper', 'nonce', 'silence', 'huge', '418'] as const) {
            const server = await modelServer(t, [fault]);
            const answer = await fromOneChunk(adapter(settings(server)));
            assert.deepEqual([answer.outcome, answer.usage.requests], ['found', 2], `${fault}: ${answer.text}`);
        }
        const server = await modelServer(t, ['length']);
        const answer = await fromOneChunk(adapter(settings(server)));
        assert.ok(answer.isPartial && answer.text.includes(NEEDLE), 'an answer that is cut is one');
    });
}

test('hostile answers are confined', async (t) => {
    const server = await modelServer(t, [], 'hostile');
    const { tuckaway, question } = await stored(oneLine(3_000));
    const answer = await extract(tuckaway, question, { model: openaiModel(settings(server)), config: WINDOW });
    assert.doesNotMatch(answer.text, /[\u001b\u0007]/);
    const { messages } = server.asked.at(-1)!.body;
    const nonce = nonceOf({ system: messages[0].content, users: [], results: [], mayCall: false });
    assert.match(nonce, /^[0-9a-f]{24}$/, 'drawn at random');
    assert.ok(!answer.text.includes(nonce));
    const { content } = messages[0] as { content: string };
    const lines = (line: string) => content.split(line).length - 1;
    assert.equal(lines(`<chunk-output-${nonce}>`), answer.coverage.chunksDone);
    assert.equal(lines(`</chunk-output-${nonce}>`), answer.coverage.chunksDone);
});

test('a model that always fails is replaced by head and tail', async (t) => {
    for (const fault of ['500', 'half', 'wrapper', 'json'] as const) {
        const server = await modelServer(t, [], fault);
        const answer = await fromOneChunk(openaiModel(settings(server, { attempts: 2, backoffMs: 1 })));
        assert.deepEqual([answer.outcome, answer.strategy], ['truncated', 'truncate'], fault);
        assert.match(answer.text, /WARNING: full-chunked failed/);
    }
});

test('a model that fails permanently is not asked again', async (t) => {
    for (const fault of ['401', '403', '404', '402', 'quota', 'redirect'] as const) {
        const server = await modelServer(t, [], fault);
        const { tuckaway, question } = await stored(oneLine(10_000));
        const answer = await extract(tuckaway, question, { model: openaiModel(settings(server)), config: WINDOW });
        assert.equal(answer.outcome, 'truncated', fault);
        assert.ok(server.asked.length <= 4, `${fault}: ${server.asked.length}`);
        assert.match(answer.warnings[0] ?? '', /HTTP (40[1-4]|302|429)/);
    }
});

/** Returns why a request failed, and how long it took. */
async function failure(t: Parameters<typeof modelServer>[0], fault: Fault, changes: Parameters<typeof settings>[1]) {
    const server = await modelServer(t, [], fault);
    const { tuckaway, question } = await stored(oneLine(100));
    const [request] = tuckaway.extraction.start(question, { contextTokens: 16_000 }).requests;
    const began = Date.now();
    const { signal } = new AbortController();
    const asking = async () => openaiModel(settings(server, changes))(request!, { signal });
    const error = await asking().then(() => assert.fail('it is an answer'), (thrown: Error) => thrown);
    return { error, took: Date.now() - began };
}

test('waits follow the server up to a cap, and slow requests time out', async (t) => {
    const waited = await failure(t, '429:1', { attempts: 2 });
    assert.ok(waited.took >= 990, `${waited.took}`);
    assert.equal(waited.error.message, "The model's API is busy or has failed (HTTP 429): scripted failure");
    const capped = await failure(t, '429:900', { attempts: 2, maxWaitMs: 40 });
    assert.ok(capped.took >= 35 && capped.took < 60_000, `${capped.took}`);
    const late = await failure(t, 'slow:4000', { attempts: 2, timeoutMs: 100 });
    assert.equal(late.error.message, "The model's API took too long.");
});

test('no error contains the key', async (t) => {
    for (const fault of ['echo', '401', '500', 'huge', 'disconnect'] as const) {
        const { error } = await failure(t, fault, { attempts: 1 });
        assert.ok(error instanceof ModelError && !/secret|\u001b/.test(error.message), error.message);
        assert.ok(fault !== 'echo' || error.message.endsWith('(HTTP 400): wrong key: Bearer [key]'), error.message);
    }
    const nowhere = await failure(t, 'none', { attempts: 1, baseUrl: 'http://127.0.0.1:9/v1' });
    assert.match(nowhere.error.message, /cannot be reached: .*(ECONNREFUSED|bad port)/);
    for (const [baseUrl, apiKey] of [
        ['ftp://host', 'k'], ['nonsense', 'k'], ['http://user:secret@host/v1', 'k'], ['http://host/v1', 'secret\nkey'],
    ]) {
        const wrong = { model: 'm', baseUrl, apiKey };
        assert.throws(() => openaiModel(wrong), (error: Error) => error instanceof TuckawayError && !error.message.includes('secret'));
    }
    const server = await modelServer(t);
    for (const [, adapter] of ADAPTERS) {
        assert.equal((await fromOneChunk(adapter(settings(server, { headers: { 'x-own': 'yes' } })))).outcome, 'found');
    }
    const [chat, messages] = server.asked;
    assert.equal(chat!.headers.authorization, 'Bearer sk-scripted-secret-key');
    assert.equal(messages!.headers['x-api-key'], 'sk-scripted-secret-key');
    assert.equal(messages!.headers['x-own'], 'yes');
});

test('a canceled extraction keeps its findings', async (t) => {
    const server = await modelServer(t, Array(6).fill('none'), 'slow:30000');
    const { tuckaway, question } = await stored(oneLine(10_000).replace('nothing of note happened in hour 1"', `${NEEDLE}"`));
    const ending = new AbortController();
    const answer = await extract(tuckaway, question, {
        model: openaiModel(settings(server)),
        config: { contextTokens: 16_000, maxParallel: 2 },
        signal: ending.signal,
        onProgress: ({ answered }) => answered >= 6 && ending.abort(),
    });
    assert.ok(answer.isPartial && answer.text.includes(NEEDLE), answer.text);
    assert.match(answer.warnings.join(), /canceled/);
    assert.ok(answer.coverage.chunksDone === 6 && server.most.open <= 2);

    const before = server.asked.length;
    const none = await extract(tuckaway, question, {
        model: openaiModel(settings(server)), config: WINDOW, signal: AbortSignal.abort(),
    });
    assert.equal(server.asked.length, before, 'what was canceled before it began asks nobody');
    assert.notEqual(none.outcome, 'found');
});

test('an extraction that was stopped is resumed from its state', async (t) => {
    for (const text of [oneLine(10_000), manyLines(40_000)]) {
        const slow = await modelServer(t, ['none', 'none'], 'slow:30000');
        const { tuckaway, question, store } = await stored(text);
        const states: string[] = [];
        const stop = new Error('stopped');
        const onState = async (state: string) => {
            if (states.push(state) === 3) {
                throw stop;
            }
        };
        const run = extract(tuckaway, question, { model: openaiModel(settings(slow)), config: WINDOW, onState });
        await assert.rejects(run, stop);
        const state = states.at(-1)!;
        assert.ok(state.length < 10_000 && !state.includes('nothing of note'), 'no state has a text of the artifact');
        // Another tuckaway, which shares only the store, with another API.
        const other = await createTuckaway({ store, contextWindow: 200_000 });
        const server = await modelServer(t);
        const model = ADAPTERS[1]![1](settings(server));
        const answer = await extract(other, question, { model, resumeFrom: state });
        assert.ok(answer.outcome === 'found' && answer.text.includes(NEEDLE) && !answer.isPartial, answer.text);
        assert.equal(answer.usage.requests, server.asked.length + 2);
        await assert.rejects(
            extract(other, question, { model, resumeFrom: state.slice(0, -1) }),
            (error) => error instanceof TuckawayError && error.message.includes('not the state of an extraction'),
        );
    }
});

test('no model is asked if none is needed', async () => {
    const { tuckaway, question } = await stored(oneLine(5_000));
    const model = () => assert.fail('it is asked');
    const cut = await extract(tuckaway, { ...question, mode: 'truncate' }, { model, config: WINDOW });
    assert.equal(cut.outcome, 'truncated');
    const gone = await extract(tuckaway, { ...question, artifact: 'art_gone_0000000000' }, { model, config: WINDOW });
    assert.match(gone.text, /^TOOL_OUTPUT FAILED FOR/);
});

test('a model of any kind: a malformed reply fails its request', async () => {
    const { tuckaway, question } = await stored(oneLine(100));
    const nothing = {} as unknown as { turn: { text: string } };
    const misbehaving: [string, Model][] = [
        ['throws', () => { throw new Error('out of order'); }],
        ['rejects', () => Promise.reject('out of order')],
        ['nothing', () => nothing],
        ['a number', async () => ({ turn: { text: 'x' }, inputTokens: NaN })],
        ['a surrogate', () => ({ turn: { text: '\ud800' } })],
    ];
    for (const [name, model] of misbehaving) {
        const answer = await extract(tuckaway, question, { model, config: WINDOW });
        assert.equal(answer.outcome, 'truncated', `${name}: ${answer.text}`);
    }
    const seen: ModelRequest[] = [];
    const model: Model = (request) => {
        seen.push(request);
        return { turn: { text: wrapped(nonceOf({ system: request.system, users: [], results: [], mayCall: false }), 'All.') } };
    };
    const failing = () => { throw new Error('of the caller'); };
    const answer = await extract(tuckaway, { ...question, nonce: 'N0nce0001' }, { model, config: WINDOW, onProgress: failing });
    assert.equal(answer.content, 'All.');
    assert.ok(seen[0]!.system.includes('<ai-agent-N0nce0001-FINAL'));
    await assert.rejects(extract(tuckaway, question, { model, config: { contextTokens: 5 } }), /contextTokens is 5; it must be from 2048/);
    await assert.rejects(extract(tuckaway, question, { model: 'gpt' as unknown as Model }), /options\.model is "gpt"/);
    await assert.rejects(extract(tuckaway, undefined as never, { model, config: WINDOW }), TuckawayError);
});
