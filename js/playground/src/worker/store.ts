/** Opening the store: OPFS where the browser has it and no other tab does, memory otherwise. */

import { MemoryStore, OpfsStore, type Store } from 'tuckaway';

/** The store, and why it is one that forgets if it is. */
export async function openStore(): Promise<{ store: Store; why?: string }> {
    if (navigator.storage?.getDirectory === undefined) {
        const why = 'this browser has no private file system for pages, or not at this address';
        return { store: new MemoryStore(), why };
    }
    try {
        return { store: await OpfsStore.open('playground') };
    } catch (error) {
        return { store: new MemoryStore(), why: error instanceof Error ? error.message : String(error) };
    }
}
