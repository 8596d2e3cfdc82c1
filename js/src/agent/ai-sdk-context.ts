/** Conversations over the AI SDK, kept within their window. */

import { notify } from '../notify.js';
import type { AnyTuckaway } from './calls.js';
import {
    type ContextMemory, type ContextOptions, type ContextReport, type ManagedContext, type PairConfig, manageHistory, modelName,
} from './manage.js';

export type {
    CompactHistory, CompactionContext, ContextMemory, ContextOptions, ContextReport, ManagedContext, PairConfig,
    Summarize, SummaryCall,
} from './manage.js';

/** The members of the AI SDK's usage that tuckaway reads. `inputTokens` includes cached input. */
export interface UsageLike {
    inputTokens?: number | undefined;
    outputTokens?: number | undefined;
    totalTokens?: number | undefined;
    inputTokenDetails?: { cacheReadTokens?: number | undefined; cacheWriteTokens?: number | undefined } | undefined;
}

/** A conversation over the AI SDK. */
export interface AiSdkContext<Message extends object, Tools extends object> {
    /** The whole history: model messages, or UI messages. */
    messages: readonly Message[];
    /** The instructions that are sent with every request: a text, or system messages. */
    instructions?: string | object | readonly object[] | null | undefined;
    /** The tools that are sent with every request. */
    tools?: Tools | undefined;
    /** `usage` of the last step, not the sum over all steps. */
    usage?: UsageLike | null | undefined;
    /** `memory` from the last call. */
    memory?: ContextMemory | null | undefined;
    /** Summaries of single calls, as in `HistoryContext`. Default: none. */
    pairs?: PairConfig | null | undefined;
}

/**
 * Keeps a conversation within its window; call it once before each step. References replace old outputs and a summary
 * replaces the oldest messages, each only if it is due. Calls and their results stay together, and messages that are
 * kept are the same objects. For `generateText`, `streamText` and agents, {@link manageSteps} does this before each
 * step.
 *
 * @returns messages and tools for the next request, the memory for the next call, a report, and requests for later
 * @throws TuckawayError of kind `invalid_input` if the history, the usage or an option is malformed
 */
export async function manageContext<Message extends object, Tools extends object>(
    tuckaway: AnyTuckaway,
    { messages, instructions: system, tools = {} as Tools, usage, memory, pairs }: AiSdkContext<Message, Tools>,
    options: ContextOptions = {},
): Promise<{ messages: Message[] } & ManagedContext<Partial<Tools>>> {
    const given = { format: formatOf(messages), items: messages, system, tools, usage: reported(usage), memory, pairs };
    const { items, ...managed } = await manageHistory<Message, Tools>(tuckaway, given, options);
    return { messages: items, ...managed };
}

/** Returns the format of messages: only UI messages have `parts`. Other values are rejected later. */
function formatOf(messages: unknown): 'ai-sdk' | 'ai-sdk-ui' {
    const isUi = (message: { parts?: unknown } | null | undefined) => Array.isArray(message?.parts);
    return Array.isArray(messages) && messages.some(isUi) ? 'ai-sdk-ui' : 'ai-sdk';
}

/** Returns a usage if it has figures: the AI SDK leaves those undefined that the provider does not report. */
function reported(usage: UsageLike | null | undefined): UsageLike | undefined {
    const { inputTokens, outputTokens, totalTokens } = usage ?? {};
    return [inputTokens, outputTokens, totalTokens].some((figure) => figure != null) ? usage! : undefined;
}

/** Options of {@link manageSteps}. */
export interface StepOptions extends ContextOptions {
    /** The agent's tools, whose definitions count towards the window. */
    tools?: object | undefined;
    /** `memory` of an earlier conversation, to resume it. */
    memory?: ContextMemory | null | undefined;
    /**
     * Receives the memory, to be stored with the messages, and the report of each step. Exceptions that it throws are
     * ignored.
     */
    onContext?: ((memory: ContextMemory, report: ContextReport) => void) | undefined;
}

/** The arguments of `prepareStep` that tuckaway reads. */
export interface StepLike {
    messages: any[];
    instructions?: any;
    model?: unknown;
    steps: readonly { usage?: UsageLike | undefined }[];
}

/**
 * Returns a `prepareStep` that keeps one conversation within its window, for `generateText`, `streamText` or an agent.
 * The messages that it returns carry over to later steps. The model is that of the step, unless `model` is set.
 */
export function manageSteps(
    tuckaway: AnyTuckaway,
    options: StepOptions = {},
): (step: StepLike) => Promise<{ messages: any[]; activeTools?: any[] }> {
    const { tools = {}, memory: first, onContext, ...contextOptions } = options;
    let context: { tools: object; memory: ContextMemory | null | undefined } = { tools, memory: first };
    return async ({ messages, instructions, model, steps }) => {
        const usage = steps.at(-1)?.usage;
        const given = { ...context, messages, instructions, usage };
        const managed = await manageContext(tuckaway, given, { model: modelName(model), ...contextOptions });
        context = { tools: managed.tools, memory: managed.memory };
        notify(onContext, managed.memory, managed.report);
        const active = Object.keys(managed.tools);
        const isPruned = active.length < Object.keys(tools).length;
        return { messages: managed.messages, ...(isPruned && { activeTools: active }) };
    };
}
