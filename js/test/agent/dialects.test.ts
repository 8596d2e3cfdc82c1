/** Agents built for other systems: the tools and the views of each dialect. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Dialect, MemoryStore, TuckawayError } from 'tuckaway';
import { runToolCalls, toolDefinitions } from 'tuckaway/anthropic';
import type { Model } from 'tuckaway/extraction';
import { offloadTools } from 'tuckaway/ai-sdk';
import { chatToolDefinitions, runChatToolCalls } from 'tuckaway/openai';

import { DIALECTS, TOOL_NAMES } from '../../src/dialects.js';
import { newTuckaway, rows } from './support.js';

/** Returns a message that calls one tool. */
const calling = (name: string, input: object) => ({ content: [{ type: 'tool_use', id: 'toolu_0', name, input }] });

const query = () => rows;

test('the names are the ones that the component defines', async () => {
    const tuckaway = await newTuckaway();
    tuckaway.process({ tool: 'query', content: JSON.stringify(rows) });
    for (const dialect of DIALECTS) {
        const names = tuckaway.toolDefinitions(['read', 'grep', 'jq'], { dialect }).map(({ name }) => name);
        assert.deepEqual(names, TOOL_NAMES[dialect]);
        assert.deepEqual(tuckaway.toolDefinitions(undefined, { dialect, isFinalTurn: true }), []);
        assert.equal(tuckaway.defaultPolicy(dialect).dialect, dialect);
    }
    assert.throws(() => tuckaway.toolDefinitions(undefined, { dialect: 'morse' as Dialect }), /options\.dialect is "morse"/);
    assert.throws(() => tuckaway.defaultPolicy('morse' as Dialect), TuckawayError);
});

