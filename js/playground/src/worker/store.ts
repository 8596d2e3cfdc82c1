/** Opens the store: in OPFS if the browser has it and no other tab uses it, otherwise in memory. */

import { MemoryStore, OpfsStore, type Store } from 'tuckaway';

/** Returns the store, and why it is in memory if it is. */
export async function openStore(): Promise<{ store: Store; why?: string }> {
    if (navigator.storage?.getDirectory === undefined) {
        const why = 'this browser has no private file system, or does not offer it at this address';
        return { store: new MemoryStore(), why };
    }
    try {
        return { store: await OpfsStore.open('playground') };
    } catch (error) {
        return { store: new MemoryStore(), why: error instanceof Error ? error.message : String(error) };
    }
}
