/** Anthropic's Messages API. */

import type { CompactHistory } from '../../agent/manage.js';
import type { ModelReply, ModelRequest, ModelTurn, RequestMessage } from '../../contract/types.js';
import { type Model, ModelError } from '../model.js';
import { Connection, type Json, type ModelOptions, type Provider } from './endpoint.js';
import { objects, readCall, reply, textOf } from './reading.js';

const ANTHROPIC: Provider = {
    baseUrl: 'https://api.anthropic.com/v1',
    path: '/messages',
    key: (key) => ({ 'x-api-key': key }),
    headers: { 'anthropic-version': '2023-06-01' },
};

/** The placeholder for a turn in which the model said nothing: the API rejects an empty one. */
const NOTHING = '(nothing)';

/** Returns a model that uses Anthropic's Messages API. Nothing is sent yet. */
export function anthropicModel(options: ModelOptions): Model {
    const connection = new Connection(options, ANTHROPIC);
    return (request, { signal }) =>
        connection.post(messagesBody(connection.model, request), (answer) => readMessage(request.id, answer), signal);
}

/** The header without which the API refuses a compaction. */
const COMPACTION = { 'anthropic-beta': 'compact-2026-09-04' };
/** Maximum tokens of a compaction, the model's thinking before it included. */
const MAX_COMPACTION_TOKENS = 8_192;

/**
 * Returns Anthropic's own compaction on demand, for the option `compact`. The request has the system prompt and the tools of
 * the history. Requests with the compaction need the same beta header, `compact-2026-09-04`.
 */
export function anthropicCompaction(options: ModelOptions): CompactHistory {
    const connection = new Connection(options, { ...ANTHROPIC, headers: { ...ANTHROPIC.headers, ...COMPACTION } });
    return async (items, { system, tools }) => {
        const body = {
            model: connection.model,
            max_tokens: MAX_COMPACTION_TOKENS,
            messages: items,
            compaction: { type: 'summarize' },
            ...(system != null && { system }),
            ...(Array.isArray(tools) && { tools }),
        };
        // An answer without a compaction is billed, so it is not requested again.
        const answer: Json = await connection.post(body, (said) => said, new AbortController().signal);
        const content = objects(answer?.content);
        if (answer?.stop_reason !== 'compaction' || content.length === 0) {
            const reason = JSON.stringify(textOf(answer?.stop_reason));
            throw new ModelError(`The answer from the model's API has no compaction (stop_reason ${reason}).`);
        }
        return [{ role: 'assistant', content }];
    };
}

interface Message {
    role: 'user' | 'assistant';
    content: object[];
}

/** Writes a request. Consecutive messages of one role are merged, because roles must alternate. */
export function messagesBody(model: string, request: ModelRequest): object {
    const messages: Message[] = [];
    for (const { role, content } of request.messages.map(messageOf)) {
        const last = messages.at(-1);
        last?.role === role ? last.content.push(...content) : messages.push({ role, content });
    }
    return {
        model,
        max_tokens: request.maxOutputTokens,
        system: request.system,
        messages,
        ...(request.tools.length > 0 && {
            tools: request.tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
            tool_choice: { type: request.mayCall ? 'auto' : 'none' },
        }),
    };
}

function messageOf(message: RequestMessage): Message {
    if ('user' in message) {
        return { role: 'user', content: [{ type: 'text', text: message.user }] };
    }
    if ('model' in message) {
        return { role: 'assistant', content: assistantBlocks(message.model) };
    }
    const content = message.results.map(({ callId, text, isError }) => ({
        type: 'tool_result',
        tool_use_id: callId,
        content: text,
        is_error: isError,
    }));
    return { role: 'user', content };
}

function assistantBlocks({ text, calls = [] }: ModelTurn): object[] {
    const said = text.trimEnd();
    const uses = calls.map((call) => ({ type: 'tool_use', id: call.id, name: call.name, input: objectIn(call.arguments) }));
    return said === '' && uses.length > 0 ? uses : [{ type: 'text', text: said === '' ? NOTHING : said }, ...uses];
}

/** Parses arguments. The API accepts objects only; the result of the call reports malformed ones. */
function objectIn(args: string): object {
    try {
        const value: unknown = JSON.parse(args);
        return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
    } catch {
        return {};
    }
}

/** Reads the answer to the request with this id. Blocks other than texts and calls, such as thinking, are ignored. */
export function readMessage(request: string, answer: Json): ModelReply {
    if (!Array.isArray(answer?.content)) {
        throw new ModelError("The answer from the model's API has no content.");
    }
    const blocks = objects(answer.content);
    const uses = blocks.filter(({ type }) => type === 'tool_use');
    const turn = {
        text: blocks.filter(({ type }) => type === 'text').map(({ text }) => textOf(text)).join(''),
        calls: uses.flatMap(({ id, name, input }, index) => readCall(id, name, input, request, index)),
    };
    const reason: unknown = answer.stop_reason;
    if (reason === 'refusal') {
        throw new ModelError('The model refused to answer.');
    }
    const isCut = reason === 'max_tokens' || reason === 'model_context_window_exceeded';
    const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, output_tokens } = answer.usage ?? {};
    const inputs = [input_tokens, cache_creation_input_tokens, cache_read_input_tokens];
    return reply(turn, isCut ? 'length' : 'finished', inputs, output_tokens);
}
