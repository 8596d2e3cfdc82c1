/** `tuckaway/gpt-tokens`: token counts in OpenAI's encodings, by the package gpt-tokenizer. */

import * as o200kBase from 'gpt-tokenizer/encoding/o200k_base';

import type { TokenCounter } from '../ports.js';

/** The maximum number of UTF-8 bytes that are passed to the tokenizer at once. */
const PIECE_BYTES = 8 << 10;

/** Number of pieces after which the tokenizer's cache is cleared: it keeps each word of more than one token. */
const PIECES_CACHED = 64;

/** A module of gpt-tokenizer for an encoding or a model. */
export interface GptEncoding {
    countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
    clearMergeCache(): void;
}

/**
 * Returns a counter for an encoding of gpt-tokenizer. Special tokens are counted as ordinary text.
 *
 * Text is tokenized in pieces of at most 8 KiB, split where the tokenizer itself would split. A longer run without such
 * a position, such as base64 on one line, is split anywhere, which may add a few tokens per piece. In return, counting
 * takes linear time.
 *
 * ```js
 * import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base';
 * const tokens = gptTokenCounter(cl100k);
 * ```
 */
export function gptTokenCounter(encoding: GptEncoding): TokenCounter {
    const options = { disallowedSpecial: new Set<string>() };
    return (text) => {
        let tokens = 0;
        let pieces = 0;
        for (let start = 0, end = 0; start < text.length; start = end) {
            end = pieceEnd(text, start);
            tokens += encoding.countTokens(text.slice(start, end), options);
            pieces += 1;
            if (pieces % PIECES_CACHED === 0) {
                encoding.clearMergeCache();
            }
        }
        encoding.clearMergeCache();
        return tokens;
    };
}

/** Counts tokens in o200k_base: GPT-4o, GPT-5 and the o-series. */
export const gptTokens: TokenCounter = /* @__PURE__ */ gptTokenCounter(o200kBase);

/** Returns the end of the piece of a text that begins at `start`. */
function pieceEnd(text: string, start: number): number {
    let bytes = 0;
    let betweenWords: number | undefined;
    for (let at = start; at < text.length; at++) {
        // No token spans a non-space character and a following space, so the tokens stay the same if a piece
        // begins with a single space between two words. (Line feeds differ: `},\n` is one token.)
        if (
            bytes >= PIECE_BYTES / 2 &&
            bytes < PIECE_BYTES &&
            text.charCodeAt(at) === 0x20 &&
            isPlain(text.charCodeAt(at - 1)) &&
            isPlain(text.charCodeAt(at + 1))
        ) {
            betweenWords = at;
        }
        const character = text.codePointAt(at) as number;
        bytes += character < 0x80 ? 1 : character < 0x800 ? 2 : character < 0x10000 ? 3 : 4;
        if (bytes > PIECE_BYTES) {
            return betweenWords ?? at;
        }
        if (character >= 0x10000) {
            at += 1;
        }
    }
    return text.length;
}

/**
 * Returns whether a code unit is an ASCII character other than white space. Non-ASCII characters may be white space,
 * too.
 */
function isPlain(unit: number): boolean {
    return unit > 0x20 && unit < 0x7f;
}
