/** Converts the component's steps and answers for callers: to numbers, and without members that have no value. */

import type * as Glue from '../../generated/interfaces/tuckaway-context-extraction.js';
import { omitUndefined, optionalSize, size, toolDefinitions } from '../output.js';
import type {
    Answer, ExtractionConfig, ExtractionEstimate, ExtractionMode, ExtractionStep, ModelRequest, Question, Quote,
    RequestMessage,
} from './types.js';

/** A chosen mode is never `auto`. */
type Strategy = Exclude<ExtractionMode, 'auto'>;

export function question({ artifact, extract, mode, toolArguments, nonce }: Glue.Question): Question {
    return omitUndefined<Question>({ artifact, extract, mode, toolArguments, nonce });
}

export function config(config: Glue.ExtractionConfig): ExtractionConfig {
    return omitUndefined<ExtractionConfig>({
        ...config,
        contextTokens: size(config.contextTokens),
        maxOutputTokens: size(config.maxOutputTokens),
        longLineBytes: size(config.longLineBytes),
        maxTokens: optionalSize(config.maxTokens),
    });
}

export function estimate(estimate: Glue.ExtractionEstimate): ExtractionEstimate {
    return {
        ...estimate,
        strategy: estimate.strategy as Strategy,
        sizeBytes: size(estimate.sizeBytes),
        lineCount: size(estimate.lineCount),
        tokens: size(estimate.tokens),
        inputTokens: size(estimate.inputTokens),
        outputTokens: size(estimate.outputTokens),
    };
}

export function step({ state, requests, answer: given }: Glue.ExtractionStep): ExtractionStep {
    return omitUndefined<ExtractionStep>({ state, requests: requests.map(request), answer: given && answer(given) });
}

function request({ messages, tools, inputTokens, maxOutputTokens, ...rest }: Glue.ModelRequest): ModelRequest {
    return {
        ...rest,
        messages: messages.map(message),
        tools: toolDefinitions(tools),
        inputTokens: size(inputTokens),
        maxOutputTokens: size(maxOutputTokens),
    };
}

function message(message: Glue.RequestMessage): RequestMessage {
    switch (message.tag) {
        case 'user':
            return { user: message.val };
        case 'model':
            return { model: { text: message.val.text, calls: message.val.calls.map((call) => ({ ...call })) } };
        case 'results':
            return { results: message.val.map((result) => ({ ...result })) };
    }
}

function answer({ coverage, quotes, strategy, usage, ...rest }: Glue.Answer): Answer {
    return {
        ...rest,
        strategy: strategy as Strategy,
        coverage: {
            ...coverage,
            sizeBytes: size(coverage.sizeBytes),
            read: coverage.read.map(({ start, end }) => ({ start: size(start), end: size(end) })),
        },
        quotes: quotes.map(({ text, line, byteOffset }) =>
            omitUndefined<Quote>({ text, line: optionalSize(line), byteOffset: optionalSize(byteOffset) }),
        ),
        usage: {
            requests: usage.requests,
            inputTokens: size(usage.inputTokens),
            outputTokens: size(usage.outputTokens),
        },
    };
}
