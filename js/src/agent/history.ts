/** Histories of providers in the neutral form, and plans applied to them, for hosts with their own agent loop. */

import type { Conversation, Plan } from '../conversation/model.js';
import { invalid, oneOf } from '../validate.js';
import { applyTo, itemsOf, toNeutral, withoutTools } from './history/format.js';
import { type FormatName, FORMATS } from './history/table.js';
import { anchored } from './history/usage.js';

export { type FormatName, detectFormat } from './history/table.js';

/** The data that accompanies a history. */
export interface HistoryOptions {
    /** The developer's prompt, if the provider takes it as a parameter: `system`, or `instructions` of Responses. */
    system?: unknown;
    /** The tools that are sent with every request, in the provider's format. */
    tools?: unknown;
    /** The usage record of the model's last reply. It counts everything up to the model's last message. */
    usage?: unknown;
    /** The artifacts that contain the results, by the ids of their calls, if the ids are unique. */
    artifacts?: Readonly<Record<string, string>> | undefined;
    /** Returns whether an earlier plan inserted an item, that is, whether it was in `inserted` of {@link Changed}. */
    inserted?: ((item: any) => boolean) | undefined;
    /** Returns whether an item must be kept unchanged. */
    pinned?: ((item: any, index: number) => boolean) | undefined;
}

/** A changed history. */
export interface Changed<Item> {
    /** The new history. Items that are kept are the same objects. */
    history: Item[];
    /** The items that the plan inserted. */
    inserted: Item[];
    /** The tools without the ones that the plan removes. */
    tools: any;
    /**
     * Whether the state kept by the provider no longer matches: omit `previous_response_id` of OpenAI's Responses, and
     * pass `history` as the whole input.
     */
    dropsPreviousResponse: boolean;
}

const formatName = oneOf('openai-chat', 'openai-responses', 'anthropic', 'ai-sdk', 'neutral');

/**
 * Converts a history to the neutral form. Message `index + shift` is item `index`, where `shift` is the number of
 * messages that `system` produces.
 *
 * @throws TuckawayError of kind `invalid-input` if an item is malformed, or a figure of the usage is
 */
export function toConversation(
    format: FormatName,
    history: readonly object[],
    options: HistoryOptions = {},
): Conversation {
    const { artifacts = {}, inserted, pinned, usage } = options;
    const known = FORMATS[formatName(format, 'format')];
    const artifactOf = (callId: string) => (Object.hasOwn(artifacts, callId) ? artifacts[callId] : undefined);
    const { conversation } = toNeutral(known, history, options, {
        artifactOf,
        isInserted: inserted,
        isPinned: pinned,
    });
    return { ...conversation, ...anchored(conversation, known.usage(usage)) };
}

/**
 * Applies a plan for {@link toConversation} of the same history and options. Members unknown to tuckaway survive: items
 * that are kept are the same objects, and in a result that a placeholder replaces only the text changes.
 */
export function applyPlan<Item extends object>(
    format: FormatName,
    history: readonly Item[],
    plan: Plan,
    { system, tools }: Pick<HistoryOptions, 'system' | 'tools'> = {},
): Changed<Item> {
    const known = FORMATS[formatName(format, 'format')];
    const items = itemsOf(history, known.list);
    const prompted = known.prompt(system).length;
    const end = items.length + prompted;
    if (plan.history.some((entry) => 'keep' in entry && entry.keep.end > end)) {
        throw invalid('plan', plan, `a plan for this history, which has ${end} messages`);
    }
    const placed = applyTo(known, items, plan, prompted);
    return {
        history: placed.map(({ item }) => item as Item),
        inserted: placed.filter(({ from }) => from === undefined).map(({ item }) => item as Item),
        tools: withoutTools(known, tools, plan.removedTools),
        dropsPreviousResponse: known === FORMATS['openai-responses'] && !plan.isEmpty,
    };
}
