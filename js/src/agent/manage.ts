/** Histories of providers, kept within their window in an agent loop: trimmed, evicted and summarized, each if it is due. */

import type {
    Account, Alarm, BudgetConfig, HistoryFormat, HistoryItem, KnownArtifact, ManagedHistory, PairConfig, Preset,
    Receipt, RefusalKind, SummaryAnswer, SummaryRequest,
} from '../contract/types.js';
import type { ManageConfig } from '../conversation/config.js';
import { messageOf } from '../error.js';
import type { ContextMemory } from '../json-types.js';
import type { CacheOptions, CompactionOptions } from '../types.js';
import { anything, boolean, callback, invalid, optional, record, string } from '../validate.js';
import type { AnyTuckaway } from './calls.js';
import { HistoryJson } from './json.js';
import { forgetNotes, notesOf } from './notes.js';
import { definitionsOf, toolsAt } from './tools.js';

export type { ContextMemory } from '../json-types.js';
export type { HistoryFormat, PairConfig } from '../contract/types.js';

/** A request for the model that writes summaries, in a form that every provider accepts. Send it without tools. */
export interface SummaryCall {
    /**
     * The messages to summarize, and last the user's message with the instructions. Roles alternate, starting with the
     * user's.
     */
    messages: { role: 'user' | 'assistant'; content: string }[];
    /** The model to ask; the agent's model if undefined. */
    model: string | undefined;
    /** Maximum tokens of the answer. */
    maxOutputTokens: number;
    /** The request as the component made it. */
    request: SummaryRequest;
}

/** Asks a model, and returns the text of its answer. If it throws, the history is shortened without a summary. */
export type Summarize = (call: SummaryCall) => string | Promise<string>;

/** The parts of a request, other than its history, that the provider's own compaction needs. */
export interface CompactionContext {
    /** The system prompt, if the provider takes it as a parameter. */
    system: unknown;
    /** The tools that are sent with every request. */
    tools: unknown;
}

/**
 * Has the provider compact items, and returns all items that it answers. They take the place of the given ones. If it
 * throws, or the items cannot be used, `summarize` is called instead.
 */
export type CompactHistory = (items: any[], context: CompactionContext) => readonly object[] | Promise<readonly object[]>;

/** The settings that keep a conversation within its window. */
export interface ContextOptions {
    /** The model's context window in tokens, at least 1. Default: the window given to `createTuckaway`. */
    contextWindow?: number | undefined;
    /**
     * The name of the model that gets the requests, such as `claude-sonnet-4-5`: the limits of its provider for a request
     * and its tokens of images apply. Default: those of the history's format; if the format names no provider, no limits.
     */
    model?: string | undefined;
    /**
     * Asks the model that writes summaries; only called when one is due. Without it, the oldest turns are removed
     * instead.
     */
    summarize?: Summarize | undefined;
    /**
     * The provider's own compaction, which is tried before `summarize`: `openaiCompaction` or `anthropicCompaction` of
     * `tuckaway/extraction`, or a function. Only called for histories of OpenAI's Responses and of Anthropic.
     */
    compact?: CompactHistory | undefined;
    /** When references replace old outputs. Default: the defaults of `CacheConfig`. */
    cache?: CacheOptions | undefined;
    /** Caps for the parts of the window: a preset, which is scaled to the window, or a budget. Default: none. */
    budget?: Preset | BudgetConfig | null | undefined;
    /** When the history is summarized, and which parts are kept. Default: the defaults of `CompactionConfig`. */
    compaction?: CompactionOptions | undefined;
    /**
     * The artifacts that contain the results, by the ids of their calls, if tuckaway's helpers did not run these calls.
     * A result without one is stored before it is removed.
     */
    artifacts?: Readonly<Record<string, string>> | undefined;
    /**
     * The error with which the provider refused this history: the error that was thrown, its text, or the body of the
     * response. The history is then brought within the provider's limit. Default: none.
     */
    refusal?: unknown;
    /** Returns whether an item of the history must be kept unchanged. Default: no item. */
    pinned?: ((item: any, index: number) => boolean) | undefined;
    /**
     * Whether a call without a result before the next message, and a result without a call, are errors. By default they
     * are repaired, because providers reject the remains of an aborted turn: the call gets a result that says that it
     * was interrupted, and the result becomes a text.
     */
    strict?: boolean | undefined;
}

