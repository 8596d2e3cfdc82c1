/** Converts questions and model replies into the component's form. */

import {
    anything, arrayOf, oneOf, optional, record, size, smallSize, string, variant,
} from '../validate.js';

const checkQuestion = record({
    artifact: string,
    extract: string,
    mode: optional(oneOf('auto', 'full-chunked', 'read-grep', 'truncate')),
    toolArguments: optional(string),
    nonce: optional(string),
});

/** Checks a question. */
export function question(given: unknown) {
    return { mode: 'auto' as const, ...checkQuestion(given, 'question') };
}

const options = record({
    contextTokens: optional(size),
    maxOutputTokens: optional(size),
    maxFullChunks: optional(smallSize),
    longLineBytes: optional(size),
    maxChunks: optional(smallSize),
    overlapPct: optional(smallSize),
    maxParallel: optional(smallSize),
    maxRequests: optional(smallSize),
    maxTokens: optional(size),
    maxTurns: optional(smallSize),
    maxToolCalls: optional(smallSize),
    maxReplyBytes: optional(smallSize),
    maxAnswerBytes: optional(smallSize),
});

/** Checks changes to the defaults. */
export function config(given: unknown) {
    return options(given ?? {}, 'config');
}

const call = record({ id: string, name: string, arguments: string });

const turn = record({ text: string, calls: optional(arrayOf(call)) });

const checkReply = record({
    turn: (value: unknown, name) => ({ calls: [], ...turn(value, name) }),
    stop: optional(oneOf('finished', 'length')),
    inputTokens: optional(size),
    outputTokens: optional(size),
});

/** Checks the answer of a model. */
export function reply(given: unknown, name: string) {
    return { stop: 'finished' as const, ...checkReply(given, name) };
}

const checkEvent = variant({
    reply: ['reply', record({ request: string, reply })],
    failed: ['failed', record({ request: string, why: string })],
    resume: ['resume', anything],
    cancel: ['cancel', anything],
});

/** Checks an event. */
export function event(given: unknown) {
    const checked = checkEvent(given, 'event');
    // These cases have no value.
    return checked.tag === 'resume' || checked.tag === 'cancel' ? { tag: checked.tag } : checked;
}
