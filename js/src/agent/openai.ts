/** Tuckaway in an agent loop over OpenAI's Chat Completions and Responses, and compatible APIs. */

import type { JsonSchema } from '../json-types.js';
import type { DefinitionOptions, Turn } from '../types.js';
import {
    type AnyTuckaway, type ResultFormat, type RunOptions, type ToolHandlers, type ToolResult, definitionsAs, runCalls,
} from './calls.js';
import { type ContextMemory, type ContextOptions, type ManagedContext, type PairConfig, manageHistory } from './manage.js';
import { type McpResult, toolResultOf } from './mcp.js';
import { argumentsText, listOf, objectOf } from './reply.js';

export {
    type ContentPart, type RunOptions, type ToolCall, type ToolHandler, type ToolHandlers, ToolResult,
} from './calls.js';
export type {
    CompactHistory, CompactionContext, ContextMemory, ContextOptions, ContextReport, ManagedContext, PairConfig,
    Summarize, SummaryCall,
} from './manage.js';

/** A tool definition in the format of Chat Completions. */
export interface ChatTool {
    type: 'function';
    function: { name: string; description: string; parameters: JsonSchema };
}

/** The members of a completion that tuckaway reads. Only the first choice is used. */
export interface ChatCompletion {
    choices: readonly { message: { tool_calls?: readonly { id: string; type: string }[] | null | undefined } }[];
    usage?: ChatUsage | null | undefined;
}

/** The members of a usage record of Chat Completions that tuckaway reads. */
export interface ChatUsage {
    prompt_tokens?: number | null | undefined;
    completion_tokens?: number | null | undefined;
    total_tokens?: number | null | undefined;
}

/** The answer to a tool call in a chat message. */
export interface ChatToolMessage {
    role: 'tool';
    tool_call_id: string;
    /** The view, or the parts of a {@link ToolResult}, which have the provider's own types. */
    content: string | any[];
}

/** A tool definition in the format of Responses. */
export interface ResponsesTool {
    type: 'function';
    name: string;
    description: string;
    parameters: { [keyword: string]: unknown };
    strict: false;
}

/** The members of a response that tuckaway reads. */
export interface ModelResponse {
    output: readonly { type: string }[];
    usage?: ResponsesUsage | null | undefined;
}

/** The members of a usage record of Responses that tuckaway reads. */
export interface ResponsesUsage {
    input_tokens?: number | null | undefined;
    output_tokens?: number | null | undefined;
    total_tokens?: number | null | undefined;
}

/** The answer to a function call or a custom tool call in a response. */
export interface ResponsesToolOutput<Type extends string> {
    type: Type;
    call_id: string;
    /** The view, or the parts of a {@link ToolResult}, which have the provider's own types. */
    output: string | any[];
    /** The caller, copied from the call. */
    caller?: any;
}

/** An item for the input of the next request. */
export type ResponsesToolItem =
    | ResponsesToolOutput<'function_call_output'>
    | ResponsesToolOutput<'custom_tool_call_output'>;

/**
 * Returns the artifact tools in the format of Chat Completions, to be passed to the model along with your own tools.
 *
 * Pass them with every request, from the first one on. Changing the tool list in the middle of a conversation
 * invalidates the provider's prompt cache, which costs more than these short definitions.
 *
 * @param tools which of them; default: the tools given to `createTuckaway`
 * @param options the dialect, and whether this is a final turn; default: the dialect of tuckaway's policy, not final
 */
export function chatToolDefinitions(tuckaway: AnyTuckaway, tools?: Turn['tools'], options?: DefinitionOptions): Promise<ChatTool[]> {
    return definitionsAs(tuckaway, tools, options, ({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
    }));
}

/** Like {@link chatToolDefinitions}, in the format of Responses. */
export function responsesToolDefinitions(tuckaway: AnyTuckaway, tools?: Turn['tools'], options?: DefinitionOptions): Promise<ResponsesTool[]> {
    return definitionsAs(tuckaway, tools, options, ({ name, description, inputSchema }) => ({
        type: 'function',
        name,
        description,
        parameters: inputSchema,
        // Responses is strict by default, and a strict schema cannot have optional arguments.
        strict: false,
    }));
}

