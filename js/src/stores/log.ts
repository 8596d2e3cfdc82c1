/**
 * A log of records in one of two files, for a store that must open its files before its first call.
 *
 * # On disk
 *
 * A file is a header followed by records. Numbers have 32 bits, little-endian.
 *
 * | header | record |
 * |---|---|
 * | `tuckaway` | kind |
 * | version, 1 | serial number of the artifact |
 * | generation | length of the payload |
 * | CRC-32 of these | CRC-32 of the payload |
 * | | CRC-32 of these |
 * | | the payload |
 *
 * Records are only ever appended. When the log is opened, a partly written record is detected by its checksum or its
 * length, and removed. To reclaim space, the live records are copied to the other file. That file is flushed before it
 * gets its header, with the next generation: if both files have a header, the one with the higher generation is
 * current. So a crash at any moment loses no record that was flushed.
 */

import { StoreError } from '../error.js';
import { crc32 } from './checksum.js';

/** The methods that the log needs of a file; a `FileSystemSyncAccessHandle` has them. */
export interface SyncFile {
    read(into: Uint8Array, options: { at: number }): number;
    write(bytes: Uint8Array, options: { at: number }): number;
    truncate(size: number): void;
    getSize(): number;
    flush(): void;
    close(): void;
}

/** A record, and where its payload is stored. */
export interface LogRecord {
    kind: number;
    /** The serial number of the artifact. */
    serial: number;
    /** The offset of the payload in the file. */
    at: number;
    /** The length of the payload in bytes. */
    length: number;
}

/** A record that was found when the log was opened. */
export interface FoundRecord extends LogRecord {
    /** Whether the payload differs from the written one. */
    damaged: boolean;
}

const MAGIC = new TextEncoder().encode('tuckaway');
const VERSION = 1;
const FILE_HEADER_BYTES = 20;
const RECORD_HEADER_BYTES = 20;

/** Zeros after the last record, so that a removal can be recorded on a full disk. */
const RESERVE_BYTES = 4096;

/** The number of bytes that are read or copied at once. */
const WINDOW_BYTES = 1 << 20;

/** The log, as the module's documentation describes. Methods pass on the exceptions of the files. */
export class Log {
    #file: SyncFile;
    /** The other file, which contains no current data between two calls. */
    #spare: SyncFile;
    #generation: number;
    #end = FILE_HEADER_BYTES;
    /** Whether the spare file may have a header, which would make it current when the log is opened again. */
    #spareMayBeCurrent = false;

    private constructor(file: SyncFile, spare: SyncFile, generation: number) {
        this.#file = file;
        this.#spare = spare;
        this.#generation = generation;
    }

    /** Opens the log in two files, which may be empty, and calls `found` with each record in order. */
    static open([a, b]: readonly [SyncFile, SyncFile], found: (record: FoundRecord) => void): Log {
        const [ofA, ofB] = [generationOf(a), generationOf(b)];
        if (ofA === undefined && ofB === undefined) {
            if (Math.max(a.getSize(), b.getSize()) > FILE_HEADER_BYTES) {
                const why = 'the store is damaged beyond repair, or was written by a later version. Remove the store';
                throw new StoreError('other', why);
            }
            writeHeader(a, 1);
        }
        const log = (ofB ?? 0) > (ofA ?? 1) ? new Log(b, a, ofB as number) : new Log(a, b, ofA ?? 1);
        log.#recover(found);
        return log;
    }

    /** The number of bytes in use, dead records included. */
    get size(): number {
        return this.#end;
    }

    /** Returns the number of bytes that a record occupies. */
    static sizeOf(record: LogRecord): number {
        return RECORD_HEADER_BYTES + record.length;
    }

    /** Returns the end of the last of these records; without records, the offset of a log's first record. */
    static endOf(records: readonly LogRecord[]): number {
        return records.reduce((end, { at, length }) => Math.max(end, at + length), FILE_HEADER_BYTES);
    }

