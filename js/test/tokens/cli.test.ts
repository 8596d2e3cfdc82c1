/** Compares token counts with the Rust host's. `TUCKAWAY_CLI` names its command line. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base';
import { estimate } from 'tuckaway';
import { gptTokenCounter, gptTokens } from 'tuckaway/gpt-tokens';

import { commandLine } from '../support/command-line.js';
import { samples } from './samples.js';

/** Returns the count of the command line. The headroom is so small that tokens must be counted. */
function counted(encoding: string, text: string): number {
    const turn = ['--window', '100000000', '--used', '69999999'];
    const output = execFileSync(commandLine(), ['--store', 'memory', 'offload', '--json', '--tokens', encoding, ...turn], {
        input: text,
        encoding: 'utf8',
        stdio: ['pipe', 'pipe', 'ignore'],
    });
    return (JSON.parse(output) as { decision: { token_count: number } }).decision.token_count;
}

test('estimates equal those of the Rust host', () => {
    for (const [name, text] of Object.entries(samples)) {
        const long = text.repeat(20);
        assert.equal(estimate(long), counted('estimate', long), name);
    }
});

test('counts equal those of the Rust host, for texts of many pieces', () => {
    const texts = [
        Object.values(samples).join('\n').repeat(10),
        // No position to split at for longer than a piece.
        samples['base64']!.repeat(200),
        `${samples['Chinese']!.replace(/\s/g, '')}🦀`.repeat(100),
    ];
    for (const text of texts) {
        assert.equal(gptTokens(text), counted('o200k_base', text));
        assert.equal(gptTokenCounter(cl100k)(text), counted('cl100k_base', text));
    }
});
