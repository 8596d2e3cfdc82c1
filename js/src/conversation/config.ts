/** What callers choose for a conversation: what is trimmed, evicted and summarized, and when. */

import type { Bucket, PlanState } from './model.js';

/** What a warm prompt cache makes of a change to the past: everything behind the change is written again. */
export interface PromptCache {
    /** How many requests are expected to follow. Default: 20. */
    remainingTurns?: number | undefined;
    /** The price of a token that is read from the cache, where 1 is one that is not: 0 to 100. Default: 0.1. */
    readPrice?: number | undefined;
    /** The price of a token that is written to the cache: 0 to 100. Default: 1.25. */
    writePrice?: number | undefined;
}

/** The limits of views and of the sum of all results. */
export interface CacheConfig {
    /** If false, nothing is trimmed. Default: true. */
    enabled: boolean;
    /**
     * The tokens of all tool results beyond which the oldest are trimmed. Default: a quarter of the context window, at
     * least 20,000 and at most 60,000.
     */
    contextBudgetTokens?: number | null | undefined;
    /** The most bytes of a view: at least 512. Default: 51200. */
    maxMessageBytes: number;
    /** The most characters of a line in a view: at least 16. Default: 2000. */
    maxLineLength: number;
    /**
     * How far a trim goes, as a fraction of the budget: 0 to 1. A trim that is rare and large breaks fewer prompt
     * caches. Default: 0.5.
     */
    targetRatio: number;
    /** A trim that saves fewer tokens is not made. Default: 0. */
    clearAtLeastTokens: number;
    /** How many of the newest results stay. Default: 1. */
    keepLast: number;
    /** Globs of tools whose results stay: at most 1,000. Default: none. */
    protectedTools: readonly string[];
    /**
     * What the provider's prompt cache costs, if it is warm: a trim that costs more than it saves over the expected
     * requests is not made. Default: none.
     */
    promptCache?: PromptCache | null | undefined;
}

/** When the history is summarized, how, and what stays. */
export interface CompactionConfig {
    /** If false, the history is never summarized. Default: true. */
    enabled: boolean;
    /** If false, it is only summarized when the caller says so. Default: true. */
    auto: boolean;
    /** The fill of the context limit at which it is summarized: above 0, at most 1. Default: 0.8. */
    thresholdRatio: number;
    /**
     * The most tokens of the conversation: `max_input_tokens` or `max_tokens` of the model. A limit that is not known
     * is an error, not a guess. Default: none; that of `manage` is its context window.
     */
    contextLimit?: number | null | undefined;
    /** The model that writes summaries. Default: that of the agent. */
    model?: string | null | undefined;
    /** The context limit of that model. Default: `contextLimit`. */
    summaryContextLimit?: number | null | undefined;
    /** The most tokens of an answer of that model: at least 64. Default: 4096. */
    maxSummaryTokens: number;
    /** Replaces the prompt for the summary: at most 64 KiB. Default: none. */
    summaryPrompt?: string | null | undefined;
    /** Added to the prompt, as a list: at most 1,000. Default: none. */
    summaryDirectives: readonly string[];
    /** The prompt for what is retained word for word: at most 64 KiB. Default: none, and nothing is asked for. */
    retainPrompt?: string | null | undefined;
    /** Added to that prompt, as a list: at most 1,000. Default: none. */
    retainDirectives: readonly string[];
    /** How many of the newest turns stay. If they alone are too large, their newest steps stay. Default: 1. */
    retainLastTurns: number;
    /** The most bytes of the user's own words that are carried along. Default: 8192. */
    maxUserBytes: number;
    /** The most artifacts that are named as readable. Default: 50. */
    maxReferences: number;
}

/** Members to change; those that are omitted or undefined have their defaults. */
export type Partially<Config> = { [Field in keyof Config]?: Config[Field] | undefined };

/** Changes to the defaults of {@link CacheConfig}. */
export type CacheOptions = Partially<CacheConfig>;

/** Changes to the defaults of {@link CompactionConfig}. */
export type CompactionOptions = Partially<CompactionConfig>;

/**
 * What is done when a bucket has more tokens than its cap.
 *
 * - `reject`: an alarm says so, and the agent has to shrink it.
 * - `summarize`: a model summarizes.
 * - `truncate`: the oldest go first.
 * - `prune-unused`: definitions of tools that were not called lately are removed.
 */
