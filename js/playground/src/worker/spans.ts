/** The parts of a line that matched. The engine reports where the first match begins; the page marks all. */

import type { GrepOptions, Match } from 'tuckaway';

import { translate, type Expression } from './pattern.js';

type Span = [start: number, end: number];

/** More marks than this in one line are not useful. */
const MAX_SPANS = 200;

/** About 20 ms per line in the worst case. */
const MAX_STEPS = 1e7;

/** Returns a function that finds the spans to mark in a match. */
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

/** Marks the position that the engine reported, for a pattern that JavaScript cannot express. */
function firstCharacter({ text, column }: Match): Span {
    const before = Array.from(text).slice(0, column - 1).join('');
    const [character = ''] = text.slice(before.length);
    return [before.length, before.length + character.length];
}
