/** A store in a folder. */

import * as fs from 'node:fs';
import { join, resolve } from 'node:path';

import { StoreError } from '../error.js';
import type { Artifact } from '../contract/types.js';
import type { Store } from '../ports.js';
import { invalid } from '../validate.js';
import { Folder, attempt, writeFully } from './folder.js';
import { Limits, type StoreOptions, expired } from './limits.js';
import { type Meta, metaToJson } from './meta.js';
import { isArtifactId, isMinted, mint } from './mint.js';
import { type Garbage, type Sessions, addGarbage, isSessionName, noGarbage, sessionName } from './sessions.js';

/** Options of a {@link DirStore}. */
export type DirStoreOptions = StoreOptions;

/** The suffix of a session's folder while it is being removed. */
const REMOVED = '.removed';

/** An artifact that is not sealed yet. */
interface Writer {
    /** Its open file. */
    file: number;
    tool: string;
    mediaType: string;
    written: number;
    /** Bytes that the folder held when this artifact was created. */
    others: number;
    /** Whether an append failed, after which only `delete` is allowed. */
    broken: boolean;
}

/**
 * Keeps artifacts as files in a folder. Other processes may use the folder at the same time, through this store or the
 * Rust host's `DirStore` (`dir:PATH` on its command line).
 *
 * An artifact consists of two files: `<id>` contains its bytes, `<id>.json` its metadata. While they are written, they
 * are named `.<id>.part` and `.<id>.json.part`. Sealing flushes both to the disk, then renames the metadata and, last,
 * the content, so that a reader sees the whole artifact or nothing. An expired artifact keeps its `<id>.json`, with the
 * key `expired_at`, for a while. Part files that were not written to for a day are removed. Files whose names were not
 * minted by such a store are never touched. Folders are created with mode 0700 and files with 0600; symbolic links are
 * not followed. The session NAME is a store of the same kind in the folder `sessions/NAME`, which is renamed to
 * `sessions/.NAME.<id>.removed` while it is being removed.
 */
export class DirStore implements Store, Sessions<DirStore> {
    readonly borrowsBytes: boolean = true;
    readonly #folder: Folder;
    readonly #limits: Limits;
    readonly #options: DirStoreOptions | undefined;
    /** Whether the folder is created when it is needed. */
    readonly #isSession: boolean;
    readonly #writers = new Map<string, Writer>();
    /** When metadata was last written, in milliseconds. */
    #written = 0;

    private constructor(path: string, options: DirStoreOptions | undefined, isSession: boolean) {
        this.#folder = new Folder(path);
        this.#limits = new Limits(options);
        this.#options = options === undefined ? undefined : { ...options };
        this.#isSession = isSession;
    }

    /**
     * Opens the store in a folder, and creates the folder if it is missing. Processes that write at the same time
     * account for each other's share of the quota when they seal. Throws a `TuckawayError` of kind `invalid_input` for
     * an invalid path or option, and a `StoreError` if the folder cannot be created.
     */
    static open(path: string, options?: DirStoreOptions): DirStore {
        const store = new DirStore(resolve(folderPath(path)), options, false);
        store.#folder.make();
        return store;
    }

    /** The absolute path of the folder. */
    get path(): string {
        return this.#folder.path;
    }

    create(tool: string, mediaType: string): string {
        if (this.#isSession) {
            this.#folder.make();
        }
        if (this.#limits.sweepIsDue()) {
            this.#sweep();
        }
        const others = this.#limits.quotaBytes === Infinity ? 0 : this.#used();
        for (;;) {
            const id = mint(tool);
            if (this.#folder.stat(id) !== undefined || this.#folder.stat(meta(id)) !== undefined) {
                continue;
            }
            const file = this.#folder.create(part(id));
            if (file !== undefined) {
                // Other readers reject JSON with a lone surrogate.
                const names = { tool: tool.toWellFormed(), mediaType: mediaType.toWellFormed() };
                this.#writers.set(id, { file, ...names, written: 0, others, broken: false });
                return id;
            }
        }
    }

    append(id: string, bytes: Uint8Array): void {
        const writer = this.#writer(id);
        checkNotBroken(writer);
        try {
            if (writer.others + writer.written + bytes.length > this.#limits.quotaBytes) {
                throw new StoreError('quota_exceeded');
            }
            attempt('writing a file', () => writeFully(writer.file, bytes));
            writer.written += bytes.length;
        } catch (error) {
            writer.broken = true;
            ignoreFailure(() => fs.ftruncateSync(writer.file, 0));
            throw error;
        }
    }

