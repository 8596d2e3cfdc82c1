/** Tasks and options for a conversation; omitted fields have their defaults. */

import type { BudgetConfig, PairConfig, PlanState } from '../contract/types.js';
import type { CacheOptions, CompactionOptions } from '../types.js';

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
    /** The error with which the provider refused this conversation, as text or JSON. Default: none. */
    refusal?: string | null | undefined;
    /** Summaries of single calls and their results, which a model writes in the background. Default: none. */
    pairs?: PairConfig | null | undefined;
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