test('a dialect brings its defaults, and every change is kept', async () => {
    const tuckaway = await newTuckaway({ policy: { dialect: 'file', previewBytes: 100 } });
    const { dialect, maxOutputTokens, previewBytes, headroomPercentage } = tuckaway.policy;
    assert.deepEqual({ dialect, maxOutputTokens, previewBytes, headroomPercentage }, {
        dialect: 'file', maxOutputTokens: 10_000, previewBytes: 100, headroomPercentage: 1,
    });
    const content = 'one line of many\n'.repeat(10_000);
    assert.match(tuckaway.process({ tool: 'log', content }).text, /^Tool output was large and saved to file: tool_\d{8}_\d{6}_log\.txt\n/);
    const cached = tuckaway.process({ tool: 'log', content }, {}, { dialect: 'cache' });
    assert.match(cached.text, /\[Cut: 170 KB in 10000 lines\. .*: tool_output_cache continues at offset \d+/);
    assert.equal(cached.decision.maxThresholdBytes, 51_200);
});

test('each dialect answers the calls of its tools, and reserves only their names', async () => {
    const first: Record<Dialect, (view: string) => [string, object]> = {
        artifact: (view) => ['artifact_read', { artifact_id: /art_\w+/.exec(view)![0], end_line: 1 }],
        cache: (view) => ['tool_output_cache', { ref_id: /ref=(art_\w+)/.exec(view)![1], limit: 1 }],
        handle: (view) => ['tool_output', { handle: /art_\w+/.exec(view)![0], extract: 'all', mode: 'truncate' }],
        file: (view) => ['read_large_output', { filename: /tool_\S+/.exec(view)![0], end: 20 }],
    };
    for (const dialect of DIALECTS) {
        const tuckaway = await newTuckaway({ policy: { dialect } });
        const other = DIALECTS[(DIALECTS.indexOf(dialect) + 1) % DIALECTS.length]!;
        const handlers = { query, [TOOL_NAMES[other][0]!]: () => 'mine' };
        const [view] = await runToolCalls(tuckaway, calling('query', {}), handlers);
        const [name, input] = first[dialect](String(view!.content));
        const [reply] = await runToolCalls(tuckaway, calling(name, input), handlers);
        assert.equal(reply!.is_error, undefined, String(reply!.content));
        assert.match(String(reply!.content), /\{"id":0,"name":"row 0"|\{"id":0,"name":"r/);
        const [own] = await runToolCalls(tuckaway, calling(TOOL_NAMES[other][0]!, {}), handlers);
        assert.equal(own!.content, 'mine');
        const taken = { [name]: () => 'mine' };
        await assert.rejects(runToolCalls(tuckaway, calling('query', {}), taken), /reserved for tuckaway's own tools/);
        assert.deepEqual((await toolDefinitions(tuckaway)).map((tool) => tool.name), TOOL_NAMES[dialect]);
    }
});

test('tool_output is offered once something is stored, and not in the final turn', async () => {
    const store = new MemoryStore();
    const tuckaway = await newTuckaway({ store, policy: { dialect: 'handle' } });
    assert.deepEqual(await chatToolDefinitions(tuckaway), []);
    await runToolCalls(tuckaway, calling('query', {}), { query });
    assert.equal((await chatToolDefinitions(tuckaway))[0]?.function.name, 'tool_output');
    assert.deepEqual(await chatToolDefinitions(tuckaway, undefined, { isFinalTurn: true }), []);
    await assert.rejects(offloadTools(tuckaway, {}), /policy\.dialect: the dialect handle defines tool_output only/);
});

test('a call that needs a model is answered by an extraction, or by truncation with a warning', async () => {
    const tuckaway = await newTuckaway({ policy: { dialect: 'handle' } });
    const [view] = await runToolCalls(tuckaway, calling('query', {}), { query });
    const args = JSON.stringify({ handle: /art_\w+/.exec(String(view!.content))![0], extract: 'the last row' });
    const completion = {
        choices: [{ message: { tool_calls: [
            { id: 'call_0', type: 'function' as const, function: { name: 'tool_output', arguments: args } },
        ] } }],
    };
    const [cut] = await runChatToolCalls(tuckaway, completion, {}, { maxBytes: 1_000 });
    const text = String(cut!.content);
    assert.match(text, /^ABSTRACT FROM TOOL OUTPUT query WITH HANDLE art_\w+, STRATEGY:truncate:\n\n\[\{/);
    assert.match(text, /\n\[warning: no extraction model is configured[^\n]*\]$/);
    assert.ok(text.length <= 1_000);
    const seen: string[] = [];
    const extract = (given: string) => {
        seen.push(given);
        return { text: 'It is row 19999.', isError: false };
    };
    const [extracted] = await runChatToolCalls(tuckaway, completion, {}, { extract });
    assert.deepEqual([extracted!.content, seen], ['It is row 19999.', [args]]);
});

test('a model answers the calls of a batch, each with a separate extraction', async () => {
    const tuckaway = await newTuckaway({ policy: { dialect: 'handle' } });
    const [view] = await runToolCalls(tuckaway, calling('query', {}), { query });
    const handle = /art_\w+/.exec(String(view!.content))![0];
    const asked: string[] = [];
    const model: Model = ({ system }) => {
        const [, what] = /WHAT TO EXTRACT\n(.*)/.exec(system)!;
        const [, nonce] = /<ai-agent-(\w+)-FINAL/.exec(system)!;
        asked.push(what!);
        return { turn: { text: `<ai-agent-${nonce}-FINAL format="text">About ${what}.</ai-agent-${nonce}-FINAL>` } };
    };
    const use = (id: string, input: object) => ({ type: 'tool_use', id, name: 'tool_output', input });
    const batch = { content: [
        use('a', { handle, extract: 'the first row' }),
        use('b', { handle, extract: 'the last row', mode: 'read-grep' }),
        use('c', { handle, extract: 'all', mode: 'truncate' }),
        use('d', { handle: 'art_none_0000000000', extract: 'all' }),
        use('e', { handle, extract: '' }),
    ] };
    const extract = { model, config: { contextTokens: 1_000_000 } };
    const [a, b, c, d, e] = await runToolCalls(tuckaway, batch, {}, { extract, maxBytes: 2_000 });
    const heading = (strategy: string) => `ABSTRACT FROM TOOL OUTPUT query WITH HANDLE ${handle}, STRATEGY:${strategy}:\n\n`;
    assert.equal(a!.content, `${heading('full-chunked')}About the first row.`);
    assert.equal(b!.content, `${heading('read-grep')}About the last row.`);
    assert.ok(String(c!.content).startsWith(heading('truncate')) && String(c!.content).length <= 2_000);
    assert.deepEqual([d, e].map((reply) => reply!.is_error), [true, true], `${d!.content}\n${e!.content}`);
    assert.deepEqual(asked, ['the first row', 'the last row'], 'invalid calls ask nobody');
    // A failure of the model is not an error of the call.
    const broken = { model: () => Promise.reject(new Error('out of order')) };
    const [reply] = await runToolCalls(tuckaway, { content: batch.content.slice(0, 1) }, {}, { extract: broken });
    assert.equal(reply!.is_error, undefined);
    assert.match(String(reply!.content), /STRATEGY:truncate:[^]*WARNING: .*out of order/);
    const wrong = { extract: { config: {} } as never };
    await assert.rejects(runToolCalls(tuckaway, batch, {}, wrong), /options\.extract is an object \(Object\); it must be a function, or an object with a model/);
});
