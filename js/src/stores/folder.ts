/**
 * Access to the files in a store's folder: private, never through a symbolic link, and with errors that contain no
 * path, since a model may read them. The format is the same as in the Rust host's `host/src/store/dir/`.
 */

import * as fs from 'node:fs';
import { join } from 'node:path';
import { getSystemErrorMap } from 'node:util';

import { StoreError } from '../error.js';
import { type Meta, metaFromJson } from './meta.js';

/** Metadata is one small object; a larger file is something else. */
const MAX_META_BYTES = 16 << 20;

// Without NONBLOCK, opening a FIFO in place of a file would block. Windows has neither flag.
const READ = fs.constants.O_RDONLY | (fs.constants.O_NOFOLLOW ?? 0) | (fs.constants.O_NONBLOCK ?? 0);
const CREATE = fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL;

/**
 * Errors that count as a missing file, including a symbolic link, a name that is too long, and a path through a file.
 */
const NO_FILE = new Set(['ENOENT', 'ELOOP', 'ENOTDIR', 'ENAMETOOLONG']);

/** A folder. Every failure is a {@link StoreError}. */
export class Folder {
    readonly path: string;

    /** `path` is absolute. */
    constructor(path: string) {
        this.path = path;
    }

    /** Creates the folder and its parents, accessible to this user only, unless it exists. */
    make(): void {
        attempt('creating the folder', () => fs.mkdirSync(this.path, { recursive: true, mode: 0o700 }));
    }

    /** Reads the metadata of `id`. A file system that ignores case may return another artifact's metadata. */
    readMeta(name: string, id: string): Meta {
        const json = attempt('reading metadata', () => this.#read(name, 0, MAX_META_BYTES), notFound);
        const meta = metaFromJson(json);
        return meta.artifact.id === id ? meta : notFound();
    }

    /** Reads bytes of a file. Fewer than requested are an error. */
    read(name: string, offset: number, length: number): Uint8Array {
        if (length === 0) {
            return new Uint8Array(0);
        }
        const bytes = attempt('reading a file', () => this.#read(name, offset, length), notFound);
        if (bytes.length < length) {
            throw new StoreError('other', 'the artifact is damaged: its file is too short');
        }
        return bytes;
    }

    /** Returns the status of a file, or of a link itself; `undefined` if it does not exist. */
    stat(name: string): fs.BigIntStats | undefined {
        const stat = () => fs.lstatSync(join(this.path, name), { bigint: true });
        return attempt('looking up a file', stat, () => undefined);
    }

    /** Creates and opens a file, accessible to this user only; returns `undefined` if it already exists. */
    create(name: string): number | undefined {
        return attempt('creating a file', () => {
            try {
                return fs.openSync(join(this.path, name), CREATE, 0o600);
            } catch (error) {
                if ((error as NodeJS.ErrnoException).code === 'EEXIST') {
                    return undefined;
                }
                throw error;
            }
        });
    }

    /** Writes a new file and flushes it to the disk. Its timestamp is `time`, in milliseconds. */
    write(name: string, content: Uint8Array, time: number): void {
        const file = this.create(name);
        if (file === undefined) {
            throw new StoreError('other', 'creating a file: it already exists');
        }
        attempt('writing a file', () => {
            try {
                writeFully(file, content);
                fs.futimesSync(file, time / 1000, time / 1000);
                fs.fsyncSync(file);
            } finally {
                fs.closeSync(file);
            }
        });
    }

    rename(from: string, to: string): void {
        attempt('renaming a file', () => fs.renameSync(join(this.path, from), join(this.path, to)));
    }

    /** Renames a folder in it; returns `false` if it does not exist. */
    renameFolder(from: string, to: string): boolean {
        const rename = () => {
            fs.renameSync(join(this.path, from), join(this.path, to));
            return true;
        };
        return attempt('renaming a folder', rename, () => false);
    }

    /** Removes a file; returns `false` if it does not exist. */
    remove(name: string): boolean {
        const remove = () => {
            fs.unlinkSync(join(this.path, name));
            return true;
        };
        return attempt('removing a file', remove, () => false);
    }

    /** Lists the names in the folder; none if the folder is gone. */
    names(): string[] {
        return attempt('reading the folder', () => fs.readdirSync(this.path), () => []);
    }

    /** Lists the folders in it that are not empty; none if the folder is gone. Symbolic links are not folders. */
    folders(): string[] {
        const isFull = (name: string) => fs.readdirSync(join(this.path, name)).length > 0;
        const list = () => fs.readdirSync(this.path, { withFileTypes: true }).filter((found) => found.isDirectory());
        return attempt('reading the folder', () => list().map(({ name }) => name).filter(isFull), () => []);
    }

    /** Removes a folder in it, with its content. */
    removeFolder(name: string): void {
        attempt('removing a folder', () => fs.rmSync(join(this.path, name), { recursive: true, force: true, maxRetries: 3 }));
    }

    /** Makes renames survive a power failure, if the system can. */
    sync(): void {
        if (process.platform === 'win32') {
            return;
        }
        attempt('writing the folder', () => {
            const folder = fs.openSync(this.path, fs.constants.O_RDONLY);
            try {
                fs.fsyncSync(folder);
            } finally {
                fs.closeSync(folder);
            }
        });
    }

    /** Reads up to `length` bytes of a regular file, not through a symbolic link. */
    #read(name: string, offset: number, length: number): Uint8Array {
        const file = fs.openSync(join(this.path, name), READ);
        try {
            const found = fs.fstatSync(file);
            return found.isFile() ? readFully(file, offset, Math.min(length, found.size - offset)) : notFound();
        } finally {
            fs.closeSync(file);
        }
    }
}

/** Runs a file operation and converts its errors. If the file is missing, returns the result of `missing`, if given. */
export function attempt<T>(operation: string, action: () => T, missing?: () => T): T {
    try {
        return action();
    } catch (error) {
        if (error instanceof StoreError) {
            throw error;
        }
        const { code = 'unknown error', errno = 0 } = error as NodeJS.ErrnoException;
        if (missing !== undefined && NO_FILE.has(code)) {
            return missing();
        }
        // Node's own message includes the path.
        throw new StoreError('other', `${operation}: ${getSystemErrorMap().get(errno)?.[1] ?? code}`);
    }
}

/** Writes all of the bytes at the end of an open file. */
export function writeFully(file: number, bytes: Uint8Array): void {
    for (let written = 0; written < bytes.length; ) {
        written += fs.writeSync(file, bytes, written);
    }
}

function readFully(file: number, offset: number, length: number): Uint8Array {
    const bytes = new Uint8Array(Math.max(length, 0));
    let filled = 0;
    while (filled < bytes.length) {
        const count = fs.readSync(file, bytes, filled, bytes.length - filled, offset + filled);
        if (count === 0) {
            break;
        }
        filled += count;
    }
    return bytes.subarray(0, filled);
}

function notFound(): never {
    throw new StoreError('not_found');
}
