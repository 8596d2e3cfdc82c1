/** Writes one artifact: full segments as they fill, then the last segment and the metadata. */

import type { Artifact } from '../../contract/types.js';
import { StoreError } from '../../error.js';
import type { Limits } from '../limits.js';
import type { Catalog, S3Meta } from './catalog.js';
import { type Objects, TAKEN } from './objects.js';

/**
 * Seconds without a request after which an artifact cannot be sealed, because its segments may have been collected as
 * garbage.
 */
const STALE_SECONDS = 12 * 60 * 60;

/** How often metadata is written if the server reports that it may exist soon. */
const PUBLISHING_TRIES = 3;

/** Services of the store for its writers. */
export interface WriterContext {
    catalog: Catalog;
    limits: Limits;
    segmentBytes: number;
    /**
     * Returns the bytes that count against the quota: all segments of the session, and the buffers of other writers.
     */
    used(objects: Objects, except: Writer): Promise<number>;
}

/** An artifact that is not sealed yet. Its operations run one after the other. */
export class Writer {
    readonly #context: WriterContext;
    readonly #artifact: Artifact;
    /** Bytes of the session, without this artifact, at the time of its creation. */
    readonly #others: number;
    /** The bytes that are not written yet: less than a segment between two calls. */
    #buffer: Uint8Array[] = [];
    #buffered = 0;
    #segments = 0;
    #size = 0;
    #isBroken = false;
    #touchedAt: number;
    #last: Promise<unknown> = Promise.resolve();

    constructor(context: WriterContext, artifact: Artifact, others: number) {
        this.#context = context;
        this.#artifact = artifact;
        this.#others = others;
        this.#touchedAt = context.limits.now();
    }

    /** Number of bytes in memory. */
    get buffered(): number {
        return this.#buffered;
    }

    /** When it last wrote a segment, in Unix seconds. */
    get touchedAt(): number {
        return this.#touchedAt;
    }

