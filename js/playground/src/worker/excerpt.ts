/** Excerpts and token counts of texts that may be too large to be shown or counted in full. */

import type { TokenCounter } from 'tuckaway';

import type { Excerpt, TokenCount } from '../protocol.js';

/** Tokens of longer texts are estimated from samples. */
const COUNTED_BYTES = 1_000_000;
const SAMPLES = 64;
const SAMPLE_BYTES = 8_192;

/** Access to parts of a text that may be in a store. */
export interface ByteSource {
    length: number;
    /** Returns at most `length` bytes from `start`. */
    slice(start: number, length: number): Uint8Array;
}

export function bytesOf(array: Uint8Array): ByteSource {
    return { length: array.length, slice: (start, length) => array.subarray(start, start + length) };
}

/** Returns the start of a text: at most `bytes` and `lines`, without a partial character at its end. */
export function excerpt(text: ByteSource, bytes: number, lines = Infinity): Excerpt {
    const isCut = text.length > bytes;
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const start = decoder.decode(text.slice(0, bytes), { stream: isCut });
    let end = 0;
    for (let line = 0; line < lines; line += 1) {
        const feed = start.indexOf('\n', end);
        end = feed < 0 ? start.length : feed + 1;
        if (feed < 0) break;
    }
    return { text: start.slice(0, end), sizeBytes: text.length, complete: !isCut && end === start.length };
}

/** Counts the tokens of a text; if it is large, scales up the counts of evenly spaced samples. */
export function countTokens(text: ByteSource, count: TokenCounter): TokenCount {
    const decoder = new TextDecoder();
    if (text.length <= COUNTED_BYTES) {
        return { tokens: count(decoder.decode(text.slice(0, text.length))), exact: true };
    }
    const stride = Math.floor((text.length - SAMPLE_BYTES) / (SAMPLES - 1));
    let tokens = 0;
    for (let sample = 0; sample < SAMPLES; sample += 1) {
        tokens += count(decoder.decode(text.slice(sample * stride, SAMPLE_BYTES)));
    }
    return { tokens: Math.round((tokens / (SAMPLES * SAMPLE_BYTES)) * text.length), exact: false };
}
