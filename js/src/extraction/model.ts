/** What answers the requests of an extraction. */

import type { ModelReply, ModelRequest } from './types.js';

/**
 * A model: sends a request and returns the answer. It tries again as often as it makes sense, as the extraction takes
 * what it throws as final for this request. `signal` ends it.
 */
export type Model = (request: ModelRequest, options: { signal: AbortSignal }) => ModelReply | Promise<ModelReply>;

/** Why a model did not answer. The message is for the answer's warnings: a sentence or two, without any key. */
export class ModelError extends Error {
    override readonly name = 'ModelError';
    /** Whether every other request would fail too, as after a key that was refused. */
    readonly isPermanent: boolean;

    constructor(message: string, { isPermanent = false, ...options }: ErrorOptions & { isPermanent?: boolean } = {}) {
        super(message, options);
        this.isPermanent = isPermanent;
    }
}

/** Returns whether a thrown value says that no request can be answered, possibly from another copy of this package. */
export function isPermanent(thrown: unknown): boolean {
    return thrown instanceof Error && thrown.name === 'ModelError' && (thrown as ModelError).isPermanent === true;
}
