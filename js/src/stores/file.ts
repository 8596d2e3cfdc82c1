/** A store in a folder. */

import * as fs from 'node:fs';
import { resolve } from 'node:path';

import { StoreError } from '../error.js';
import type { Artifact, Store } from '../ports.js';
import { invalid } from '../validate.js';
import { Folder, attempt, metaToJson, writeFully } from './folder.js';
import { Limits, type StoreOptions } from './limits.js';
import { isArtifactId, isMinted, mint } from './mint.js';

/** What a {@link FileStore} takes. */
export type FileStoreOptions = StoreOptions;

/** An artifact that is not sealed yet. */
interface Writer {
    /** Its open file. */
    file: number;
    tool: string;
    mediaType: string;
    written: number;
    /** Bytes that the folder held when this artifact was begun. */
    others: number;
    /** An append failed: only `delete` is left. */
    broken: boolean;
}

/**
 * Keeps artifacts as files of a folder, which other processes may use at the same time: this store, and the
 * Rust host's `DirStore` (`dir:PATH` on its command line).
 *
 * An artifact is two files: `<id>`, its bytes, and `<id>.json`, what is known of it. While it is written they
 * are `.<id>.part` and `.<id>.json.part`; to seal, both are flushed to the disk, then the metadata and at last
 * the content get their names, so that a reader sees all of an artifact or nothing. What has expired keeps its
 * `<id>.json` for a while. Part files that nobody has written to for a day are removed, and no file is touched
 * whose name was not minted by such a store. Folders are made with mode 0700 and files with 0600; symbolic
 * links are not followed.
 */
export class FileStore implements Store {
    readonly #folder: Folder;
    readonly #limits: Limits;
    readonly #writers = new Map<string, Writer>();
    /** When metadata was last written, in milliseconds. */
    #written = 0;

    private constructor(folder: Folder, limits: Limits) {
        this.#folder = folder;
        this.#limits = limits;
    }

    /**
     * The store in a folder, which is made if it is not there. Processes that write at the same time notice
     * each other's share of the quota when they seal. Throws a `TuckawayError` of kind `invalid-input` for a
     * bad path or option, a `StoreError` where the folder cannot be made.
     */
    static open(path: string, options?: FileStoreOptions): FileStore {
        const limits = new Limits(options);
        return new FileStore(new Folder(resolve(folderPath(path))), limits);
    }

    /** The folder, as an absolute path. */
    get path(): string {
        return this.#folder.path;
    }

