/** The methods for extractions. */

import type {
    ExtractionConfig, ExtractionEstimate, ExtractionEvent, ExtractionOptions, ExtractionStep, Question,
} from './types.js';

/**
 * Questions about an artifact, answered by a model that the caller asks: a state machine whose requests the caller sends.
 * `extract` of `tuckaway/extraction` does all of it.
 *
 * A state is JSON of a few kilobytes plus what the model has answered so far. It can be kept anywhere, and continued in
 * another process or another host over the same store. One that was cut or changed is `invalid-input`.
 */
export interface Extraction {
    /** Returns the defaults for a context window of at least 2048. Default: that of `createTuckaway`. */
    defaults(contextTokens?: number): ExtractionConfig;
    /**
     * Reads the arguments of a call of the tool `tool_output`: JSON text, or the object parsed from it. The message of
     * an `invalid-input` is for the model: it says how to correct the call.
     */
    parseCall(args: string | object): Question;
    /** Returns what an extraction would take, without starting one. */
    estimate(question: Question, config?: ExtractionOptions): ExtractionEstimate;
    /**
     * Begins an extraction. One that needs no model has its answer at once. An artifact that is not there, has expired
     * or is binary is an answer that says so, for the agent's model.
     */
    start(question: Question, config?: ExtractionOptions): ExtractionStep;
    /**
     * Goes on. Throws `invalid-input` for a state that is not one of this version or was changed, and for a reply to a
     * request that is not open. After an error the state is still valid.
     */
    step(state: string, event: ExtractionEvent): ExtractionStep;
}
