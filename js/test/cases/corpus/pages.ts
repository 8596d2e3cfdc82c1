/** The pseudo-call `pages`, which follows `next` to the end. */

import { answer, type Answer, type AnyTuckaway } from './call.js';
import { isObject, malformed, type Json, type JsonObject } from './json.js';

const encoder = new TextEncoder();

/** More pages than this mean that the reader makes no progress. */
const MAX_PAGES = 10_000;

/**
 * Returns all pages of `of` (`read`, `grep`, `grep_all` or `jq`) as one answer: the concatenated texts, matches or
 * groups, the number of pages, and the length of the longest.
 */
export async function follow(tuckaway: AnyTuckaway, input: JsonObject): Promise<Answer> {
    const of = typeof input.of === 'string' ? input.of : malformed('pages of what?');
    let asked = input;
    let all: JsonObject | undefined;
    let longest = 0;
    for (let pages = 1; pages <= MAX_PAGES; pages += 1) {
        const reply = await answer(tuckaway, of, asked);
        if ('error' in reply) {
            return reply;
        }
        const { next, ...page } = reply.expect as JsonObject;
        all = all === undefined ? page : join(all, page);
        longest = Math.max(longest, length(page));
        if (typeof next !== 'string') {
            return { expect: { ...all, pages, longest } };
        }
        asked = of === 'read' ? { ...input, range: { cursor: next } } : { ...input, cursor: next };
    }
    throw new Error(`there are more than ${MAX_PAGES} pages`);
}

function join(all: JsonObject, page: JsonObject): JsonObject {
    const joined = { ...all };
    for (const name of ['text', 'failure', 'matches', 'groups', 'skipped']) {
        const [before, more] = [all[name], page[name]];
        if (typeof before === 'string' && typeof more === 'string') {
            joined[name] = before + more;
        } else if (Array.isArray(before) && Array.isArray(more)) {
            joined[name] = [...before, ...more];
        } else if (before === undefined && more !== undefined) {
            joined[name] = more;
        }
    }
    return joined;
}

/** Returns the number of bytes of a page: of its text, or of its matches as lines. */
function length(page: JsonObject): number {
    const lines = (value: Json | undefined): Json[] => (Array.isArray(value) ? value : []);
    const groups = lines(page.groups).filter(isObject).flatMap(({ matches }) => lines(matches));
    const texts = [...lines(page.matches), ...groups].filter(isObject).flatMap(({ text, before, after }) => [
        text as Json, ...lines(before), ...lines(after),
    ]);
    return texts.reduce<number>((sum, line) => sum + bytes(line) + 1, bytes(page.text));
}

function bytes(value: Json | undefined): number {
    return typeof value === 'string' ? encoder.encode(value).length : 0;
}
