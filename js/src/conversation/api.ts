/** The methods for a conversation as a whole. */

import type {
    Account, Alarm, BudgetConfig, CacheConfig, CacheView, CompactionConfig, Conversation, Plan, Preset, Step,
    TokenUsage,
} from '../contract/types.js';
import type { CacheOptions, CompactionOptions } from '../types.js';
import type { BudgetPlanOptions, CompactOptions, TrimOptions } from './config.js';

/**
 * The tool output cache: results stay in the conversation while there is space for them; references replace the oldest.
 * The full text of a reference is read by lines, with their numbers, with `read`, and searched with `grep`.
 */
export interface OutputCache {
    /** The default limits of calls. */
    readonly defaults: Readonly<CacheConfig>;
    /**
     * Truncates an output to its view in the conversation: first long lines, then the whole text. A note at the end
     * names the artifact from which the rest can be read.
     */
    view(text: string, artifact?: string, config?: CacheOptions): CacheView;
    /**
     * Replaces results with placeholders if their total exceeds the token budget: first results that a later call with
     * the same arguments superseded, then the oldest. A result without an artifact is stored as one first.
     */
    trim(conversation: Conversation, options?: TrimOptions): Plan;
    /**
     * Returns the artifacts of the store that a conversation does not name, in the order of the store: nothing in the
     * conversation refers to them any more. Also accepts a list of texts, which must contain all of the conversation's
     * references.
     */
    unreferenced(conversation: Conversation | readonly string[]): string[];
}

/** Replaces the oldest part of a conversation with a summary that a model writes. */
export interface Compaction {
    /** The default settings of calls, whose context limit is the window given to `createTuckaway`. */
    readonly defaults: Readonly<CompactionConfig>;
    /** Returns whether the total of a usage has reached the threshold. */
    shouldCompact(usage: TokenUsage, config?: CompactionOptions): boolean;
    /**
     * Replaces everything before the newest turns with the retained text, the summary, and pinned messages, whether or
     * not that is due. A history that does not fit the model's window is summarized in steps; each continues the previous
     * summary. A summary is rejected if an answer contains nothing usable, if the history would not become smaller, and
     * after three compactions in a row without progress.
     */
    plan(conversation: Conversation, options?: CompactOptions): Step;
}

/** A budget for each part of the context window, and eviction of content that exceeds it. */
export interface Budget {
    /** Returns a preset, scaled to a window of at least 1. Default: the preset's own window. */
    preset(preset: Preset, totalWindow?: number): BudgetConfig;
    /**
     * Returns warnings about an unusual budget: an alarm if the buckets sum up to more than 90 % of the window. Throws
     * `invalid_input` for a budget that contradicts itself.
     */
    check(config: BudgetConfig): Alarm[];
    /** Returns the tokens of a conversation by bucket. */
    account(conversation: Conversation): Account;
    /**
     * Evicts content that exceeds the budget. Removed content is stored first, as an artifact of the tool
     * `conversation`: NDJSON of the messages, each with its index.
     */
    plan(conversation: Conversation, options: BudgetPlanOptions): Step;
}
