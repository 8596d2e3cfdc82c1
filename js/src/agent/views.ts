/** Views for frameworks that run the tools themselves, one call at a time. */

import type { ToolDefinition, View } from '../contract/types.js';
import { TuckawayError } from '../error.js';
import { notify } from '../notify.js';
import type { ToolOutput, Turn } from '../types.js';
import { record } from '../validate.js';
import {
    type AnyTuckaway, type ContentPart, OPTIONS, type RunOptions, checkOptions, dialectOf, partsAfter, partsOutput,
    reserveNames,
} from './calls.js';
import { noteView } from './notes.js';

/** How outputs are offloaded; `maxBytes` limits the replies of the artifact tools. */
export interface OffloadOptions extends Omit<RunOptions, 'turn' | 'onError'> {
    /**
     * The state of the conversation, or a function that returns it. Without `usedTokens`, the headroom is computed for
     * an empty conversation, unless the framework tells the tools what its model has used. For the AI SDK, save
     * `usage.totalTokens` in `onLanguageModelCallEnd`, and pass it here.
     */
    turn?: Turn | (() => Turn) | undefined;
}

/** The call of a tool. */
export interface Execution {
    toolCallId: string;
    /** An object that all calls of one step of the model share. */
    messages?: object | undefined;
    /** The tokens of the conversation so far, as the model's provider counted them. */
    usedTokens?: number | undefined;
}

/** Makes the view of an output. */
export type ViewOf = (output: ToolOutput, execution: Execution) => Promise<View>;

const knownOptions = record(OPTIONS);

/**
 * Checks the options, and that no tool of the agent has the name of an artifact tool.
 *
 * @param tools the agent's tools, by their names
 * @returns the definitions of the artifact tools that the model may call
 */
export async function offeredTools(
    tuckaway: AnyTuckaway,
    tools: object,
    options: OffloadOptions,
): Promise<ToolDefinition[]> {
    knownOptions(options, 'options');
    reserveNames(tuckaway, options.policy, tools, 'tools');
    const dialect = dialectOf(tuckaway, options.policy);
    if (dialect === 'handle') {
        const why = 'the dialect handle defines tool_output only while something is stored, and a set of tools is fixed. Use another dialect.';
        throw new TuckawayError('unsupported', `policy.dialect: ${why}`);
    }
    await checkOptions(tuckaway, turnOf(options), options);
    return tuckaway.toolDefinitions(undefined, { dialect });
}

/** The views made so far in one step of the model. */
interface Step {
    /** Headroom tokens taken by these views, without the text of the last one. */
    takenTokens: number;
    /** The text of the last view, which is counted if there is another call. */
    uncounted: string;
    last: Promise<unknown>;
}

/** Returns a function that makes views one after the other. Each accounts for the earlier views of its step. */
export function viewMaker(tuckaway: AnyTuckaway, options: OffloadOptions): ViewOf {
    const steps = new WeakMap<object, Step>();
    return async (output, { toolCallId, messages = {}, usedTokens: reported = 0 }) => {
        const step = steps.get(messages) ?? { takenTokens: 0, uncounted: '', last: Promise.resolve() };
        steps.set(messages, step);
        const made = step.last.then(async () => {
            step.takenTokens += await countTokens(tuckaway, step.uncounted, options);
            step.uncounted = '';
            const turn = turnOf(options);
            const usedTokens = (turn?.usedTokens ?? reported) + step.takenTokens;
            const view = await tuckaway.process(output, { ...turn, usedTokens }, options.policy);
            step.uncounted = view.text;
            step.takenTokens += view.decision.keptTokens ?? 0;
            return view;
        });
        step.last = made.catch(() => undefined);
        const view = await made;
        notify(options.onView, { id: toolCallId, name: output.tool }, view);
        noteView(tuckaway, toolCallId, view);
        return view;
    };
}

/**
 * Replaces the content of an output: a text by its view, parts by the view of their texts and the other parts. Returns
 * undefined if the output passes.
 */
export async function offloadContent(
    content: string | readonly ContentPart[],
    output: { tool: string; isError?: boolean },
    execution: Execution,
    viewOf: ViewOf,
): Promise<{ content: string | readonly ContentPart[]; view: View } | undefined> {
    const isText = typeof content === 'string';
    const view = await viewOf({ ...output, ...(isText ? { content } : partsOutput(content)) }, execution);
    if (view.decision.action === 'inline') {
        return undefined;
    }
    return { content: isText ? view.text : partsAfter(content, view, 'text'), view };
}

/** Counts the tokens of a text with tuckaway's counter: no gate decides before the cap, which needs the count. */
async function countTokens(tuckaway: AnyTuckaway, content: string, { policy }: OffloadOptions): Promise<number> {
    const counting = {
        ...policy,
        enabled: true,
        contextPercentage: 1,
        minThresholdBytes: 0,
        maxThresholdBytes: Infinity,
        headroomPercentage: 1,
        maxOutputTokens: 1,
        overrides: [],
    };
    const { tokenCount } = await tuckaway.decide({ tool: '', content }, { contextWindow: Infinity }, counting);
    return tokenCount ?? content.length;
}

function turnOf({ turn }: OffloadOptions): Turn | undefined {
    return typeof turn === 'function' ? turn() : turn;
}
