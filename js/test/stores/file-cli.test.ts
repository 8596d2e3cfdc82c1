/** A folder that the Rust command line and a DirStore share. `TUCKAWAY_CLI` names the binary. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import { DirStore } from 'tuckaway';

import { commandLine } from '../support/command-line.js';
import { ids, put, utf8 } from './contract.js';

const ROWS = JSON.stringify(Array.from({ length: 1000 }, (_, id) => ({ id, name: `row ${id} é漢🦀` })));

test('the Rust command line and a DirStore share a folder', async (t) => {
    const cli = commandLine();
    const folder = fs.mkdtempSync(join(tmpdir(), 'tuckaway-'));
    t.after(() => fs.rmSync(folder, { recursive: true }));
    const path = join(folder, 'store');
    const run = (...args: string[]) =>
        execFileSync(cli, ['--store', `dir:${path}`, ...args], { encoding: 'utf8' });
    const listed = () => JSON.parse(run('list', '--json')) as Record<string, unknown>[];
    fs.writeFileSync(join(folder, 'rows.json'), ROWS);

    const output = run('offload', '--window', '8000', '--tool', 'sql "query"\n', join(folder, 'rows.json'));
    const { artifact_id: theirs } = JSON.parse(output) as { artifact_id: string };
    const store = DirStore.open(path);
    const known = store.stat(theirs);
    assert.deepEqual(known, {
        id: theirs,
        tool: 'sql "query"\n',
        mediaType: 'application/json',
        sizeBytes: utf8(ROWS).length,
        lineCount: 1,
        createdAt: known.createdAt,
    });
    assert.deepEqual(store.read(theirs, 0, 1e9), utf8(ROWS));

    const ours = store.create('tool\u2028\0 "é🦀"', 'application/json');
    store.append(ours, utf8(ROWS));
    const sealed = store.seal(ours, 1);
    assert.equal(run('jq', ours, '.[999].name', '-r'), 'row 999 é漢🦀\n');
    assert.deepEqual(listed().map(({ id }) => id), [theirs, ours]);
    assert.deepEqual(listed()[1], {
        id: ours,
        tool: sealed.tool,
        media_type: sealed.mediaType,
        size_bytes: sealed.sizeBytes,
        line_count: 1,
        created_at: sealed.createdAt,
    });
    assert.deepEqual(await ids(store), [theirs, ours]);

    // Both write the same metadata for the same artifact.
    const theirMeta = fs.readFileSync(join(path, `${theirs}.json`), 'utf8');
    const ourMeta = fs.readFileSync(join(path, `${ours}.json`), 'utf8');
    assert.equal(
        ourMeta,
        theirMeta
            .replace(theirs, ours)
            .replace(JSON.stringify(known.tool), JSON.stringify(sealed.tool))
            .replace(`"created_at":${known.createdAt}`, `"created_at":${sealed.createdAt}`),
    );

    run('rm', ours);
    assert.deepEqual(await ids(store), [theirs]);
    store.delete(theirs);
    assert.deepEqual(listed(), []);
    await put(store, 't', utf8('last'));
    assert.equal(listed().length, 1);
});
