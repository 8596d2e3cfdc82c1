/** The methods for extractions. */

import type {
    ExtractionConfig, ExtractionEstimate, ExtractionEvent, ExtractionStep, Question,
} from '../contract/types.js';
import type { ExtractionOptions } from '../types.js';

/**
 * Questions about an artifact, answered by a model that the caller asks: a state machine whose requests the caller
 * sends. `extract` of `tuckaway/extraction` runs it from start to end.
 *
 * A state is JSON of a few kilobytes plus the model's answers so far. It can be kept anywhere, and resumed in another
 * process or on another host over the same store. A state that was truncated or changed is `invalid_input`.
 */
export interface Extraction {
    /** Returns the defaults for a context window of at least 2048. Default: the window given to `createTuckaway`. */
    defaults(contextTokens?: number): ExtractionConfig;
    /**
     * Parses the arguments of a call of the tool `tool_output`: JSON text, or the parsed object. The message of an
     * `invalid_input` error is for the model: it says how to correct the call.
     */
    parseCall(args: string | object): Question;
    /** Returns the estimated cost of an extraction, without starting it. */
    estimate(question: Question, config?: ExtractionOptions): ExtractionEstimate;
    /**
     * Starts an extraction. If it needs no model, the step has its answer at once. If the artifact is missing, expired
     * or binary, the answer says so to the agent's model.
     */
    start(question: Question, config?: ExtractionOptions): ExtractionStep;
    /**
     * Advances an extraction by one event. Throws `invalid_input` for a state of another version or one that was
     * changed, and for a reply to a request that is not open. After an error the state is still valid.
     */
    step(state: string, event: ExtractionEvent): ExtractionStep;
}
