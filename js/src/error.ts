/** The errors of this package, and the messages of the component. */

import type { ErrorKind } from './contract/types.js';

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

/** Arguments that the component's messages name, as the contract spells them. */
const ARGUMENTS = [
    'at-pct', 'bytes-per-token', 'context-limit', 'context-percentage', 'context-tokens', 'context-window', 'evict-pct',
    'fixed-string', 'headroom-percentage', 'headroom-tokens', 'max-answer-bytes', 'max-bytes', 'max-chunks',
    'max-full-chunks', 'max-line-length', 'max-matches', 'max-memory', 'max-message-bytes', 'max-output-tokens',
    'max-parallel', 'max-reply-bytes', 'max-requests', 'max-steps', 'max-summary-tokens', 'max-threshold-bytes',
    'max-tool-calls', 'max-turns', 'min-threshold-bytes', 'null-input', 'overlap-pct', 'read-price',
    'retain-directives', 'retain-prompt', 'summary-context-limit', 'summary-directives', 'summary-prompt',
    'target-ratio', 'threshold-ratio', 'to-pct', 'tool-outputs', 'total-window', 'write-price',
];

const ARGUMENT = `\\b(?:${ARGUMENTS.join('|').replaceAll('-', '[-_]')})\\b`;
/** The beginning of a message that names arguments and quotes nothing. */
const ABOUT_ARGUMENTS = new RegExp(
    `^(?:There are \\d+ overrides|Override \\d+:|The buckets |The overflow of |Layer \\d+:|${ARGUMENT} (?:is |has |\\())`,
);
const ANYWHERE = new RegExp(ARGUMENT, 'g');
/** An argument in advice. Other parts of such messages quote filters, patterns and content. */
const IN_ADVICE = new RegExp(`(?<=the host can raise |characters, set |all of them, use )${ARGUMENT}`, 'g');

/** Spells the arguments that a message of the component names as in JavaScript: `maxBytes`, not `max_bytes`. */
export function inJavaScript(message: string): string {
    const names = ABOUT_ARGUMENTS.test(message) ? ANYWHERE : IN_ADVICE;
    return message.replace(names, (name) => name.replace(/[-_]([a-z])/g, (_, letter: string) => letter.toUpperCase()));
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
