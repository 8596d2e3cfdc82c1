/** Many sessions in one store, and what it does to clean up. */

import { invalid } from '../validate.js';

/** What a store did to clean up. */
export interface Garbage {
    /** Artifacts that expired because of their age, or because the quota needed their space. */
    expired: number;
    /** Unsealed artifacts of crashed writers that were removed. */
    abandoned: number;
    /** Expired artifacts that were forgotten: their ids are `not-found` from now on. */
    forgotten: number;
    /** Bytes of content that were freed. */
    freedBytes: number;
}

/** What a store that shares its place with other sessions offers. */
export interface Sessions<Session> {
    /**
     * Returns the store of a session within this one, which exists once it holds something. Nothing leads from one to
     * another: ids of another session are `not-found`. The options of this store hold for each session by itself.
     * Throws a `TuckawayError` of kind `invalid-input` unless the name is 1 to 64 characters of `a-z 0-9 _ -`.
     */
    session(name: string): Session;
    /** Returns the names of the sessions within this one, sorted. */
    sessions(): string[];
    /**
     * Removes a session within this one, with everything in it; `not-found` if there is none. What is being written
     * to it fails.
     */
    removeSession(name: string): void;
    /**
     * Frees what can be freed, here and in all sessions: the content of artifacts that have expired, what crashed
     * writers left behind a day ago, and the oldest artifacts if the rest exceeds the quota. Stores do the first two
     * from time to time.
     */
    collectGarbage(): Garbage;
}

/** {@link Sessions} whose methods return promises. */
export type AsyncSessions<Session> = {
    [Method in keyof Sessions<Session>]: Method extends 'session'
        ? Sessions<Session>[Method]
        : (...args: Parameters<Sessions<Session>[Method]>) => Promise<ReturnType<Sessions<Session>[Method]>>;
};

/** Returns what nothing was done for yet. */
export function noGarbage(): Garbage {
    return { expired: 0, abandoned: 0, forgotten: 0, freedBytes: 0 };
}

/** Adds what was done elsewhere. */
export function addGarbage(to: Garbage, more: Garbage): void {
    to.expired += more.expired;
    to.abandoned += more.abandoned;
    to.forgotten += more.forgotten;
    to.freedBytes += more.freedBytes;
}

/** Checks the name of a session. Capitals are refused: a file system that ignores case would mix two sessions. */
export function sessionName(value: unknown): string {
    if (!isSessionName(value)) {
        throw invalid('The session\'s name', value, '1 to 64 characters of a-z, 0-9, \'_\' and \'-\'');
    }
    return value;
}

/** Returns whether a value is the name of a session. */
export function isSessionName(value: unknown): value is string {
    return typeof value === 'string' && /^[a-z0-9_-]{1,64}$/.test(value);
}
