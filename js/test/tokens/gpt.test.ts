import assert from 'node:assert/strict';
import { test } from 'node:test';

import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base';
import * as o200k from 'gpt-tokenizer/encoding/o200k_base';
import { type GptEncoding, gptTokenCounter, gptTokens } from 'tuckaway/gpt-tokens';

import { samples } from './samples.js';

const MEBIBYTE = 1 << 20;

/** Counts a text in one piece. */
const whole = (encoding: GptEncoding, text: string) =>
    encoding.countTokens(text, { disallowedSpecial: new Set() });

test('pieces have the same number of tokens as the whole text', () => {
    const texts = [
        '',
        'hello world',
        'The quick brown fox, it\'s said, jumped 12345 times!\n'.repeat(2000),
        Array.from({ length: 4000 }, (_, n) => `{"id": ${n}, "name": "n ${n}", "ok":  true },\n`).join(''),
        'fn main() {\n    let x = [1, 2, 3];\n}\n\n\t// done\n'.repeat(1500),
        // Beyond ASCII, the size of pieces is measured in UTF-8.
        'naïve café 漢字 🦀 with plain words, too. '.repeat(1000),
    ];
    for (const encoding of [o200k, cl100k]) {
        for (const text of texts) {
            assert.equal(gptTokenCounter(encoding)(text), whole(encoding, text));
        }
    }
    assert.equal(gptTokens('hello world'), 2);
});

test('the tokenizer receives at most 8 KiB of UTF-8 at once, and the whole text', () => {
    const given: string[] = [];
    const counter = gptTokenCounter({ countTokens: (text) => given.push(text), clearMergeCache: () => {} });
    for (const run of ['a', 'é', '漢', '🦀', '\ud83e', 'word ', 'words  and ', '漢字 🦀 and x ']) {
        const text = run.repeat(30_000);
        given.length = 0;
        counter(text);
        assert.equal(given.join(''), text);
        for (const piece of given) {
            assert.ok(Buffer.byteLength(piece) <= 8 << 10, `${run}: ${Buffer.byteLength(piece)} bytes`);
            assert.ok(run === '\ud83e' || piece.isWellFormed(), `${run}: a character was cut`);
        }
        // All pieces except the last are at least half full.
        assert.ok(given.length <= Math.ceil(Buffer.byteLength(text) / (4 << 10)), `${run}: ${given.length} pieces`);
    }
});

test('special tokens are text', () => {
    assert.ok(gptTokens('<|endoftext|>') > 1);
    assert.equal(gptTokens('<|endoftext|> and <|im_start|>'), whole(o200k, '<|endoftext|> and <|im_start|>'));
});

test('lone surrogates count as U+FFFD, as they are shown', () => {
    assert.equal(gptTokens('a \ud83e b'), gptTokens('a \ufffd b'));
    assert.equal(gptTokens('\udd80'.repeat(10_000)), gptTokens('\ufffd'.repeat(10_000)));
});

test('no count exceeds the bytes of the text', () => {
    for (const text of Object.values(samples)) {
        assert.ok(gptTokens(text) <= Buffer.byteLength(text));
    }
});

test('long runs are counted in linear time', () => {
    let seed = 1;
    const letters = Array.from({ length: 64 << 10 }, () => {
        seed = (seed * 48271) % 0x7fffffff;
        return String.fromCharCode(97 + (seed % 26));
    }).join('');
    const started = performance.now();
    for (const run of ['a', ' ', '\n', '\t', 'A', '=', 'é', '漢', '🦀', 'e\u0301', 'iVBORw0KGgoAAAANSUhEUgAA']) {
        const text = run.repeat(MEBIBYTE / Buffer.byteLength(run));
        const tokens = gptTokens(text);
        assert.ok(tokens >= 1 && tokens <= Buffer.byteLength(text), JSON.stringify(run));
    }
    assert.ok(gptTokens(letters) > letters.length / 8);
    assert.ok(performance.now() - started < 60_000, `took ${Math.round(performance.now() - started)} ms`);
});
