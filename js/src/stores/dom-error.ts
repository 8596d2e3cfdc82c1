/** What a browser's storage throws, as a {@link StoreError}. */

import { StoreError } from '../error.js';

/** `doing` says what was tried. */
export function storageFailure(doing: string, error: unknown): StoreError {
    if (error instanceof StoreError) {
        return error;
    }
    const { name = 'Error', message = String(error) } = (error ?? {}) as Partial<Error>;
    return name === 'QuotaExceededError'
        ? new StoreError('quota-exceeded', `${doing}: the browser gives this site no more room`, { cause: error })
        : new StoreError('other', `${doing}: ${message || name}`, { cause: error });
}
