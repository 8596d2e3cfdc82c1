/** Token counts without a tokenizer. */

import type { TokenCounter } from '../ports.js';

/** The tokenizer's class of a character. Letters come first. */
const UPPER = 0;
const LOWER = 1;
const DIGIT = 2;
const PUNCTUATION = 3;
const SPACE = 4;
const LINE_END = 5;
const CONTROL = 6;
const OTHER = 7;

const ASCII = Uint8Array.from({ length: 128 }, (_, code) => asciiClass(String.fromCharCode(code)));

function asciiClass(character: string): number {
    if (/[A-Z]/.test(character)) return UPPER;
    if (/[a-z]/.test(character)) return LOWER;
    if (/[0-9]/.test(character)) return DIGIT;
    if (character === ' ') return SPACE;
    if (/[\r\n]/.test(character)) return LINE_END;
    return /[!-~]/.test(character) ? PUNCTUATION : CONTROL;
}

/** Words with accented Latin letters are words. */
const classOf = (unit: number): number =>
    unit < 0x80
        ? ASCII[unit]!
        : (unit >= 0xc0 && unit <= 0x24f) || (unit >= 0x1e00 && unit <= 0x1eff)
            ? LOWER
            : OTHER;

/** Returns the average tokens, in sixteenths, of a word's letter number `run`, from the second on. */
const within = (run: number): number => (run === 7 ? 4 : run >= 13 ? 16 * (run % 2) : 0);

/** Returns the average tokens, in sixteenths, of character number `run` of a piece of text. */
function sixteenths(unit: number, kind: number, previous: number, run: number): number {
    switch (kind) {
        case UPPER:
        case LOWER: {
            const begin = kind === UPPER && previous === LOWER ? 28 : 16;
            const word = run === 1 ? begin : within(run);
            return word + (kind === UPPER && run > 1 ? 2 : 0) + (unit < 0x80 ? 0 : 3);
        }
        case DIGIT:
            // Digits are tokens of three. A space before them is one more.
            return run % 3 !== 1 ? 0 : previous === SPACE ? 32 : 16;
        case PUNCTUATION:
            // Runs of one kind are single tokens, but only up to the longest of these.
            return run % 96 === 1 ? 14 : 0;
        case SPACE:
            // A single space belongs to the word after it.
            return run % 128 === 2 ? 11 : 0;
        case OTHER:
            // A surrogate is half a character.
            return unit < 0x2000 ? 6 : (unit & 0xf800) === 0xd800 ? 16 : 12;
        default:
            return run % 16 !== 1 ? 0 : kind === LINE_END && previous === PUNCTUATION ? 6 : 16;
    }
}

/**
 * Estimates the number of o200k_base tokens in a text, without a vocabulary: it splits the text as that tokenizer does,
 * into words, groups of digits, punctuation and white space, and counts the average number of tokens for each.
 *
 * The estimate and bytes/4, each divided by the true count, for the samples in `test/tokens/samples.ts`, as checked by
 * `npm test -- tokens/estimate`:
 *
 * | text | estimate | bytes/4 |
 * |---|---|---|
 * | English prose | 1.01 | 1.12 |
 * | code | 1.05 | 1.05 |
 * | JSON, log | 0.99, 1.05 | 0.65 |
 * | base64 | 0.84 | 0.41 |
 * | Chinese, Japanese, Korean | 0.98 to 1.05 | 0.97 to 1.06 |
 * | French, Vietnamese | 0.96 to 1.04 | 1.07 to 1.14 |
 * | Russian | 1.25 | 1.65 |
 * | Greek, Hebrew, Arabic | 0.87 to 1.01 | 1.14 to 1.41 |
 * | Hindi, Bengali, Tamil, Thai | 0.96 to 1.06 | 1.88 to 2.05 |
 * | emoji | 0.94 | 0.68 |
 * | box drawing | 1.17 | 1.16 |
 *
 * If exact counts matter, use `gptTokens` of `tuckaway/gpt-tokens`.
 */
export const estimate: TokenCounter = (text) => {
    let sum = 0;
    // The UTF-8 of a surrogate is half of four bytes.
    let bytes = 0;
    // White space before a text is treated as white space before a line.
    let previous = LINE_END;
    // Characters so far: of a word, of a number, of a run of spaces.
    let run = 0;
    for (let index = 0; index < text.length; index++) {
        const unit = text.charCodeAt(index);
        const kind = classOf(unit);
        // The most common case: a letter within a word, of one byte.
        if (kind === LOWER && previous === LOWER && unit < 0x80) {
            run += 1;
            sum += within(run);
            bytes += 1;
            continue;
        }
        const beginsHump = kind === UPPER && previous === LOWER;
        run = (kind === previous || (kind <= LOWER && previous <= LOWER)) && !beginsHump ? run + 1 : 1;
        sum += sixteenths(unit, kind, previous, run);
        bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit & 0xf800) === 0xd800 ? 2 : 3;
        previous = kind;
    }
    // A token is at least one byte.
    return Math.min(Math.ceil(sum / 16), bytes);
};
