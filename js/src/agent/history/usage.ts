/** Usage records of providers. */

import type { Conversation, TokenUsage } from '../../conversation/model.js';
import { invalid } from '../../validate.js';
import { type Fields, fieldsOf } from './format.js';

/** More tokens than any context window has: a larger figure is a mistake. */
const MAX_TOKENS = 1_000_000_000;

/** Reads a number of tokens; 0 if it is missing. */
export function tokens(value: unknown, path: string): number {
    if (value === undefined || value === null) {
        return 0;
    }
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > MAX_TOKENS) {
        throw invalid(path, value, `a whole number of tokens from 0 to ${MAX_TOKENS}`);
    }
    return value as number;
}

/** Reads a usage record or a part of one; undefined if it is missing. */
export function reportOf(value: unknown, path: string): Fields | undefined {
    return value === undefined || value === null ? undefined : fieldsOf(value, path);
}

/**
 * Returns a usage. The input is assumed to include the tokens read from and written to a prompt cache, unless these
 * exceed it, as some gateways report them.
 */
export function inclusive(input: number, output: number, read: number, written: number): TokenUsage | undefined {
    if (input + output + read + written === 0) {
        return undefined;
    }
    const inputTokens = read + written > input ? input : input - read - written;
    return { inputTokens, outputTokens: output, cacheCreationTokens: written, cacheReadTokens: read };
}

/** The member names of OpenAI's usage records: Chat Completions, or Responses. */
export interface OpenaiNames {
    input: string;
    output: string;
    details: string;
}

/** Reads a usage record of OpenAI. If a server reports only the total, the total counts as input. */
export function openaiUsage(reported: unknown, names: OpenaiNames): TokenUsage | undefined {
    const usage = reportOf(reported, 'usage');
    if (usage === undefined) {
        return undefined;
    }
    const details = reportOf(usage[names.details], `usage.${names.details}`) ?? {};
    const output = tokens(usage[names.output], `usage.${names.output}`);
    const total = tokens(usage.total_tokens, 'usage.total_tokens');
    return inclusive(
        usage[names.input] == null ? Math.max(total - output, 0) : tokens(usage[names.input], `usage.${names.input}`),
        output,
        tokens(details.cached_tokens, `usage.${names.details}.cached_tokens`),
        tokens(details.cache_write_tokens, `usage.${names.details}.cache_write_tokens`),
    );
}

/** Returns a usage that counts everything up to the model's last message; undefined without such a message. */
export function anchored({ messages }: Conversation, tokens: TokenUsage | undefined): Pick<Conversation, 'usage'> {
    const last = messages.findLastIndex(({ role }) => role === 'assistant');
    return tokens === undefined || last < 0 ? {} : { usage: { tokens, messages: last + 1 } };
}
