/** One pass over a conversation in an agent loop: trims, evicts and summarizes its history, each only if it is due. */

import type { BudgetConfig, CacheOptions, CompactionOptions, ManageConfig, Preset } from '../conversation/config.js';
import type {
    Account, Alarm, Conversation, Plan, Receipt, SummaryRequest, TokenUsage,
} from '../conversation/model.js';
import { TuckawayError } from '../error.js';
import { anything, arrayOf, callback, invalid, isBytes, optional, record, string } from '../validate.js';
import type { AnyTuckaway } from './calls.js';
import { type Fields, type HistoryFormat, applyTo, itemsOf, toNeutral, withoutTools } from './history/format.js';
import {
    type ContextMemory, fingerprint, forgetNoted, newMemory, notedArtifact, remember, resultKey, settle,
} from './history/memory.js';
import { anchored } from './history/usage.js';

export type { ContextMemory } from './history/memory.js';

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

/** The settings that keep a conversation within its window. Only the window has no default. */
export interface ContextOptions {
    /** The model's context window in tokens, at least 1. Default: the window given to `createTuckaway`. */
    contextWindow?: number | undefined;
    /**
     * Asks the model that writes summaries; only called when one is due. Without it, the oldest turns are removed
     * instead.
     */
    summarize?: Summarize | undefined;
    /** When references replace old outputs. Default: the defaults of `CacheConfig`. */
    cache?: CacheOptions | undefined;
    /** Caps for the parts of the window: a preset, which is scaled to the window, or a budget. Default: none. */
    budget?: Preset | BudgetConfig | null | undefined;
    /** When the history is summarized, and what is kept. Default: the defaults of `CompactionConfig`. */
    compaction?: CompactionOptions | undefined;
    /**
     * The artifacts that contain the results, by the ids of their calls, if tuckaway's helpers did not run these calls.
     * A result without one is stored before it is removed.
     */
    artifacts?: Readonly<Record<string, string>> | undefined;
    /** Returns whether an item of the history must be kept unchanged. Default: no item. */
    pinned?: ((item: any, index: number) => boolean) | undefined;
}

/** The changes made to a conversation. */
export interface ContextReport {
    /** Whether the history or the tools changed. */
    isChanged: boolean;
    /** The removed content, and where it can be read. Messages are indexes in the history that was passed. */
    receipts: Receipt[];
    /** Warnings for the caller. */
    alarms: Alarm[];
    /** The tokens of the conversation that was passed. */
    before: Account;
    /** The tokens of the conversation that is returned. */
    after: Account;
    /** Number of calls of `summarize`. */
    summaries: number;
    /** Errors that `summarize` threw. */
    errors: unknown[];
    /**
     * Artifacts with the removed items that contained images or files, in their original form, as NDJSON with bytes in
     * base64. Their texts are in the artifacts of `receipts`.
     */
    originals: string[];
}

/** A history in a provider's format, with the data that accompanies it. */
export interface GivenContext {
    items: unknown;
    tools: unknown;
    system: unknown;
    usage: unknown;
    memory: ContextMemory | null | undefined;
}

/** The result of a pass over a history. */
export interface ManagedContext {
    items: any[];
    tools: any;
    memory: ContextMemory;
    report: ContextReport;
}

const knownOptions = record({
    contextWindow: optional(anything),
    summarize: optional(callback),
    cache: optional(anything),
    budget: optional(anything),
    compaction: optional(anything),
    artifacts: optional(anything),
    pinned: optional(callback),
});

const knownMemory = record({
    state: anything,
    artifacts: anything,
    inserted: arrayOf(string),
    usage: optional(anything),
    reported: optional(anything),
});

/** The account before the first plan. */
const NOTHING: Account = { system: 0, tools: 0, history: 0, toolOutputs: 0, total: 0, cacheBreakpoint: 0 };

/** More requests than any history needs: beyond it, the planner makes no progress. */
const MAX_REQUESTS = 10_000;

/**
 * Plans until nothing is due, and applies each plan to the history.
 *
 * @throws TuckawayError of kind `invalid-input` if the history, the usage or the configuration is malformed; the
 * caller's history is unchanged
 */
