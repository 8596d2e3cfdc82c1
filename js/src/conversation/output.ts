/** Converts the component's plans for callers: to numbers, and without members that have no value. */

import type * as BudgetGlue from '../../generated/interfaces/tuckaway-context-budget.js';
import type * as CacheGlue from '../../generated/interfaces/tuckaway-context-cache.js';
import type * as CompactionGlue from '../../generated/interfaces/tuckaway-context-compaction.js';
import type * as Glue from '../../generated/interfaces/tuckaway-context-conversation.js';
import { inJavaScript } from '../error.js';
import { omitUndefined, optionalSize, size } from '../output.js';
import type { BudgetConfig, BucketCap, CacheConfig, CompactionConfig } from './config.js';
import type {
    Account, Alarm, Entry, Plan, PlanState, Receipt, Step, SummaryRequest, TokenUsage, Usage,
} from './model.js';

export function account({ cacheBreakpoint, ...buckets }: Glue.Account): Account {
    const { system, tools, history, toolOutputs, total } = buckets;
    return {
        system: size(system),
        tools: size(tools),
        history: size(history),
        toolOutputs: size(toolOutputs),
        total: size(total),
        cacheBreakpoint,
    };
}

function entry(entry: Glue.Entry): Entry {
    return entry.tag === 'keep' ? { keep: { ...entry.val } } : { insert: { ...entry.val } };
}

function receipt({ tokensBefore, tokensAfter, ...rest }: Glue.Receipt): Receipt {
    return omitUndefined<Receipt>({ ...rest, tokensBefore: size(tokensBefore), tokensAfter: size(tokensAfter) });
}

function alarm({ kind, bucket, message }: Glue.Alarm): Alarm {
    return omitUndefined<Alarm>({ kind, bucket, message: inJavaScript(message) });
}

export function receipts(list: Glue.Receipt[]): Receipt[] {
    return list.map(receipt);
}

export function alarms(list: Glue.Alarm[]): Alarm[] {
    return list.map(alarm);
}

export function tokenUsage(tokens: Glue.TokenUsage): Required<TokenUsage> {
    const { inputTokens, outputTokens, cacheCreationTokens, cacheReadTokens } = tokens;
    return {
        inputTokens: size(inputTokens),
        outputTokens: size(outputTokens),
        cacheCreationTokens: size(cacheCreationTokens),
        cacheReadTokens: size(cacheReadTokens),
    };
}

function usage({ tokens, messages }: Glue.Usage): Usage {
    return { tokens: tokenUsage(tokens), messages };
}

function state({ prefix, failures }: Glue.PlanState): PlanState {
    return omitUndefined<PlanState>({ prefix, failures });
}

export function plan(plan: Glue.Plan): Plan {
    return omitUndefined<Plan>({
        isEmpty: plan.isEmpty,
        history: plan.history.map(entry),
        replacements: plan.replacements.map((each) => ({ ...each })),
        removedTools: [...plan.removedTools],
        before: account(plan.before),
        after: account(plan.after),
        usage: plan.usage && usage(plan.usage),
        receipts: receipts(plan.receipts),
        alarms: alarms(plan.alarms),
        state: state(plan.state),
    });
}

export function request({ maxOutputTokens, messages, ...rest }: Glue.SummaryRequest): SummaryRequest {
    return omitUndefined<SummaryRequest>({
        ...rest,
        messages: messages.map((message) => ({ ...message })),
        maxOutputTokens: size(maxOutputTokens),
    });
}

export function step({ plan: made, request: asked, refusal }: Glue.Step): Step {
    return omitUndefined<Step>({ plan: plan(made), request: asked && request(asked), refusal });
}

export function cacheConfig(config: CacheGlue.CacheConfig): Readonly<CacheConfig> {
    return Object.freeze(
        omitUndefined<CacheConfig>({
            ...config,
            contextBudgetTokens: optionalSize(config.contextBudgetTokens),
            maxMessageBytes: size(config.maxMessageBytes),
            clearAtLeastTokens: size(config.clearAtLeastTokens),
            protectedTools: Object.freeze([...config.protectedTools]),
        }),
    );
}

export function compactionConfig(config: CompactionGlue.CompactionConfig): Readonly<CompactionConfig> {
    return Object.freeze(
        omitUndefined<CompactionConfig>({
            ...config,
            contextLimit: optionalSize(config.contextLimit),
            summaryContextLimit: optionalSize(config.summaryContextLimit),
            maxSummaryTokens: size(config.maxSummaryTokens),
            summaryDirectives: Object.freeze([...config.summaryDirectives]),
            retainDirectives: Object.freeze([...config.retainDirectives]),
            maxUserBytes: size(config.maxUserBytes),
        }),
    );
}

function cap({ maxTokens, onOverflow }: BudgetGlue.BucketCap): BucketCap {
    return { maxTokens: size(maxTokens), onOverflow };
}

export function budgetConfig(config: BudgetGlue.BudgetConfig): BudgetConfig {
    return {
        totalWindow: size(config.totalWindow),
        system: cap(config.system),
        tools: cap(config.tools),
        history: cap(config.history),
        toolOutputs: cap(config.toolOutputs),
        working: cap(config.working),
        headroomTokens: size(config.headroomTokens),
        layers: config.layers.map((layer) => ({ ...layer })),
        unusedTurns: config.unusedTurns,
    };
}
