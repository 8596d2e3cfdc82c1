/** Tuckaway for agents of LangChain.js (`langchain` 1 or newer). */

import { RemoveMessage, type StoredMessage, mapStoredMessagesToChatMessages } from '@langchain/core/messages';
import { type AgentMiddleware, type BaseMessage, ToolMessage, createMiddleware, tool } from 'langchain';
import { custom, object } from 'zod';

import type { ToolDefinition } from '../contract/types.js';
import { type AnyTuckaway, type ContentPart, callArtifactTool, jsonText, reserveNames } from './calls.js';
import { type ContextMemory, type ContextOptions, isTooLarge, manageHistory } from './manage.js';
import { type Execution, type OffloadOptions, type ViewOf, offeredTools, offloadContent, viewMaker } from './views.js';

export type { ToolCall } from './calls.js';
export type { ContextMemory, ContextOptions } from './manage.js';
export type { OffloadOptions } from './views.js';

/** Options of {@link tuckawayMiddleware}. */
export interface MiddlewareOptions extends OffloadOptions {
    /**
     * Whether the history is kept within the window before each request to the model, or how. The messages of the
     * agent's state are then replaced, and a request that the provider refuses because of its size is made once more.
     * Default: false.
     */
    manage?: boolean | ContextOptions | undefined;
}

/** The state that the middleware keeps with a conversation. Like all private members of a state, it begins with `_`. */
const stateSchema = object({ _tuckawayMemory: custom<ContextMemory>().optional() });

/** The id of a message that removes all messages from a state. */
const REMOVE_ALL_MESSAGES = '__remove_all__';

/** The members of a message that tuckaway reads. */
interface MessageLike {
    id?: string | undefined;
    tool_calls?: readonly { id?: string | undefined }[] | undefined;
    usage_metadata?: { total_tokens?: number | undefined } | undefined;
    response_metadata?: { model_name?: unknown; model?: unknown } | undefined;
}

/**
 * Returns a middleware for `createAgent` that offloads oversized outputs of tools, and adds the artifact tools.
 *
 * - A tool message keeps its id, its status and its `artifact`. If it has several content blocks, the texts are
 *   offloaded, and all others are preserved. Messages within a `Command` are handled too. An output that passes is the
 *   same object.
 * - Calls of one step share the headroom in the order in which they finish. The tokens of the conversation come from
 *   the model's last `usage_metadata`, unless `options.turn` says otherwise.
 * - With `manage`, old outputs are trimmed, and old turns evicted or summarized, before a request would exceed the window.
 * - Subagents have separate middleware: add it to each of them, with the same tuckaway.
 *
 * @throws TuckawayError of kind `invalid_input` if an option is invalid; the agent throws it if a tool has the name of an
 * artifact tool
 */
export async function tuckawayMiddleware(
    tuckaway: AnyTuckaway,
    { manage = false, ...options }: MiddlewareOptions = {},
): Promise<AgentMiddleware> {
    const definitions = await offeredTools(tuckaway, {}, options);
    const viewOf = viewMaker(tuckaway, options);
    const own = definitions.map((definition) => artifactTool(tuckaway, definition, options));
    const contextOptions = manage === true ? {} : manage;
    // What a refusal has changed in the state, by the answer to the second request.
    const changes = new WeakMap<object, Changes>();
    return createMiddleware({
        name: 'Tuckaway',
        stateSchema,
        tools: own,
        async beforeModel({ messages, _tuckawayMemory: memory }) {
            return contextOptions === false ? undefined : managed(tuckaway, messages, memory, contextOptions);
        },
        afterModel({ messages }) {
            const answer = messages.at(-1)!;
            const { messages: shorter = [], ...update } = changes.get(answer) ?? {};
            return shorter.length === 0 ? undefined : { ...update, messages: [...shorter, answer] };
        },
        async wrapModelCall(request, handler) {
            const foreign = request.tools.filter((each: unknown) => !own.some((tool) => tool === each));
            const named = Object.fromEntries(foreign.map((each) => [nameOf(each), each]));
            reserveNames(tuckaway, options.policy, named, 'tools');
            try {
                return await handler(request);
            } catch (error) {
                if (contextOptions === false || !(await isTooLarge(tuckaway, error))) {
                    throw error;
                }
                const { messages, state } = request;
                const memory = (state as { _tuckawayMemory?: ContextMemory })._tuckawayMemory;
                const update = await managed(tuckaway, messages, memory, { ...contextOptions, refusal: error });
                if (update.messages === undefined) {
                    throw error;
                }
                const answer = await handler({ ...request, messages: update.messages.slice(1) });
                // If another middleware has changed the messages of this request only, the state stays.
                const own = state.messages as readonly BaseMessage[];
                if (messages.length === own.length && messages.every((message, index) => message === own[index])) {
                    changes.set(answer, update);
                }
                return answer;
            }
        },
        async wrapToolCall(request, handler) {
            const result = await handler(request);
            const execution = executionOf(request.toolCall.id ?? '', request.state.messages as MessageLike[]);
            const view = (message: ToolMessage) => withView(message, request.toolCall.name, execution, viewOf);
            if (ToolMessage.isInstance(result)) {
                return view(result);
            }
            const update = (result as { update?: unknown }).update as { messages?: unknown } | undefined;
            if (!Array.isArray(update?.messages)) {
                return result;
            }
            const messages: unknown[] = [];
            for (const message of update.messages as unknown[]) {
                messages.push(ToolMessage.isInstance(message) ? await view(message) : message);
            }
            const copy: object = Object.create(Object.getPrototypeOf(result) as object);
            return Object.assign(copy, result, { update: { ...update, messages } });
        },
    }) as AgentMiddleware;
}