    create(tool: string, mediaType: string): string {
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
                // A lone surrogate would be JSON that other readers refuse.
                const names = { tool: tool.toWellFormed(), mediaType: mediaType.toWellFormed() };
                this.#writers.set(id, { file, ...names, written: 0, others, broken: false });
                return id;
            }
        }
    }

    append(id: string, bytes: Uint8Array): void {
        const writer = this.#writer(id);
        checkWhole(writer);
        try {
            if (writer.others + writer.written + bytes.length > this.#limits.quotaBytes) {
                throw new StoreError('quota-exceeded');
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
            throw new StoreError('not-found');
        }
        const artifact = this.#folder.readMeta(meta(id), id);
        if (this.#limits.hasExpired(artifact.createdAt)) {
            throw new StoreError('expired');
        }
        const content = this.#folder.stat(id);
        if (content === undefined) {
            throw new StoreError('expired');
        }
        if (!content.isFile()) {
            throw new StoreError('not-found');
        }
        if (Number(content.size) !== artifact.sizeBytes) {
            throw new StoreError(
                'other',
                `its file has ${content.size} bytes where ${artifact.sizeBytes} were sealed`,
            );
        }
        return artifact;
    }

    read(id: string, offset: number, length: number): Uint8Array {
        const { sizeBytes } = this.stat(id);
        return this.#folder.read(id, offset, Math.max(Math.min(length, sizeBytes - offset), 0));
    }

    /** Sealed artifacts, oldest first: by `createdAt`, then by the time at which the metadata was written. */
    list(): Artifact[] {
        const listed: { artifact: Artifact; written: bigint }[] = [];
        for (const name of this.#folder.names()) {
            const id = idOfMeta(name);
            if (id === undefined) {
                continue;
            }
            try {
                listed.push({ artifact: this.stat(id), written: this.#folder.stat(name)?.mtimeNs ?? 0n });
            } catch {
                // A file that cannot be read or is no metadata is not an artifact; it must not hide the others.
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
            throw new StoreError('not-found');
        }
        this.#close(id);
        const names = [part(id), part(meta(id))];
        if (this.#isOurs(id)) {
            names.unshift(id, meta(id));
        }
        if (names.filter((name) => this.#folder.remove(name)).length === 0) {
            throw new StoreError('not-found');
        }
    }

    #seal(id: string, writer: Writer, lineCount: number): Artifact {
        checkWhole(writer);
        if (this.#limits.quotaBytes !== Infinity && this.#used() > this.#limits.quotaBytes) {
            throw new StoreError('quota-exceeded');
        }
        const { tool, mediaType, written } = writer;
        const artifact = { id, tool, mediaType, sizeBytes: written, lineCount, createdAt: this.#limits.now() };
        attempt('writing a file', () => fs.fsyncSync(writer.file));
        // The order of artifacts within a second, for which the file system's own time may be too coarse.
        this.#written = Math.max(Date.now(), this.#written + 0.01);
        this.#folder.write(part(meta(id)), new TextEncoder().encode(metaToJson(artifact)), this.#written);
        this.#folder.rename(part(meta(id)), meta(id));
        this.#folder.rename(part(id), id);
        this.#folder.sync();
        return artifact;
    }

    /** Whether the files of this name are a store's: others are somebody's. */
    #isOurs(id: string): boolean {
        try {
            return isMinted(id) || this.#folder.readMeta(meta(id), id).id === id;
        } catch {
            return false;
        }
    }

    #writer(id: string): Writer {
        const writer = this.#writers.get(id);
        if (writer === undefined) {
            this.stat(id);
            throw new StoreError('other', 'it is sealed already');
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

    /** Bytes of content in the folder, part files too. */
    #used(): number {
        const names = this.#folder.names();
        const counted = names.map((name) => (idOfPart(name) === undefined ? idOfMeta(name) : name));
        return counted.reduce((sum, name) => {
            const found = name === undefined ? undefined : this.#folder.stat(name);
            return sum + Number(found?.size ?? 0);
        }, 0);
    }

    /** Removes what crashed writers have left and what has expired. What cannot be removed now can be later. */
    #sweep(): void {
        for (const name of this.#folder.names()) {
            const [partId, metaId] = [idOfPart(name), idOfMeta(name)];
            if (partId !== undefined && isMinted(partId)) {
                if (this.#limits.isAbandoned(this.#writtenAt(name))) {
                    ignoreFailure(() => this.#folder.remove(name));
                    this.#close(partId);
                }
            } else if (metaId !== undefined && isMinted(metaId)) {
                ignoreFailure(() => this.#sweepSealed(metaId));
            }
        }
    }

    #sweepSealed(id: string): void {
        const { createdAt } = this.#folder.readMeta(meta(id), id);
        if (this.#limits.hasExpired(createdAt)) {
            this.#folder.remove(id);
        }
        if (this.#folder.stat(id) === undefined && this.#limits.mayForget(this.#writtenAt(meta(id)))) {
            this.#folder.remove(meta(id));
        }
    }

    /** When a file was last written to, in Unix seconds; if it is gone, there is nothing to be done with it. */
    #writtenAt(name: string): number {
        return Number(this.#folder.stat(name)?.mtimeMs ?? Infinity) / 1000;
    }
}

/** Of the empty path, the system would make the current folder. */
function folderPath(value: unknown): string {
    if (typeof value !== 'string' || value === '' || value.includes('\0')) {
        throw invalid('The store\'s path', value, 'that of a folder: a string, not empty and without NUL');
    }
    return value;
}

function meta(id: string): string {
    return `${id}.json`;
}

function part(name: string): string {
    return `.${name}.part`;
}

/** The id of the artifact of which a file is a part file. */
function idOfPart(name: string): string | undefined {
    const id = /^\.(.+?)(\.json)?\.part$/.exec(name)?.[1];
    return id !== undefined && isArtifactId(id) ? id : undefined;
}

/** The id of the artifact of which a file is the metadata. */
function idOfMeta(name: string): string | undefined {
    const id = /^(.+)\.json$/.exec(name)?.[1];
    return id !== undefined && isArtifactId(id) ? id : undefined;
}

function checkWhole({ broken }: Writer): void {
    if (broken) {
        throw new StoreError('other', 'an earlier write to it failed');
    }
}

function compare<T extends bigint | string>(a: T, b: T): number {
    return a < b ? -1 : a > b ? 1 : 0;
}

/** Runs what is tried in passing: what it leaves is cleaned up later. */
function ignoreFailure(action: () => void): void {
    try {
        action();
    } catch {
        // As said.
    }
}