/**
 * Runs the tools that the model called in a completion. Oversized outputs are offloaded; calls of the artifact tools
 * are answered.
 *
 * The API has no error field. If a tool failed, the text starts with the error's name. Chat Completions accepts only
 * text parts in a tool message, so a call that reads a stored image is answered with a description; for images, use
 * Responses.
 *
 * @returns one `tool` message for each call, to be added after the assistant's message; empty if there are no calls
 */
export async function runChatToolCalls(
    tuckaway: AnyTuckaway,
    completion: ChatCompletion,
    handlers: ToolHandlers,
    options: RunOptions = {},
): Promise<ChatToolMessage[]> {
    const [choice] = listOf(completion?.choices, 'completion.choices');
    const calls = choice === undefined ? [] : chatCalls(choice.message);
    const replies = await runCalls(tuckaway, calls, handlers, usedTokens(completion.usage), CHAT, options);
    return replies.map(({ call, content }) => ({ role: 'tool', tool_call_id: call.id, content: mutable(content) }));
}

/**
 * Runs the tools that the model called in a response. Oversized outputs are offloaded; calls of the artifact tools are
 * answered.
 *
 * A tool may return a {@link ToolResult} with parts (`input_text`, `input_image`, `input_file`): its texts form one
 * output, and all other parts are passed to the model unchanged. The API has no error field. If a tool failed, the text
 * starts with the error's name. A program that calls a tool in OpenAI's sandbox receives the full output. A call that
 * reads a stored image or PDF document is answered with the file.
 *
 * @returns one item for each call, for the input of the next request; empty if there are no calls
 */
export async function runResponsesToolCalls(
    tuckaway: AnyTuckaway,
    response: ModelResponse,
    handlers: ToolHandlers,
    options: RunOptions = {},
): Promise<ResponsesToolItem[]> {
    const calls = listOf(response?.output, 'response.output').filter(isResponsesCall).map((item) => ({
        id: item.call_id,
        name: item.name,
        args: item.type === 'custom_tool_call' ? item.input : argumentsText(item.arguments),
        freeform: item.type === 'custom_tool_call',
        byProgram: item.caller?.type === 'program',
        caller: item.caller,
    }));
    const replies = await runCalls(tuckaway, calls, handlers, usedTokens(response.usage), RESPONSES, options);
    return replies.map(({ call, content }) => ({
        type: call.freeform ? 'custom_tool_call_output' : 'function_call_output',
        call_id: call.id,
        output: mutable(content),
        ...(call.caller != null && { caller: call.caller }),
    }));
}

/** A conversation over Chat Completions. */
export interface ChatContext<Message extends object, Tools extends readonly object[] | undefined> {
    /** The whole history, with the developer's messages. */
    messages: readonly Message[];
    /** The tools that are sent with every request. */
    tools?: Tools;
    /** `usage` of the last completion. */
    usage?: ChatUsage | null | undefined;
    /** `memory` from the last call. */
    memory?: ContextMemory | null | undefined;
    /** Summaries of single calls, as in `HistoryContext`. Default: none. */
    pairs?: PairConfig | null | undefined;
}

/**
 * Keeps a conversation within its window; call it once after the replies of the tools were added. References replace
 * old outputs and a summary replaces the oldest messages, each only if it is due. Calls and their results stay
 * together, and messages that are kept are the same objects.
 *
 * @returns messages and tools for the next request, the memory for the next call, a report, and requests for later
 * @throws TuckawayError of kind `invalid_input` if the history, the usage or an option is malformed
 */
export async function manageChatContext<Message extends object, Tools extends readonly object[] | undefined>(
    tuckaway: AnyTuckaway,
    { messages, tools, usage, memory, pairs }: ChatContext<Message, Tools>,
    options: ContextOptions = {},
): Promise<{ messages: Message[] } & ManagedContext<Tools>> {
    const given = { format: 'openai-chat' as const, items: messages, tools, usage, memory, pairs };
    const { items, ...managed } = await manageHistory<Message, Tools>(tuckaway, given, options);
    return { messages: items, ...managed };
}

