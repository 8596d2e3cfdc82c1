import assert from 'node:assert/strict';
import { test } from 'node:test';

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { estimate } from 'tuckaway';

import { samples } from './samples.js';

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

test('ASCII counts a quarter of its bytes, rounded up', () => {
    for (let length = 0; length <= 9; length++) {
        assert.equal(estimate('x'.repeat(length)), Math.ceil(length / 4));
    }
    const all = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join('');
    assert.equal(estimate(all), 32);
});

test('each kind of character has its weight', () => {
    for (const [character, eighths] of [
        ['\x7f', 2], ['\x80', 3], ['é', 3], ['\u1fff', 3], ['\u2000', 6], ['漢', 6], ['\ud7ff', 6], ['\ue000', 6],
        ['\uffff', 6], ['🦀', 16],
    ] as const) {
        assert.equal(estimate(character.repeat(8)), eighths, JSON.stringify(character));
    }
});

test('no count exceeds the bytes of the text', () => {
    for (const text of ['', 'a', 'é', '漢', '🦀', '\ud83e', '\udd80', '\udd80\ud83e', ...Object.values(samples)]) {
        assert.ok(estimate(text) <= bytesOf(text), JSON.stringify(text));
    }
});

test('beyond ASCII, the estimate is close to the count of o200k_base', (t) => {
    t.diagnostic('| sample | estimate | bytes/4 |');
    t.diagnostic('|---|---|---|');
    for (const [name, text] of Object.entries(samples)) {
        const counted = countTokens(text);
        const ratio = estimate(text) / counted;
        t.diagnostic(`| ${name} | ${ratio.toFixed(2)} | ${(Math.ceil(bytesOf(text) / 4) / counted).toFixed(2)} |`);
        if (bytesOf(text) > text.length) {
            assert.ok(ratio > 0.8 && ratio < 1.35, `${name}: ${ratio}`);
        }
    }
});