export type Overflow = 'reject' | 'summarize' | 'truncate' | 'prune-unused';

/** The cap of a bucket. */
export interface BucketCap {
    /** The most tokens. */
    maxTokens: number;
    /** What is done beyond them. */
    onOverflow: Overflow;
}

/**
 * How a layer of the cascade frees tokens: placeholders replace tool results, the largest first, the oldest turns
 * are removed, or a model summarizes the oldest part, with earlier summaries.
 */
export type Strategy = 'truncate-largest' | 'sliding-window' | 'recursive-summarize';

/** A layer of the cascade. It acts only if those before it did not suffice. */
export interface Layer {
    /** The bucket that is made smaller: `tool-outputs` or `history`. */
    target: Bucket;
    /** How. */
    strategy: Strategy;
    /**
     * The fill in percent at which it acts: 1 to 100. The fill is that of its bucket, or that of the window without
     * headroom and working, whichever is more.
     */
    atPct: number;
    /** The fill in percent at which it stops: below `atPct`. */
    toPct: number;
    /** How many of the newest turns a sliding window keeps. */
    keepRecentTurns: number;
    /** How much of the history a summary replaces, in percent: 1 to 100. */
    evictPct: number;
}

/** The budget of a context window. `budget.preset` returns complete ones. */
export interface BudgetConfig {
    /** The context window in tokens, at least 1. */
    totalWindow: number;
    /** The system prompt. */
    system: BucketCap;
    /** The definitions of tools. */
    tools: BucketCap;
    /** What user and model say, and the calls. */
    history: BucketCap;
    /** The results. */
    toolOutputs: BucketCap;
    /** What is reserved for the answer. */
    working: BucketCap;
    /** What is never planned to be used. */
    headroomTokens: number;
    /** The cascade, in order: at most 1,000 layers. */
    layers: readonly Layer[];
    /** The turns in which a tool has to be called for its definition to stay. */
    unusedTurns: number;
}

/** Kinds of agents that have a budget ready. */
export type Preset = 'general' | 'customer-support' | 'code-editing' | 'research' | 'voice' | 'automation';

/** What keeps a conversation within its window. */
export interface ManageConfig {
    /** The context window in tokens, at least 1. Default: that of `createTuckaway`. */
    contextWindow?: number | undefined;
    /** What is trimmed. Default: the defaults of {@link CacheConfig}. */
    cache?: CacheOptions | undefined;
    /** What is evicted. Default: nothing. */
    budget?: BudgetConfig | null | undefined;
    /** What is summarized. Its context limit is the window if it names none. */
    compaction?: CompactionOptions | undefined;
}

/**
 * What is planned: an object with one member.
 *
 * - `account`: nothing. The plan is empty, and has the account of the conversation.
 * - `trim`: placeholders replace results if all of them have more tokens than their budget.
 * - `compact`: a summary replaces what is older than the newest turns, whether or not that is due.
 * - `budget`: what a budget does not allow is evicted.
 * - `manage`: all of these, as far as each is due.
 */
export type Task =
    | { account: true }
    | { trim: Omit<TrimOptions, 'state'> }
    | { compact: CompactionOptions }
    | { budget: Omit<BudgetPlanOptions, keyof Progress> }
    | { manage: ManageConfig };

/** How far the host is with a conversation. */
export interface Progress {
    /** The model's answers to the requests of earlier steps. Default: none. */
    answers?: readonly string[] | undefined;
    /** `state` of the last plan. Default: that of a new conversation. */
    state?: PlanState | undefined;
}

/** Options of `cache.trim`. */
export interface TrimOptions extends Pick<Progress, 'state'> {
    /** The context window in tokens, at least 1. Default: that of `createTuckaway`. */
    contextWindow?: number | undefined;
    config?: CacheOptions | undefined;
}

/** Options of `compaction.plan`. */
export interface CompactOptions extends Progress {
    config?: CompactionOptions | undefined;
}

/** Options of `budget.plan`. */
export interface BudgetPlanOptions extends Progress {
    config: BudgetConfig;
    /** How the history is summarized, if the cascade comes to that. Its context limit is the window if it names none. */
    compaction?: CompactionOptions | undefined;
}

/** Options of `manage`. */
export interface ManageOptions extends Progress {
    config?: ManageConfig | undefined;
}