/** The changes made to a history. */
export interface ContextReport {
    /** The format of the history. */
    format: HistoryFormat;
    /** Whether the history or the tools changed. */
    isChanged: boolean;
    /** The removed content, and where it can be read. Messages are indexes in the history that was passed. */
    receipts: Receipt[];
    /** Warnings for the caller. */
    alarms: Alarm[];
    /** The tokens of the history that was passed. */
    before: Account;
    /** The tokens of the history that is returned. */
    after: Account;
    /** Number of requests for summaries. */
    summaries: number;
    /** Errors that `compact` and `summarize` threw, and why a compaction was not used. */
    errors: unknown[];
    /**
     * Artifacts with the removed items that contained images or files, in their original form, as NDJSON with bytes in
     * base64. Their texts are in the artifacts of `receipts`.
     */
    originals: string[];
    /** The repairs after an aborted turn, one sentence each. */
    repairs: string[];
}

/** A history in a provider's format, with the data that accompanies it. */
export interface HistoryContext<Item extends object, Tools> {
    /** Default: detected. */
    format?: HistoryFormat | undefined;
    /** The whole history. */
    items: readonly Item[];
    /** The system prompt, if the provider takes it as a parameter. */
    system?: unknown;
    /** The tools that are sent with every request: an array of definitions, or an object that maps names to them. */
    tools?: Tools;
    /** The usage of the model's last reply, as the provider reported it. */
    usage?: object | null | undefined;
    /** `memory` from the last call. */
    memory?: ContextMemory | null | undefined;
    /**
     * Requests summaries of single calls and their results before these have to leave, as `background`, and takes all
     * answers so far. Default: none are requested.
     */
    pairs?: PairConfig | null | undefined;
}

/** The parts of a managed history other than its items. */
export interface ManagedContext<Tools> {
    /** The tools for the next request. */
    tools: Tools;
    /** The memory for the next call. */
    memory: ContextMemory;
    /** The changes. */
    report: ContextReport;
    /**
     * With `pairs`, requests for summaries of single calls. Do not wait for the answers: pass them to later calls, each
     * as `{ pair: call.request.pair, text }` in `pairs.answers`.
     */
    background: SummaryCall[];
}

const knownOptions = record({
    contextWindow: optional(anything),
    model: optional(string),
    summarize: optional(callback),
    compact: optional(callback),
    cache: optional(anything),
    budget: optional(anything),
    compaction: optional(anything),
    artifacts: optional(anything),
    refusal: optional(anything),
    pinned: optional(callback),
    strict: optional(boolean),
});

/**
 * Keeps a history within its window, in any format; call it once before each request. References replace old outputs
 * and a summary replaces the oldest items, each only if it is due. Calls and their results stay together, and items that
 * are kept are the same objects.
 *
 * @returns items and tools for the next request, the memory for the next call, a report, and requests for later
 * @throws TuckawayError of kind `invalid_input` if the history, the usage, the memory or an option is malformed
 */
export async function manageHistory<Item extends object, Tools = undefined>(
    tuckaway: AnyTuckaway,
    given: HistoryContext<Item, Tools>,
    options: ContextOptions = {},
): Promise<{ items: Item[] } & ManagedContext<Tools>> {
    knownOptions(options, 'options');
    const { format, system, tools, usage, memory, pairs } = given;
    if (!Array.isArray(given.items)) {
        throw invalid('the history', given.items, 'an array of all its items');
    }
    // The caller may change its own array while the model is asked.
    const items: readonly Item[] = [...given.items];
    const written = new HistoryJson();
    const json = written.write({ model: options.model, items, system, tools: definitionsOf(tools) }, 'the history');
    const notes = notesOf(tuckaway).filter(({ callId }) => written.texts.has(callId));
    const { pinned } = options;
    const input = {
        json,
        format,
        usage,
        artifacts: [...artifactsOf(options), ...notes],
        pinned: [...items.keys()].filter((index) => pinned?.(items[index], index) === true),
        isStrict: options.strict,
    };
    const task = { manage: { ...(await configOf(tuckaway, options)), pairs } };
    let step = await tuckaway.histories.start(input, memory, task);
    const errors: unknown[] = [];
    while (step.request !== undefined) {
        const { request, compactable, state } = step;
        const covered = compactable.flatMap((piece) => itemsOf(piece, items, written));
        const compacted = await compact(covered, { system, tools }, options.compact, written, errors);
        const answer = compacted ?? (await ask(request, options.summarize, errors));
        step = await tuckaway.histories.step(input, task, state, answer);
        if (compacted !== undefined) {
            errors.push(...step.history.report.summaryErrors.map((why) => new Error(why)));
        }
    }
    const { history } = step;
    forgetNotes(tuckaway, notes, history.memory);
    return {
        items: history.items.flatMap((piece) => itemsOf(piece, items, written)),
        tools: history.keptTools === undefined ? (tools as Tools) : toolsAt(history.keptTools, tools as Tools),
        memory: history.memory,
        report: reportOf(history, errors),
        background: history.background.map(callOf),
    };
}

