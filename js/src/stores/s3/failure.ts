/** Converts failures of the SDK to errors that a model may read: they contain no bucket, key or address. */

import { StoreError } from '../../error.js';

/** The error names of the SDK and of Node, in words. */
const REASONS: Record<string, string> = {
    AbortError: 'no answer in time',
    TimeoutError: 'no answer in time',
    ETIMEDOUT: 'no answer in time',
    ECONNREFUSED: 'the connection was refused',
    ECONNRESET: 'the connection was reset',
    EPIPE: 'the connection was reset',
    EAI_AGAIN: 'the server was not found',
    ENOTFOUND: 'the server was not found',
    EHOSTUNREACH: 'the server cannot be reached',
    ENETUNREACH: 'the server cannot be reached',
    CredentialsProviderError: 'there are no credentials',
};

/** The server's names of failures that a person has to fix; other names may reveal the location. */
const CODES = [
    'AccessDenied', 'ExpiredToken', 'InvalidAccessKeyId', 'NoSuchBucket', 'NotImplemented', 'PermanentRedirect',
    'QuotaExceeded', 'RequestTimeTooSkewed', 'SignatureDoesNotMatch', 'SlowDown',
];

/** The members of the SDK's errors. */
interface SdkError {
    name?: unknown;
    code?: unknown;
    $metadata?: { httpStatusCode?: unknown };
    $response?: { statusCode?: unknown };
}

/** A transfer that ended early or stalled, which is retried. */
export class TransferError extends Error {}

/** Returns the HTTP status with which the server answered; undefined if it did not answer. */
export function statusOf(error: unknown): number | undefined {
    const { $metadata, $response } = (error ?? {}) as SdkError;
    const status = $metadata?.httpStatusCode ?? $response?.statusCode;
    return typeof status === 'number' && status >= 300 ? status : undefined;
}

/** Returns whether the whole bucket is missing, not only an object. */
export function isMissingBucket(error: unknown): boolean {
    return (error as SdkError).name === 'NoSuchBucket';
}

/**
 * Converts an error of a request. `operation` names the operation. The SDK's error is not kept as the cause, since
 * printing it would reveal the location and the server's message; the client's logger has both.
 */
export function failure(operation: string, error: unknown): StoreError {
    return error instanceof StoreError ? error : new StoreError('other', `${operation}: ${reasonOf(error)}`);
}

function reasonOf(error: unknown): string {
    if (error instanceof TransferError) {
        return error.message;
    }
    const status = statusOf(error);
    const { code, name } = (error ?? {}) as SdkError;
    if (status !== undefined) {
        return `HTTP ${status}${CODES.includes(name as string) ? ` (${name})` : ''}`;
    }
    const known = [code, name].find((each) => typeof each === 'string' && Object.hasOwn(REASONS, each));
    return REASONS[known as string] ?? 'the request failed';
}
