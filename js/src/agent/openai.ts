/** Tuckaway in an agent loop over OpenAI's Chat Completions and Responses, and what is compatible with them. */

import type { JsonSchema, Turn } from '../types.js';
import {
    type AnyTuckaway, type RunOptions, type ToolHandlers, type ToolResult, definitionsAs, runCalls,
} from './calls.js';
import { type McpResult, toolResultOf } from './mcp.js';
import { argumentsText, listOf, objectOf } from './reply.js';

export {
    type ContentPart, type RunOptions, type ToolCall, type ToolHandler, type ToolHandlers, ToolResult,
} from './calls.js';

/** A tool as Chat Completions is told of it. */
export interface ChatTool {
    type: 'function';
    function: { name: string; description: string; parameters: JsonSchema };
}

/** What is read of a completion. Only the first choice is looked at. */
export interface ChatCompletion {
    choices: readonly { message: { tool_calls?: readonly { id: string; type: string }[] | null | undefined } }[];
    usage?: ChatUsage | null | undefined;
}

/** What is read of a usage record of Chat Completions. */
export interface ChatUsage {
    prompt_tokens?: number | null | undefined;
    completion_tokens?: number | null | undefined;
    total_tokens?: number | null | undefined;
}

/** The answer to a tool call of a chat message. */
export interface ChatToolMessage {
    role: 'tool';
    tool_call_id: string;
    /** The view, or the parts of a {@link ToolResult}, of the provider's own types. */
    content: string | any[];
}

/** A tool as Responses is told of it. */
export interface ResponsesTool {
    type: 'function';
    name: string;
    description: string;
    parameters: { [keyword: string]: unknown };
    strict: false;
}

/** What is read of a response. */
export interface ModelResponse {
    output: readonly { type: string }[];
    usage?: ResponsesUsage | null | undefined;
}

/** What is read of a usage record of Responses. */
export interface ResponsesUsage {
    input_tokens?: number | null | undefined;
    output_tokens?: number | null | undefined;
    total_tokens?: number | null | undefined;
}

/** The answer to a function call, or to a call of a custom tool, of a response. */
export interface ResponsesToolOutput<Type extends string> {
    type: Type;
    call_id: string;
    /** The view, or the parts of a {@link ToolResult}, of the provider's own types. */
    output: string | any[];
    /** Who made the call, as the call said it. */
    caller?: any;
}

/** An item for the input of the next request. */
export type ResponsesToolItem =
    | ResponsesToolOutput<'function_call_output'>
    | ResponsesToolOutput<'custom_tool_call_output'>;

/**
 * The artifact tools in the shape of Chat Completions, to be given to the model beside your own.
 *
 * Give them with every request, from the first on: a list of tools that changes in the middle of a
 * conversation makes the provider's prompt cache forget all of it, which costs more than their few lines.
 *
 * @param tools which of them; those of `createTuckaway` if not given
 */
export function chatToolDefinitions(tuckaway: AnyTuckaway, tools?: Turn['tools']): Promise<ChatTool[]> {
    return definitionsAs(tuckaway, tools, ({ name, description, inputSchema }) => ({
        type: 'function',
        function: { name, description, parameters: inputSchema },
    }));
}

/** {@link chatToolDefinitions} in the shape of Responses. */
export function responsesToolDefinitions(tuckaway: AnyTuckaway, tools?: Turn['tools']): Promise<ResponsesTool[]> {
    return definitionsAs(tuckaway, tools, ({ name, description, inputSchema }) => ({
        type: 'function',
        name,
        description,
        parameters: inputSchema,
        // Responses is strict unless told otherwise, and a strict schema can have no optional argument.
        strict: false,
    }));
}

/**
 * Runs the tools that the model called in a completion. The outputs are put away where they are too big;
 * calls of the artifact tools are answered.
 *
 * The API has no field for an error: that a tool failed is said by the text, which starts with the error's
 * name. Chat Completions takes no other parts than texts in a tool message; for images use Responses.
 *
 * @returns one `tool` message for each call, to follow the assistant's; none if there was none
 */
export async function runChatToolCalls(
    tuckaway: AnyTuckaway,
    completion: ChatCompletion,
    handlers: ToolHandlers,
    options: RunOptions = {},
): Promise<ChatToolMessage[]> {
    const [choice] = listOf(completion?.choices, 'completion.choices');
    const calls = choice === undefined ? [] : chatCalls(choice.message);
    const replies = await runCalls(tuckaway, calls, handlers, usedTokens(completion.usage), 'text', options);
    return replies.map(({ call, content }) => ({ role: 'tool', tool_call_id: call.id, content: mutable(content) }));
}

/**
 * Runs the tools that the model called in a response. The outputs are put away where they are too big;
 * calls of the artifact tools are answered.
 *
 * A tool may return a {@link ToolResult} with parts (`input_text`, `input_image`, `input_file`): its texts
 * are one output, all other parts go to the model as they are. The API has no field for an error: that a
 * tool failed is said by the text, which starts with the error's name. What a program called in OpenAI's
 * sandbox is given whole.
 *
 * @returns one item for each call, for the input of the next request; none if there was none
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
    const replies = await runCalls(tuckaway, calls, handlers, usedTokens(response.usage), 'input_text', options);
    return replies.map(({ call, content }) => ({
        type: call.freeform ? 'custom_tool_call_output' : 'function_call_output',
        call_id: call.id,
        output: mutable(content),
        ...(call.caller != null && { caller: call.caller }),
    }));
}

/** What an MCP tool returned, for a handler of Responses to return: its images as parts, all else as texts. */
export function mcpToolResult(result: McpResult): ToolResult {
    return toolResultOf(result, 'input_text', (data, mediaType) => {
        return { type: 'input_image', image_url: `data:${mediaType};base64,${data}` } as { type: string };
    });
}

/**
 * The tokens that the conversation takes after a reply with this usage record, of either API: input and output,
 * or the total where one of them is missing.
 */
export function usedTokens(usage: ChatUsage | ResponsesUsage | null | undefined): number {
    const said: ChatUsage & ResponsesUsage = usage ?? {};
    const input = said.prompt_tokens ?? said.input_tokens;
    const output = said.completion_tokens ?? said.output_tokens;
    const sum = (input ?? 0) + (output ?? 0);
    return input == null || output == null ? (said.total_tokens ?? sum) : sum;
}

type ChatToolCall =
    | { id: string; type: 'function'; function: { name: string; arguments?: unknown } }
    | { id: string; type: 'custom'; custom: { name: string; input: string } };

type ResponsesCall = { call_id: string; name: string; caller?: { type: string } | null | undefined } & (
    | { type: 'function_call'; arguments?: unknown }
    | { type: 'custom_tool_call'; input: string }
);

function chatCalls(message: ChatCompletion['choices'][number]['message']) {
    const path = 'completion.choices[0].message';
    const made = listOf(objectOf(message, path).tool_calls ?? [], `${path}.tool_calls`) as readonly ChatToolCall[];
    return made.map((call, index) => {
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
