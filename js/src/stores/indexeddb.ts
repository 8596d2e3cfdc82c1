/** A store in IndexedDB, for pages and workers. */

import { StoreError, TuckawayError } from '../error.js';
import type { Artifact, AsyncStore } from '../ports.js';
import { storageFailure } from './dom-error.js';
import { Limits, type StoreOptions, storeName } from './limits.js';
import { mint } from './mint.js';

/** What an {@link IndexedDbStore} takes. */
export type IndexedDbStoreOptions = StoreOptions;

/** What is kept of an artifact, beside its chunks. */
interface Row extends Artifact {
    /** `expired` once its chunks are gone for its age. */
    state: 'open' | 'sealed' | 'expired';
    /** Its place in the order of sealing; none unless it is sealed, so that the index of it lists the sealed. */
    order?: number;
    /** When it was last written to, in Unix seconds. */
    touchedAt: number;
}

/** The two object stores within one transaction. */
interface Tables {
    /** {@link Row} by `id`, with an index of `order`. */
    artifacts: IDBObjectStore;
    /** `Uint8Array` by `[id, offset]`. */
    chunks: IDBObjectStore;
}

/**
 * Keeps artifacts in IndexedDB, for `tuckaway/async`. It outlives the page, and several tabs and workers may use
 * it at once: every method is one transaction. What a closed tab left unsealed is removed after a day. Those that
 * write at the same time all count against one quota.
 */
export class IndexedDbStore implements AsyncStore {
    readonly #database: IDBDatabase;
    readonly #limits: Limits;
    /** Artifacts of which an append failed, so that only `delete` is left. Nothing is kept of them. */
    readonly #broken = new Set<string>();

    private constructor(database: IDBDatabase, limits: Limits) {
        this.#database = database;
        this.#limits = limits;
        // Somebody removes the store: whoever has it open must let go.
        database.onversionchange = () => database.close();
    }

    /**
     * Opens the store of a name, 1 to 64 letters, digits, `_` or `-`, and makes it if it is not there. Throws a
     * `TuckawayError` of kind `invalid-input` for a bad name or option, of kind `unsupported` where there is no
     * IndexedDB, and a `StoreError` where the browser refuses.
     */
    static async open(name: string, options?: IndexedDbStoreOptions): Promise<IndexedDbStore> {
        const limits = new Limits(options);
        try {
            const opening = factory().open(databaseName(name), 1);
            opening.onupgradeneeded = () => {
                opening.result.createObjectStore('artifacts', { keyPath: 'id' }).createIndex('order', 'order');
                opening.result.createObjectStore('chunks');
            };
            return new IndexedDbStore(await answerOf(opening), limits);
        } catch (error) {
            throw error instanceof TuckawayError ? error : storageFailure('opening the store', error);
        }
    }

    /** Removes the store of a name and all that is in it. Where it is open, it is closed. */
    static async remove(name: string): Promise<void> {
        try {
            await answerOf(factory().deleteDatabase(databaseName(name)));
        } catch (error) {
            throw error instanceof TuckawayError ? error : storageFailure('removing the store', error);
        }
    }

    async create(tool: string, mediaType: string): Promise<string> {
        if (this.#limits.sweepIsDue()) {
            await this.#write('cleaning up', (tables) => this.#sweep(tables));
        }
        return this.#write('beginning', async ({ artifacts }) => {
            let id = mint(tool);
            while ((await answerOf(artifacts.getKey(id))) !== undefined) {
                id = mint(tool);
            }
            const names = { tool: tool.toWellFormed(), mediaType: mediaType.toWellFormed() };
            const known = { id, ...names, sizeBytes: 0, lineCount: 0, createdAt: 0 };
            await answerOf(artifacts.add({ ...known, state: 'open', touchedAt: this.#limits.now() } satisfies Row));
            return id;
        });
    }

    async append(id: string, bytes: Uint8Array): Promise<void> {
        let isThere = false;
        try {
            await this.#write('writing', async ({ artifacts, chunks }) => {
                const row = await this.#unsealed(artifacts, id);
                isThere = true;
                if (bytes.length === 0) {
                    return;
                }
                if ((await this.#used(artifacts)) + bytes.length > this.#limits.quotaBytes) {
                    throw new StoreError('quota-exceeded');
                }
                // A copy, as of a view the whole buffer would be stored.
                await answerOf(chunks.add(new Uint8Array(bytes), [id, row.sizeBytes]));
                row.sizeBytes += bytes.length;
                row.touchedAt = this.#limits.now();
                await answerOf(artifacts.put(row));
            });
        } catch (error) {
            if (isThere) {
                this.#broken.add(id);
                await this.#discard(id);
            }
            throw error;
        }
    }