    seal(id: string, lineCount: number): Artifact {
        const writer = this.#writer(id);
        try {
            return this.#seal(id, writer, lineCount);
        } catch (error) {
            for (const name of [id, meta(id), part(meta(id)), part(id)]) {
                ignoreFailure(() => this.#folder.remove(name));
            }
            throw error;
        } finally {
            this.#close(id);
        }
    }

    stat(id: string): Artifact {
        if (!isArtifactId(id)) {
            throw new StoreError('not_found');
        }
        const { artifact, expiredAt } = this.#folder.readMeta(meta(id), id);
        if (expiredAt !== undefined) {
            throw expired(artifact, expiredAt);
        }
        if (this.#limits.hasExpired(artifact.createdAt)) {
            throw expired(artifact, this.#limits.expiresAt(artifact.createdAt));
        }
        const content = this.#folder.stat(id);
        if (content === undefined) {
            throw expired(artifact, Infinity);
        }
        if (!content.isFile()) {
            throw new StoreError('not_found');
        }
        if (Number(content.size) !== artifact.sizeBytes) {
            throw new StoreError(
                'other',
                `the artifact's file has ${content.size} bytes, but ${artifact.sizeBytes} were sealed`,
            );
        }
        return artifact;
    }

    read(id: string, offset: number, length: number): Uint8Array {
        const { sizeBytes } = this.stat(id);
        return this.#folder.read(id, offset, Math.max(Math.min(length, sizeBytes - offset), 0));
    }

    /** Lists the sealed artifacts, oldest first: by `createdAt`, then by the time when the metadata was written. */
    listArtifacts(): Artifact[] {
        const listed: { artifact: Artifact; written: bigint }[] = [];
        for (const name of this.#folder.names()) {
            const id = idOfMeta(name);
            if (id === undefined) {
                continue;
            }
            try {
                listed.push({ artifact: this.stat(id), written: this.#folder.stat(name)?.mtimeNs ?? 0n });
            } catch {
                // A file that is unreadable or is not metadata is not an artifact. It must not hide the others.
            }
        }
        listed.sort((a, b) =>
            a.artifact.createdAt - b.artifact.createdAt
            || compare(a.written, b.written)
            || compare(a.artifact.id, b.artifact.id));
        return listed.map(({ artifact }) => artifact);
    }

    delete(id: string): void {
        if (!isArtifactId(id)) {
            throw new StoreError('not_found');
        }
        this.#close(id);
        const names = [part(id), part(meta(id))];
        if (this.#isOurs(id)) {
            names.unshift(id, meta(id));
        }
        if (names.filter((name) => this.#folder.remove(name)).length === 0) {
            throw new StoreError('not_found');
        }
    }

    session(name: string): DirStore {
        return new DirStore(this.#sessionPath(sessionName(name)), this.#options, true);
    }

    sessions(): string[] {
        return new Folder(this.#sessionPath()).folders().filter(isSessionName).sort();
    }

    removeSession(name: string): void {
        const sessions = new Folder(this.#sessionPath());
        // Under a name that is not a session's, a partly removed session is not visible.
        const removed = `.${sessionName(name)}.${mint('')}${REMOVED}`;
        if (!sessions.renameFolder(name, removed)) {
            throw new StoreError('not_found');
        }
        sessions.removeFolder(removed);
    }

    collectGarbage(): Garbage {
        const done = this.#sweep();
        if (this.#limits.quotaBytes !== Infinity) {
            for (const artifact of this.listArtifacts()) {
                if (this.#used() <= this.#limits.quotaBytes) {
                    break;
                }
                this.#expire({ artifact, expiredAt: this.#limits.now() }, done);
            }
        }
        const sessions = new Folder(this.#sessionPath());
        for (const rest of sessions.folders().filter((name) => name.startsWith('.') && name.endsWith(REMOVED))) {
            ignoreFailure(() => sessions.removeFolder(rest));
        }
        for (const name of this.sessions()) {
            addGarbage(done, this.session(name).collectGarbage());
        }
        return done;
    }

    /** Returns the folder of a session, or the folder of all sessions. */
    #sessionPath(...name: string[]): string {
        return join(this.#folder.path, 'sessions', ...name);
    }

    #seal(id: string, writer: Writer, lineCount: number): Artifact {
        checkNotBroken(writer);
        if (this.#limits.quotaBytes !== Infinity && this.#used() > this.#limits.quotaBytes) {
            throw new StoreError('quota_exceeded');
        }
        const { tool, mediaType, written } = writer;
        const artifact = { id, tool, mediaType, sizeBytes: written, lineCount, createdAt: this.#limits.now() };
        attempt('writing a file', () => fs.fsyncSync(writer.file));
        // The timestamp orders artifacts within a second. The file system's own timestamps may be too coarse for that.
        // Deno reads timestamps in whole milliseconds: each has a millisecond to itself, in whose middle rounding is harmless.
        this.#written = Math.max(Date.now(), this.#written + 1);
        this.#writeMeta({ artifact, expiredAt: undefined }, this.#written + 0.5);
        this.#folder.rename(part(id), id);
        this.#folder.sync();
        return artifact;
    }

    #writeMeta(written: Meta, time: number): void {
        const { id } = written.artifact;
        this.#folder.write(part(meta(id)), new TextEncoder().encode(metaToJson(written)), time);
        this.#folder.rename(part(meta(id)), meta(id));
    }

    /** Returns whether the files with this id belong to a store; others are left alone. */
    #isOurs(id: string): boolean {
        try {
            return isMinted(id) || this.#folder.readMeta(meta(id), id) !== undefined;
        } catch {
            return false;
        }
    }

    #writer(id: string): Writer {
        const writer = this.#writers.get(id);
        if (writer === undefined) {
            this.stat(id);
            throw new StoreError('other', 'the artifact is already sealed');
        }
        return writer;
    }

    #close(id: string): void {
        const writer = this.#writers.get(id);
        if (writer !== undefined) {
            this.#writers.delete(id);
            ignoreFailure(() => fs.closeSync(writer.file));
        }
    }

    /** Returns the number of content bytes in the folder, part files included. */
    #used(): number {
        const names = this.#folder.names();
        const counted = names.map((name) => (idOfPart(name) === undefined ? idOfMeta(name) : name));
        return counted.reduce((sum, name) => {
            const found = name === undefined ? undefined : this.#folder.stat(name);
            return sum + Number(found?.size ?? 0);
        }, 0);
    }

    /**
     * Removes expired artifacts and files left behind by crashed writers. Failed removals are retried by the next
     * sweep.
     */
    #sweep(): Garbage {
        const done = noGarbage();
        for (const name of this.#folder.names()) {
            const [partId, metaId] = [idOfPart(name), idOfMeta(name)];
            if (partId !== undefined && isMinted(partId)) {
                if (this.#limits.isAbandoned(this.#writtenAt(name))) {
                    ignoreFailure(() => {
                        done.freedBytes += this.#remove(name);
                        done.abandoned += name === part(partId) ? 1 : 0;
                    });
                    this.#close(partId);
                }
            } else if (metaId !== undefined && isMinted(metaId)) {
                ignoreFailure(() => this.#sweepSealed(metaId, done));
            }
        }
        return done;
    }

    #sweepSealed(id: string, done: Garbage): void {
        const { artifact, expiredAt } = this.#folder.readMeta(meta(id), id);
        const hasContent = this.#folder.stat(id) !== undefined;
        if (expiredAt !== undefined) {
            done.freedBytes += hasContent ? this.#remove(id) : 0;
        } else if (hasContent && this.#limits.hasExpired(artifact.createdAt)) {
            this.#expire({ artifact, expiredAt: this.#limits.expiresAt(artifact.createdAt) }, done);
            return;
        }
        if (this.#folder.stat(id) === undefined && this.#limits.mayForget(this.#writtenAt(meta(id)))) {
            this.#folder.remove(meta(id));
            done.forgotten += 1;
        }
    }

    /** Removes the content of an artifact, after recording in its metadata when it expired. */
    #expire({ artifact, expiredAt = 0 }: Meta, done: Garbage): void {
        this.#writeMeta({ artifact, expiredAt: Math.ceil(expiredAt) }, Date.now());
        done.freedBytes += this.#remove(artifact.id);
        done.expired += 1;
    }

    /** Removes a file and returns its size. */
    #remove(name: string): number {
        const size = Number(this.#folder.stat(name)?.size ?? 0);
        return this.#folder.remove(name) ? size : 0;
    }

    /**
     * Returns when a file was last written to, in Unix seconds; infinite if it is gone, so that it never counts as old.
     */
    #writtenAt(name: string): number {
        return Number(this.#folder.stat(name)?.mtimeMs ?? Infinity) / 1000;
    }
}

/** Checks the path of a store. The system would interpret an empty path as the current folder. */
function folderPath(value: unknown): string {
    if (typeof value !== 'string' || value === '' || value.includes('\0')) {
        throw invalid('The store\'s path', value, 'the path of a folder: a non-empty string without NUL');
    }
    return value;
}

function meta(id: string): string {
    return `${id}.json`;
}

function part(name: string): string {
    return `.${name}.part`;
}

/** Returns the id of the artifact that a part file belongs to. */
function idOfPart(name: string): string | undefined {
    const id = /^\.(.+?)(\.json)?\.part$/.exec(name)?.[1];
    return id !== undefined && isArtifactId(id) ? id : undefined;
}

/** Returns the id of the artifact that a metadata file belongs to. */
function idOfMeta(name: string): string | undefined {
    const id = /^(.+)\.json$/.exec(name)?.[1];
    return id !== undefined && isArtifactId(id) ? id : undefined;
}

function checkNotBroken({ broken }: Writer): void {
    if (broken) {
        throw new StoreError('other', 'an earlier write to the artifact failed');
    }
}

function compare<T extends bigint | string>(a: T, b: T): number {
    return a < b ? -1 : a > b ? 1 : 0;
}

/** Runs an action whose failure does not matter: a later sweep cleans up. */
function ignoreFailure(action: () => void): void {
    try {
        action();
    } catch {
        // See above.
    }
}
