/** How much a store keeps, and for how long. */

import { type Members, invalid, optional, record } from '../validate.js';

/** What every store of this package takes. */
export interface StoreOptions {
    /** At most so many bytes of content, those of unsealed artifacts counted. [Infinity] */
    quotaBytes?: number | undefined;
    /** Artifacts expire at this age, to the second. [Infinity] */
    maxAgeSeconds?: number | undefined;
    /** Milliseconds since 1970. [Date.now] */
    clock?: (() => number) | undefined;
}

/** Seconds after which what a writer has begun and not touched again is a crashed writer's. */
const ABANDONED_SECONDS = 24 * 60 * 60;

/** Milliseconds that pass at least between two looks for what can be removed. */
const SWEEP_EVERY = 10 * 60 * 1000;

const OPTIONS = { quotaBytes: optional(bound), maxAgeSeconds: optional(bound), clock: optional(clock) };

/** {@link StoreOptions}, checked. */
export class Limits {
    readonly quotaBytes: number;
    readonly maxAgeSeconds: number;
    readonly #clock: () => number;
    #swept = -Infinity;

    /** `own` are the members that a store takes beyond {@link StoreOptions}. */
    constructor(options: StoreOptions = {}, own: Members = {}) {
        const checked = record({ ...own, ...OPTIONS })(options, 'options');
        this.quotaBytes = checked.quotaBytes ?? Infinity;
        this.maxAgeSeconds = checked.maxAgeSeconds ?? Infinity;
        this.#clock = checked.clock ?? Date.now;
    }

    /** Unix seconds. */
    now(): number {
        return Math.floor(this.#clock() / 1000);
    }

    /** Whether an artifact of this time, in Unix seconds, is past its age. */
    hasExpired(createdAt: number): boolean {
        return this.now() - createdAt >= this.maxAgeSeconds;
    }

    /** Whether a store may forget that an artifact of this time has expired. */
    mayForget(createdAt: number): boolean {
        const age = Number.isFinite(this.maxAgeSeconds) ? this.maxAgeSeconds : 0;
        return this.now() - createdAt > 2 * Math.max(age, ABANDONED_SECONDS);
    }

    /** Whether what was begun and last touched at this time is a crashed writer's. */
    isAbandoned(touchedAt: number): boolean {
        return this.now() - touchedAt > ABANDONED_SECONDS;
    }

    /** Whether it is time to look for what can be removed; if so, it is taken to be done. */
    sweepIsDue(): boolean {
        const now = this.#clock();
        const due = now - this.#swept >= SWEEP_EVERY;
        if (due) {
            this.#swept = now;
        }
        return due;
    }
}

/** A number of seconds or bytes, `Infinity` for no bound. */
export function bound(value: unknown, name: string): number {
    if (typeof value !== 'number' || !(value >= 0)) {
        throw invalid(name, value, 'a number from 0 on, or Infinity');
    }
    return value;
}

/** The name of a store in a browser's storage. */
export function storeName(value: unknown): string {
    if (typeof value !== 'string' || !/^[A-Za-z0-9_-]{1,64}$/.test(value)) {
        throw invalid('The store\'s name', value, '1 to 64 letters, digits, \'_\' or \'-\'');
    }
    return value;
}

function clock(value: unknown, name: string): () => number {
    if (typeof value !== 'function') {
        throw invalid(name, value, 'a function that returns milliseconds, such as Date.now');
    }
    return value as () => number;
}
