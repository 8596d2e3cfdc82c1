/** Extractions over a store whose methods return promises. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type AsyncStore, MemoryStore, TuckawayError } from 'tuckaway';
import { createTuckaway } from 'tuckaway/async';
import { extract, openaiModel } from 'tuckaway/extraction';

import { modelServer } from './server.js';
import { NEEDLE, WHAT, manyLines, oneLine, settings } from './support.js';

/** A store that answers later. */
function later(store: MemoryStore): AsyncStore {
    const methods = ['create', 'append', 'seal', 'stat', 'read', 'listArtifacts', 'delete'] as const;
    return Object.fromEntries(methods.map((name) => [name, async (...args: never[]) => {
        await new Promise((resolve) => setImmediate(resolve));
        return (store[name] as (...args: never[]) => unknown)(...args);
    }])) as unknown as AsyncStore;
}

test('chunks and a search over an asynchronous store', async (t) => {
    const server = await modelServer(t);
    const tuckaway = await createTuckaway({ store: later(new MemoryStore()), contextWindow: 1 });
    for (const [text, strategy] of [[oneLine(5_000), 'full-chunked'], [manyLines(20_000), 'read-grep']] as const) {
        const view = await tuckaway.process({ tool: 'monitor', content: text }, {}, { keepAll: true });
        const question = { artifact: view.artifacts[0]!.id, extract: WHAT };
        const config = { contextTokens: 32_000 };
        const answer = await extract(tuckaway, question, { model: openaiModel(settings(server)), config });
        assert.deepEqual([answer.outcome, answer.strategy], ['found', strategy], answer.text);
        assert.ok(answer.text.includes(NEEDLE));
    }
    await assert.rejects(tuckaway.extraction.defaults(), TuckawayError);
});
