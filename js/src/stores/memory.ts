/** A store in memory. */

import type { Artifact } from '../contract/types.js';
import { StoreError } from '../error.js';
import type { Store } from '../ports.js';
import { Ledger } from './ledger.js';
import { Limits, type StoreOptions } from './limits.js';
import { type Garbage, type Sessions, addGarbage, sessionName } from './sessions.js';

/** Options of a {@link MemoryStore}. */
export type MemoryStoreOptions = StoreOptions;

/** The default quota in bytes, which the Rust host's store uses, too. */
const DEFAULT_QUOTA_BYTES = 2 ** 30;

/** Keeps artifacts in memory: for tests, and for agents whose sessions end with the process or the page. */
export class MemoryStore implements Store, Sessions<MemoryStore> {
    readonly borrowsBytes: boolean = true;
    readonly #ledger: Ledger<Uint8Array>;
    readonly #options: MemoryStoreOptions | undefined;
    readonly #sessions = new Map<string, MemoryStore>();

    /**
     * Creates an empty store of 1 GiB, or of `quotaBytes`. Throws a `TuckawayError` of kind `invalid_input` if an
     * option is invalid.
     */
    constructor(options?: MemoryStoreOptions) {
        this.#ledger = new Ledger(new Limits(options, {}, DEFAULT_QUOTA_BYTES));
        this.#options = options === undefined ? undefined : { ...options };
    }

    create(tool: string, mediaType: string): string {
        return this.#ledger.create(tool, mediaType);
    }

    append(id: string, bytes: Uint8Array): void {
        // Copied by the constructor: `slice` of a Buffer would return a view.
        this.#ledger.append(id, bytes.length, () => new Uint8Array(bytes));
    }

    seal(id: string, lineCount: number): Artifact {
        return this.#ledger.seal(id, lineCount);
    }

    stat(id: string): Artifact {
        return { ...this.#ledger.visible(id).artifact };
    }

    read(id: string, offset: number, length: number): Uint8Array {
        return this.#ledger.read(id, offset, length, (into, chunk, from) => {
            into.set(chunk.subarray(from, from + into.length));
        });
    }

    listArtifacts(): Artifact[] {
        return this.#ledger.listArtifacts();
    }

    delete(id: string): void {
        this.#ledger.remove(id);
    }

    session(name: string): MemoryStore {
        const checked = sessionName(name);
        let session = this.#sessions.get(checked);
        if (session === undefined) {
            session = new MemoryStore(this.#options);
            this.#sessions.set(checked, session);
        }
        return session;
    }

    sessions(): string[] {
        return [...this.#sessions].filter(([, session]) => !session.#isEmpty).map(([name]) => name).sort();
    }

    removeSession(name: string): void {
        const session = this.#sessions.get(sessionName(name));
        if (session === undefined || session.#isEmpty) {
            throw new StoreError('not_found');
        }
        session.#clear();
    }

    collectGarbage(): Garbage {
        const done = this.#ledger.collectGarbage();
        for (const session of this.#sessions.values()) {
            addGarbage(done, session.collectGarbage());
        }
        return done;
    }

    get #isEmpty(): boolean {
        return this.#ledger.isEmpty && [...this.#sessions.values()].every((session) => session.#isEmpty);
    }

    /** Empties the store, including for callers that still hold it. */
    #clear(): void {
        this.#ledger.clear();
        for (const session of this.#sessions.values()) {
            session.#clear();
        }
    }
}
