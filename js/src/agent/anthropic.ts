/** Tuckaway in an agent loop over Anthropic's Messages API. */

import type { JsonSchema } from '../json-types.js';
import type { DefinitionOptions, Turn } from '../types.js';
import {
    type AnyTuckaway, type ResultFormat, type RunOptions, type ToolHandlers, type ToolResult, definitionsAs, runCalls,
} from './calls.js';
import { type ContextMemory, type ContextOptions, type ManagedContext, type PairConfig, manageHistory } from './manage.js';
import { type McpResult, toolResultOf } from './mcp.js';
import { argumentsText, listOf } from './reply.js';

export {
    type ContentPart, type RunOptions, type ToolCall, type ToolHandler, type ToolHandlers, ToolResult,
} from './calls.js';
export type {
    CompactHistory, CompactionContext, ContextMemory, ContextOptions, ContextReport, ManagedContext, PairConfig,
    Summarize, SummaryCall,
} from './manage.js';

/** A tool definition in the format of the Messages API. */
export interface AnthropicTool {
    name: string;
    description: string;
    input_schema: JsonSchema;
}

/** The members of a model's message that tuckaway reads. */
export interface AnthropicMessage {
    content: readonly { type: string }[];
    usage?: AnthropicUsage | null | undefined;
}

/** The members of a usage record that tuckaway reads. `input_tokens` excludes cached input. */
export interface AnthropicUsage {
    input_tokens?: number | null | undefined;
    output_tokens?: number | null | undefined;
    cache_creation_input_tokens?: number | null | undefined;
    cache_read_input_tokens?: number | null | undefined;
}

/** The answer to a `tool_use` block. */
export interface AnthropicToolResult {
    type: 'tool_result';
    tool_use_id: string;
    /** The view, or the parts of a {@link ToolResult}, which have the provider's own types. */
    content: string | any[];
    is_error?: boolean;
    toolset_name?: string;
}

/**
 * Returns the artifact tools, to be passed to the model along with your own tools.
 *
 * Pass them with every request, from the first one on. Changing the tool list in the middle of a conversation
 * invalidates the provider's prompt cache, which costs more than these short definitions.
 *
 * @param tools which of them; default: the tools given to `createTuckaway`
 * @param options the dialect, and whether this is a final turn; default: the dialect of tuckaway's policy, not final
 */
export function toolDefinitions(tuckaway: AnyTuckaway, tools?: Turn['tools'], options?: DefinitionOptions): Promise<AnthropicTool[]> {
    return definitionsAs(tuckaway, tools, options, ({ name, description, inputSchema }) => ({
        name,
        description,
        input_schema: inputSchema,
    }));
}

/**
 * Runs the tools that the model called in a message. Oversized outputs are offloaded; calls of the artifact tools are
 * answered.
 *
 * A tool may return a {@link ToolResult} with blocks (text, images, documents): its texts form one output, and all
 * other blocks are passed to the model unchanged. A program that calls a tool in Anthropic's sandbox receives the full
 * output. A call that reads a stored image or PDF document is answered with the file.
 *
 * @returns one `tool_result` block for each call, for the content of the next user message; empty if there are no calls
 */
export async function runToolCalls(
    tuckaway: AnyTuckaway,
    message: AnthropicMessage,
    handlers: ToolHandlers,
    options: RunOptions = {},
): Promise<AnthropicToolResult[]> {
    const calls = listOf(message?.content, 'message.content').filter(isToolUse).map((block) => ({
        id: block.id,
        name: block.name,
        args: argumentsText(block.input),
        byProgram: block.caller != null && block.caller.type !== 'direct',
        toolset: block.toolset_name,
    }));
    const replies = await runCalls(tuckaway, calls, handlers, usedTokens(message.usage), FORMAT, options);
    return replies.map(({ call, content, isError }) => ({
        type: 'tool_result',
        tool_use_id: call.id,
        content: typeof content === 'string' ? content : [...content],
        ...(isError && { is_error: true }),
        ...(call.toolset != null && { toolset_name: call.toolset }),
    }));
}

/** A conversation over the Messages API. */
export interface AnthropicContext<Message extends object, Tools extends readonly object[] | undefined> {
    /** The whole history. */
    messages: readonly Message[];
    /** The system prompt that is sent with every request. */
    system?: string | readonly object[] | null | undefined;
    /** The tools that are sent with every request. */
    tools?: Tools;
    /** `usage` of the model's last message. */
    usage?: AnthropicUsage | null | undefined;
    /** `memory` from the last call. */
    memory?: ContextMemory | null | undefined;
    /** Summaries of single calls, as in `HistoryContext`. Default: none. */
    pairs?: PairConfig | null | undefined;
}

/**
 * Keeps a conversation within its window; call it once after the results of the tools were added. References replace
 * old outputs and a summary replaces the oldest messages, each only if it is due. Calls and their results stay
 * together, and messages that are kept are the same objects, with thinking, signatures, images and `cache_control`.
 *
 * @returns messages and tools for the next request, the memory for the next call, a report, and requests for later
 * @throws TuckawayError of kind `invalid_input` if the history, the usage or an option is malformed
 */
export async function manageContext<Message extends object, Tools extends readonly object[] | undefined>(
    tuckaway: AnyTuckaway,
    { messages, system, tools, usage, memory, pairs }: AnthropicContext<Message, Tools>,
    options: ContextOptions = {},
): Promise<{ messages: Message[] } & ManagedContext<Tools>> {
    const given = { format: 'anthropic' as const, items: messages, system, tools, usage, memory, pairs };
    const { items, ...managed } = await manageHistory<Message, Tools>(tuckaway, given, options);
    return { messages: items, ...managed };
}

/** Converts the result of an MCP tool to a handler's result: images as blocks of Messages, everything else as text. */
export function mcpToolResult(result: McpResult): ToolResult {
    return toolResultOf(result, 'text', (data, media_type) => {
        return { type: 'image', source: { type: 'base64', media_type, data } } as { type: string };
    });
}

/** Returns the tokens that the conversation takes after a message with this usage record: all input, and output. */
export function usedTokens(usage: AnthropicUsage | null | undefined): number {
    if (usage == null) {
        return 0;
    }
    const cached = (usage.cache_creation_input_tokens ?? 0) + (usage.cache_read_input_tokens ?? 0);
    return (usage.input_tokens ?? 0) + cached + (usage.output_tokens ?? 0);
}

const FORMAT: ResultFormat = {
    textType: 'text',
    mediaPart({ kind, mediaType }, data) {
        const source = { type: 'base64', media_type: mediaType, data };
        if (kind === 'audio') {
            return 'It is not played, because a result of Messages cannot contain audio.';
        }
        return { type: kind === 'image' ? 'image' : 'document', source } as { type: string };
    },
};

interface ToolUse {
    type: 'tool_use';
    id: string;
    name: string;
    input: unknown;
    caller?: { type: string } | null | undefined;
    toolset_name?: string | null | undefined;
}

function isToolUse(block: { type: string }): block is ToolUse {
    return block.type === 'tool_use';
}
