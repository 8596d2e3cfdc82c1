/** The methods for histories of model providers. */

import type { HistoryFormat, HistoryInput, HistoryStep, SummaryAnswer, TokenUsage } from '../contract/types.js';
import type { Task } from '../conversation/config.js';
import type { ContextMemory } from '../json-types.js';

/**
 * Histories in the formats of model providers, kept within the context window: a state machine whose requests the
 * caller sends. `manageHistory` of `tuckaway/history` takes all steps.
 */
export interface Histories {
    /**
     * Detects the format of a history: JSON text, or the parsed list of items or request.
     *
     * Throws `invalid_input` for items of several formats, or that fit several formats which read them differently, and
     * for items of a known form that is not a format here. The message names the forms.
     */
    detectFormat(history: string | object): HistoryFormat;
    /**
     * Reads a usage as a provider reported it: JSON text, or the parsed object. Cached tokens are never counted twice.
     * Throws `invalid_input` for a usage without token counts, or with impossible ones.
     */
    readUsage(usage: string | object): TokenUsage;
    /**
     * Starts to manage a history: plans a task, applies the changes that need no model, and returns the model's next
     * request.
     *
     * @param memory the memory that the last call for this history returned, or its JSON text; omitted for a new history
     * @param task usually `manage`
     * @throws TuckawayError of kind `invalid_input` if the history, the usage, the memory or the task is malformed, or
     * if the history only continues one that the provider stores (`previous_response_id`)
     */
    start(history: HistoryInput, memory: ContextMemory | string | null | undefined, task: Task): HistoryStep;
    /**
     * Continues after the model has answered the request of the last step.
     *
     * @param history the same as for `start`, like `task`: the state does not contain them
     * @throws TuckawayError as `start`, and of kind `invalid_input` if the state was changed, comes from another version,
     * or belongs to another history
     */
    step(history: HistoryInput, task: Task, state: string, answer: SummaryAnswer): HistoryStep;
}
