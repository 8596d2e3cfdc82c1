/** A session that begins in Node and continues in the Rust command line, then in Node. `TUCKAWAY_CLI` names the binary. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { createTuckaway, DirStore } from 'tuckaway';
import { manageHistory } from 'tuckaway/history';

import { commandLine } from '../support/command-line.js';

const long = (n: number) => `line of ${n}\n`.repeat(400);

/** Returns turns of Anthropic's messages, each with a long result. */
function turns(from: number, to: number): any[] {
    return Array.from({ length: to - from }, (_, index) => index + from).flatMap((n) => [
        { role: 'user', content: `Read log ${n}.` },
        { role: 'assistant', content: [{ type: 'tool_use', id: `use_${n}`, name: 'read_log', input: { n } }] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `use_${n}`, content: long(n) }] },
        { role: 'assistant', content: [{ type: 'text', text: 'It is fine.' }] },
    ]);
}

/** Returns the artifacts that results were replaced with, by the numbers of their turns. */
function references(items: any[]): Map<number, string> {
    const results = items.flatMap(({ content }) => content).filter(({ type }) => type === 'tool_result');
    const found = new Map<number, string>();
    for (const [n, { content }] of results.entries()) {
        const id = /^\[tool output trimmed; ref=(\S+)\]$/.exec(content)?.[1];
        if (id !== undefined) found.set(n, id);
        else assert.equal(content, long(n));
    }
    return found;
}

test('the command line goes on with the memory of Node, and Node with that of the command line', async (t) => {
    const cli = commandLine();
    const folder = fs.mkdtempSync(join(tmpdir(), 'tuckaway-'));
    t.after(() => fs.rmSync(folder, { recursive: true }));
    const [path, history, memory, config] = ['store', 'history.json', 'memory.json', 'config.json'].map(
        (name) => join(folder, name),
    ) as [string, string, string, string];
    const written = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8'));
    fs.writeFileSync(config, JSON.stringify({ cache: { context_budget_tokens: 2_000 } }));
    const store = DirStore.open(path);
    const tuckaway = await createTuckaway({ store, contextWindow: 100_000 });
    const options = { cache: { contextBudgetTokens: 2_000 } };

    const first = await manageHistory<any>(tuckaway, { format: 'anthropic', items: turns(0, 6) }, options);
    const ofFirst = references(first.items);
    assert.ok(ofFirst.size >= 3, `${ofFirst.size} results are trimmed`);

    fs.writeFileSync(memory, JSON.stringify(first.memory));
    fs.writeFileSync(history, JSON.stringify([...first.items, ...turns(6, 9)]));
    const files = ['--config', config, '--output', history, '--state', memory];
    execFileSync(cli, [
        ...['--store', `dir:${path}`, 'plan', history, '--format', 'anthropic', '--window', '100000', '--preset', 'none'],
        ...['--apply', ...files],
    ]);
    const ofSecond = references(written(history));
    assert.ok(ofSecond.size > ofFirst.size, `${ofSecond.size} results are trimmed`);
    assert.deepEqual([...ofSecond].slice(0, ofFirst.size), [...ofFirst]);
    // The new memory still knows which texts are references of the first plan.
    const known = (text: unknown) => Object.values((text as { artifacts: Record<string, string> }).artifacts);
    assert.deepEqual(known(written(memory)).sort(), [...ofSecond.values()].sort());

    const items = [...written(history), ...turns(9, 12)];
    const third = await manageHistory<any>(tuckaway, { format: 'anthropic', items, memory: written(memory) }, options);
    const ofThird = references(third.items);
    assert.ok(ofThird.size > ofSecond.size, `${ofThird.size} results are trimmed`);
    assert.deepEqual([...ofThird].slice(0, ofSecond.size), [...ofSecond]);
    assert.deepEqual(known(third.memory).sort(), [...ofThird.values()].sort());
    for (const [n, id] of ofThird) {
        assert.equal(new TextDecoder().decode(store.read(id, 0, 1e9) as Uint8Array), long(n));
    }
});
