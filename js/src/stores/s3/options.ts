/** Options of an S3 store. */

import type { S3Client } from '@aws-sdk/client-s3';

import { type Members, invalid, optional } from '../../validate.js';
import { type StoreOptions, bound } from '../limits.js';
import { sessionName } from '../sessions.js';
import { MAX_SEGMENT_BYTES } from './catalog.js';

/** Options of an {@link S3Store}. */
export interface S3StoreOptions extends StoreOptions {
    /** The client, with its region, credentials and endpoint. Its retries apply to every request. */
    client: S3Client;
    /** The bucket, which must exist. */
    bucket: string;
    /** Where in the bucket: all keys begin with this and `/`. Default: everywhere. */
    prefix?: string | undefined;
    /** The session within it, 1 to 64 characters of `a-z 0-9 _ -`. Default: the one without a name. */
    session?: string | undefined;
    /**
     * Milliseconds after which a try of a request has failed, plus one second for each 512 KiB it carries. Default:
     * 10,000.
     */
    timeoutMs?: number | undefined;
    /**
     * Milliseconds after which an operation on one artifact has failed, repetitions of its requests included. Default:
     * 60,000.
     */
    operationTimeoutMs?: number | undefined;
    /** Bytes in memory of each artifact that is written, and of each object of its content. Default: 8 MiB. */
    segmentBytes?: number | undefined;
    /** Bytes in memory of content that was read. Default: 32 MiB. */
    cacheBytes?: number | undefined;
}

/** Checks of the options that other stores do not have. */
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
    // A timer takes no more.
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
