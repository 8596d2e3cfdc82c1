/** Reads the reply of a model. Some compatible servers omit parts. */

import { TuckawayError } from '../error.js';

/**
 * Returns a list of objects in the model's reply.
 *
 * @throws TuckawayError of kind `invalid_input` if it is missing, which means that the reply is incomplete
 */
export function listOf<Item extends object>(list: readonly Item[] | undefined, name: string): readonly Item[] {
    if (!Array.isArray(list)) {
        throw incomplete(name, 'an array');
    }
    list.forEach((item, index) => objectOf(item, `${name}[${index}]`));
    return list;
}

/** Like {@link listOf}, for a single object. */
export function objectOf<Item extends object>(item: Item | undefined, name: string): Item {
    if (typeof item !== 'object' || item === null) {
        throw incomplete(name, 'an object');
    }
    return item;
}

function incomplete(name: string, expected: string): TuckawayError {
    const advice = "Pass the model's whole reply as the client returned it; for a stream, the final one.";
    return new TuckawayError('invalid_input', `${name} is not ${expected}. ${advice}`, { arguments: [name] });
}

/** Returns the arguments of a call as text. Some servers omit them, or send the object instead of its JSON. */
export function argumentsText(args: unknown): string {
    return typeof args === 'string' ? args : JSON.stringify(args ?? {});
}
