/** Calls of the tool `tool_output`, answered by an extraction. */

import type { ToolReply } from '../contract/types.js';
import type { AsyncTuckaway, Tuckaway } from '../tuckaway.js';
import type { Bound } from '../types.js';
import { type ExtractOptions, extract } from './drive.js';

/**
 * How `tool_output` calls of an agent are answered: the extractions of a batch run in parallel, each with these
 * options.
 */
export type CallOptions = Omit<ExtractOptions, 'onState' | 'resumeFrom'>;

const MIN_ANSWER_BYTES = 1_024;
const MAX_ANSWER_BYTES = 1_048_576;

/**
 * Answers a call of `tool_output` in any mode.
 *
 * @param args the arguments as the model wrote them
 * @throws TuckawayError of kind `invalid_input`, for the model, if they are malformed
 */
export async function answerCall(
    tuckaway: Tuckaway | AsyncTuckaway,
    args: string | object,
    options: CallOptions & Bound,
): Promise<ToolReply> {
    const { maxBytes, ...driving } = options;
    const question = await tuckaway.extraction.parseCall(args);
    const limit = maxBytes == null
        ? {}
        : { maxAnswerBytes: Math.min(Math.max(maxBytes, MIN_ANSWER_BYTES), MAX_ANSWER_BYTES) };
    const answer = await extract(tuckaway, question, { ...driving, config: { ...limit, ...driving.config } });
    return { text: answer.text, isError: answer.outcome === 'failed' };
}
