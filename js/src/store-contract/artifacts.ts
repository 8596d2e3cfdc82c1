/** How the contract's tests store artifacts. */

import type { AsyncStore } from '../ports.js';

/** Stores bytes as the component does. */
export async function put(store: AsyncStore, tool: string, bytes: Uint8Array): Promise<string> {
    const id = await store.create(tool, 'text/plain');
    for (let from = 0; from < bytes.length; from += 1000) {
        await store.append(id, bytes.subarray(from, from + 1000));
    }
    await store.seal(id, 1);
    return id;
}

/** Returns a text in UTF-8. */
export function utf8(text: string): Uint8Array {
    return new TextEncoder().encode(text);
}

/** Returns pseudo-random bytes, the same ones on each call. */
export function noise(length: number): Uint8Array {
    return Uint8Array.from({ length }, (_, n) => Math.imul(n + length, 2_654_435_761) >>> 13);
}

/** Returns the ids of the artifacts that a store lists. */
export async function ids(store: AsyncStore): Promise<string[]> {
    return (await store.listArtifacts()).map(({ id }) => id);
}
