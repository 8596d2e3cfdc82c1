/** A store in the origin's private file system, for dedicated workers. */

import type { Artifact } from '../contract/types.js';
import { StoreError, TuckawayError } from '../error.js';
import type { Store } from '../ports.js';
import { optional } from '../validate.js';
import { storageFailure } from './dom-error.js';
import { type Entry, Ledger, known } from './ledger.js';
import { Limits, type StoreOptions, bound, storeName, storeNames } from './limits.js';
import { type FoundRecord, Log, type LogRecord, type SyncFile } from './log.js';
import type { Garbage } from './sessions.js';

/** Options of an {@link OpfsStore}. */
export interface OpfsStoreOptions extends StoreOptions {
    /** Seconds to wait for a store that is open elsewhere, for example by a page that was just closed. Default: 2. */
    waitSeconds?: number | undefined;
}

/** Kinds of records. */
const DATA = 1;
/** The payload is the artifact, as JSON. */
const SEALED = 2;
/** The payload is the artifact as JSON, with `expiredAt`, the time when it expired; its bytes no longer count. */
const EXPIRED = 3;
const REMOVED = 4;

/** Space is reclaimed once this many bytes are dead, and no fewer than are live. */
const RECLAIM_BYTES = 1 << 20;

const RETRY_MILLISECONDS = 50;

/** The log's data about an artifact. */
interface LogState {
    serial: number;
    /** The record of its sealing or of its expiry. */
    mark?: LogRecord;
}

/**
 * Keeps artifacts in the origin's private file system. The store outlives the page. It survives a crash at any moment,
 * except for artifacts that were not sealed.
 *
 * All artifacts are in one log file, because files in this file system can only be opened asynchronously. A pool of
 * files opened in advance would limit the number of artifacts, and would need a directory that survives crashes. The
 * log alternates between two files, so that the space of deleted artifacts can be reclaimed (see `log.ts`). Reclaiming
 * copies live data, which takes some seconds per gigabyte and needs space for the copy.
 *
 * Opening reads the whole log to check its integrity. Only one worker at a time can have a store open.
 */
export class OpfsStore implements Store {
    readonly borrowsBytes: boolean = true;
    readonly #log: Log;
    readonly #open: Ledger<LogRecord>;
    readonly #logStates = new WeakMap<Entry<LogRecord>, LogState>();
    #serial = 0;
    /** The end of the last removal record. It must be kept while the log has the records that it removes. */
    #removedEnd = 0;
    #closed = false;

    private constructor(files: readonly [SyncFile, SyncFile], limits: Limits) {
        this.#open = new Ledger(limits, (entry) => this.#markExpired(entry));
        this.#log = this.#recover(files);
        this.#open.expire();
        this.#reclaim();
    }

    /**
     * Opens the store with this name, 1 to 64 letters, digits, `_` or `-`, and creates it if it is missing.
     *
     * Throws a `TuckawayError` of kind `invalid_input` for an invalid name or option, of kind `unsupported` outside
     * of a dedicated worker, and a `StoreError` if the store is open elsewhere or cannot be read.
     */
    static async open(name: string, options: OpfsStoreOptions = {}): Promise<OpfsStore> {
        const limits = new Limits(options, { waitSeconds: optional(bound) });
        const folder = `tuckaway-${storeName(name)}`;
        const root = await rootFolder();
        const files = await attemptAsync('opening the store', async () => {
            const handle = await root.getDirectoryHandle(folder, { create: true });
            return openBoth(handle, Date.now() + 1000 * (options.waitSeconds ?? 2), name);
        });
        try {
            return new OpfsStore(files, limits);
        } catch (error) {
            files.forEach((file) => file.close());
            throw storageFailure('opening the store', error);
        }
    }

    /** Returns the names of the stores of this origin, sorted. Each is a separate session. */
    static async names(): Promise<string[]> {
        const root = await rootFolder();
        return attemptAsync('listing the stores', async () => {
            const found: string[] = [];
            for await (const [folder, handle] of root.entries()) {
                if (handle.kind === 'directory') {
                    found.push(folder);
                }
            }
            return storeNames(found);
        });
    }

