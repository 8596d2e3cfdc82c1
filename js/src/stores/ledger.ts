/** The bookkeeping of a store that does not share its artifacts: ids, states, order, sizes and ages. */

import type { Artifact } from '../contract/types.js';
import { StoreError } from '../error.js';
import { type Limits, expired } from './limits.js';
import { mint } from './mint.js';
import { type Garbage, noGarbage } from './sessions.js';

/** A run of an artifact's bytes. */
export interface Chunk {
    /** The number of bytes. */
    length: number;
}

/** An artifact, and where its bytes are stored. */
export interface Entry<C extends Chunk> {
    artifact: Artifact;
    chunks: C[];
    /**
     * `open` until it is sealed; `broken` after a failed append, when only `delete` is allowed; `damaged` if it has
     * lost bytes since it was sealed.
     */
    state: 'open' | 'broken' | 'sealed' | 'expired' | 'damaged';
    /** When it expired, in Unix seconds; infinite if unknown. */
    expiredAt?: number;
}

/** The entries of a store, within its limits. */
export class Ledger<C extends Chunk> {
    readonly #limits: Limits;
    readonly #onExpired: (entry: Entry<C>) => void;
    readonly #entries = new Map<string, Entry<C>>();
    /** Entries that are or were sealed, in the order of sealing: the clock's seconds are too coarse for that order. */
    readonly #sealed = new Set<Entry<C>>();
    #used = 0;

    /** `onExpired` receives each entry that reaches its maximum age, after its bytes were released. */
    constructor(limits: Limits, onExpired: (entry: Entry<C>) => void = () => {}) {
        this.#limits = limits;
        this.#onExpired = onExpired;
    }

    /** Creates an unsealed artifact. Lone surrogates in its names are replaced, so that UTF-8 can encode them. */
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

    /** Restores an entry of an earlier run. Must be called in the order of sealing. */
    restore(entry: Entry<C>): void {
        this.#entries.set(entry.artifact.id, entry);
        this.#sealed.add(entry);
        this.#used += used(entry);
    }

    /** Appends bytes to an artifact, within the quota. `write` stores them. */
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
                throw new StoreError('quota_exceeded');
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

    /** Makes an artifact visible. `write` makes it durable; if it fails, nothing is stored. */
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

    /** Returns an entry that is visible to readers. */
    visible(id: string): Entry<C> {
        this.expire();
        const entry = this.#entries.get(id);
        switch (entry?.state) {
            case 'sealed':
                return entry as Entry<C>;
            case 'expired':
                throw expired(entry!.artifact, entry!.expiredAt ?? Infinity);
            case 'damaged':
                throw new StoreError('other', 'the content of the artifact is damaged');
            default:
                throw new StoreError('not_found');
        }
    }

    /** Reads up to `length` bytes of a visible artifact from `offset`. `fill` fills an array from within a chunk. */
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

    /** Lists the sealed artifacts, oldest first. */
    listArtifacts(): Artifact[] {
        this.expire();
        return [...this.#sealed].filter(({ state }) => state === 'sealed').map(({ artifact }) => ({ ...artifact }));
    }

    /** Removes an artifact. `write` makes the removal durable; if it fails, the artifact stays. */
    remove(id: string, write: (entry: Entry<C>) => void = () => {}): void {
        this.expire();
        const entry = this.#entries.get(id);
        if (entry === undefined) {
            throw new StoreError('not_found');
        }
        write(entry);
        this.#forget(entry);
    }

    /** Returns all entries: first the ones that are or were sealed, in that order, then the others. */
    entries(): Entry<C>[] {
        return [...this.#sealed, ...[...this.#entries.values()].filter((entry) => !this.#sealed.has(entry))];
    }

    /** Returns whether an artifact exists, in any state. */
    get isEmpty(): boolean {
        return this.#entries.size === 0;
    }

    /** Empties the entries that have reached their maximum age, and forgets them later. */
    expire(): Garbage {
        const done = noGarbage();
        for (const entry of this.#sealed) {
            const { createdAt } = entry.artifact;
            if (entry.state !== 'expired' && this.#limits.hasExpired(createdAt)) {
                this.#end(entry, this.#limits.expiresAt(createdAt), done);
            } else if (entry.state === 'expired' && this.#limits.mayForget(Math.max(createdAt, known(entry.expiredAt)))) {
                this.#forget(entry);
                done.forgotten += 1;
            }
        }
        return done;
    }

    /** Like {@link expire}; then empties the oldest entries until the rest is within the quota. */
    collectGarbage(): Garbage {
        const done = this.expire();
        for (const entry of this.#sealed) {
            if (this.#used <= this.#limits.quotaBytes) {
                break;
            }
            if (entry.state !== 'expired') {
                this.#end(entry, this.#limits.now(), done);
            }
        }
        return done;
    }

    /** Forgets everything. Artifacts that are being written are `not_found` from now on. */
    clear(): void {
        this.#entries.clear();
        this.#sealed.clear();
        this.#used = 0;
    }

    #end(entry: Entry<C>, expiredAt: number, done: Garbage): void {
        done.expired += 1;
        done.freedBytes += used(entry);
        entry.expiredAt = expiredAt;
        this.#empty(entry, 'expired');
        this.#onExpired(entry);
    }

    #unsealed(id: string): Entry<C> {
        this.expire();
        const entry = this.#entries.get(id);
        if (entry === undefined) {
            throw new StoreError('not_found');
        }
        if (this.#sealed.has(entry)) {
            throw new StoreError('other', 'the artifact is already sealed');
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

/** Returns a time, or the earliest possible time if it is unknown. */
export function known(time: number | undefined): number {
    return time !== undefined && Number.isFinite(time) ? time : 0;
}

function used({ chunks }: Entry<Chunk>): number {
    return chunks.reduce((sum, { length }) => sum + length, 0);
}

function earlierFailure(): StoreError {
    return new StoreError('other', 'an earlier write to the artifact failed');
}
