/** Parses the script of a world in a case file. */

import { StoreError, type Artifact, type Expiry } from 'tuckaway';

import { bytes } from './content.js';
import { isObject, malformed, type Json, type JsonObject } from './json.js';
import { toNumber } from './naming.js';

/** When the first artifact of a session was created. */
export const EPOCH = 1_700_000_000;

/** How a store and a token counter fail or violate the contract. */
export interface Script {
    /** For each method that fails: its error, and the only call that fails, from 1; all calls if omitted. */
    failures: Map<string, { error: () => StoreError; at: number | undefined }>;
    lies: Lies;
    count: (text: string, bytes: number) => number;
}

/** Answers that violate the contract. */
export interface Lies {
    /** Every new artifact gets this id. */
    minted?: string;
    /** `seal` returns this size for every artifact. */
    sealedSize?: number;
    /** `seal` returns this id for every artifact. */
    sealedId?: string;
    /** `stat` returns this id for every artifact. */
    statId?: string;
    /** The answer of `read`. */
    read?: 'one_byte' | 'empty' | 'too_long' | 'wrong';
}

/** An artifact that is present from the start. */
export interface StoredArtifact {
    artifact: Artifact;
    bytes: Uint8Array;
    /** The remaining data about it, if it has expired. */
    expired: { expiry: Expiry | undefined } | undefined;
}

const METHODS = ['create', 'append', 'seal', 'stat', 'read', 'list_artifacts', 'delete'];

/** Parses the script, and the artifacts that are present from the start. */
export function parseScript(store: Json = {}, tokens: Json = 'bytes/4'): { script: Script; present: StoredArtifact[] } {
    if (!isObject(store)) {
        return malformed('this is not a valid store', store);
    }
    const { artifacts = [], fail = {}, lies = {}, ...rest } = store;
    if (!Array.isArray(artifacts) || !isObject(fail) || !isObject(lies) || Object.keys(rest).length > 0) {
        malformed('this is not a valid store', store);
    }
    const failures = Object.entries(fail).map(([method, how]) => {
        if (!METHODS.includes(method) || !isObject(how) || typeof how.error !== 'string') {
            malformed('this is not a valid failure', { [method]: how });
        }
        const { error, at } = how;
        return [method, { error: () => storeError(error), at: at === undefined ? undefined : toNumber(at) }] as const;
    });
    return {
        script: { failures: new Map(failures), lies: parseLies(lies), count: counter(tokens) },
        present: artifacts.map(present),
    };
}

function storeError(error: string): StoreError {
    switch (error) {
        case 'not_found':
            return new StoreError('not_found');
        case 'expired':
            return new StoreError('expired');
        case 'quota_exceeded':
            return new StoreError('quota_exceeded');
        default:
            return new StoreError('other', error);
    }
}

function parseLies({ minted, sealed_size, sealed_id, stat_id, read, ...rest }: JsonObject): Lies {
    if (Object.keys(rest).length > 0) {
        malformed('these are not valid lies', rest);
    }
    return {
        ...(minted !== undefined && { minted: minted as string }),
        ...(sealed_size !== undefined && { sealedSize: toNumber(sealed_size) }),
        ...(sealed_id !== undefined && { sealedId: sealed_id as string }),
        ...(stat_id !== undefined && { statId: stat_id as string }),
        ...(read !== undefined && { read: read as NonNullable<Lies['read']> }),
    };
}

function counter(tokens: Json): Script['count'] {
    if (typeof tokens === 'number') {
        return () => tokens;
    }
    if (isObject(tokens) && typeof tokens.fails === 'string') {
        const why = tokens.fails;
        return () => {
            throw new Error(why);
        };
    }
    switch (tokens) {
        case 'bytes/4':
            return (_text, bytes) => Math.ceil(bytes / 4);
        case 'words':
            return (text) => text.split(/[ \t\n\f\r]+/).filter((word) => word !== '').length;
        case 'too_many':
            return (_text, bytes) => bytes + 1;
        default:
            return malformed('this is not a valid token counter', tokens);
    }
}

/** Parses the data that a store keeps about an expired artifact: none (`true`), or the second at which it expired. */
function parseExpiry(expired: Json, tool: string): Expiry | undefined {
    if (expired === true) {
        return undefined;
    }
    // The largest second of the contract, to which JavaScript rounds.
    const expiredAt = toNumber(expired);
    return { tool, expiredAt: expiredAt === 2 ** 64 ? Infinity : expiredAt };
}

function present(raw: Json): StoredArtifact {
    if (!isObject(raw)) {
        return malformed('this is not a valid artifact', raw);
    }
    const {
        id, content, tool = 'tool', media_type = 'text/plain', size_bytes, line_count, created_at = EPOCH,
        expired = false, ...rest
    } = raw;
    if (typeof id !== 'string' || Object.keys(rest).length > 0) {
        malformed('this is not a valid artifact', raw);
    }
    const stored = bytes(content);
    return {
        artifact: {
            id,
            tool: tool as string,
            mediaType: media_type as string,
            sizeBytes: size_bytes === undefined ? stored.length : toNumber(size_bytes),
            lineCount: line_count === undefined ? countLines(stored) : toNumber(line_count),
            createdAt: toNumber(created_at),
        },
        bytes: stored,
        expired: expired === false ? undefined : { expiry: parseExpiry(expired, tool as string) },
    };
}

function countLines(bytes: Uint8Array): number {
    let feeds = 0;
    for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
        feeds += 1;
    }
    return feeds + (bytes.length > 0 && bytes.at(-1) !== 0x0a ? 1 : 0);
}