    /** Removes the store with this name and everything in it. It must not be open. */
    static async remove(name: string): Promise<void> {
        const folder = `tuckaway-${storeName(name)}`;
        const root = await rootFolder();
        await attemptAsync('removing the store', async () => {
            try {
                await root.removeEntry(folder, { recursive: true });
            } catch (error) {
                if ((error as Error).name !== 'NotFoundError') {
                    throw error;
                }
            }
        });
    }

    create(tool: string, mediaType: string): string {
        const id = this.#ledger.create(tool, mediaType);
        this.#reclaim();
        return id;
    }

    append(id: string, bytes: Uint8Array): void {
        this.#attempt('writing', (ledger) => {
            try {
                ledger.append(id, bytes.length, (entry) => this.#log.write(DATA, this.#logStateOf(entry).serial, bytes));
            } catch (error) {
                this.#reclaim();
                throw error;
            }
        });
    }

    seal(id: string, lineCount: number): Artifact {
        return this.#attempt('sealing', (ledger) => ledger.seal(id, lineCount, (entry, artifact) => {
            const logState = this.#logStateOf(entry);
            logState.mark = this.#log.write(SEALED, logState.serial, toJson(artifact));
            try {
                this.#log.flush();
            } catch (error) {
                this.#writeRemoved(logState.serial);
                throw error;
            }
        }));
    }

    stat(id: string): Artifact {
        return { ...this.#ledger.visible(id).artifact };
    }

    read(id: string, offset: number, length: number): Uint8Array {
        return this.#attempt('reading', (ledger) => ledger.read(id, offset, length, (into, chunk, from) => {
            this.#log.read(into, chunk.at + from);
        }));
    }

    listArtifacts(): Artifact[] {
        return this.#ledger.listArtifacts();
    }

    delete(id: string): void {
        this.#attempt('deleting', (ledger) => {
            ledger.remove(id, (entry) => {
                const { mark, serial } = this.#logStateOf(entry);
                if (mark !== undefined) {
                    this.#writeRemoved(serial);
                    this.#log.flush();
                }
            });
            this.#reclaim();
        });
    }

    /** Removes expired artifacts, and the oldest artifacts if the rest exceeds the quota. */
    collectGarbage(): Garbage {
        const done = this.#ledger.collectGarbage();
        this.#reclaim();
        return done;
    }

    /** Closes the files, so that the store can be opened elsewhere. Every later call fails. */
    close(): void {
        if (!this.#closed) {
            this.#closed = true;
            this.#log.close();
        }
    }

    get #ledger(): Ledger<LogRecord> {
        if (this.#closed) {
            throw new StoreError('other', 'the store is closed');
        }
        return this.#open;
    }

    #attempt<T>(operation: string, action: (ledger: Ledger<LogRecord>) => T): T {
        try {
            return action(this.#ledger);
        } catch (error) {
            throw storageFailure(operation, error);
        }
    }

    #logStateOf(entry: Entry<LogRecord>): LogState {
        let logState = this.#logStates.get(entry);
        if (logState === undefined) {
            this.#serial += 1;
            logState = { serial: this.#serial };
            this.#logStates.set(entry, logState);
        }
        return logState;
    }

    /** Opens the log and restores the sealed artifacts. The others are removed: their writers no longer exist. */
    #recover(files: readonly [SyncFile, SyncFile]): Log {
        const data = new Map<number, FoundRecord[]>();
        const marks = new Map<number, FoundRecord>();
        const log = Log.open(files, (record) => {
            this.#serial = Math.max(this.#serial, record.serial);
            if (record.kind === DATA) {
                const chunks = data.get(record.serial) ?? [];
                data.set(record.serial, chunks);
                chunks.push(record);
            } else if (record.kind === REMOVED) {
                marks.delete(record.serial);
                this.#removedEnd = Log.endOf([record]);
            } else if (!record.damaged) {
                marks.set(record.serial, record);
            }
        });
        for (const [serial, mark] of marks) {
            const json = new Uint8Array(mark.length);
            log.read(json, mark.at);
            const { expiredAt, ...artifact } = JSON.parse(new TextDecoder().decode(json)) as Artifact & { expiredAt?: number };
            const chunks = mark.kind === SEALED ? data.get(serial) ?? [] : [];
            const isWhole = chunks.reduce((sum, { length }) => sum + length, 0) === artifact.sizeBytes
                && chunks.every(({ damaged }) => !damaged);
            const entry: Entry<LogRecord> = {
                artifact,
                chunks,
                state: mark.kind === EXPIRED ? 'expired' : isWhole ? 'sealed' : 'damaged',
                ...(expiredAt !== undefined && { expiredAt }),
            };
            this.#logStates.set(entry, { serial, mark });
            this.#open.restore(entry);
        }
        return log;
    }

    #markExpired(entry: Entry<LogRecord>): void {
        const logState = this.#logStateOf(entry);
        try {
            const payload = toJson({ ...entry.artifact, expiredAt: known(entry.expiredAt) });
            logState.mark = this.#log.write(EXPIRED, logState.serial, payload);
        } catch {
            // Its age marks it as expired when the store is opened again.
        }
    }

    #writeRemoved(serial: number): void {
        this.#removedEnd = Log.endOf([this.#log.write(REMOVED, serial, new Uint8Array(0))]);
    }

    /** Reclaims space: at the end of the log always, elsewhere only if it justifies copying the live records. */
    #reclaim(): void {
        const records = this.#open.entries().flatMap((entry) => {
            const { mark } = this.#logStateOf(entry);
            return mark === undefined ? entry.chunks : [...entry.chunks, mark];
        });
        const needed = records.reduce((sum, record) => sum + Log.sizeOf(record), 0);
        try {
            const end = Math.max(Log.endOf(records), this.#removedEnd);
            if (this.#log.size > end) {
                this.#log.cut(end);
            }
            if (this.#log.size - needed >= Math.max(RECLAIM_BYTES, needed)) {
                this.#log.rewrite(records);
                this.#removedEnd = 0;
            }
        } catch {
            // There was no space for the copy. The log is unchanged, and a later call will try again.
        }
    }
}