function artifactsOf({ artifacts }: ContextOptions): KnownArtifact[] {
    return Object.entries(artifacts ?? {}).map(([callId, artifact]) => ({ callId, artifact }));
}

function reportOf({ format, report }: ManagedHistory, errors: unknown[]): ContextReport {
    const { isChanged, receipts, alarms, before, after, requests: summaries, originals, repairs } = report;
    return { format, isChanged, receipts, alarms, before, after, summaries, errors, originals, repairs };
}

/** Completes the configuration: a preset is scaled to the window. */
async function configOf(tuckaway: AnyTuckaway, options: ContextOptions): Promise<ManageConfig> {
    const { contextWindow, cache, budget, compaction, refusal } = options;
    const window = contextWindow ?? tuckaway.contextWindow;
    return {
        contextWindow: window,
        cache,
        budget: typeof budget === 'string' ? await tuckaway.budget.preset(budget, window) : budget,
        compaction,
        refusal: refusal == null ? undefined : textOf(refusal),
    };
}

/** Returns the error of a provider as text. Errors of the AI SDK have the provider's own text as `responseBody`. */
function textOf(refusal: unknown): string {
    if (refusal instanceof Error) {
        const { responseBody } = refusal as { responseBody?: unknown };
        return typeof responseBody === 'string' ? `${messageOf(refusal)}\n${responseBody}` : messageOf(refusal);
    }
    return typeof refusal === 'string' ? refusal : (JSON.stringify(refusal) ?? '');
}

const RECOVERABLE: ReadonlySet<RefusalKind> = new Set([
    'too_many_tokens', 'request_too_large', 'too_many_images', 'image_too_large', 'image_too_wide',
]);

/** Returns the name of a model of the AI SDK, which is a text or has the name; undefined if it has none. */
export function modelName(model: unknown): string | undefined {
    const named: unknown = typeof model === 'object' ? (model as { modelId?: unknown } | null)?.modelId : model;
    return typeof named === 'string' ? named : undefined;
}

/** Returns whether a provider refused a request because of its size, so that a shorter history may be accepted. */
export async function isTooLarge(tuckaway: AnyTuckaway, error: unknown): Promise<boolean> {
    const { kind } = await tuckaway.readRefusal(textOf(error));
    return RECOVERABLE.has(kind);
}

/** Has the provider compact items, if there are any. Adds what the caller's function throws to `errors`. */
async function compact(
    items: object[],
    context: CompactionContext,
    compact: CompactHistory | undefined,
    written: HistoryJson,
    errors: unknown[],
): Promise<SummaryAnswer | undefined> {
    if (compact === undefined || items.length === 0) {
        return undefined;
    }
    try {
        return { compacted: written.write(await compact(items, context), 'the answer of compact') };
    } catch (error) {
        errors.push(error);
        return undefined;
    }
}

/** Asks the caller's model. Adds its errors to `errors`. */
async function ask(
    request: SummaryRequest,
    summarize: Summarize | undefined,
    errors: unknown[],
): Promise<SummaryAnswer> {
    if (summarize === undefined) {
        return { failed: 'There is no function that asks a model.' };
    }
    try {
        const answer: unknown = await summarize(callOf(request));
        return { text: string(answer, 'the answer of summarize') };
    } catch (error) {
        errors.push(error);
        return { failed: messageOf(error) };
    }
}

/** Returns the items of a piece of the new history. */
function itemsOf<Item>(piece: HistoryItem, items: readonly Item[], written: HistoryJson): readonly Item[] {
    return 'keep' in piece ? items.slice(piece.keep.start, piece.keep.end) : [written.read(piece.insert) as Item];
}

/** Returns a request in the form for a caller. */
function callOf(request: SummaryRequest): SummaryCall {
    const { model, maxOutputTokens } = request;
    return { messages: messagesOf(request), model, maxOutputTokens, request };
}

/** Returns a request as messages with alternating roles, including its prompt. */
function messagesOf({ messages, prompt }: SummaryRequest): SummaryCall['messages'] {
    const all: SummaryCall['messages'] = [];
    for (const { role, text } of [...messages, { role: 'user', text: prompt }]) {
        const last = all.at(-1);
        const speaker = role === 'assistant' ? 'assistant' : 'user';
        if (last?.role === speaker) {
            last.content += `\n\n${text}`;
        } else {
            all.push({ role: speaker, content: text });
        }
    }
    return all;
}