    async seal(id: string, lineCount: number): Promise<Artifact> {
        let isThere = false;
        try {
            return await this.#write('sealing', async ({ artifacts }) => {
                const row = await this.#unsealed(artifacts, id);
                isThere = true;
                const last = await answerOf(artifacts.index('order').openKeyCursor(null, 'prev'));
                row.state = 'sealed';
                row.order = last === null ? 0 : (last.key as number) + 1;
                row.lineCount = lineCount;
                row.createdAt = this.#limits.now();
                await answerOf(artifacts.put(row));
                return artifactOf(row);
            }, 'strict');
        } catch (error) {
            this.#broken.delete(id);
            if (isThere) {
                await this.#discard(id);
            }
            throw error;
        }
    }

    async stat(id: string): Promise<Artifact> {
        return this.#run('readonly', 'looking', async (tables) => artifactOf(await this.#visible(tables, id)));
    }

    async read(id: string, offset: number, length: number): Promise<Uint8Array> {
        return this.#run('readonly', 'reading', async (tables) => {
            const { sizeBytes } = await this.#visible(tables, id);
            const end = Math.min(offset + length, sizeBytes);
            if (end <= offset) {
                return new Uint8Array(0);
            }
            const upTo = IDBKeyRange.bound([id], [id, offset]);
            const first = await answerOf(tables.chunks.openKeyCursor(upTo, 'prev'));
            if (first === null) {
                throw damaged();
            }
            let [, at] = first.key as [string, number];
            const wanted = IDBKeyRange.bound(first.key, [id, end], false, true);
            const bytes = new Uint8Array(end - offset);
            for (const chunk of (await answerOf(tables.chunks.getAll(wanted))) as Uint8Array[]) {
                const from = Math.max(offset - at, 0);
                bytes.set(chunk.subarray(from, end - at), at + from - offset);
                at += chunk.length;
            }
            if (at < end) {
                throw damaged();
            }
            return bytes;
        });
    }

    async list(): Promise<Artifact[]> {
        return this.#run('readonly', 'listing', async ({ artifacts }) => {
            const rows = (await answerOf(artifacts.index('order').getAll())) as Row[];
            return rows.filter(({ createdAt }) => !this.#limits.hasExpired(createdAt)).map(artifactOf);
        });
    }

    async delete(id: string): Promise<void> {
        await this.#write('deleting', async (tables) => {
            if (!this.#broken.delete(id) && (await answerOf(tables.artifacts.getKey(id))) === undefined) {
                throw new StoreError('not-found');
            }
            await removeAll(tables, id);
        });
    }

    /** Lets go of the database. After that, every method fails. */
    close(): void {
        this.#database.close();
    }

    /** A row that a reader may see. */
    async #visible({ artifacts }: Tables, id: string): Promise<Row> {
        const row = await rowOf(artifacts, id);
        if (row === undefined || row.state === 'open') {
            throw new StoreError('not-found');
        }
        if (row.state === 'expired' || this.#limits.hasExpired(row.createdAt)) {
            throw new StoreError('expired');
        }
        return row;
    }

    /** Bytes that count against the quota. */
    async #used(artifacts: IDBObjectStore): Promise<number> {
        if (this.#limits.quotaBytes === Infinity) {
            return 0;
        }
        const rows = (await answerOf(artifacts.getAll())) as Row[];
        return rows
            .filter(({ state, createdAt }) => state === 'open' || !this.#limits.hasExpired(createdAt))
            .reduce((sum, { sizeBytes, state }) => sum + (state === 'expired' ? 0 : sizeBytes), 0);
    }

    /** A row that is not sealed yet. */
    async #unsealed(artifacts: IDBObjectStore, id: string): Promise<Row> {
        if (this.#broken.has(id)) {
            throw new StoreError('other', 'an earlier write to it failed');
        }
        const row = await rowOf(artifacts, id);
        if (row === undefined) {
            throw new StoreError('not-found');
        }
        if (row.state !== 'open') {
            throw new StoreError('other', 'it is sealed already');
        }
        return row;
    }

    /** Gives back the space of what failed. If this fails too, it is done a day later. */
    async #discard(id: string): Promise<void> {
        await this.#write('giving up', (tables) => removeAll(tables, id)).catch(() => {});
    }

    /** Removes what crashed writers have left and what has expired. */
    async #sweep(tables: Tables): Promise<void> {
        for (const row of (await answerOf(tables.artifacts.getAll())) as Row[]) {
            const isLeft = row.state === 'open' && this.#limits.isAbandoned(row.touchedAt);
            if (isLeft || (row.state === 'expired' && this.#limits.mayForget(row.createdAt))) {
                await removeAll(tables, row.id);
            } else if (row.state === 'sealed' && this.#limits.hasExpired(row.createdAt)) {
                await answerOf(tables.chunks.delete(chunksOf(row.id)));
                const { order: _, ...rest } = row;
                await answerOf(tables.artifacts.put({ ...rest, state: 'expired' } satisfies Row));
            }
        }
    }

    #write<T>(
        doing: string,
        action: (tables: Tables) => Promise<T>,
        durability?: IDBTransactionDurability,
    ): Promise<T> {
        return this.#run('readwrite', doing, action, durability);
    }

    /** Runs an action in a transaction, which is undone if the action throws. It awaits nothing but requests. */
    async #run<T>(
        mode: IDBTransactionMode,
        doing: string,
        action: (tables: Tables) => Promise<T>,
        durability: IDBTransactionDurability = 'relaxed',
    ): Promise<T> {
        try {
            const transaction = this.#database.transaction(['artifacts', 'chunks'], mode, { durability });
            const ended = endOf(transaction);
            let answer: T;
            try {
                answer = await action({
                    artifacts: transaction.objectStore('artifacts'),
                    chunks: transaction.objectStore('chunks'),
                });
            } catch (error) {
                ended.catch(() => {});
                abort(transaction);
                throw error;
            }
            await ended;
            return answer;
        } catch (error) {
            throw storageFailure(doing, error);
        }
    }
}

