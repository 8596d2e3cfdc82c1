/** The errors of this package, and the messages of the component. */

import type { ErrorKind, Failure } from './contract/types.js';

/** Options of a {@link TuckawayError}. */
export interface TuckawayErrorOptions extends ErrorOptions {
    /** The arguments that the message is about. Default: none. */
    arguments?: readonly string[];
}

/** The one error that this package throws. */
export class TuckawayError extends Error {
    override readonly name = 'TuckawayError';
    readonly kind: ErrorKind;
    /** The arguments that the message is about, such as `maxBytes`. */
    readonly arguments: readonly string[];

    constructor(kind: ErrorKind, message: string, options: TuckawayErrorOptions = {}) {
        const { arguments: names = [], ...rest } = options;
        super(message, rest);
        this.kind = kind;
        this.arguments = names;
    }
}

/** Why a store operation failed. */
export type StoreErrorCode =
    /** No artifact has this id, or it was deleted, or it is not sealed. */
    | 'not_found'
    /** The artifact existed and has expired: it reached its maximum age, or it was removed to stay within the quota. */
    | 'expired'
    /** The write would exceed the store's quota. Nothing was stored. */
    | 'quota_exceeded'
    /** Any other failure; the message is for people. */
    | 'other';

/** The remaining data about an expired artifact. */
export interface Expiry {
    /** The tool that produced it. */
    tool: string;
    /** When it expired, in Unix seconds of the host's clock. */
    expiredAt: number;
}

/** Options of a {@link StoreError}. */
export interface StoreErrorOptions {
    /** The cause. It is never shown to a model. */
    cause?: unknown;
    /** For the code `expired`: the remaining data about the artifact, for the reply to the model. */
    expiry?: Expiry | undefined;
}

/** The error that a {@link Store} throws. Any other thrown value counts as `other`. */
export class StoreError extends Error {
    override readonly name = 'StoreError';
    readonly code: StoreErrorCode;
    /** The remaining data about an expired artifact. */
    declare readonly expiry?: Expiry;

    constructor(code: StoreErrorCode, message: string = code, options: StoreErrorOptions = {}) {
        const { expiry, ...rest } = options;
        super(message, rest);
        this.code = code;
        if (expiry !== undefined) {
            this.expiry = expiry;
        }
    }
}

/** Spells the arguments that a message of the component names as in JavaScript: `maxBytes`, not `max_bytes`. */
export function inJavaScript({ kind, message, arguments: names }: Failure): Failure {
    const spelled = names.map((name) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()));
    return {
        kind,
        message: names.reduce((text, name, at) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), spelled[at]!), message),
        arguments: spelled,
    };
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
