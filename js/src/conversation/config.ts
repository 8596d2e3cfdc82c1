/** Settings for a conversation: what is trimmed, evicted and summarized, and when. */

import type { Bucket, PlanState } from './model.js';

/**
 * The cost of changing earlier messages when the provider's prompt cache is warm: everything after the change is
 * written to the cache again.
 */
export interface PromptCache {
    /** Expected number of further requests. Default: 20. */
    remainingTurns?: number | undefined;
    /** The price of a token read from the cache, relative to an uncached one: 0 to 100. Default: 0.1. */
    readPrice?: number | undefined;
    /** The price of a token written to the cache, relative to an uncached one: 0 to 100. Default: 1.25. */
    writePrice?: number | undefined;
}

/** The limits of views, and of the sum of all results. */
export interface CacheConfig {
    /** If false, nothing is trimmed. Default: true. */
    enabled: boolean;
    /**
     * The total of tokens of tool results above which the oldest are trimmed. Default: a quarter of the context window,
     * at least 20,000 and at most 60,000.
     */
    contextBudgetTokens?: number | null | undefined;
    /** Maximum bytes of a view: at least 512. Default: 51200. */
    maxMessageBytes: number;
    /** Maximum characters of a line in a view: at least 16. Default: 2000. */
    maxLineLength: number;
    /**
     * The fraction of the budget to which a trim reduces results: 0 to 1. Rare, large trims invalidate the prompt cache
     * less often. Default: 0.5.
     */
    targetRatio: number;
    /** Minimum tokens that a trim must save. Default: 0. */
    clearAtLeastTokens: number;
    /** Number of newest results that are kept. Default: 1. */
    keepLast: number;
    /** Globs of tools whose results are kept: at most 1,000. Default: none. */
    protectedTools: readonly string[];
    /**
     * The prices of the provider's prompt cache, if it is warm: a trim that costs more than it saves over the expected
     * requests is skipped. Default: none.
     */
    promptCache?: PromptCache | null | undefined;
}

/** When and how the history is summarized, and what is kept. */
export interface CompactionConfig {
    /** If false, the history is never summarized. Default: true. */
    enabled: boolean;
    /** If false, the history is only summarized on request. Default: true. */
    auto: boolean;
    /** The fraction of the context limit at which the history is summarized: above 0, at most 1. Default: 0.8. */
    thresholdRatio: number;
    /**
     * Maximum tokens of the conversation: `max_input_tokens` or `max_tokens` of the model. An unknown limit is an error
     * and is never guessed. Default: none; in `manage`, its context window.
     */
    contextLimit?: number | null | undefined;
    /** The model that writes summaries. Default: the agent's model. */
    model?: string | null | undefined;
    /** The context limit of the model that writes summaries. Default: `contextLimit`. */
    summaryContextLimit?: number | null | undefined;
    /** Maximum tokens of a summary: at least 64. Default: 4096. */
    maxSummaryTokens: number;
    /** Replaces the prompt for the summary: at most 64 KiB. Default: none. */
    summaryPrompt?: string | null | undefined;
    /** Added to the prompt, as a list: at most 1,000. Default: none. */
    summaryDirectives: readonly string[];
    /** The prompt for text to retain verbatim: at most 64 KiB. Default: none, and the model is not asked for any. */
    retainPrompt?: string | null | undefined;
    /** Added to the prompt for retained text, as a list: at most 1,000. Default: none. */
    retainDirectives: readonly string[];
    /**
     * Number of newest turns that are kept. If they alone are too large, only their newest steps are kept. Default: 1.
     */
    retainLastTurns: number;
    /** Maximum bytes of the user's own messages that are carried over. Default: 8192. */
    maxUserBytes: number;
    /** Maximum number of artifacts that are listed as readable. Default: 50. */
    maxReferences: number;
}

/** Members to change; those that are omitted or undefined keep their defaults. */
export type Partially<Config> = { [Field in keyof Config]?: Config[Field] | undefined };

/** Changes to the defaults of {@link CacheConfig}. */
export type CacheOptions = Partially<CacheConfig>;

/** Changes to the defaults of {@link CompactionConfig}. */
export type CompactionOptions = Partially<CompactionConfig>;

