/** Converts conversations and settings of callers into the component's form. */

import {
    anything, arrayOf, boolean, number, oneOf, optional, record, size, smallSize, string, variant,
} from '../validate.js';

const role = oneOf('system', 'user', 'assistant', 'tool');

const toolResult = record({ callId: string, text: string, isError: optional(boolean), artifact: optional(string) });

const part = variant({
    text: ['text', string],
    toolCall: ['tool-call', record({ id: string, name: string, arguments: string })],
    toolResult: ['tool-result', (value: unknown, name: string) => ({ isError: false, ...toolResult(value, name) })],
    media: ['media', size],
    opaque: ['opaque', size],
});

const message = record({
    role,
    parts: arrayOf(part),
    tokens: optional(size),
    pinned: optional(boolean),
    inserted: optional(boolean),
    joined: optional(boolean),
});

const tool = record({ name: string, definition: string, tokens: optional(size), pinned: optional(boolean) });

const tokens = record({
    inputTokens: optional(size),
    outputTokens: optional(size),
    cacheCreationTokens: optional(size),
    cacheReadTokens: optional(size),
});

/** Checks the tokens that a provider reported. */
export function tokenUsage(given: unknown, name = 'usage') {
    return { inputTokens: 0n, outputTokens: 0n, cacheCreationTokens: 0n, cacheReadTokens: 0n, ...tokens(given, name) };
}

const messageDefaults = { pinned: false, inserted: false, joined: false };

const checkConversation = record({
    messages: arrayOf((value: unknown, name) => ({ ...messageDefaults, ...message(value, name) })),
    tools: optional(arrayOf((value: unknown, name) => ({ pinned: false, ...tool(value, name) }))),
    usage: optional(record({ tokens: tokenUsage, messages: smallSize })),
});

/** Checks a conversation. The component checks that calls and results belong together. */
export function conversation(given: unknown) {
    return { tools: [], ...checkConversation(given, 'conversation') };
}

/** Checks a context window, if given. */
export function window(given: unknown, name = 'contextWindow'): bigint | undefined {
    return given == null ? undefined : size(given, name);
}

const texts = arrayOf(string);

/** Checks a conversation or a list of texts. Returns all of its texts that may name an artifact. */
export function namingTexts(given: unknown): string[] {
    if (Array.isArray(given)) {
        return texts(given, 'texts');
    }
    return conversation(given).messages.flatMap(({ parts }) => parts).flatMap((part) => {
        switch (part.tag) {
            case 'text':
                return [part.val];
            case 'tool-call':
                return [part.val.arguments];
            case 'tool-result':
                return [part.val.text, ...(part.val.artifact === undefined ? [] : [part.val.artifact])];
            default:
                return [];
        }
    });
}

/** Checks the answers of the model. */
export function answers(given: unknown): string[] {
    return given == null ? [] : texts(given, 'answers');
}

const planState = record({ prefix: optional(string), failures: optional(smallSize) });

/** Checks the state of the last plan. */
export function state(given: unknown) {
    return { failures: 0, ...planState(given ?? {}, 'state') };
}

const promptCache = record({
    remainingTurns: optional(smallSize),
    readPrice: optional(number),
    writePrice: optional(number),
});

const cacheOptions = record({
    enabled: optional(boolean),
    contextBudgetTokens: optional(size),
    maxMessageBytes: optional(size),
    maxLineLength: optional(smallSize),
    targetRatio: optional(number),
    clearAtLeastTokens: optional(size),
    keepLast: optional(smallSize),
    protectedTools: optional(texts),
    promptCache: optional((value: unknown, name) => ({
        remainingTurns: 20,
        readPrice: 0.1,
        writePrice: 1.25,
        ...promptCache(value, name),
    })),
});

/** Checks the settings of the tool output cache. */
export function cache(given: unknown, name = 'config') {
    return cacheOptions(given ?? {}, name);
}

const compactionOptions = record({
    enabled: optional(boolean),
    auto: optional(boolean),
    thresholdRatio: optional(number),
    contextLimit: optional(size),
    model: optional(string),
    summaryContextLimit: optional(size),
    maxSummaryTokens: optional(size),
    summaryPrompt: optional(string),
    summaryDirectives: optional(texts),
    retainPrompt: optional(string),
    retainDirectives: optional(texts),
    retainLastTurns: optional(smallSize),
    maxUserBytes: optional(size),
    maxReferences: optional(smallSize),
});

/** Checks the settings of compaction. */
export function compaction(given: unknown, name = 'config') {
    return compactionOptions(given ?? {}, name);
}

const cap = record({
    maxTokens: size,
    onOverflow: oneOf('reject', 'summarize', 'truncate', 'prune-unused'),
});

const layer = record({
    target: oneOf('system', 'tools', 'history', 'tool-outputs', 'working'),
    strategy: oneOf('truncate-largest', 'sliding-window', 'recursive-summarize'),
    atPct: smallSize,
    toPct: smallSize,
    keepRecentTurns: smallSize,
    evictPct: smallSize,
});

const checkBudget = record({
    totalWindow: size,
    system: cap,
    tools: cap,
    history: cap,
    toolOutputs: cap,
    working: cap,
    headroomTokens: size,
    layers: arrayOf(layer),
    unusedTurns: smallSize,
});

/** Checks a budget. */
export function budget(given: unknown, name = 'config') {
    return checkBudget(given, name);
}

/** Checks the name of a preset. */
export const preset = oneOf('general', 'customer-support', 'code-editing', 'research', 'voice', 'automation');

const manageConfig = record({
    contextWindow: optional(size),
    cache: optional(cache),
    budget: optional(budget),
    compaction: optional(compaction),
});

/** Checks the settings that keep a conversation within its window. */
export function manage(given: unknown, name = 'config') {
    return manageConfig(given ?? {}, name);
}

/** Checks a task. */
export const task = variant({
    account: ['account', anything],
    trim: ['trim', record({ contextWindow: optional(size), config: optional(cache) })],
    compact: ['compact', compaction],
    budget: ['budget', record({ config: budget, compaction: optional(compaction) })],
    manage: ['manage', manage],
});

/** Checks that options have no other members. Values are checked where they are used. */
export function options<const Name extends string>(given: unknown, ...names: Name[]) {
    const members = Object.fromEntries(names.map((name) => [name, optional(anything)]));
    return record(members)(given ?? {}, 'options') as { [Member in Name]?: unknown };
}
