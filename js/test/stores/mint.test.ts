import assert from 'node:assert/strict';
import { test } from 'node:test';

import { mint } from 'tuckaway';

import { isMinted } from '../../src/stores/mint.js';

const slugOf = (tool: string) => /^art_(.+)_[a-z0-9]{10}$/.exec(mint(tool))?.[1];

test('any text has a slug', () => {
    assert.equal(slugOf('sql_query'), 'sql_query');
    assert.equal(slugOf('  Web.Fetch -- v2/  '), 'web_fetch_v2');
    assert.equal(slugOf('../../etc/passwd\0'), 'etc_passwd');
    for (const empty of ['', '___', '日本語', '\0\n', '\ud83e']) {
        assert.equal(slugOf(empty), 'tool_output');
    }
    assert.equal(slugOf('x'.repeat(1000)), 'x'.repeat(49));
    assert.equal(slugOf(`${'x'.repeat(48)}-y`), 'x'.repeat(48));
});

test('ids conform to the grammar and differ', () => {
    for (const tool of ['', 'sql', 'long '.repeat(100), '🦀']) {
        const id = mint(tool);
        assert.match(id, /^[A-Za-z0-9_-]{1,64}$/);
        assert.ok(isMinted(id), id);
        assert.notEqual(id, mint(tool));
    }
});

test('all characters are equally likely', () => {
    const counts = new Map<string, number>();
    const drawn = 20_000;
    for (let n = 0; n < drawn; n++) {
        for (const character of mint('t').slice(-10)) {
            counts.set(character, (counts.get(character) ?? 0) + 1);
        }
    }
    assert.equal(counts.size, 36);
    const expected = (10 * drawn) / 36;
    for (const [character, count] of counts) {
        // Six standard deviations; taking bytes modulo 36 would make some characters a seventh more likely.
        assert.ok(Math.abs(count - expected) < 6 * Math.sqrt(expected), `${character}: ${count} of ${expected}`);
    }
});

test('other names are not minted ids', () => {
    const others = ['Makefile', 'art_', 'art__0123456789', 'art_sql_012345678', 'art_sql_012345678Z', 'art_a/b_0123456789'];
    for (const name of others) {
        assert.ok(!isMinted(name), name);
    }
});
