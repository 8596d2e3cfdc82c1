/** Assertions for any environment and any test runner. */

import { type StoreError, type StoreErrorCode, type TuckawayError, isStoreError } from '../error.js';
import { isBytes } from '../validate.js';

/** Fails with a message unless a condition holds. */
export function ok(condition: unknown, message: string): asserts condition {
    if (!condition) {
        throw new Error(message);
    }
}

/** Fails unless two values are equal; they consist of JSON, `undefined` and byte arrays. */
export function same(actual: unknown, expected: unknown, what = 'value'): void {
    if (isBytes(actual) && isBytes(expected) && isSame(actual, expected)) {
        return;
    }
    const [found, wanted] = [show(actual), show(expected)];
    ok(found === wanted, `${what}:\n  found    ${clip(found)}\n  expected ${clip(wanted)}`);
}

/** Fails unless an action throws or rejects with a `StoreError` of one of these codes. Returns its message. */
export async function fails(action: () => unknown, ...codes: StoreErrorCode[]): Promise<string> {
    return (await thrown(action, ...codes)).message;
}

/** Like {@link fails}, but returns the error. */
export async function thrown(action: () => unknown, ...codes: StoreErrorCode[]): Promise<StoreError> {
    let answer: unknown;
    try {
        answer = await action();
    } catch (error) {
        const stack = error instanceof Error ? error.stack : String(error);
        ok(isStoreError(error), `threw something other than a StoreError: ${stack}`);
        ok(codes.includes(error.code), `threw ${error.code} (${error.message}), expected ${codes.join(' or ')}`);
        return error;
    }
    throw new Error(`returned ${clip(show(answer))}, expected an error: ${codes.join(' or ')}`);
}

/** Fails unless an action throws or rejects with a `TuckawayError` of the kind `invalid_input`. */
export async function refuses(action: () => unknown): Promise<void> {
    try {
        await action();
    } catch (error) {
        const { name, kind } = error as TuckawayError;
        same([name, kind], ['TuckawayError', 'invalid_input'], String(error));
        return;
    }
    throw new Error('returned, expected an error of kind invalid_input');
}

/** Returns whether two arrays, which may be long, have the same bytes. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
    return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** Returns a value as text; equal values have the same text. */
export function show(value: unknown): string {
    return JSON.stringify(value, (_key, each: unknown) => {
        if (isBytes(each)) {
            return `bytes ${Array.from(each, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
        }
        if (typeof each === 'object' && each !== null && !Array.isArray(each)) {
            return Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)));
        }
        return each;
    }) ?? 'undefined';
}

function clip(text: string): string {
    return text.length <= 1000 ? text : `${text.slice(0, 1000)}… (${text.length} characters)`;
}
