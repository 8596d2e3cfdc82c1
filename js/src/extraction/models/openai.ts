/** OpenAI's Chat Completions API, and the many servers that are compatible with it. */

import type { CompactHistory } from '../../agent/manage.js';
import type { ModelReply, ModelRequest, RequestMessage } from '../../contract/types.js';
import { type Model, ModelError } from '../model.js';
import { Connection, type Json, type ModelOptions, type Provider } from './endpoint.js';
import { objects, readCall, reply, textOf } from './reading.js';

const OPENAI: Provider = {
    baseUrl: 'https://api.openai.com/v1',
    path: '/chat/completions',
    key: (key) => ({ authorization: `Bearer ${key}` }),
    headers: {},
};

/** Returns a model that uses an API compatible with OpenAI's Chat Completions. Nothing is sent yet. */
export function openaiModel(options: ModelOptions): Model {
    const connection = new Connection(options, OPENAI);
    // OpenAI's newer models reject the old name, and other servers know no other.
    const limit = connection.baseUrl.includes('api.openai.com') ? 'max_completion_tokens' : 'max_tokens';
    return (request, { signal }) => {
        const body = { ...chatBody(connection.model, request), [limit]: request.maxOutputTokens };
        return connection.post(body, (answer) => readCompletion(request.id, answer), signal);
    };
}

/**
 * Returns OpenAI's own compaction of input items of Responses, for the option `compact`. The system prompt is sent as
 * `instructions`. All items of the answer are returned, because OpenAI requires all of them.
 */
export function openaiCompaction(options: ModelOptions): CompactHistory {
    const connection = new Connection(options, { ...OPENAI, path: '/responses/compact' });
    return async (items, { system }) => {
        const body = { model: connection.model, input: items, ...(typeof system === 'string' && { instructions: system }) };
        const answer: Json = await connection.post(body, (said) => said, new AbortController().signal);
        const output = objects(answer?.output);
        if (output.length === 0) {
            throw new ModelError("The answer from the model's API has no compaction.");
        }
        return output;
    };
}

/** Writes a request. */
export function chatBody(model: string, { system, messages, tools, mayCall }: ModelRequest): object {
    return {
        model,
        messages: [{ role: 'system', content: system }, ...messages.flatMap(chatMessages)],
        ...(tools.length > 0 && {
            tools: tools.map(({ name, description, inputSchema }) => ({
                type: 'function',
                function: { name, description, parameters: inputSchema },
            })),
            tool_choice: mayCall ? 'auto' : 'none',
        }),
    };
}

function chatMessages(message: RequestMessage): object[] {
    if ('user' in message) {
        return [{ role: 'user', content: message.user }];
    }
    if ('results' in message) {
        return message.results.map(({ callId, text }) => ({ role: 'tool', tool_call_id: callId, content: text }));
    }
    const { text, calls } = message.model;
    const made = calls.map((call) => ({
        id: call.id,
        type: 'function',
        function: { name: call.name, arguments: call.arguments },
    }));
    return [{ role: 'assistant', content: text, ...(made.length > 0 && { tool_calls: made }) }];
}

/** Reads the answer to the request with this id. */
export function readCompletion(request: string, answer: Json): ModelReply {
    const choice = answer?.choices?.[0];
    const message = choice?.message;
    if (typeof message !== 'object' || message === null) {
        throw new ModelError("The answer from the model's API has no message.");
    }
    const text = contentText(message.content);
    const calls = objects(message.tool_calls).flatMap((call, index) =>
        readCall(call.id, call.function?.name, call.function?.arguments, request, index),
    );
    const isEmpty = text === '' && calls.length === 0;
    if (isEmpty && typeof message.refusal === 'string') {
        throw new ModelError(`The model refused: ${message.refusal}`);
    }
    const reason: unknown = choice.finish_reason;
    if (isEmpty && reason === 'content_filter') {
        throw new ModelError("The provider's filter stopped the answer.");
    }
    const stop = reason === 'length' || reason === 'content_filter' ? 'length' : 'finished';
    // The prompt's tokens include cached ones.
    return reply({ text, calls }, stop, [answer.usage?.prompt_tokens], answer.usage?.completion_tokens);
}

/** Returns the text of a content: a string, or parts. Parts other than text, such as thinking, are ignored. */
function contentText(content: Json): string {
    const texts = objects(content).filter(({ type }) => type === 'text');
    return typeof content === 'string' ? content : texts.map(({ text }) => textOf(text)).join('');
}