export async function manageHistory(
    tuckaway: AnyTuckaway,
    format: HistoryFormat,
    given: GivenContext,
    options: ContextOptions = {},
): Promise<ManagedContext> {
    knownOptions(options, 'options');
    const config = await configOf(tuckaway, options);
    const look = new Look(tuckaway, format, given, options);
    const answers: string[] = [];
    for (;;) {
        const { state } = look.memory;
        const { plan, request } = await tuckaway.manage(look.conversation, { answers, state, config });
        const isApplied = await look.apply(plan);
        if (request === undefined || !isApplied) {
            return look.result();
        }
        if (answers.length >= MAX_REQUESTS) {
            const why = `The history needs more than ${MAX_REQUESTS} summaries. Raise contextWindow.`;
            throw new TuckawayError('limit', why);
        }
        answers.push(await look.ask(request));
    }
}

/** Completes the configuration: a preset is scaled to the window. */
async function configOf(tuckaway: AnyTuckaway, options: ContextOptions): Promise<ManageConfig> {
    const { contextWindow, cache, budget, compaction } = options;
    const window = contextWindow ?? tuckaway.contextWindow;
    return {
        contextWindow: window,
        cache,
        budget: typeof budget === 'string' ? await tuckaway.budget.preset(budget, window) : budget,
        compaction,
    };
}

/** One pass over a history, with the state between its plans. */
class Look {
    memory: ContextMemory;
    conversation!: Conversation;
    #items: readonly Fields[];
    #tools: unknown;
    #prompted = 0;
    /** For each message of the conversation that is an item of the passed history: its index there. */
    #origins: (number | undefined)[];
    readonly #report: ContextReport = {
        isChanged: false, receipts: [], alarms: [], before: NOTHING, after: NOTHING, summaries: 0, errors: [], originals: [],
    };

    constructor(
        private readonly tuckaway: AnyTuckaway,
        private readonly format: HistoryFormat,
        private readonly given: GivenContext,
        private readonly options: ContextOptions,
    ) {
        this.memory = memoryOf(given.memory);
        this.#items = itemsOf(given.items, format.list);
        this.#origins = this.#items.map((_, index) => index);
        this.#tools = given.tools;
        this.#convert();
        const reported = format.usage(given.usage);
        // Figures equal to the previous ones count the history before the last plan.
        if (reported !== undefined && !isSameUsage(reported, this.memory.reported)) {
            this.memory = { ...this.memory, usage: anchored(this.conversation, reported).usage, reported };
        }
        this.#anchor();
    }

    /**
     * Applies a plan to the conversation, and returns whether it did. It does not if images or files would be lost,
     * because the store rejected them.
     */
    async apply(plan: Plan): Promise<boolean> {
        const report = this.#report;
        const origins = [...Array<undefined>(this.#prompted), ...this.#origins];
        report.before = report.before === NOTHING ? plan.before : report.before;
        const failure = await this.#keepMedia(plan);
        if (failure !== undefined) {
            const message = `${failure} The history is unchanged because images or files in it could not be stored.`;
            report.alarms.push({ kind: 'not-stored', message });
            report.after = plan.before;
            return false;
        }
        report.after = plan.after;
        report.receipts.push(...plan.receipts.map((each) => ({ ...each, messages: originsOf(origins, each) })));
        const isSame = (alarm: Alarm) => (other: Alarm) => other.kind === alarm.kind && other.message === alarm.message;
        report.alarms.push(...plan.alarms.filter((alarm) => !report.alarms.some(isSame(alarm))));
        this.memory = remember(this.memory, this.conversation, plan);
        if (!plan.isEmpty) {
            report.isChanged = true;
            const placed = applyTo(this.format, this.#items, plan, this.#prompted);
            this.#tools = withoutTools(this.format, this.#tools, plan.removedTools);
            this.#items = placed.map(({ item }) => item);
            this.#origins = placed.map(({ from }) => (from === undefined ? undefined : this.#origins[from]));
            this.#convert();
        }
        this.#anchor();
        return true;
    }

    /** Stores the items that a plan removes and whose media are in no artifact. Returns the reason for a failure. */
    async #keepMedia(plan: Plan): Promise<string | undefined> {
        const stay = keptBy(plan);
        const { messages } = this.conversation;
        const lost = this.#items.filter((_, index) => {
            const at = index + this.#prompted;
            return !stay(at) && messages[at]!.parts.some((part) => 'media' in part);
        });
        if (lost.length === 0) {
            return undefined;
        }
        const content = lost.map((original) => JSON.stringify({ original }, inBase64)).join('\n');
        const output = { tool: 'conversation', mediaType: 'application/x-ndjson', content };
        const { artifacts, decision } = await this.tuckaway.process(output, { contextWindow: 1 }, STORED);
        if (artifacts.length === 0) {
            return decision.failures[0]?.message ?? 'The store failed.';
        }
        this.#report.originals.push(...artifacts.map(({ id }) => id));
        return undefined;
    }

    /** Asks the host's model. Returns the empty answer, which is unusable, if that fails. */
    async ask(request: SummaryRequest): Promise<string> {
        const { summarize } = this.options;
        if (summarize === undefined) {
            return '';
        }
        this.#report.summaries += 1;
        try {
            const { model, maxOutputTokens } = request;
            const answer: unknown = await summarize({ messages: messagesOf(request), model, maxOutputTokens, request });
            return string(answer, 'the answer of summarize');
        } catch (error) {
            this.#report.errors.push(error);
            return '';
        }
    }

    result(): ManagedContext {
        const memory = settle(this.memory, this.conversation);
        forgetNoted(this.tuckaway, memory);
        return { items: [...this.#items], tools: this.#tools, memory, report: this.#report };
    }

    #convert(): void {
        const { memory, tuckaway } = this;
        const { artifacts = {}, pinned } = this.options;
        const inserted = new Set(memory.inserted);
        const isInserted = (_: object, text: string | undefined) =>
            text !== undefined && inserted.size > 0 && inserted.has(fingerprint(text));
        const artifactOf = (callId: string, text: string) => {
            const key = resultKey(callId, text);
            const own = Object.hasOwn(memory.artifacts, key) ? memory.artifacts[key] : notedArtifact(tuckaway, key);
            return own ?? (Object.hasOwn(artifacts, callId) ? artifacts[callId] : undefined);
        };
        const isPinned = (item: object, index: number) => {
            const origin = this.#origins[index];
            return origin !== undefined && pinned?.(item, origin) === true;
        };
        const { conversation, prompted } = toNeutral(
            this.format,
            this.#items,
            { system: this.given.system, tools: this.#tools },
            { artifactOf, isInserted, isPinned },
        );
        this.conversation = conversation;
        this.#prompted = prompted;
    }

    /** Adds the usage of the last plan, unless the caller has removed messages that it counts. */
    #anchor(): void {
        const { usage } = this.memory;
        const isValid = usage !== undefined && usage.messages <= this.conversation.messages.length;
        this.conversation = { ...this.conversation, usage: isValid ? usage : undefined };
    }
}

