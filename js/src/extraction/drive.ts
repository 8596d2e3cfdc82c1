/** Runs an extraction with a model, from its first request to its answer. */

import { modelReply as checkReply } from '../contract/checks.js';
import type { Answer, ExtractionEvent, ExtractionStep, ModelReply, ModelRequest, Question } from '../contract/types.js';
import { TuckawayError, messageOf } from '../error.js';
import { notify } from '../notify.js';
import type { AsyncTuckaway, Tuckaway } from '../tuckaway.js';
import type { ExtractionOptions } from '../types.js';
import { type Check, anything, callback, invalid, optional, record, string } from '../validate.js';
import { type Model, isPermanent } from './model.js';

/** The progress of an extraction since this driver began. */
export interface ExtractionProgress {
    /** Number of requests that the model has answered. */
    answered: number;
    /** Number of requests that failed, after all attempts of the model's adapter. */
    failed: number;
    /** Number of requests that are not answered yet. */
    open: number;
    /** The tokens of the requests that were answered. */
    inputTokens: number;
    /** The tokens of the answers, if the provider counts them. */
    outputTokens: number;
}

/** Options of an extraction. */
export interface ExtractOptions {
    /** Answers the requests. */
    model: Model;
    /** The model's limits. Default: the limits for the context window of `createTuckaway`. */
    config?: ExtractionOptions | undefined;
    /** Cancels the extraction: open requests are aborted, and the answer contains the findings so far. */
    signal?: AbortSignal | undefined;
    /** Receives the progress whenever a request is sent or answered. Exceptions that it throws are ignored. */
    onProgress?: ((progress: ExtractionProgress) => void) | undefined;
    /**
     * Receives the state after each step, to be kept for `resumeFrom`. It is awaited, and an exception that it throws
     * ends the extraction, because a state that cannot be kept cannot be resumed.
     */
    onState?: ((state: string) => unknown) | undefined;
    /**
     * A state from `onState` to resume from, possibly of another process or another host over the same store. Requests
     * without an answer are sent again. The question and the limits are taken from the state.
     */
    resumeFrom?: string | undefined;
}

const signalCheck: Check<AbortSignal> = (value, name) => {
    if (typeof (value as AbortSignal | null)?.addEventListener !== 'function') {
        throw invalid(name, value, 'an AbortSignal');
    }
    return value as AbortSignal;
};

const knownOptions = record({
    model: callback,
    config: optional(anything),
    signal: optional(signalCheck),
    onProgress: optional(callback),
    onState: optional(callback),
    resumeFrom: optional(string),
});

/**
 * Answers a question about an artifact with a model: starts an extraction, sends at most `maxParallel` of its requests
 * in parallel, and passes on each answer as it arrives. A question without a nonce gets a random one, so that no
 * artifact can contain it on purpose.
 *
 * A model failure does not fail the extraction: the answer lists the missing parts, or contains the head and the tail of
 * the artifact. After a permanent {@link ModelError} no more requests are sent.
 *
 * @throws TuckawayError under the same conditions as `extraction.start` and `extraction.step`
 */
export async function extract(
    tuckaway: Tuckaway | AsyncTuckaway,
    question: Question,
    options: ExtractOptions,
): Promise<Answer> {
    knownOptions(options, 'options');
    const { config, resumeFrom } = options;
    const step = resumeFrom == null
        ? await tuckaway.extraction.start({ ...question, nonce: question?.nonce ?? randomNonce() }, config)
        : await tuckaway.extraction.step(resumeFrom, { resume: true });
    const drive = new Drive(tuckaway, options);
    try {
        return await drive.run(step);
    } finally {
        drive.end();
    }
}

function randomNonce(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The outcome of a request. */
type Outcome = { request: ModelRequest } & ({ reply: ModelReply } | { error: unknown });

/** A running extraction. */
class Drive {
    readonly #tuckaway: Tuckaway | AsyncTuckaway;
    readonly #options: ExtractOptions;
    /** Aborts the open requests. */
    readonly #ending = new AbortController();
    /** Outcomes to be passed to the next steps. */
    readonly #arrived: Outcome[] = [];
    /** Why requests have stopped. */
    #refusal: { error: unknown } | undefined;
    #progress: ExtractionProgress = { answered: 0, failed: 0, open: 0, inputTokens: 0, outputTokens: 0 };
    #wake = () => {};
    #isCanceled = false;

    constructor(tuckaway: Tuckaway | AsyncTuckaway, options: ExtractOptions) {
        this.#tuckaway = tuckaway;
        this.#options = options;
        options.signal?.addEventListener('abort', this.#cancel);
    }

    async run(step: ExtractionStep): Promise<Answer> {
        while (step.answer === undefined) {
            await this.#options.onState?.(step.state);
            // If the extraction was canceled before it began, nothing is sent.
            if (this.#options.signal?.aborted !== true) {
                step.requests.forEach((request) => this.#send(request));
            }
            this.#report();
            step = await this.#tuckaway.extraction.step(step.state, await this.#nextEvent());
        }
        this.#report();
        return step.answer;
    }

    /** Aborts the open requests. */
    end(): void {
        this.#options.signal?.removeEventListener('abort', this.#cancel);
        this.#ending.abort();
    }

    readonly #cancel = () => {
        this.#ending.abort();
        this.#wake();
    };

    /** Sends a request; after a permanent failure, it fails at once. */
    #send(request: ModelRequest): void {
        this.#progress.open += 1;
        const arrive = (outcome: Outcome) => {
            this.#arrived.push(outcome);
            this.#wake();
        };
        if (this.#refusal !== undefined) {
            arrive({ request, ...this.#refusal });
            return;
        }
        const ask = async () => {
            const reply = await this.#options.model(request, { signal: this.#ending.signal });
            // A malformed reply fails this request, not the extraction.
            checkReply(reply, "the model's reply");
            return reply;
        };
        ask().then((reply) => arrive({ request, reply }), (error: unknown) => arrive({ request, error }));
    }

    /** Waits for the next outcome, or for cancellation. */
    async #nextEvent(): Promise<ExtractionEvent> {
        if (this.#arrived.length === 0 && this.#progress.open > 0 && this.#options.signal?.aborted !== true) {
            await new Promise<void>((wake) => (this.#wake = wake));
        }
        if (this.#options.signal?.aborted === true && !this.#isCanceled) {
            this.#isCanceled = true;
            this.#progress = { ...this.#progress, open: 0 };
            return { cancel: true };
        }
        const outcome = this.#arrived.shift();
        if (outcome === undefined) {
            const why = 'This extraction has neither an open request nor an answer. Start it again.';
            throw new TuckawayError('invalid_input', why, { arguments: ['options.resumeFrom'] });
        }
        return this.#event(outcome);
    }

    #event(outcome: Outcome): ExtractionEvent {
        const progress = this.#progress;
        const request = outcome.request.id;
        progress.open -= 1;
        if ('reply' in outcome) {
            const { reply } = outcome;
            progress.answered += 1;
            progress.inputTokens += reply.inputTokens ?? outcome.request.inputTokens;
            progress.outputTokens += reply.outputTokens ?? 0;
            return { reply: { request, reply } };
        }
        progress.failed += 1;
        if (isPermanent(outcome.error)) {
            this.#refusal = { error: outcome.error };
        }
        return { failed: { request, why: messageOf(outcome.error) } };
    }

    #report(): void {
        notify(this.#options.onProgress, { ...this.#progress });
    }
}
