/** Reads ranges of artifacts in blocks, which are cached, and reads ahead during sequential reads. */

import type { Objects } from './objects.js';

/** Content is requested in pieces that begin and end at multiples of this within a segment. */
export const BLOCK_BYTES = 256 * 1024;

/** A cache of blocks by key, bounded in bytes. The least recently used block is removed first. */
export class BlockCache {
    readonly #maxBytes: number;
    readonly #blocks = new Map<string, Uint8Array>();
    #bytes = 0;

    constructor(maxBytes: number) {
        this.#maxBytes = maxBytes;
    }

    get(key: string): Uint8Array | undefined {
        const block = this.#blocks.get(key);
        if (block !== undefined) {
            this.#blocks.delete(key);
            this.#blocks.set(key, block);
        }
        return block;
    }

    has(key: string): boolean {
        return this.#blocks.has(key);
    }

    set(key: string, block: Uint8Array): void {
        if (block.length > this.#maxBytes) {
            return;
        }
        this.#bytes += block.length - (this.#blocks.get(key)?.length ?? 0);
        this.#blocks.delete(key);
        this.#blocks.set(key, block);
        for (const [oldest, { length }] of this.#blocks) {
            if (this.#bytes <= this.#maxBytes) {
                break;
            }
            this.#blocks.delete(oldest);
            this.#bytes -= length;
        }
    }
}

/** A segment to read from. */
export interface Segment {
    key: string;
    /** Its position in the artifact, from 0. */
    index: number;
    size: number;
}

/** Reads segments through a cache. Each reader serves one artifact. */
export class Reader {
    readonly #cache: BlockCache;
    /** The block after the ones that were requested last. */
    #next = { index: -1, block: 0 };
    /** Minimum number of blocks in a request. */
    #ahead = 1;

    constructor(cache: BlockCache) {
        this.#cache = cache;
    }

    /**
     * Fills an array with the bytes of a segment from an offset. Returns false if the segment is missing or damaged.
     */
    async fill(objects: Objects, segment: Segment, offset: number, into: Uint8Array): Promise<boolean> {
        const end = offset + into.length;
        let at = offset;
        while (at < end) {
            const block = Math.floor(at / BLOCK_BYTES);
            const cached = this.#cache.get(`${segment.key}/${block}`);
            const bytes = cached ?? await this.#fetch(objects, segment, block, end);
            if (bytes === undefined) {
                return false;
            }
            const start = block * BLOCK_BYTES;
            const piece = bytes.subarray(at - start, end - start);
            into.set(piece, at - offset);
            at += piece.length;
        }
        return true;
    }

    /**
     * Requests a block, the blocks after it up to an offset, and some more during sequential reads, except for cached
     * ones.
     */
    async #fetch(objects: Objects, segment: Segment, block: number, end: number): Promise<Uint8Array | undefined> {
        const { key, index, size } = segment;
        const all = Math.ceil(size / BLOCK_BYTES);
        const isSequential = index === this.#next.index && block === this.#next.block;
        this.#ahead = isSequential ? Math.min(2 * this.#ahead, all) : 1;
        const last = Math.min(Math.max(Math.ceil(end / BLOCK_BYTES), block + this.#ahead), all);
        let after = block + 1;
        while (after < last && !this.#cache.has(`${key}/${after}`)) {
            after += 1;
        }
        const [from, to] = [block * BLOCK_BYTES, Math.min(after * BLOCK_BYTES, size)];
        const bytes = await objects.range('getting a segment', key, [from, to], size);
        if (bytes === undefined) {
            return undefined;
        }
        this.#next = after === all ? { index: index + 1, block: 0 } : { index, block: after };
        for (let each = block; each < after; each++) {
            // A copy: a view would keep the whole answer in memory.
            const start = (each - block) * BLOCK_BYTES;
            this.#cache.set(`${key}/${each}`, bytes.slice(start, start + BLOCK_BYTES));
        }
        return bytes;
    }
}
