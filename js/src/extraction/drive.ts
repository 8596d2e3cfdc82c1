/** Runs an extraction with a model, from its first request to its answer. */

import { TuckawayError, messageOf } from '../error.js';
import { notify } from '../notify.js';
import type { AsyncTuckaway, Tuckaway } from '../tuckaway.js';
import { type Check, anything, callback, invalid, optional, record, string } from '../validate.js';
import { reply as checkReply } from './input.js';
import { type Model, isPermanent } from './model.js';
import type { Answer, ExtractionEvent, ExtractionOptions, ExtractionStep, ModelReply, ModelRequest, Question } from './types.js';

/** How far an extraction is, since this driver began. */
export interface ExtractionProgress {
    /** Requests that the model has answered. */
    answered: number;
    /** Requests that failed, after all that the model's adapter tried. */
    failed: number;
    /** Requests that are not answered. */
    open: number;
    /** The tokens of the requests that were answered. */
    inputTokens: number;
    /** The tokens of the answers, if the provider counts them. */
    outputTokens: number;
}

/** How an extraction is driven. */
export interface ExtractOptions {
    /** Answers the requests. */
    model: Model;
    /** The model's limits. Default: those for the context window of `createTuckaway`. */
    config?: ExtractionOptions | undefined;
    /** Cancels the extraction: open requests are ended, and the answer has what was found so far. */
    signal?: AbortSignal | undefined;
    /** Receives the progress with each request that is sent and answered. What it throws is ignored. */
    onProgress?: ((progress: ExtractionProgress) => void) | undefined;
    /**
     * Receives the state after each step, to keep it for `resumeFrom`. It is awaited, and what it throws ends the
     * extraction: a state that cannot be kept cannot be resumed.
     */
    onState?: ((state: string) => unknown) | undefined;
    /**
     * A state of `onState`, also of another process or another host over the same store, to go on from. Requests
     * without an answer are sent again. The question and the limits are those of the state.
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
 * Answers a question about an artifact with a model: starts an extraction, sends its requests side by side, at most
 * `maxParallel`, and passes on each answer as it comes. A question without a nonce gets a random one, which no artifact
 * can contain on purpose.
 *
 * A model that fails does not fail the extraction: the answer says what is missing, or has the head and the tail of the
 * artifact. After a {@link ModelError} that is permanent the model is not asked again.
 *
 * @throws TuckawayError as `extraction.start` and `extraction.step` do
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

/** What became of a request. */
type Outcome = { request: ModelRequest } & ({ reply: ModelReply } | { error: unknown });

/** An extraction that is going on. */
class Drive {
    readonly #tuckaway: Tuckaway | AsyncTuckaway;
    readonly #options: ExtractOptions;
    /** Ends the open requests. */
    readonly #ending = new AbortController();
    /** Outcomes that wait for their step. */
    readonly #arrived: Outcome[] = [];
    /** Why the model is not asked any more. */
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
            // What was canceled before it began sends nothing.
            if (this.#options.signal?.aborted !== true) {
                step.requests.forEach((request) => this.#send(request));
            }
            this.#report();
            step = await this.#tuckaway.extraction.step(step.state, await this.#nextEvent());
        }
        this.#report();
        return step.answer;
    }

    /** Ends the requests that are open. */
    end(): void {
        this.#options.signal?.removeEventListener('abort', this.#cancel);
        this.#ending.abort();
    }

    readonly #cancel = () => {
        this.#ending.abort();
        this.#wake();
    };

    /** Sends a request; one that would be refused fails at once. */
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
            // What is not a reply is a failure of this request, not of the extraction.
            checkReply(reply, "the model's reply");
            return reply;
        };
        ask().then((reply) => arrive({ request, reply }), (error: unknown) => arrive({ request, error }));
    }

    /** Waits for the next outcome, or for the end. */
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
            const why = 'No request of this extraction is open, and it has no answer: start it again.';
            throw new TuckawayError('invalid-input', why);
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
