/** The time that one call may take. */

import { TuckawayError } from './error.js';
import { invalid } from './validate.js';

/** Checks the option `deadlineMs`. Omitted or null, a call may take any time. */
export function deadlineMs(value: unknown): number {
    if (value == null) {
        return Infinity;
    }
    if (typeof value !== 'number' || !(value > 0)) {
        throw invalid('deadlineMs', value, 'a number of milliseconds above 0, or Infinity');
    }
    return value;
}

/**
 * The deadline of one call, which starts when it is created.
 *
 * Nothing can interrupt WebAssembly on the thread that runs it, so the deadline is enforced whenever the component asks
 * the store or the token counter. Between two such questions it does a bounded amount of work: reading artifacts takes
 * one question for each piece, and the steps of a filter are limited.
 */
export class Deadline {
    readonly #milliseconds: number;
    readonly #ends: number;
    #hasStopped = false;

    constructor(milliseconds: number) {
        this.#milliseconds = milliseconds;
        this.#ends = performance.now() + milliseconds;
    }

    /** Returns why nothing more may be asked; undefined while there is time. */
    refusal(): Error | undefined {
        if (performance.now() < this.#ends) {
            return undefined;
        }
        this.#hasStopped = true;
        return new Error('the deadline of the call has passed');
    }

    /**
     * Waits for an answer, for at most half of the remaining time: even if a store often does not answer, some time
     * remains for a view that does not need it.
     */
    async answered<Answer>(answer: Answer | Promise<Answer>): Promise<Answer> {
        if (this.#ends === Infinity) {
            return answer;
        }
        let timer: ReturnType<typeof setTimeout> | undefined;
        const late = new Promise<never>((_, reject) => {
            const half = Math.min(Math.max(this.#ends - performance.now(), 0) / 2, LONGEST_TIMER_MS);
            timer = setTimeout(() => reject(new Error('it did not answer in time')), half);
        });
        try {
            return await Promise.race([answer, late]);
        } finally {
            clearTimeout(timer);
        }
    }

    /** Returns the error of a call that the deadline stopped; undefined if it did not. */
    error(): TuckawayError | undefined {
        if (!this.#hasStopped) {
            return undefined;
        }
        const message =
            `This took longer than ${this.#milliseconds} ms, the deadline for a call; narrow the query, or raise deadlineMs.`;
        return new TuckawayError('limit', message, { arguments: ['deadlineMs'] });
    }
}

/** A longer timer would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
