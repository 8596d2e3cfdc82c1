/** Which parts of a matching line matched. The engine tells where the first match begins; the page marks all. */

import type { GrepOptions, Match } from 'tuckaway';

import { translate, type Expression } from './pattern.js';

type Span = [start: number, end: number];

/** More marks than this in one line help nobody. */
const MAX_SPANS = 200;

/** Some 20 ms a line, at the worst. */
const MAX_STEPS = 1e7;

/** Finds the marks of a query's matches, in their excerpts. */
export function marker(pattern: string, options: GrepOptions): (match: Match) => Span[] {
    if (options.invert) {
        return () => [];
    }
    const expression = translate(pattern, options);
    return (match) => {
        const isCheap = expression !== null && expression.steps(match.text.length) <= MAX_STEPS;
        return isCheap ? all(expression, match.text) : match.clipped ? [] : [firstCharacter(match)];
    };
}

function all({ regex }: Expression, text: string): Span[] {
    const spans: Span[] = [];
    for (const { index, 0: found } of text.matchAll(regex)) {
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
