/** How much a store keeps, and for how long. */

import type { Artifact } from '../contract/types.js';
import { StoreError } from '../error.js';
import { type Members, invalid, optional, record } from '../validate.js';

/** Options of every store of this package. */
export interface StoreOptions {
    /**
     * The maximum number of content bytes, unsealed artifacts included. Default: 1 GiB in a `MemoryStore`, Infinity in
     * the others.
     */
    quotaBytes?: number | undefined;
    /** The age at which artifacts expire, to the second. Default: Infinity. */
    maxAgeSeconds?: number | undefined;
    /** Returns the milliseconds since 1970. Default: Date.now. */
    clock?: (() => number) | undefined;
}

/** Seconds without a write after which an unsealed artifact is considered left behind by a crashed writer. */
const ABANDONED_SECONDS = 24 * 60 * 60;

/** Minimum number of milliseconds between two sweeps. */
const SWEEP_EVERY = 10 * 60 * 1000;

const OPTIONS = { quotaBytes: optional(bound), maxAgeSeconds: optional(bound), clock: optional(clock) };

/** {@link StoreOptions}, checked. */
export class Limits {
    readonly quotaBytes: number;
    readonly maxAgeSeconds: number;
    readonly #clock: () => number;
    #swept = -Infinity;

    /**
     * `own` are the options that a store has in addition to {@link StoreOptions}; `quotaBytes` is the default quota.
     */
    constructor(options: StoreOptions = {}, own: Members = {}, quotaBytes = Infinity) {
        const checked = record({ ...own, ...OPTIONS })(options, 'options');
        this.quotaBytes = checked.quotaBytes ?? quotaBytes;
        this.maxAgeSeconds = checked.maxAgeSeconds ?? Infinity;
        this.#clock = checked.clock ?? Date.now;
    }

    /** Returns the time in Unix seconds. */
    now(): number {
        return Math.floor(this.#clock() / 1000);
    }

    /** Returns whether an artifact created at this time, in Unix seconds, has reached its maximum age. */
    hasExpired(createdAt: number): boolean {
        return this.now() - createdAt >= this.maxAgeSeconds;
    }

    /**
     * Returns when an artifact created at this time expires or has expired, in Unix seconds; infinite without a
     * maximum age.
     */
    expiresAt(createdAt: number): number {
        return createdAt + this.maxAgeSeconds;
    }

    /** Returns whether a store may forget that an artifact created at this time has expired. */
    mayForget(createdAt: number): boolean {
        const age = Number.isFinite(this.maxAgeSeconds) ? this.maxAgeSeconds : 0;
        return this.now() - createdAt > 2 * Math.max(age, ABANDONED_SECONDS);
    }

    /**
     * Returns whether an unsealed artifact that was last written to at this time was left behind by a crashed writer.
     */
    isAbandoned(touchedAt: number): boolean {
        return this.now() - touchedAt > ABANDONED_SECONDS;
    }

    /** Returns whether a sweep is due; if so, the caller makes it now. */
    sweepIsDue(): boolean {
        const now = this.#clock();
        const due = now - this.#swept >= SWEEP_EVERY;
        if (due) {
            this.#swept = now;
        }
        return due;
    }
}

/** Returns the error for an artifact that expired at a time in Unix seconds, infinite if unknown. */
export function expired({ tool }: Artifact, expiredAt: number): StoreError {
    const isKnown = Number.isFinite(expiredAt);
    return new StoreError('expired', 'expired', isKnown ? { expiry: { tool, expiredAt: Math.ceil(expiredAt) } } : {});
}

/** Checks a number of seconds or bytes; `Infinity` means no limit. */
export function bound(value: unknown, name: string): number {
    if (typeof value !== 'number' || !(value >= 0)) {
        throw invalid(name, value, 'a number of at least 0, or Infinity');
    }
    return value;
}

/** Checks the name of a store in a browser's storage. */
export function storeName(value: unknown): string {
    if (typeof value !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(value)) {
        throw invalid('The store\'s name', value, '1 to 64 letters, digits, \'_\' or \'-\'');
    }
    return value;
}

/** Returns the names of the stores whose folders or databases have these names, sorted. */
export function storeNames(found: readonly string[]): string[] {
    return found.flatMap((each) => /^tuckaway-([A-Za-z0-9_-]{1,64})$/.exec(each)?.[1] ?? []).sort();
}

function clock(value: unknown, name: string): () => number {
    if (typeof value !== 'function') {
        throw invalid(name, value, 'a function that returns milliseconds, such as Date.now');
    }
    return value as () => number;
}
