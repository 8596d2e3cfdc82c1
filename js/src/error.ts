/**
 * What went wrong, for programs; `message` is for people and models.
 *
 * - `invalid-input`: an argument is malformed: a policy, range, pattern, filter, id or cursor.
 * - `not-found`: the store never held this artifact.
 * - `expired`: the store held this artifact and has dropped it.
 * - `unsupported`: the artifact's content does not support the query (jq on text), or this JavaScript
 *   engine lacks what an entry point needs.
 * - `limit`: the call was stopped at one of its limits; a narrower call may succeed.
 * - `store`: the store failed; `cause` is what it threw, if anything.
 * - `tokens`: the token counter failed.
 */
export type ErrorKind =
    | 'invalid-input'
    | 'not-found'
    | 'expired'
    | 'unsupported'
    | 'limit'
    | 'store'
    | 'tokens';

/** The one error that this package throws. */
export class TuckawayError extends Error {
    override readonly name = 'TuckawayError';
    readonly kind: ErrorKind;

    constructor(kind: ErrorKind, message: string, options?: ErrorOptions) {
        super(message, options);
        this.kind = kind;
    }
}

/** Why a store operation failed. */
export type StoreErrorCode =
    /** No artifact has this id, or it was deleted, or it is not sealed. */
    | 'not-found'
    /** The artifact existed and has reached its maximum age. */
    | 'expired'
    /** The write would exceed the store's quota. Nothing was kept. */
    | 'quota-exceeded'
    /** Anything else; the message is for people. */
    | 'other';

/** What a {@link Store} throws. Anything else that it throws counts as `other`. */
export class StoreError extends Error {
    override readonly name = 'StoreError';
    readonly code: StoreErrorCode;

    constructor(code: StoreErrorCode, message: string = code, options?: ErrorOptions) {
        super(message, options);
        this.code = code;
    }
}

/** Returns the message of a thrown value of any type. */
export function messageOf(thrown: unknown): string {
    try {
        return thrown instanceof Error ? `${thrown.message}` : String(thrown);
    } catch {
        return 'a value that cannot be converted to text';
    }
}

/** Returns whether a value is a {@link StoreError}, possibly from another copy of this package. */
export function isStoreError(value: unknown): value is StoreError {
    return value instanceof Error && value.name === 'StoreError' && typeof (value as StoreError).code === 'string';
}
