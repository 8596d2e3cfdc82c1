/** Many sessions in one store, and removal of garbage. */

import { invalid } from '../validate.js';

/** A report of removed garbage. */
export interface Garbage {
    /** Artifacts that expired because of their age, or because of the quota. */
    expired: number;
    /** Unsealed artifacts of crashed writers that were removed. */
    abandoned: number;
    /** Expired artifacts that were forgotten: their ids are `not_found` from now on. */
    forgotten: number;
    /** Bytes of content that were freed. */
    freedBytes: number;
}

/** The interface of a store that holds several sessions. */
export interface Sessions<Session> {
    /**
     * Returns the store of a session within this one, which exists once it contains something. Sessions are isolated
     * from each other: ids of another session are `not_found`. The options of this store apply to each session
     * separately. Throws a `TuckawayError` of kind `invalid_input` unless the name is 1 to 64 characters of `a-z 0-9 _
     * -`.
     */
    session(name: string): Session;
    /** Returns the names of the sessions within this one, sorted. */
    sessions(): string[];
    /**
     * Removes a session within this one, with its content; `not_found` if it does not exist. Writes in progress to the
     * session fail.
     */
    removeSession(name: string): void;
    /**
     * Removes garbage, here and in all sessions: the content of expired artifacts, artifacts that crashed writers left
     * behind a day ago, and the oldest artifacts if the rest exceeds the quota. Stores do the first two on their own from
     * time to time.
     */
    collectGarbage(): Garbage;
}

/** {@link Sessions} whose methods return promises. */
export type AsyncSessions<Session> = {
    [Method in keyof Sessions<Session>]: Method extends 'session'
        ? Sessions<Session>[Method]
        : (...args: Parameters<Sessions<Session>[Method]>) => Promise<ReturnType<Sessions<Session>[Method]>>;
};

/** Returns an empty report. */
export function noGarbage(): Garbage {
    return { expired: 0, abandoned: 0, forgotten: 0, freedBytes: 0 };
}

/** Adds another report. */
export function addGarbage(to: Garbage, more: Garbage): void {
    to.expired += more.expired;
    to.abandoned += more.abandoned;
    to.forgotten += more.forgotten;
    to.freedBytes += more.freedBytes;
}

/** Checks the name of a session. Capitals are rejected: a file system that ignores case would mix up two sessions. */
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
