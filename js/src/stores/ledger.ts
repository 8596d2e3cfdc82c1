/** What a store that has its artifacts to itself knows of them: ids, states, order, sizes and ages. */

import { StoreError } from '../error.js';
import type { Artifact } from '../ports.js';
import type { Limits } from './limits.js';
import { mint } from './mint.js';

/** A run of an artifact's bytes. */
export interface Chunk {
    /** Bytes in it. */
    length: number;
}

/** An artifact and where its bytes are. */
export interface Entry<C extends Chunk> {
    artifact: Artifact;
    chunks: C[];
    /**
     * `open` until it is sealed; `broken` after an append failed, when only `delete` is left; `damaged` if it
     * was sealed whole and is no longer.
     */
    state: 'open' | 'broken' | 'sealed' | 'expired' | 'damaged';
}

/** The entries of a store, within its limits. */
export class Ledger<C extends Chunk> {
    readonly #limits: Limits;
    readonly #hasExpired: (entry: Entry<C>) => void;
    readonly #entries = new Map<string, Entry<C>>();
    /** Those that are or were sealed, in that order: the clock's seconds are too coarse for it. */
    readonly #sealed = new Set<Entry<C>>();
    #used = 0;

    /** `hasExpired` is told of each entry that passes its age, after its bytes were given up. */
    constructor(limits: Limits, hasExpired: (entry: Entry<C>) => void = () => {}) {
        this.#limits = limits;
        this.#hasExpired = hasExpired;
    }

    /** Begins an artifact. Its names are kept as text that can be written down: without lone surrogates. */
    create(tool: string, mediaType: string): string {
        this.expire();
        let id = mint(tool);
        while (this.#entries.has(id)) {
            id = mint(tool);
        }
        const names = { tool: tool.toWellFormed(), mediaType: mediaType.toWellFormed() };
        const artifact = { id, ...names, sizeBytes: 0, lineCount: 0, createdAt: 0 };
        this.#entries.set(id, { artifact, chunks: [], state: 'open' });
        return id;
    }

    /** Takes up an entry of an earlier time, in the order of sealing. */
    restore(entry: Entry<C>): void {
        this.#entries.set(entry.artifact.id, entry);
        this.#sealed.add(entry);
        this.#used += used(entry);
    }

    /** Adds bytes to an artifact within the quota. `write` puts them where they are kept. */
    append(id: string, length: number, write: (entry: Entry<C>) => C): void {
        const entry = this.#unsealed(id);
        if (entry.state === 'broken') {
            throw earlierFailure();
        }
        if (length === 0) {
            return;
        }
        try {
            if (this.#used + length > this.#limits.quotaBytes) {
                throw new StoreError('quota-exceeded');
            }
            entry.chunks.push(write(entry));
        } catch (error) {
            this.#empty(entry, 'broken');
            entry.artifact.sizeBytes = 0;
            throw error;
        }
        entry.artifact.sizeBytes += length;
        this.#used += length;
    }

    /** Makes an artifact visible. `write` makes it last; if it fails, nothing is kept. */
    seal(id: string, lineCount: number, write: (entry: Entry<C>, artifact: Artifact) => void = () => {}): Artifact {
        const entry = this.#unsealed(id);
        const artifact = { ...entry.artifact, lineCount, createdAt: this.#limits.now() };
        try {
            if (entry.state === 'broken') {
                throw earlierFailure();
            }
            write(entry, artifact);
        } catch (error) {
            this.remove(id);
            throw error;
        }
        entry.artifact = artifact;
        entry.state = 'sealed';
        this.#sealed.add(entry);
        return { ...artifact };
    }

    /** An entry that a reader may see. */
    visible(id: string): Entry<C> {
        this.expire();
        const entry = this.#entries.get(id);
        switch (entry?.state) {
            case 'sealed':
                return entry as Entry<C>;
            case 'expired':
                throw new StoreError('expired');
            case 'damaged':
                throw new StoreError('other', 'its content is damaged');
            default:
                throw new StoreError('not-found');
        }
    }

    /** Up to `length` bytes of a visible artifact from `offset`. `fill` fills an array from a place in a chunk. */
    read(
        id: string,
        offset: number,
        length: number,
        fill: (into: Uint8Array, chunk: C, from: number) => void,
    ): Uint8Array {
        const { artifact, chunks } = this.visible(id);
        const end = Math.min(offset + length, artifact.sizeBytes);
        const bytes = new Uint8Array(Math.max(end - offset, 0));
        let start = 0;
        for (const chunk of chunks) {
            const [from, to] = [Math.max(offset, start), Math.min(end, start + chunk.length)];
            if (from < to) {
                fill(bytes.subarray(from - offset, to - offset), chunk, from - start);
            }
            start += chunk.length;
        }
        return bytes;
    }

    /** Sealed artifacts, oldest first. */
    list(): Artifact[] {
        this.expire();
        return [...this.#sealed].filter(({ state }) => state === 'sealed').map(({ artifact }) => ({ ...artifact }));
    }

    /** Forgets an artifact. `write` makes that last; if it fails, the artifact stays. */
    remove(id: string, write: (entry: Entry<C>) => void = () => {}): void {
        this.expire();
        const entry = this.#entries.get(id);
        if (entry === undefined) {
            throw new StoreError('not-found');
        }
        write(entry);
        this.#forget(entry);
    }

    /** All that is known, in the order of sealing as far as it is sealed. */
    entries(): Entry<C>[] {
        return [...this.#sealed, ...[...this.#entries.values()].filter((entry) => !this.#sealed.has(entry))];
    }

    /** Empties what is past its age, and in time forgets that it was there. */
    expire(): void {
        for (const entry of this.#sealed) {
            const { createdAt } = entry.artifact;
            if (entry.state !== 'expired' && this.#limits.hasExpired(createdAt)) {
                this.#empty(entry, 'expired');
                this.#hasExpired(entry);
            } else if (entry.state === 'expired' && this.#limits.mayForget(createdAt)) {
                this.#forget(entry);
            }
        }
    }

    #unsealed(id: string): Entry<C> {
        this.expire();
        const entry = this.#entries.get(id);
        if (entry === undefined) {
            throw new StoreError('not-found');
        }
        if (this.#sealed.has(entry)) {
            throw new StoreError('other', 'it is sealed already');
        }
        return entry;
    }

    #forget(entry: Entry<C>): void {
        this.#used -= used(entry);
        this.#entries.delete(entry.artifact.id);
        this.#sealed.delete(entry);
    }

    #empty(entry: Entry<C>, state: 'broken' | 'expired'): void {
        this.#used -= used(entry);
        entry.state = state;
        entry.chunks = [];
    }
}

function used({ chunks }: Entry<Chunk>): number {
    return chunks.reduce((sum, { length }) => sum + length, 0);
}

function earlierFailure(): StoreError {
    return new StoreError('other', 'an earlier write to it failed');
}
