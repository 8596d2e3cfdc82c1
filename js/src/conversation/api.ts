/** The methods for a conversation as a whole. */

import type {
    BudgetConfig, BudgetPlanOptions, CacheConfig, CacheOptions, CompactOptions, CompactionConfig, CompactionOptions,
    Preset, TrimOptions,
} from './config.js';
import type { Account, Alarm, CacheView, Conversation, Plan, Step, TokenUsage } from './model.js';

/**
 * The tool output cache: results stay in the conversation as long as there is space for them, and references
 * replace the oldest. A reference is read again with `read` by lines, with their numbers, and searched with `grep`.
 */
export interface OutputCache {
    /** The limits that calls start from. */
    readonly defaults: Readonly<CacheConfig>;
    /**
     * Cuts an output to its view in the conversation: long lines, then the whole. A note at the end names the artifact
     * from which the rest can be read.
     */
    view(text: string, artifact?: string, config?: CacheOptions): CacheView;
    /**
     * Replaces results by placeholders if all of them have more tokens than the budget: first those that a later call
     * with the same arguments superseded, then the oldest. A result without an artifact is stored as one first.
     */
    trim(conversation: Conversation, options?: TrimOptions): Plan;
    /**
     * Returns the artifacts of the store that a conversation does not name, in the order of the store: nothing in it
     * leads to them any more. A list of texts stands for whatever contains them.
     */
    unreferenced(conversation: Conversation | readonly string[]): string[];
}

/** Replaces the past of a conversation by a summary that a model writes. */
export interface Compaction {
    /** The settings that calls start from; the context limit of each call is that of `createTuckaway`, if it has one. */
    readonly defaults: Readonly<CompactionConfig>;
    /** Returns whether the total of a usage has reached the threshold. */
    shouldCompact(usage: TokenUsage, config?: CompactionOptions): boolean;
    /**
     * Replaces what is older than the newest turns by what is retained, the summary, and pinned messages, whether or
     * not that is due. A history that does not fit the model's window is summarized in steps, each of which continues
     * the summary before. A summary is refused if an answer has nothing usable, if the history would not become
     * smaller, and after three compactions in a row without progress.
     */
    plan(conversation: Conversation, options?: CompactOptions): Step;
}

/** A budget for each part of the context window, and what is evicted beyond it. */
export interface Budget {
    /** Returns a preset, scaled to a window of at least 1. Default: its own window. */
    preset(preset: Preset, totalWindow?: number): BudgetConfig;
    /**
     * Returns what is unusual about a budget: an alarm if the buckets sum up to more than 90 % of the window. Throws
     * `invalid-input` for one that contradicts itself.
     */
    check(config: BudgetConfig): Alarm[];
    /** Returns the tokens of a conversation by bucket. */
    account(conversation: Conversation): Account;
    /**
     * Evicts what the budget does not allow. What is removed is stored first, as an artifact of the tool
     * `conversation`: NDJSON of its messages, each with its index.
     */
    plan(conversation: Conversation, options: BudgetPlanOptions): Step;
}
