/** A store in IndexedDB, for pages and workers. */

import type { Artifact } from '../contract/types.js';
import { StoreError, TuckawayError } from '../error.js';
import type { AsyncStore } from '../ports.js';
import { storageFailure } from './dom-error.js';
import { Limits, type StoreOptions, expired, storeName, storeNames } from './limits.js';
import { mint } from './mint.js';
import { type Garbage, noGarbage } from './sessions.js';

/** Options of an {@link IndexedDbStore}. */
export type IndexedDbStoreOptions = StoreOptions;

/** The metadata of an artifact, stored apart from its chunks. */
interface Row extends Artifact {
    /** `expired` after its chunks were removed because of its age. */
    state: 'open' | 'sealed' | 'expired';
    /** The position in the order of sealing. Only sealed artifacts have one, so that its index lists only these. */
    order?: number;
    /** When it was last written to, in Unix seconds. */
    touchedAt: number;
    /** When it expired, in Unix seconds; set when its chunks are removed. */
    expiredAt?: number;
}

/** The two object stores within one transaction. */
interface Tables {
    /** {@link Row} by `id`, with an index of `order`. */
    artifacts: IDBObjectStore;
    /** `Uint8Array` by `[id, offset]`. */
    chunks: IDBObjectStore;
}

/**
 * Keeps artifacts in IndexedDB, for `tuckaway/async`. The store outlives the page. Several tabs and workers may use it
 * at the same time: every method is one transaction. Artifacts that a closed tab left unsealed are removed after a day.
 * Concurrent writers share one quota.
 */
export class IndexedDbStore implements AsyncStore {
    readonly #database: IDBDatabase;
    readonly #limits: Limits;
    /** Artifacts with a failed append, which allow only `delete`. Their bytes are removed. */
    readonly #broken = new Set<string>();

    private constructor(database: IDBDatabase, limits: Limits) {
        this.#database = database;
        this.#limits = limits;
        // The store is being removed, which requires that every connection is closed.
        database.onversionchange = () => database.close();
    }

    /**
     * Opens the store with this name, 1 to 64 letters, digits, `_` or `-`, and creates it if it is missing. Throws a
     * `TuckawayError` of kind `invalid_input` for an invalid name or option, of kind `unsupported` if there is no
     * IndexedDB, and a `StoreError` if the browser refuses.
     */
    static async open(name: string, options?: IndexedDbStoreOptions): Promise<IndexedDbStore> {
        const limits = new Limits(options);
        try {
            const opening = factory().open(databaseName(name), 1);
            opening.onupgradeneeded = () => {
                opening.result.createObjectStore('artifacts', { keyPath: 'id' }).createIndex('order', 'order');
                opening.result.createObjectStore('chunks');
            };
            return new IndexedDbStore(await resultOf(opening), limits);
        } catch (error) {
            throw error instanceof TuckawayError ? error : storageFailure('opening the store', error);
        }
    }

    /** Returns the names of the stores of this origin, sorted. Each is a separate session. */
    static async names(): Promise<string[]> {
        try {
            return storeNames((await factory().databases()).flatMap(({ name }) => name ?? []));
        } catch (error) {
            throw error instanceof TuckawayError ? error : storageFailure('listing the stores', error);
        }
    }

    /** Removes the store with this name and everything in it. If it is open, it is closed. */
    static async remove(name: string): Promise<void> {
        try {
            await resultOf(factory().deleteDatabase(databaseName(name)));
        } catch (error) {
            throw error instanceof TuckawayError ? error : storageFailure('removing the store', error);
        }
    }

    async create(tool: string, mediaType: string): Promise<string> {
        if (this.#limits.sweepIsDue()) {
            await this.#write('cleaning up', (tables) => this.#sweep(tables));
        }
        return this.#write('creating', async ({ artifacts }) => {
            let id = mint(tool);
            while ((await resultOf(artifacts.getKey(id))) !== undefined) {
                id = mint(tool);
            }
            const names = { tool: tool.toWellFormed(), mediaType: mediaType.toWellFormed() };
            const known = { id, ...names, sizeBytes: 0, lineCount: 0, createdAt: 0 };
            await resultOf(artifacts.add({ ...known, state: 'open', touchedAt: this.#limits.now() } satisfies Row));
            return id;
        });
    }

    async append(id: string, bytes: Uint8Array): Promise<void> {
        let isUnsealed = false;
        try {
            await this.#write('writing', async ({ artifacts, chunks }) => {
                const row = await this.#unsealed(artifacts, id);
                isUnsealed = true;
                if (bytes.length === 0) {
                    return;
                }
                if ((await this.#used(artifacts)) + bytes.length > this.#limits.quotaBytes) {
                    throw new StoreError('quota_exceeded');
                }
                // A copy: if a view were stored, its whole buffer would be.
                await resultOf(chunks.add(new Uint8Array(bytes), [id, row.sizeBytes]));
                row.sizeBytes += bytes.length;
                row.touchedAt = this.#limits.now();
                await resultOf(artifacts.put(row));
            });
        } catch (error) {
            if (isUnsealed) {
                this.#broken.add(id);
                await this.#discard(id);
            }
            throw error;
        }
    }

