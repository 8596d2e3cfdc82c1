/** A store in the origin's private file system, for dedicated workers. */

import { StoreError, TuckawayError } from '../error.js';
import type { Artifact, Store } from '../ports.js';
import { optional } from '../validate.js';
import { storageFailure } from './dom-error.js';
import { type Entry, Ledger } from './ledger.js';
import { Limits, type StoreOptions, bound, storeName } from './limits.js';
import { type FoundRecord, Log, type LogRecord, type SyncFile } from './log.js';

/** What an {@link OpfsStore} takes. */
export interface OpfsStoreOptions extends StoreOptions {
    /** Seconds to wait for a store that is open elsewhere: a page that was just closed may hold it still. [2] */
    waitSeconds?: number | undefined;
}

/** Kinds of records. */
const DATA = 1;
/** The payload is the artifact, as JSON. */
const SEALED = 2;
/** The payload is the artifact, as JSON; its bytes no longer count. */
const EXPIRED = 3;
const REMOVED = 4;

/** Space is given back once at least so many bytes no longer count, and as many as still do. */
const RECLAIM_BYTES = 1 << 20;

const RETRY_MILLISECONDS = 50;

/** Where the log knows an artifact by. */
interface Trace {
    serial: number;
    /** The record that says it is sealed, or has expired. */
    mark?: LogRecord;
}

/**
 * Keeps artifacts in the origin's private file system. It outlives the page: a reload, and a crash at any
 * moment, which costs at most what was not sealed.
 *
 * All artifacts are one log in a file, for a file of this kind can only be opened asynchronously: a pool of
 * files opened ahead would bound how many artifacts there can be, and would need a directory of its own that
 * survives crashes. The log is in two files, of which one is in use, so that the space of what was deleted can be
 * given back (see `log.ts`). To do so, what is still there is copied, which takes some seconds for a gigabyte and
 * needs room for the copy.
 *
 * Opening reads all of it, to check that it is whole. One worker at a time can have a store open.
 */
export class OpfsStore implements Store {
    readonly #log: Log;
    readonly #open: Ledger<LogRecord>;
    readonly #traces = new WeakMap<Entry<LogRecord>, Trace>();
    #serial = 0;
    /** Where the last record ends that says something was removed: it must last as long as what it speaks of. */
    #removedEnd = 0;
    #closed = false;

    private constructor(files: readonly [SyncFile, SyncFile], limits: Limits) {
        this.#open = new Ledger(limits, (entry) => this.#markExpired(entry));
        this.#log = this.#recover(files);
        this.#open.expire();
        this.#reclaim();
    }

    /**
     * Opens the store of a name, 1 to 64 letters, digits, `_` or `-`, and makes it if it is not there.
     *
     * Throws a `TuckawayError` of kind `invalid-input` for a bad name or option, of kind `unsupported` outside
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

    /** Removes the store of a name and all that is in it. It must not be open. */
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
                ledger.append(id, bytes.length, (entry) => this.#log.write(DATA, this.#traceOf(entry).serial, bytes));
            } catch (error) {
                this.#reclaim();
                throw error;
            }
        });
    }

    seal(id: string, lineCount: number): Artifact {
        return this.#attempt('sealing', (ledger) => ledger.seal(id, lineCount, (entry, artifact) => {
            const trace = this.#traceOf(entry);
            trace.mark = this.#log.write(SEALED, trace.serial, toJson(artifact));
            try {
                this.#log.flush();
            } catch (error) {
                this.#writeRemoved(trace.serial);
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

    list(): Artifact[] {
        return this.#ledger.list();
    }

    delete(id: string): void {
        this.#attempt('deleting', (ledger) => {
            ledger.remove(id, (entry) => {
                const { mark, serial } = this.#traceOf(entry);
                if (mark !== undefined) {
                    this.#writeRemoved(serial);
                    this.#log.flush();
                }
            });
            this.#reclaim();
        });
    }

    /** Lets go of the files, so that the store can be opened elsewhere. After that, every method fails. */
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

    #attempt<T>(doing: string, action: (ledger: Ledger<LogRecord>) => T): T {
        try {
            return action(this.#ledger);
        } catch (error) {
            throw storageFailure(doing, error);
        }
    }

    #traceOf(entry: Entry<LogRecord>): Trace {
        let trace = this.#traces.get(entry);
        if (trace === undefined) {
            this.#serial += 1;
            trace = { serial: this.#serial };
            this.#traces.set(entry, trace);
        }
        return trace;
    }

    /** Opens the log and takes up what was sealed. What was not is dropped: its writer is gone. */
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
            const artifact = JSON.parse(new TextDecoder().decode(json)) as Artifact;
            const chunks = mark.kind === SEALED ? data.get(serial) ?? [] : [];
            const isWhole = chunks.reduce((sum, { length }) => sum + length, 0) === artifact.sizeBytes
                && chunks.every(({ damaged }) => !damaged);
            const entry: Entry<LogRecord> = {
                artifact,
                chunks,
                state: mark.kind === EXPIRED ? 'expired' : isWhole ? 'sealed' : 'damaged',
            };
            this.#traces.set(entry, { serial, mark });
            this.#open.restore(entry);
        }
        return log;
    }

    #markExpired(entry: Entry<LogRecord>): void {
        const trace = this.#traceOf(entry);
        try {
            trace.mark = this.#log.write(EXPIRED, trace.serial, toJson(entry.artifact));
        } catch {
            // Its age says the same when the store is opened again.
        }
    }

    #writeRemoved(serial: number): void {
        this.#removedEnd = Log.endOf([this.#log.write(REMOVED, serial, new Uint8Array(0))]);
    }

    /** Gives back space: all there is at the log's end; elsewhere, if it is worth a copy of what still counts. */
    #reclaim(): void {
        const records = this.#open.entries().flatMap((entry) => {
            const { mark } = this.#traceOf(entry);
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
            // There was no room for the copy. The log is as it was, and this is tried again.
        }
    }
}

function toJson(artifact: Artifact): Uint8Array {
    return new TextEncoder().encode(JSON.stringify(artifact));
}

/** What the types of pages lack, as only dedicated workers have it. */
interface SyncFileHandle extends FileSystemFileHandle {
    createSyncAccessHandle?: () => Promise<SyncFile>;
}

async function rootFolder(): Promise<FileSystemDirectoryHandle> {
    if (globalThis.navigator?.storage?.getDirectory === undefined) {
        throw new TuckawayError(
            'unsupported',
            'There is no origin-private file system here: browsers have it in secure contexts (https or localhost). '
                + 'Use another store.',
        );
    }
    return attemptAsync('opening the file system', () => navigator.storage.getDirectory());
}

/** Opens both files of a store, which nobody else may have open. */
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
            'OpfsStore works in a dedicated worker alone; run tuckaway in one, or use IndexedDbStore with '
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
                    `the store "${name}" is open elsewhere, in another tab or worker; close it there or take `
                        + 'another name',
                    { cause: error },
                );
            }
            await new Promise((passed) => setTimeout(passed, RETRY_MILLISECONDS));
        }
    }
}

async function attemptAsync<T>(doing: string, action: () => Promise<T>): Promise<T> {
    try {
        return await action();
    } catch (error) {
        throw error instanceof TuckawayError ? error : storageFailure(doing, error);
    }
}