/**
 * The action when a bucket exceeds its cap.
 *
 * - `reject`: an alarm is raised, and the agent has to shrink the bucket.
 * - `summarize`: a model summarizes the bucket.
 * - `truncate`: the oldest content is removed first.
 * - `prune-unused`: definitions of tools that were not called recently are removed.
 */
export type Overflow = 'reject' | 'summarize' | 'truncate' | 'prune-unused';

/** The cap of a bucket. */
export interface BucketCap {
    /** Maximum tokens. */
    maxTokens: number;
    /** The action above the cap. */
    onOverflow: Overflow;
}

/**
 * How a layer of the cascade frees tokens: placeholders replace tool results, the largest first; the oldest turns are
 * removed; or a model summarizes the oldest part together with earlier summaries.
 */
export type Strategy = 'truncate-largest' | 'sliding-window' | 'recursive-summarize';

/** A layer of the cascade. It acts only if the layers before it did not suffice. */
export interface Layer {
    /** The bucket to shrink: `tool-outputs` or `history`. */
    target: Bucket;
    /** How tokens are freed. */
    strategy: Strategy;
    /**
     * The fill in percent at which the layer acts: 1 to 100. The fill is the bucket's, or the fill of the window
     * without `headroomTokens` and `working`, whichever is higher.
     */
    atPct: number;
    /** The fill in percent at which the layer stops: below `atPct`. */
    toPct: number;
    /** Number of newest turns that a sliding window keeps. */
    keepRecentTurns: number;
    /** The share of the history that a summary replaces, in percent: 1 to 100. */
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
    /** The messages of user and model, and tool calls. */
    history: BucketCap;
    /** The results of tools. */
    toolOutputs: BucketCap;
    /** The space reserved for the answer. */
    working: BucketCap;
    /** Reserved tokens, which no plan uses. */
    headroomTokens: number;
    /** The cascade, in order: at most 1,000 layers. */
    layers: readonly Layer[];
    /** Number of turns without a call after which a tool's definition is unused. */
    unusedTurns: number;
}

/** Kinds of agents for which there is a preset budget. */
export type Preset = 'general' | 'customer-support' | 'code-editing' | 'research' | 'voice' | 'automation';

/** The settings that keep a conversation within its window. */
export interface ManageConfig {
    /** The context window in tokens, at least 1. Default: the window given to `createTuckaway`. */
    contextWindow?: number | undefined;
    /** Trimming of tool results. Default: the defaults of {@link CacheConfig}. */
    cache?: CacheOptions | undefined;
    /** Caps and eviction. Default: no budget. */
    budget?: BudgetConfig | null | undefined;
    /** Summaries. Their context limit defaults to the window. */
    compaction?: CompactionOptions | undefined;
}

/**
 * The task to plan: an object with one member.
 *
 * - `account`: counts tokens only. The plan is empty, and contains the account of the conversation.
 * - `trim`: placeholders replace results if their total exceeds the token budget.
 * - `compact`: a summary replaces everything before the newest turns, whether or not that is due.
 * - `budget`: content that exceeds a budget is evicted.
 * - `manage`: all of these, each only if it is due.
 */
export type Task =
    | { account: true }
    | { trim: Omit<TrimOptions, 'state'> }
    | { compact: CompactionOptions }
    | { budget: Omit<BudgetPlanOptions, keyof Progress> }
    | { manage: ManageConfig };

/** The host's progress with a task. */
export interface Progress {
    /** The model's answers to the requests of earlier steps. Default: none. */
    answers?: readonly string[] | undefined;
    /** `state` of the last plan. Default: the state of a new conversation. */
    state?: PlanState | undefined;
}

/** Options of `cache.trim`. */
export interface TrimOptions extends Pick<Progress, 'state'> {
    /** The context window in tokens, at least 1. Default: the window given to `createTuckaway`. */
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
    /** How the history is summarized if the cascade requires it. The context limit defaults to the window. */
    compaction?: CompactionOptions | undefined;
}

/** Options of `manage`. */
export interface ManageOptions extends Progress {
    config?: ManageConfig | undefined;
}
