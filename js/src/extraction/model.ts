/** The models that answer the requests of an extraction. */

import type { ModelReply, ModelRequest } from '../contract/types.js';

/**
 * A model: sends a request and returns the answer. It does its own retries: the extraction treats an exception as final
 * for this request. `signal` aborts it.
 */
export type Model = (request: ModelRequest, options: { signal: AbortSignal }) => ModelReply | Promise<ModelReply>;

/** Why a model did not answer. The message appears in the answer's warnings: a sentence or two, without any key. */
export class ModelError extends Error {
    override readonly name = 'ModelError';
    /** Whether every other request would fail too, for example because the key was refused. */
    readonly isPermanent: boolean;

    constructor(message: string, { isPermanent = false, ...options }: ErrorOptions & { isPermanent?: boolean } = {}) {
        super(message, options);
        this.isPermanent = isPermanent;
    }
}

/**
 * Returns whether a thrown value says that no request can be answered. It may come from another copy of this package.
 */
export function isPermanent(thrown: unknown): boolean {
    return thrown instanceof Error && thrown.name === 'ModelError' && (thrown as ModelError).isPermanent === true;
}
