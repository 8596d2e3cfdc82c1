/** Opening the store: OPFS where the browser has it and no other tab does, memory otherwise. */

import { MemoryStore, OpfsStore, type Store } from 'tuckaway';

const STORE_NAME = 'tuckaway-playground';

/** A worker that was ended, or a page that was reloaded, may hold its store for a moment. */
const ATTEMPTS = 15;
const PAUSE_MILLISECONDS = 150;

/** The store, and why it is one that forgets if it is. */
export async function openStore(): Promise<{ store: Store; why?: string }> {
    if (typeof navigator.storage?.getDirectory !== 'function') {
        return { store: new MemoryStore(), why: 'This browser has no private file system for pages (OPFS), or not here.' };
    }
    for (let attempt = 1; ; attempt += 1) {
        try {
            return { store: await OpfsStore.open(STORE_NAME) };
        } catch (error) {
            if (attempt === ATTEMPTS) {
                return { store: new MemoryStore(), why: error instanceof Error ? error.message : String(error) };
            }
            await new Promise((resolve) => setTimeout(resolve, PAUSE_MILLISECONDS));
        }
    }
}
