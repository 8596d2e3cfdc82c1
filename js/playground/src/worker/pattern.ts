/**
 * Patterns of the engine as regular expressions of JavaScript, as far as the two can say the same: characters,
 * classes, groups, alternatives, and repetitions, but none of groups. The engine knows the words, digits, spaces
 * and cases of ASCII alone, and it does not backtrack.
 */

import type { GrepOptions } from 'tuckaway';

/** Says the same as the pattern that it was made of. */
export interface Expression {
    regex: RegExp;
    /** At most so many steps find all matches in a text of so many UTF-16 units, however they backtrack. */
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

/** What is not the same in both. */
const SETS: Record<string, string> = { '.': '[^\\n]', '\\s': '[\\t-\\r ]', '\\S': '[^\\t-\\r ]' };

/** `null` for a pattern that JavaScript does not read as the engine does, or that repeats more than characters. */
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
        // Whole alternatives are tried one after the other; those of groups, with all that follows.
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
    return expression(sources, (length) => choices * placings(repetitions + 1, length));
}

function expression(sources: string[], ways: (length: number) => number): Expression | null {
    try {
        return { regex: new RegExp(sources.join(''), 'gu'), steps: (length) => sources.length * ways(length) };
    } catch {
        return null;
    }
}

/** In how many ways a match can begin at one place of a text and its repetitions end at others, in their order. */
function placings(places: number, length: number): number {
    let ways = 1;
    for (let place = 1; place <= places; place++) {
        ways *= (length + place) / place;
    }
    return ways;
}

function classItems(items: string, ignoreCase: boolean | undefined): string {
    return items.replace(new RegExp(CLASS_ITEM, 'gu'), (_, set?: string, first?: string, last = first) =>
        (set === '\\s' ? '\\t-\\r ' : set ?? range(first!, last!, ignoreCase)));
}

/** What stands in a class for the characters from one to another, which may be escaped. */
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