    async seal(id: string, lineCount: number): Promise<Artifact> {
        let isUnsealed = false;
        try {
            return await this.#write('sealing', async ({ artifacts }) => {
                const row = await this.#unsealed(artifacts, id);
                isUnsealed = true;
                const last = await resultOf(artifacts.index('order').openKeyCursor(null, 'prev'));
                row.state = 'sealed';
                row.order = last === null ? 0 : (last.key as number) + 1;
                row.lineCount = lineCount;
                row.createdAt = this.#limits.now();
                await resultOf(artifacts.put(row));
                return artifactOf(row);
            }, 'strict');
        } catch (error) {
            this.#broken.delete(id);
            if (isUnsealed) {
                await this.#discard(id);
            }
            throw error;
        }
    }

    async stat(id: string): Promise<Artifact> {
        return this.#run('readonly', 'inspecting', async (tables) => artifactOf(await this.#visible(tables, id)));
    }

    async read(id: string, offset: number, length: number): Promise<Uint8Array> {
        return this.#run('readonly', 'reading', async (tables) => {
            const { sizeBytes } = await this.#visible(tables, id);
            const end = Math.min(offset + length, sizeBytes);
            if (end <= offset) {
                return new Uint8Array(0);
            }
            const upTo = IDBKeyRange.bound([id], [id, offset]);
            const first = await resultOf(tables.chunks.openKeyCursor(upTo, 'prev'));
            if (first === null) {
                throw damaged();
            }
            let [, at] = first.key as [string, number];
            const wanted = IDBKeyRange.bound(first.key, [id, end], false, true);
            const bytes = new Uint8Array(end - offset);
            for (const chunk of (await resultOf(tables.chunks.getAll(wanted))) as Uint8Array[]) {
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

    async listArtifacts(): Promise<Artifact[]> {
        return this.#run('readonly', 'listing', async ({ artifacts }) => {
            const rows = (await resultOf(artifacts.index('order').getAll())) as Row[];
            return rows.filter(({ createdAt }) => !this.#limits.hasExpired(createdAt)).map(artifactOf);
        });
    }

    async delete(id: string): Promise<void> {
        await this.#write('deleting', async (tables) => {
            if (!this.#broken.delete(id) && (await resultOf(tables.artifacts.getKey(id))) === undefined) {
                throw new StoreError('not_found');
            }
            await removeAll(tables, id);
        });
    }

    /**
     * Removes expired artifacts, artifacts that closed tabs left unsealed a day ago, and the oldest artifacts if the
     * rest exceeds the quota.
     */
    async collectGarbage(): Promise<Garbage> {
        return this.#write('cleaning up', async (tables) => {
            const done = await this.#sweep(tables);
            let used = await this.#used(tables.artifacts);
            for (const row of (await resultOf(tables.artifacts.index('order').getAll())) as Row[]) {
                if (used <= this.#limits.quotaBytes) {
                    break;
                }
                used -= row.sizeBytes;
                await expire(tables, row, this.#limits.now(), done);
            }
            return done;
        });
    }

    /** Closes the database. Every later call fails. */
    close(): void {
        this.#database.close();
    }

    /** Returns a row that is visible to readers. */
    async #visible({ artifacts }: Tables, id: string): Promise<Row> {
        const row = await rowOf(artifacts, id);
        if (row === undefined || row.state === 'open') {
            throw new StoreError('not_found');
        }
        if (row.state === 'expired') {
            throw expired(row, row.expiredAt ?? Infinity);
        }
        if (this.#limits.hasExpired(row.createdAt)) {
            throw expired(row, this.#limits.expiresAt(row.createdAt));
        }
        return row;
    }

    /** Returns the number of bytes that count against the quota. */
    async #used(artifacts: IDBObjectStore): Promise<number> {
        if (this.#limits.quotaBytes === Infinity) {
            return 0;
        }
        const rows = (await resultOf(artifacts.getAll())) as Row[];
        return rows
            .filter(({ state, createdAt }) => state === 'open' || !this.#limits.hasExpired(createdAt))
            .reduce((sum, { sizeBytes, state }) => sum + (state === 'expired' ? 0 : sizeBytes), 0);
    }

    /** Returns a row that is not sealed yet. */
    async #unsealed(artifacts: IDBObjectStore, id: string): Promise<Row> {
        if (this.#broken.has(id)) {
            throw new StoreError('other', 'an earlier write to the artifact failed');
        }
        const row = await rowOf(artifacts, id);
        if (row === undefined) {
            throw new StoreError('not_found');
        }
        if (row.state !== 'open') {
            throw new StoreError('other', 'the artifact is already sealed');
        }
        return row;
    }

    /** Frees the space of a failed artifact. If this fails too, the sweep frees it a day later. */
    async #discard(id: string): Promise<void> {
        await this.#write('discarding', (tables) => removeAll(tables, id)).catch(() => {});
    }

    /** Removes expired artifacts and artifacts left behind by crashed writers. */
    async #sweep(tables: Tables): Promise<Garbage> {
        const done = noGarbage();
        for (const row of (await resultOf(tables.artifacts.getAll())) as Row[]) {
            if (row.state === 'open' && this.#limits.isAbandoned(row.touchedAt)) {
                await removeAll(tables, row.id);
                done.abandoned += 1;
                done.freedBytes += row.sizeBytes;
            } else if (row.state === 'expired' && this.#limits.mayForget(Math.max(row.createdAt, row.expiredAt ?? 0))) {
                await removeAll(tables, row.id);
                done.forgotten += 1;
            } else if (row.state === 'sealed' && this.#limits.hasExpired(row.createdAt)) {
                await expire(tables, row, this.#limits.expiresAt(row.createdAt), done);
            }
        }
        return done;
    }

    #write<T>(
        operation: string,
        action: (tables: Tables) => Promise<T>,
        durability?: IDBTransactionDurability,
    ): Promise<T> {
        return this.#run('readwrite', operation, action, durability);
    }

    /**
     * Runs an action in a transaction, which is rolled back if the action throws. The action must await only requests.
     */
    async #run<T>(
        mode: IDBTransactionMode,
        operation: string,
        action: (tables: Tables) => Promise<T>,
        durability: IDBTransactionDurability = 'relaxed',
    ): Promise<T> {
        try {
            const transaction = this.#database.transaction(['artifacts', 'chunks'], mode, { durability });
            const ended = completionOf(transaction);
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
            throw storageFailure(operation, error);
        }
    }
}

