/** Errors of a browser's storage. */

import { StoreError } from '../error.js';

/** Converts an error to a {@link StoreError}. `operation` names what failed. */
export function storageFailure(operation: string, error: unknown): StoreError {
    if (error instanceof StoreError) {
        return error;
    }
    const { name = 'Error', message = String(error) } = (error ?? {}) as Partial<Error>;
    return name === 'QuotaExceededError'
        ? new StoreError('quota_exceeded', `${operation}: the browser grants no more storage`, { cause: error })
        : new StoreError('other', `${operation}: ${message || name}`, { cause: error });
}