    /** Appends a record, which is durable once it is flushed. A record without a payload fits into the reserve. */
    write(kind: number, serial: number, payload: Uint8Array): LogRecord {
        if (this.#spareMayBeCurrent) {
            this.#emptySpare();
        }
        const header = new DataView(new ArrayBuffer(RECORD_HEADER_BYTES));
        [kind, serial, payload.length, crc32(payload)].forEach((field, index) => {
            header.setUint32(4 * index, field, true);
        });
        header.setUint32(16, crc32(new Uint8Array(header.buffer, 0, 16)), true);
        const at = this.#end + RECORD_HEADER_BYTES;
        try {
            if (payload.length > 0) {
                this.#file.truncate(at + payload.length + RESERVE_BYTES);
            }
            writeFully(this.#file, new Uint8Array(header.buffer), this.#end);
            writeFully(this.#file, payload, at);
        } catch (error) {
            this.cut(this.#end);
            throw error;
        }
        this.#end = at + payload.length;
        return { kind, serial, at, length: payload.length };
    }

    /** Makes all written records durable. */
    flush(): void {
        this.#file.flush();
    }

    /** Drops the records that begin at or after `end`, which must be the end of a record. */
    cut(end: number): void {
        this.#end = end;
        this.#file.truncate(end);
        try {
            this.#file.truncate(end + RESERVE_BYTES);
        } catch {
            // The disk is full already.
        }
    }

    /** Fills an array with bytes from an offset in the file. */
    read(into: Uint8Array, at: number): void {
        readFully(this.#file, into, at);
    }

    /** Keeps only these records, in this order, and updates their offsets. If it fails, nothing changes. */
    rewrite(records: readonly LogRecord[]): void {
        const offsets: number[] = [];
        let end = FILE_HEADER_BYTES;
        this.#emptySpare();
        try {
            for (const record of records) {
                const from = record.at - RECORD_HEADER_BYTES;
                copy(this.#file, from, this.#spare, end, Log.sizeOf(record));
                offsets.push(end + RECORD_HEADER_BYTES);
                end += Log.sizeOf(record);
            }
            this.#spare.flush();
            this.#spareMayBeCurrent = true;
            writeHeader(this.#spare, this.#generation + 1);
        } catch (error) {
            this.#emptySpare();
            throw error;
        }
        this.#spareMayBeCurrent = false;
        records.forEach((record, index) => {
            record.at = offsets[index] as number;
        });
        [this.#file, this.#spare] = [this.#spare, this.#file];
        this.#generation += 1;
        try {
            this.cut(end);
            this.#spare.truncate(0);
        } catch {
            // The copy is already current. The next rewrite empties the spare file first.
        }
    }

    /** Closes the files. */
    close(): void {
        try {
            this.#file.truncate(this.#end);
        } finally {
            this.#file.close();
            this.#spare.close();
        }
    }

    /** Removes the spare file's header durably. Until that succeeds nothing is written, since it could be lost. */
    #emptySpare(): void {
        this.#spare.truncate(0);
        this.#spare.flush();
        this.#spareMayBeCurrent = false;
    }

    #recover(found: (record: FoundRecord) => void): void {
        const size = this.#file.getSize();
        const bytes = new Uint8Array(RECORD_HEADER_BYTES);
        const header = new DataView(bytes.buffer);
        while (this.#end + RECORD_HEADER_BYTES <= size) {
            this.read(bytes, this.#end);
            const length = header.getUint32(8, true);
            const at = this.#end + RECORD_HEADER_BYTES;
            if (header.getUint32(16, true) !== crc32(bytes.subarray(0, 16)) || at + length > size) {
                break;
            }
            const [kind, serial] = [header.getUint32(0, true), header.getUint32(4, true)];
            found({ kind, serial, at, length, damaged: this.#checksum(at, length) !== header.getUint32(12, true) });
            this.#end = at + length;
        }
        this.cut(this.#end);
        this.#spare.truncate(0);
    }

    #checksum(at: number, length: number): number {
        const window = new Uint8Array(Math.min(length, WINDOW_BYTES));
        let crc = 0;
        for (let done = 0; done < length; ) {
            const part = window.subarray(0, Math.min(window.length, length - done));
            this.read(part, at + done);
            crc = crc32(part, crc);
            done += part.length;
        }
        return crc;
    }
}

/** Returns the generation in a file's header; `undefined` if the header has no generation. */
function generationOf(file: SyncFile): number | undefined {
    if (file.getSize() < FILE_HEADER_BYTES) {
        return undefined;
    }
    const bytes = new Uint8Array(FILE_HEADER_BYTES);
    readFully(file, bytes, 0);
    const view = new DataView(bytes.buffer);
    const expected = fileHeader(view.getUint32(12, true));
    return bytes.every((byte, index) => byte === expected[index]) ? view.getUint32(12, true) : undefined;
}

function writeHeader(file: SyncFile, generation: number): void {
    writeFully(file, fileHeader(generation), 0);
    file.flush();
}

function fileHeader(generation: number): Uint8Array {
    const bytes = new Uint8Array(FILE_HEADER_BYTES);
    const view = new DataView(bytes.buffer);
    bytes.set(MAGIC);
    view.setUint32(8, VERSION, true);
    view.setUint32(12, generation, true);
    view.setUint32(16, crc32(bytes.subarray(0, 16)), true);
    return bytes;
}

function copy(from: SyncFile, fromAt: number, to: SyncFile, toAt: number, length: number): void {
    const window = new Uint8Array(Math.min(length, WINDOW_BYTES));
    for (let done = 0; done < length; ) {
        const part = window.subarray(0, Math.min(window.length, length - done));
        readFully(from, part, fromAt + done);
        writeFully(to, part, toAt + done);
        done += part.length;
    }
}

function readFully(file: SyncFile, into: Uint8Array, at: number): void {
    for (let done = 0; done < into.length; ) {
        const count = file.read(into.subarray(done), { at: at + done });
        if (count === 0) {
            throw new StoreError('other', "the store's file is too short");
        }
        done += count;
    }
}

function writeFully(file: SyncFile, bytes: Uint8Array, at: number): void {
    for (let done = 0; done < bytes.length; ) {
        const count = file.write(bytes.subarray(done), { at: at + done });
        if (count === 0) {
            throw new StoreError('quota_exceeded', 'the disk is full');
        }
        done += count;
    }
}
