import assert from 'node:assert/strict';
import { test } from 'node:test';

import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { estimate } from 'tuckaway';

import { samples } from './samples.js';

const bytesOf = (text: string) => new TextEncoder().encode(text).length;

test('pieces of a text have their average tokens', () => {
    for (const [text, tokens] of [
        ['', 0], ['word', 1], [' word', 1], ['two words', 2], ['extraordinary', 3], ['fooBar', 3], ['123456', 2],
        ['a 1', 3], ['{"a":', 3], ['='.repeat(80), 1], ['='.repeat(20_000), 183],
        [' '.repeat(20_000), 108], ['\n'.repeat(20_000), 1_250], ['\n\n\n\n', 1], ['aB', 2], ['Zürich', 2], ['漢字漢字', 3],
        ['🦀🦀', 4],
    ] as const) {
        assert.equal(estimate(text), tokens, JSON.stringify(text));
    }
});

test('no count exceeds the bytes of the text', () => {
    for (const text of ['', 'a', 'é', '漢', '🦀', '\ud83e', '\udd80', '\udd80\ud83e', ...Object.values(samples)]) {
        assert.ok(estimate(text) <= bytesOf(text), JSON.stringify(text));
    }
});

test('the estimate is close to the count of o200k_base', (t) => {
    t.diagnostic('| sample | estimate | bytes/4 |');
    t.diagnostic('|---|---|---|');
    for (const [name, text] of Object.entries(samples)) {
        const counted = countTokens(text);
        const ratio = estimate(text) / counted;
        t.diagnostic(`| ${name} | ${ratio.toFixed(2)} | ${(Math.ceil(bytesOf(text) / 4) / counted).toFixed(2)} |`);
        const within = ['English prose', 'code', 'JSON', 'log'].includes(name) ? 0.1 : 0.25;
        assert.ok(Math.abs(ratio - 1) <= within, `${name}: ${ratio}`);
    }
});
