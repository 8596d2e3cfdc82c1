/**
 * Translates patterns of the engine to regular expressions of JavaScript, where both can express them: characters,
 * classes, groups, alternatives, and repetitions except repeated groups. In the engine, words, digits, spaces and case
 * are ASCII-only, and matching does not backtrack.
 */

import type { GrepOptions } from 'tuckaway';

/** An expression that is equivalent to a pattern. */
export interface Expression {
    regex: RegExp;
    /** Returns an upper bound of the steps that find all matches in a text with `length` UTF-16 units. */
    steps(length: number): number;
}

const CHARACTER = String.raw`\\[^\w<>]|\\t|[^\\[\]^&~-]`;
const CLASS_ITEM = String.raw`(\\[dsw])|(${CHARACTER})(?:-(${CHARACTER}))?`;

const PIECE = new RegExp(
    [
        String.raw`(?<open>\((?:\?:|\?P?<\w+>)?)|(?<close>\)\?{0,2})|(?<bar>\|)|(?<edge>[$^]|\\b(?!\{))`,
        String.raw`(?:\[(?<not>\^?)(?<items>-?(?:${CLASS_ITEM})+-?)\]|(?<set>\.|\\[DSWdsw])|`
            + String.raw`(?<character>\\[^\w<>]|\\t|[^$()*+.?[\\^{|]))`
            + String.raw`(?<repeat>(?:[*+?]|\{\d+(?:,\d*)?\})\??)?`,
    ].join('|'),
    'guy',
);

/** Sets that differ between the two dialects. */
const SETS: Record<string, string> = { '.': '[^\\n]', '\\s': '[\\t-\\r ]', '\\S': '[^\\t-\\r ]' };

/** Returns `null` for a pattern that JavaScript interprets differently, or that repeats more than characters. */
export function translate(pattern: string, { fixedString, ignoreCase }: GrepOptions): Expression | null {
    if (fixedString) {
        const characters = Array.from(pattern, (character) => `[${range(character, character, ignoreCase)}]`);
        return expression(characters, (length) => length);
    }
    const isInsensitive = ignoreCase || pattern.startsWith('(?i)');
    const body = pattern.replace(/^\(\?i\)/, '');
    const pieces = [...body.matchAll(PIECE)];
    if (pieces.reduce((end, [piece]) => end + piece.length, 0) < body.length) {
        return null;
    }
    let [depth, repetitions, choices] = [0, 0, 1];
    const sources = pieces.map(({ 0: piece, groups = {} }) => {
        const { open, close, bar, edge, not = '', items, set, character, repeat = '' } = groups;
        depth += open ? 1 : close ? -1 : 0;
        // Top-level alternatives are tried one after the other; each alternative in a group is tried with everything
        // after the group.
        choices *= (bar && depth > 0) || close?.endsWith('?') || repeat.startsWith('?') ? 2 : 1;
        repetitions += repeat === '' || repeat.startsWith('?') ? 0 : 1;
        if (open) {
            return '(?:';
        }
        const source = items ? `[${not}${classItems(items, isInsensitive)}]`
            : set ? SETS[set] ?? set
            : character ? `[${range(character, character, isInsensitive)}]`
            : close ?? bar ?? edge ?? piece;
        return source + repeat;
    });
    return expression(sources, (length) => choices * placements(repetitions + 1, length));
}

function expression(sources: string[], ways: (length: number) => number): Expression | null {
    try {
        return { regex: new RegExp(sources.join(''), 'gu'), steps: (length) => sources.length * ways(length) };
    } catch {
        return null;
    }
}

/** Returns the number of ways to place the start of a match and the ends of its repetitions in a text, in order. */
function placements(positions: number, length: number): number {
    let ways = 1;
    for (let position = 1; position <= positions; position++) {
        ways *= (length + position) / position;
    }
    return ways;
}

function classItems(items: string, ignoreCase: boolean | undefined): string {
    return items.replace(new RegExp(CLASS_ITEM, 'gu'), (_, set?: string, first?: string, last = first) =>
        (set === '\\s' ? '\\t-\\r ' : set ?? range(first!, last!, ignoreCase)));
}

/** Returns the class items for a range of characters, whose ends may be escaped. */
function range(first: string, last: string, ignoreCase: boolean | undefined): string {
    const [from, to] = [codePoint(first), codePoint(last)];
    const ranges = [[from, to]];
    if (ignoreCase) {
        for (const [a, toOther] of [[0x41, 0x20], [0x61, -0x20]] as const) {
            ranges.push([Math.max(from, a) + toOther, Math.min(to, a + 25) + toOther]);
        }
    }
    return ranges
        .filter(([from, to]) => from! <= to!)
        .map((ends) => ends.map((end) => `\\u{${end.toString(16)}}`).join('-'))
        .join('');
}

function codePoint(character: string): number {
    const isEscaped = character.length > 1 && character.startsWith('\\');
    return character === '\\t' ? 9 : character.codePointAt(isEscaped ? 1 : 0)!;
}
