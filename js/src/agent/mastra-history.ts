/** The history of a Mastra agent, kept within the window: its requests are changed, and Mastra's own history is not. */

import type { ProcessInputStepArgs, ProcessLLMRequestArgs, Processor } from '@mastra/core/processors';

import { manageContext } from './ai-sdk-context.js';
import type { AnyTuckaway } from './calls.js';
import { HistoryJson } from './json.js';
import { type ContextMemory, type ContextOptions, isTooLarge, modelName } from './manage.js';

/** A message of a request. It has the form of the AI SDK's model messages. */
type Message = ProcessLLMRequestArgs['prompt'][number];

/** A request that was sent. */
interface Sent {
    /** The full history, each message as {@link visible} returns it. */
    readonly history: readonly string[];
    /** The messages that were sent: those at an index of the full history, and others that replaced some of them. */
    readonly messages: readonly (number | Message)[];
    readonly memory: ContextMemory;
    /** The names of the tools whose definitions had no space. */
    readonly removedTools: readonly string[];
}

/** The members of Mastra's tools that count towards the window. */
interface CoreTool {
    type?: string;
    description?: string;
    parameters?: unknown;
    inputSchema?: unknown;
}

/**
 * Returns the methods of an input processor that keep the messages of each request within the window.
 *
 * Mastra passes the full history each time. If it continues that of the last request, the new request begins with the
 * messages that were sent last. Otherwise it is managed anew. The definitions that no longer have space are removed from
 * the next request on. A request that the provider refuses because of its size is shortened and made once more.
 */
export function historyMethods(
    tuckaway: AnyTuckaway,
    options: ContextOptions,
): Required<Pick<Processor, 'processInputStep' | 'processLLMRequest' | 'processAPIError'>> {
    let sent: Sent | undefined;
    let refusal: unknown;
    return {
        processInputStep({ tools = {}, activeTools, state }: ProcessInputStepArgs) {
            const { removedTools = [] } = sent ?? {};
            const offered = activeTools ?? Object.keys(tools);
            const active = offered.filter((name) => name in tools && !removedTools.includes(name));
            state['tools'] = Object.fromEntries(active.map((name) => [name, definitionOf(tools[name] as CoreTool)]));
            return removedTools.length === 0 ? undefined : { activeTools: active };
        },
        async processLLMRequest({ prompt, model, steps, state }) {
            const tools = (state['tools'] ?? {}) as Record<string, object>;
            const start = prompt.findIndex(({ role }) => role !== 'system');
            const [instructions, full] = start < 0 ? [prompt, []] : [prompt.slice(0, start), prompt.slice(start)];
            const history = full.map(visible);
            const last = sent?.history.every((message, index) => message === history[index]) ? sent : undefined;
            const added = [...full.keys()].slice(last?.history.length ?? 0);
            const origins = new Map([...(last?.messages ?? []), ...added].map((origin) => {
                return [typeof origin === 'number' ? full[origin]! : origin, origin];
            }));
            const known = { usage: steps.at(-1)?.usage, memory: last?.memory };
            const given = { messages: [...origins.keys()], instructions, tools, ...known };
            const context = { model: modelName(model), ...options, refusal };
            const { messages, tools: kept, memory } = await manageContext(tuckaway, given, context);
            refusal = undefined;
            sent = {
                history,
                messages: messages.map((message) => origins.get(message) ?? message),
                memory,
                removedTools: [...(last?.removedTools ?? []), ...Object.keys(tools).filter((name) => !(name in kept))],
            };
            return { prompt: [...instructions, ...messages.map(inParts)] };
        },
        async processAPIError({ error, retryCount }) {
            if (retryCount > 0 || !(await isTooLarge(tuckaway, error))) {
                return undefined;
            }
            refusal = error;
            return { retry: true };
        },
    };
}

function definitionOf({ type, description, parameters, inputSchema }: CoreTool): object {
    return { type, description, inputSchema: inputSchema ?? parameters };
}

/** Returns a message as JSON without Mastra's notes and the provider's options, which change from request to request. */
function visible(message: Message): string {
    const parts = Array.isArray(message.content) ? message.content.map(withoutOptions) : message.content;
    return new HistoryJson().write({ role: message.role, content: parts }, 'a message of the request');
}

/** Mastra adds the input of a call to its result in the run of the call only. */
function withoutOptions(part: object): object {
    const { providerOptions: _, ...rest } = part as { providerOptions?: unknown; type?: string; input?: unknown };
    return rest.type === 'tool-result' ? { ...rest, input: undefined } : rest;
}

/** Returns a message that the component wrote in the form of a request, in which each content has parts. */
function inParts(message: Message): Message {
    const { role, content } = message as { role: string; content: unknown };
    return typeof content === 'string' && role !== 'system'
        ? ({ role, content: [{ type: 'text', text: content }] } as Message)
        : message;
}
