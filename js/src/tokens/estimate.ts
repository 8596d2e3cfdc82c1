/** Token counts without a tokenizer. */

import type { TokenCounter } from '../ports.js';

/**
 * Estimates the number of o200k_base tokens in a text, without a vocabulary. A character counts a quarter of a
 * token if it is ASCII, three eighths up to U+1FFF (accents, Greek, Cyrillic, Arabic, Indic scripts, Thai), three
 * quarters up to U+FFFF (Chinese, Japanese, Korean, symbols), and two tokens beyond (emoji). The sum is rounded up.
 *
 * The estimate and bytes/4, each divided by the true count, for the samples in `test/tokens/samples.ts`, as checked
 * by `npm test -- tokens/estimate`:
 *
 * | text | estimate | bytes/4 |
 * |---|---|---|
 * | English prose | 1.12 | 1.12 |
 * | code | 1.05 | 1.05 |
 * | JSON, log | 0.65 | 0.65 |
 * | base64 | 0.41 | 0.41 |
 * | Chinese, Japanese, Korean | 0.97 to 1.06 | 0.97 to 1.06 |
 * | French, Vietnamese | 0.96 to 1.05 | 1.07 to 1.14 |
 * | Russian | 1.28 | 1.65 |
 * | Greek, Hebrew, Arabic | 0.90 to 1.09 | 1.14 to 1.41 |
 * | Hindi, Bengali, Tamil, Thai | 1.00 to 1.11 | 1.88 to 2.05 |
 * | emoji | 1.01 | 0.68 |
 * | box drawing | 1.16 | 1.16 |
 *
 * Text with many digits or random letters has more tokens than estimated. If that matters, use `gptTokens` of
 * `tuckaway/gpt-tokens`.
 */
export const estimate: TokenCounter = (text) => {
    // Eighths of a token beyond the two that every code unit counts. A surrogate is half a character.
    let extra = 0;
    for (let index = 0; index < text.length; index++) {
        const unit = text.charCodeAt(index);
        if (unit >= 0x80) {
            extra += unit < 0x2000 ? 1 : (unit & 0xf800) === 0xd800 ? 6 : 4;
        }
    }
    return Math.ceil((2 * text.length + extra) / 8);
};
