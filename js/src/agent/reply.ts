/** How the reply of a model is read: not every server that is compatible gives all of it. */

import { TuckawayError } from '../error.js';

/**
 * A list of objects that the model's reply has.
 *
 * @throws TuckawayError of kind `invalid-input` if there is none: what was given is no reply, or not all of it
 */
export function listOf<Item extends object>(list: readonly Item[] | undefined, name: string): readonly Item[] {
    if (!Array.isArray(list)) {
        throw incomplete(`${name} is no array`);
    }
    list.forEach((item, index) => objectOf(item, `${name}[${index}]`));
    return list;
}

/** {@link listOf}, of a single object. */
export function objectOf<Item extends object>(item: Item | undefined, name: string): Item {
    if (typeof item !== 'object' || item === null) {
        throw incomplete(`${name} is no object`);
    }
    return item;
}

function incomplete(what: string): TuckawayError {
    const advice = "Give the model's whole reply as the client returned it; of a stream the final one.";
    return new TuckawayError('invalid-input', `${what}. ${advice}`);
}

/** The arguments of a call as text. Some servers send none, or the object instead of its JSON. */
export function argumentsText(args: unknown): string {
    return typeof args === 'string' ? args : JSON.stringify(args ?? {});
}
