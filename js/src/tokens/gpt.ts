/** `tuckaway/gpt-tokens`: the counts of OpenAI's tokenizers, by the package gpt-tokenizer. */

import * as o200kBase from 'gpt-tokenizer/encoding/o200k_base';

import type { TokenCounter } from '../ports.js';

/** Most bytes of UTF-8 that the tokenizer is given at once. */
const PIECE_BYTES = 8 << 10;

/** Pieces after which the tokenizer's cache is emptied: it keeps each word of more than one token. */
const PIECES_CACHED = 64;

/** A module of gpt-tokenizer: that of an encoding or a model. */
export interface GptEncoding {
    countTokens(text: string, options: { disallowedSpecial: Set<string> }): number;
    clearMergeCache(): void;
}

/**
 * Tokens in an encoding of gpt-tokenizer. Special tokens are counted as the text that they are.
 *
 * Text is tokenized in pieces of at most 8 KiB, cut where the tokenizer itself would have cut. Text that goes
 * on for longer without such a place, such as base64 in one line, is cut anywhere, which may count a few
 * tokens too many in each piece; in return a count takes time linear in the text.
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

/** Tokens in o200k_base: GPT-4o, GPT-5 and the o-series. */
export const gptTokens: TokenCounter = /* @__PURE__ */ gptTokenCounter(o200kBase);

/** Where the piece of a text that begins at `start` ends. */
function pieceEnd(text: string, start: number): number {
    let bytes = 0;
    let betweenWords: number | undefined;
    for (let at = start; at < text.length; at++) {
        // A token never reaches from what is no white space over a space, so the tokens are the same if one
        // space between two words begins a piece. (That is not so for line feeds: `},\n` is one token.)
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

/** An ASCII character that is no white space: beyond ASCII there is white space too. */
function isPlain(unit: number): boolean {
    return unit > 0x20 && unit < 0x7f;
}