/** Changes to the state of an agent. The first message removes all others. */
interface Changes {
    _tuckawayMemory: ContextMemory;
    messages?: BaseMessage[];
}

/** Returns the name of the model that wrote the last answer; undefined if no answer names its model. */
function modelOf(messages: readonly MessageLike[]): string | undefined {
    const names = messages.map(({ response_metadata: { model_name, model } = {} }) => model_name ?? model);
    return names.findLast((name): name is string => typeof name === 'string');
}

/** Returns the changes that keep the messages of a state within the window. */
async function managed(
    tuckaway: AnyTuckaway,
    messages: readonly BaseMessage[],
    memory: ContextMemory | undefined,
    options: ContextOptions,
): Promise<Changes> {
    const stored = messages.map((message) => message.toDict());
    const originals = new Map(stored.map((each, index) => [each, messages[index]!]));
    const usage = (messages as readonly MessageLike[]).findLast(({ usage_metadata }) => usage_metadata !== undefined);
    const given = { format: 'langchain', items: stored, memory, usage: usage?.usage_metadata } as const;
    const context = { model: modelOf(messages), ...options };
    const { items, report, memory: next } = await manageHistory(tuckaway, given, context);
    const read = (item: StoredMessage) => originals.get(item) ?? mapStoredMessagesToChatMessages([item])[0]!;
    return {
        _tuckawayMemory: next,
        ...(report.isChanged && { messages: [new RemoveMessage({ id: REMOVE_ALL_MESSAGES }), ...items.map(read)] }),
    };
}

/** Returns a message with the view of its content. */
async function withView(message: ToolMessage, name: string, execution: Execution, viewOf: ViewOf): Promise<ToolMessage> {
    const { id, name: given, status, artifact, tool_call_id, additional_kwargs, response_metadata } = message;
    const isJson = typeof message.content !== 'string' && !Array.isArray(message.content);
    const content = isJson ? jsonText(message.content) : (message.content as string | ContentPart[]);
    const offloaded = await offloadContent(content, { tool: name, isError: status === 'error' }, execution, viewOf);
    if (offloaded === undefined) {
        return message;
    }
    const fields = { id, name: given, status, artifact, tool_call_id, additional_kwargs, response_metadata };
    return new ToolMessage({ ...fields, content: offloaded.content } as never);
}

/** Returns the call as part of the step of the message that made it, with the tokens that were used until then. */
function executionOf(toolCallId: string, messages: readonly MessageLike[]): Execution {
    const made = messages.findLast(({ tool_calls }) => tool_calls?.some(({ id }) => id === toolCallId));
    const counted = messages.findLast(({ usage_metadata }) => usage_metadata?.total_tokens !== undefined);
    return { toolCallId, messages: made, usedTokens: counted?.usage_metadata?.total_tokens };
}

function nameOf(each: unknown): string {
    const { name, function: definition } = each as { name?: string; function?: { name?: string } };
    return name ?? definition?.name ?? '';
}

function artifactTool(
    tuckaway: AnyTuckaway,
    { name, description, inputSchema }: ToolDefinition,
    { maxBytes }: OffloadOptions,
) {
    const answer = async (input: unknown) => {
        const { text } = await callArtifactTool(tuckaway, name, jsonText(input), { maxBytes });
        return text;
    };
    return tool(answer, { name, description, schema: inputSchema as never });
}