/** A conversation over Responses. */
export interface ResponsesContext<Item extends object, Tools extends readonly object[] | undefined> {
    /** All items of the conversation, including items that the provider stores under a `previous_response_id`. */
    input: readonly Item[];
    /** `instructions` that are sent with every request. */
    instructions?: string | null | undefined;
    /** The tools that are sent with every request. */
    tools?: Tools;
    /** `usage` of the last response. */
    usage?: ResponsesUsage | null | undefined;
    /** `memory` from the last call. */
    memory?: ContextMemory | null | undefined;
    /** Summaries of single calls, as in `HistoryContext`. Default: none. */
    pairs?: PairConfig | null | undefined;
}

/**
 * Like {@link manageChatContext}, for Responses. If `report.isChanged`, the history stored by the provider is out of
 * date: send all of `input`, without `previous_response_id`.
 */
export async function manageResponsesContext<Item extends object, Tools extends readonly object[] | undefined>(
    tuckaway: AnyTuckaway,
    { input, instructions: system, tools, usage, memory, pairs }: ResponsesContext<Item, Tools>,
    options: ContextOptions = {},
): Promise<{ input: Item[] } & ManagedContext<Tools>> {
    const given = { format: 'openai-responses' as const, items: input, system, tools, usage, memory, pairs };
    const { items, ...managed } = await manageHistory<Item, Tools>(tuckaway, given, options);
    return { input: items, ...managed };
}

/** Converts the result of an MCP tool to a handler's result: images as parts of Responses, everything else as text. */
export function mcpToolResult(result: McpResult): ToolResult {
    return toolResultOf(result, 'input_text', (data, mediaType) => {
        return { type: 'input_image', image_url: `data:${mediaType};base64,${data}` } as { type: string };
    });
}

/**
 * Returns the tokens that the conversation takes after a reply with this usage record, of either API: input plus
 * output, or the total if one of them is missing.
 */
export function usedTokens(usage: ChatUsage | ResponsesUsage | null | undefined): number {
    const record: ChatUsage & ResponsesUsage = usage ?? {};
    const input = record.prompt_tokens ?? record.input_tokens;
    const output = record.completion_tokens ?? record.output_tokens;
    const sum = (input ?? 0) + (output ?? 0);
    return input == null || output == null ? (record.total_tokens ?? sum) : sum;
}

const CHAT: ResultFormat = {
    textType: 'text',
    mediaPart: () => 'It is not shown, because a result of Chat Completions can only contain text.',
};

const RESPONSES: ResultFormat = {
    textType: 'input_text',
    mediaPart({ artifactId, kind, mediaType }, data) {
        const url = `data:${mediaType};base64,${data}`;
        if (kind === 'audio') {
            return 'It is not played, because a result of Responses cannot contain audio.';
        }
        const part =
            kind === 'image'
                ? { type: 'input_image', image_url: url }
                : { type: 'input_file', filename: `${artifactId}.pdf`, file_data: url };
        return part as { type: string };
    },
};

type ChatToolCall =
    | { id: string; type: 'function'; function: { name: string; arguments?: unknown } }
    | { id: string; type: 'custom'; custom: { name: string; input: string } };

type ResponsesCall = { call_id: string; name: string; caller?: { type: string } | null | undefined } & (
    | { type: 'function_call'; arguments?: unknown }
    | { type: 'custom_tool_call'; input: string }
);

function chatCalls(message: ChatCompletion['choices'][number]['message']) {
    const path = 'completion.choices[0].message';
    const list = listOf(objectOf(message, path).tool_calls ?? [], `${path}.tool_calls`) as readonly ChatToolCall[];
    return list.map((call, index) => {
        if (call.type === 'custom') {
            const { name, input } = objectOf(call.custom, `${path}.tool_calls[${index}].custom`);
            return { id: call.id, name, args: input, freeform: true };
        }
        const called = objectOf(call.function, `${path}.tool_calls[${index}].function`);
        return { id: call.id, name: called.name, args: argumentsText(called.arguments) };
    });
}

function isResponsesCall(item: { type: string }): item is ResponsesCall {
    return item.type === 'function_call' || item.type === 'custom_tool_call';
}

function mutable<Part>(content: string | readonly Part[]): string | Part[] {
    return typeof content === 'string' ? content : [...content];
}