    append(objects: Objects, bytes: Uint8Array): Promise<void> {
        // A copy: the caller may change its array. `slice` of a Buffer would return a view.
        const copy = new Uint8Array(bytes);
        return this.#inTurn(async () => {
            this.#checkNotBroken();
            try {
                if (this.#others + this.#size + copy.length > this.#context.limits.quotaBytes) {
                    throw new StoreError('quota_exceeded');
                }
                await this.#write(objects, copy);
            } catch (error) {
                this.#isBroken = true;
                this.#buffer = [];
                this.#buffered = 0;
                throw error;
            }
        });
    }

    /** Makes the artifact visible, or removes the segments that were written. */
    seal(objects: Objects, lineCount: number): Promise<Artifact> {
        return this.#inTurn(async () => {
            const meta = await this.#prepare(objects, lineCount).catch(async (error: unknown) => {
                await this.#discard(objects.forOperation());
                throw error;
            });
            await this.#publish(objects, meta);
            return { ...meta.artifact };
        });
    }

    /** Waits for operations that have begun. Later operations fail. */
    async stop(): Promise<void> {
        await this.#inTurn(async () => {
            this.#isBroken = true;
        });
    }

    #inTurn<T>(action: () => Promise<T>): Promise<T> {
        const turn = this.#last.then(action);
        this.#last = turn.catch(() => {});
        return turn;
    }

    #checkNotBroken(): void {
        if (this.#isBroken) {
            throw new StoreError('other', 'an earlier write to the artifact failed');
        }
    }

    /** Adds bytes to the buffer, and writes full segments. */
    async #write(objects: Objects, bytes: Uint8Array): Promise<void> {
        const { segmentBytes } = this.#context;
        for (let from = 0; from < bytes.length; ) {
            const piece = bytes.subarray(from, from + segmentBytes - this.#buffered);
            this.#buffer.push(piece);
            this.#buffered += piece.length;
            this.#size += piece.length;
            from += piece.length;
            if (this.#buffered === segmentBytes) {
                await this.#flush(objects);
            }
        }
    }

    /** Writes the buffer as a segment. */
    async #flush(objects: Objects): Promise<void> {
        const { catalog, limits } = this.#context;
        const segment = new Uint8Array(this.#buffered);
        let filled = 0;
        for (const piece of this.#buffer) {
            segment.set(piece, filled);
            filled += piece.length;
        }
        await objects.put('putting a segment', catalog.keys.segment(this.#artifact.id, this.#segments), segment);
        this.#buffer = [];
        this.#buffered = 0;
        this.#segments += 1;
        this.#touchedAt = limits.now();
    }

    /** Checks that the artifact may be sealed, writes its last segment, and returns its metadata. */
    async #prepare(objects: Objects, lineCount: number): Promise<S3Meta> {
        this.#checkNotBroken();
        const { limits, segmentBytes } = this.#context;
        if (this.#segments > 0 && limits.now() - this.#touchedAt > STALE_SECONDS) {
            throw new StoreError('other', 'the artifact was not written to for 12 hours');
        }
        if (limits.quotaBytes !== Infinity) {
            const used = await this.#context.used(objects, this);
            if (used + this.#buffered > limits.quotaBytes) {
                throw new StoreError('quota_exceeded');
            }
        }
        if (this.#segments > 0) {
            await this.#checkSegments(objects);
        }
        if (this.#buffered > 0) {
            await this.#flush(objects);
        }
        const artifact = { ...this.#artifact, sizeBytes: this.#size, lineCount, createdAt: limits.now() };
        const random = crypto.getRandomValues(new Uint8Array(16));
        const seal = Array.from(random, (byte) => byte.toString(16).padStart(2, '0')).join('');
        return { artifact, expiredAt: undefined, segmentBytes, sealedAtUs: nextMicrosecond(), seal };
    }

    /** Checks that the segments still exist: removing a whole session also removes the segments of its writers. */
    async #checkSegments(objects: Objects): Promise<void> {
        const { keys } = this.#context.catalog;
        let whole = 0;
        for await (const page of objects.list('sealing', keys.data(this.#artifact.id))) {
            whole += page.filter(({ size }) => size === this.#context.segmentBytes).length;
        }
        if (whole < this.#segments) {
            throw new StoreError('other', 'another process has removed the segments of the artifact');
        }
    }

    /**
     * Writes the metadata, or removes the segments. An answer may be lost, or may belong to a repetition of the
     * request, so the final state of the bucket decides.
     */
    async #publish(objects: Objects, meta: S3Meta): Promise<void> {
        const { catalog } = this.#context;
        let failure: unknown;
        for (let tries = 0; tries < PUBLISHING_TRIES && failure === undefined; tries++) {
            try {
                if ((await catalog.create(objects, meta)) !== TAKEN) {
                    return;
                }
            } catch (error) {
                failure = error;
            }
            const found = await catalog.read(objects.forOperation(), meta.artifact.id).catch(() => undefined);
            if (found?.seal === meta.seal) {
                return;
            }
            if (found !== undefined) {
                throw new StoreError('other', 'sealing: the id is taken by another artifact');
            }
        }
        await this.#discard(objects.forOperation());
        throw failure ?? new StoreError('other', 'sealing: the server gave no definite answer');
    }

    /**
     * Removes an unsealed artifact: first the metadata, which requires segments. Objects that cannot be removed are
     * left for the garbage collector.
     */
    async #discard(objects: Objects): Promise<void> {
        const { catalog } = this.#context;
        const { id } = this.#artifact;
        const segments = Array.from({ length: this.#segments }, (_, segment) => catalog.keys.segment(id, segment));
        try {
            await catalog.remove(objects, id);
            await objects.remove('removing a segment', segments);
        } catch {
            // The failure that led here is the one to report.
        }
    }
}

let lastMicrosecond = 0;

/** Returns the time in Unix microseconds, larger for each call of this process. */
function nextMicrosecond(): number {
    lastMicrosecond = Math.max(Date.now() * 1000, lastMicrosecond + 1);
    return lastMicrosecond;
}