function toJson(artifact: Artifact & { expiredAt?: number }): Uint8Array {
    return new TextEncoder().encode(JSON.stringify(artifact));
}

/** A file handle with the method that the DOM types lack because only dedicated workers have it. */
interface SyncFileHandle extends FileSystemFileHandle {
    createSyncAccessHandle?: () => Promise<SyncFile>;
}

async function rootFolder(): Promise<FileSystemDirectoryHandle> {
    if (globalThis.navigator?.storage?.getDirectory === undefined) {
        throw new TuckawayError(
            'unsupported',
            'The origin private file system is not available here: browsers have it in secure contexts (https or '
                + 'localhost). Use another store.',
        );
    }
    return attemptAsync('opening the file system', () => navigator.storage.getDirectory());
}

/** Opens both files of a store, which must not be open elsewhere. */
async function openBoth(
    folder: FileSystemDirectoryHandle,
    deadline: number,
    name: string,
): Promise<[SyncFile, SyncFile]> {
    const first = await openFile(folder, '0.log', deadline, name);
    try {
        return [first, await openFile(folder, '1.log', deadline, name)];
    } catch (error) {
        first.close();
        throw error;
    }
}

async function openFile(
    folder: FileSystemDirectoryHandle,
    file: string,
    deadline: number,
    name: string,
): Promise<SyncFile> {
    const handle = (await folder.getFileHandle(file, { create: true })) as SyncFileHandle;
    if (handle.createSyncAccessHandle === undefined) {
        throw new TuckawayError(
            'unsupported',
            'OpfsStore works only in a dedicated worker; run tuckaway in one, or use IndexedDbStore with '
                + 'tuckaway/async.',
        );
    }
    for (;;) {
        try {
            return await handle.createSyncAccessHandle();
        } catch (error) {
            if ((error as Error).name !== 'NoModificationAllowedError') {
                throw error;
            }
            if (Date.now() >= deadline) {
                throw new StoreError(
                    'other',
                    `the store "${name}" is open elsewhere, in another tab or worker; close it there or use `
                        + 'another name',
                    { cause: error },
                );
            }
            await new Promise((passed) => setTimeout(passed, RETRY_MILLISECONDS));
        }
    }
}

async function attemptAsync<T>(operation: string, action: () => Promise<T>): Promise<T> {
    try {
        return await action();
    } catch (error) {
        throw error instanceof TuckawayError ? error : storageFailure(operation, error);
    }
}
