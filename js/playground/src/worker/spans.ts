/** Which parts of a matching line matched. The engine tells where the first match begins; the page marks all. */

import type { GrepOptions, Match } from 'tuckaway';

type Span = [start: number, end: number];

/** More marks than this in one line help nobody. */
const MAX_SPANS = 200;

/** Finds the marks of a query's matches, in their excerpts. */
export function marker(pattern: string, options: GrepOptions): (match: Match) => Span[] {
    if (options.invert) {
        return () => [];
    }
    const expression = translate(pattern, options);
    return (match) => {
        const spans = expression === null ? [] : all(expression, match.text);
        return spans.length > 0 || match.clipped ? spans : [firstCharacter(match)];
    };
}

function all(expression: RegExp, text: string): Span[] {
    const spans: Span[] = [];
    for (const { index, 0: found } of text.matchAll(expression)) {
        if (found.length > 0) spans.push([index, index + found.length]);
        if (spans.length === MAX_SPANS) break;
    }
    return spans;
}

/** Where JavaScript cannot say the pattern, the place that the engine told is marked. */
function firstCharacter({ text, column }: Match): Span {
    const before = Array.from(text).slice(0, column - 1).join('');
    const [character = ''] = text.slice(before.length);
    return [before.length, before.length + character.length];
}

/** A pattern of Rust's dialect as JavaScript's, where the two can say the same. */
function translate(pattern: string, { fixedString, ignoreCase }: GrepOptions): RegExp | null {
    const inline = /^\(\?([is]+)\)/.exec(fixedString ? '' : pattern);
    const flags = new Set(['g', ...(inline?.[1] ?? ''), ...(ignoreCase ? ['i'] : [])]);
    const source = fixedString
        ? pattern.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
        : pattern.slice(inline?.[0].length ?? 0).replaceAll('(?P<', '(?<');
    for (const unicode of ['u', '']) {
        try {
            return new RegExp(source, [...flags, unicode].join(''));
        } catch {
            // Rust takes escapes such as `\-` that the strict form does not: the lax form is next.
        }
    }
    return null;
}
