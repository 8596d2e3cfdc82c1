/** Options of an S3 store. */

import type { S3Client } from '@aws-sdk/client-s3';

import { type Members, invalid, optional } from '../../validate.js';
import { type StoreOptions, bound } from '../limits.js';
import { sessionName } from '../sessions.js';
import { MAX_SEGMENT_BYTES } from './catalog.js';

/** Options of an {@link BucketStore}. */
export interface BucketStoreOptions extends StoreOptions {
    /** The client, with its region, credentials and endpoint. Its retries apply to every request. */
    client: S3Client;
    /** The bucket, which must exist. */
    bucket: string;
    /** Prefix in the bucket: all keys begin with it and `/`. Default: none. */
    prefix?: string | undefined;
    /** The session within the store, 1 to 64 characters of `a-z 0-9 _ -`. Default: the session without a name. */
    session?: string | undefined;
    /**
     * Time limit for one try of a request in milliseconds, plus one second for each 512 KiB that it carries. Default:
     * 10,000.
     */
    timeoutMs?: number | undefined;
    /** Time limit for an operation on one artifact in milliseconds, including repeated requests. Default: 60,000. */
    operationTimeoutMs?: number | undefined;
    /** Buffer size in bytes for each artifact being written, and size of each object of its content. Default: 8 MiB. */
    segmentBytes?: number | undefined;
    /** Size in bytes of the read cache. Default: 32 MiB. */
    cacheBytes?: number | undefined;
}

/** Checks of the options that only this store has. */
export const OWN_OPTIONS: Members = {
    client,
    bucket,
    prefix: optional((value) => value),
    session: optional(sessionName),
    timeoutMs: optional(milliseconds),
    operationTimeoutMs: optional(milliseconds),
    segmentBytes: optional(segmentBytes),
    cacheBytes: optional(bound),
};

function client(value: unknown, name: string): unknown {
    if (typeof (value as Partial<S3Client> | null | undefined)?.send !== 'function') {
        throw invalid(name, value, 'an S3Client of @aws-sdk/client-s3');
    }
    return value;
}

function bucket(value: unknown, name: string): unknown {
    if (typeof value !== 'string' || value === '') {
        throw invalid(name, value, 'the name of a bucket');
    }
    return value;
}

function milliseconds(value: unknown, name: string): number {
    // The largest delay of a timer.
    if (typeof value !== 'number' || !(value > 0) || value > 2 ** 31 - 1) {
        throw invalid(name, value, 'a number of milliseconds above 0, at most 2^31 - 1');
    }
    return value;
}

function segmentBytes(value: unknown, name: string): number {
    if (!Number.isSafeInteger(value) || (value as number) < 1 || (value as number) > MAX_SEGMENT_BYTES) {
        throw invalid(name, value, 'a whole number from 1 to 2^30');
    }
    return value as number;
}