function factory(): IDBFactory {
    if (globalThis.indexedDB === undefined) {
        throw new TuckawayError('unsupported', 'IndexedDB is available only in browsers. Use another store.');
    }
    return indexedDB;
}

function databaseName(name: string): string {
    return `tuckaway-${storeName(name)}`;
}

async function rowOf(artifacts: IDBObjectStore, id: string): Promise<Row | undefined> {
    return (await resultOf(artifacts.get(id))) as Row | undefined;
}

async function removeAll({ artifacts, chunks }: Tables, id: string): Promise<void> {
    await resultOf(chunks.delete(chunksOf(id)));
    await resultOf(artifacts.delete(id));
}

/** Removes the bytes of a sealed artifact. Its row records for a while that it has expired. */
async function expire({ artifacts, chunks }: Tables, row: Row, expiredAt: number, done: Garbage): Promise<void> {
    await resultOf(chunks.delete(chunksOf(row.id)));
    const { order: _, ...rest } = row;
    await resultOf(artifacts.put({ ...rest, state: 'expired', expiredAt } satisfies Row));
    done.expired += 1;
    done.freedBytes += row.sizeBytes;
}

/** Returns the key range of an artifact's chunks: an array sorts after every number. */
function chunksOf(id: string): IDBKeyRange {
    return IDBKeyRange.bound([id], [id, []]);
}

function artifactOf({ id, tool, mediaType, sizeBytes, lineCount, createdAt }: Row): Artifact {
    return { id, tool, mediaType, sizeBytes, lineCount, createdAt };
}

function damaged(): StoreError {
    return new StoreError('other', 'the content of the artifact is damaged');
}

function resultOf<T>(request: IDBRequest<T>): Promise<T> {
    return new Promise((answered, failed) => {
        request.onsuccess = () => answered(request.result);
        request.onerror = () => failed(request.error);
    });
}

/** Resolves when a transaction has completed; rejects with the error that aborted it. */
function completionOf(transaction: IDBTransaction): Promise<void> {
    return new Promise((ended, failed) => {
        transaction.oncomplete = () => ended();
        transaction.onabort = () => failed(transaction.error ?? new Error('the browser aborted it'));
    });
}

function abort(transaction: IDBTransaction): void {
    try {
        transaction.abort();
    } catch {
        // A failed request has already aborted it.
    }
}
