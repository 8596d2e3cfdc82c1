/** Opens the store: in OPFS if the browser has it and no other tab uses it, otherwise in memory. */

import { MemoryStore, OpfsStore, type Store } from 'tuckaway';

/** Returns the store and, if it is in memory, the reason. */
export async function openStore(): Promise<{ store: Store; why?: string }> {
    if (navigator.storage?.getDirectory === undefined) {
        const why = 'this browser offers no private file system at this address';
        return { store: new MemoryStore(), why };
    }
    try {
        return { store: await OpfsStore.open('playground') };
    } catch (error) {
        return { store: new MemoryStore(), why: error instanceof Error ? error.message : String(error) };
    }
}
