/** Converts conversations and settings of callers into the component's form. */

import {
    budgetConfig, cacheConfig, compactionConfig, conversation as checkConversation, pairConfig, planState,
} from '../contract/checks.js';
import { anything, arrayOf, optional, record, size, string, variant } from '../validate.js';

/** Checks a conversation. The component checks that calls and results belong together. */
export function conversation(given: unknown) {
    return checkConversation(given, 'conversation');
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

/** Checks the state of the last plan. */
export function state(given: unknown) {
    return planState(given ?? {}, 'state');
}

/** Checks the settings of the tool output cache. */
export function cache(given: unknown, name = 'config') {
    return cacheConfig(given ?? {}, name);
}

/** Checks the settings of compaction. */
export function compaction(given: unknown, name = 'config') {
    return compactionConfig(given ?? {}, name);
}

/** Checks a budget. */
export function budget(given: unknown, name = 'config') {
    return budgetConfig(given, name);
}

const manageConfig = record({
    contextWindow: optional(size),
    cache: optional(cache),
    budget: optional(budget),
    compaction: optional(compaction),
    refusal: optional(string),
    pairs: optional(pairConfig),
});

/** Checks the settings that keep a conversation within its window. */
export function manage(given: unknown, name = 'config') {
    return manageConfig(given ?? {}, name);
}

/** Checks a task. */
export const task = variant({
    account: ['account'],
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