function factory(): IDBFactory {
    if (globalThis.indexedDB === undefined) {
        throw new TuckawayError('unsupported', 'There is no IndexedDB here: browsers have it. Use another store.');
    }
    return indexedDB;
}

function databaseName(name: string): string {
    return `tuckaway-${storeName(name)}`;
}

async function rowOf(artifacts: IDBObjectStore, id: string): Promise<Row | undefined> {
    return (await answerOf(artifacts.get(id))) as Row | undefined;
}

async function removeAll({ artifacts, chunks }: Tables, id: string): Promise<void> {
    await answerOf(chunks.delete(chunksOf(id)));
    await answerOf(artifacts.delete(id));
}

/** The keys of an artifact's chunks: an array sorts after every number. */
function chunksOf(id: string): IDBKeyRange {
    return IDBKeyRange.bound([id], [id, []]);
}

function artifactOf({ id, tool, mediaType, sizeBytes, lineCount, createdAt }: Row): Artifact {
    return { id, tool, mediaType, sizeBytes, lineCount, createdAt };
}

function damaged(): StoreError {
    return new StoreError('other', 'its content is damaged');
}

function answerOf<T>(request: IDBRequest<T>): Promise<T> {
    return new Promise((answered, failed) => {
        request.onsuccess = () => answered(request.result);
        request.onerror = () => failed(request.error);
    });
}

/** When a transaction has lasted; fails with what undid it. */
function endOf(transaction: IDBTransaction): Promise<void> {
    return new Promise((ended, failed) => {
        transaction.oncomplete = () => ended();
        transaction.onabort = () => failed(transaction.error ?? new Error('the browser gave it up'));
    });
}

function abort(transaction: IDBTransaction): void {
    try {
        transaction.abort();
    } catch {
        // A request of it failed, which has aborted it.
    }
}