/** Stores every output. */
const STORED = {
    enabled: true, mode: 'artifact', minThresholdBytes: 0, maxThresholdBytes: 0, overrides: [],
} as const;

/** Returns whether a plan keeps a message. */
function keptBy({ history }: Plan): (message: number) => boolean {
    const spans = history.flatMap((entry) => ('keep' in entry ? [entry.keep] : []));
    const kept = new Set(spans.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, at) => start + at)));
    return (message) => kept.has(message);
}

/** Writes bytes, which JSON cannot represent, as base64. */
function inBase64(_: string, value: unknown): unknown {
    const bytes = value instanceof ArrayBuffer ? new Uint8Array(value) : value;
    if (!isBytes(bytes)) {
        return value;
    }
    let characters = '';
    for (let at = 0; at < bytes.length; at += 0x8000) {
        characters += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
    }
    return { base64: btoa(characters) };
}

function memoryOf(given: ContextMemory | null | undefined): ContextMemory {
    if (given === undefined || given === null) {
        return newMemory();
    }
    knownMemory(given, 'memory');
    if (typeof given.artifacts !== 'object' || given.artifacts === null) {
        throw invalid('memory.artifacts', given.artifacts, 'an object: the memory that the last call returned');
    }
    return given;
}

function isSameUsage(usage: TokenUsage, other: TokenUsage | undefined): boolean {
    const names = ['inputTokens', 'outputTokens', 'cacheCreationTokens', 'cacheReadTokens'] as const;
    return other !== undefined && names.every((name) => usage[name] === other[name]);
}

/** Returns the messages of a receipt as indexes in the original history. */
function originsOf(origins: readonly (number | undefined)[], { messages }: Receipt): Receipt['messages'] {
    const own = origins.slice(messages.start, messages.end).filter((index) => index !== undefined);
    return own.length === 0 ? { start: 0, end: 0 } : { start: own[0]!, end: own.at(-1)! + 1 };
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
