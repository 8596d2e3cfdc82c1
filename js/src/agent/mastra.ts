/** Tuckaway for agents of Mastra (`@mastra/core` 1.33 or newer). */

import type { ErrorProcessorOrWorkflow, InputProcessorOrWorkflow, Processor } from '@mastra/core/processors';
import { createTool } from '@mastra/core/tools';
import { ensureSerializable } from '@mastra/core/utils';

import { type ArtifactToolEntry, type ModelOutput, type ToolLike, isOffloaded, offloadTools } from './ai-sdk.js';
import { manageContext } from './ai-sdk-context.js';
import { type AnyTuckaway, jsonText, reserveNames } from './calls.js';
import type { ContextOptions } from './manage.js';
import { historyMethods } from './mastra-history.js';
import { type Execution, type OffloadOptions, offeredTools } from './views.js';

export type { ToolCall } from './calls.js';
export type { ContextOptions } from './manage.js';
export type { OffloadOptions } from './views.js';

/** Options of {@link withTuckaway}. */
export interface MastraOptions extends OffloadOptions {
    /**
     * Whether the history is kept within the window before each request to the model, or how. Mastra's own history and
     * memory stay unchanged. Default: false.
     */
    manage?: boolean | ContextOptions | undefined;
}

/** The members of an agent's configuration that tuckaway uses. */
export interface AgentConfigLike {
    id?: any;
    tools?: any;
    inputProcessors?: any;
    errorProcessors?: any;
    maxProcessorRetries?: any;
}

/**
 * Returns a copy of an agent's configuration whose tools offload oversized outputs, with the artifact tools and an input
 * processor added.
 *
 * - The gates measure the output as the model would see it: after the tool's own `toModelOutput`. Only the model sees
 *   the view; streams, steps and processors get the tool's own output. Of an output with several parts, the texts are
 *   offloaded, and the other parts are preserved.
 * - If a tool throws, the wrapped tool throws the same error, unless its message is too large.
 * - Calls of one step share the headroom in the order in which they finish. The tokens of the conversation come from
 *   the model's last response, unless `options.turn` says otherwise.
 * - With `manage`, old outputs are trimmed, and old turns evicted or summarized, before a request would exceed the
 *   window.
 * - Tools that Mastra adds itself (for memory, workspaces, workflows and subagents), toolsets of a request, and tools
 *   without `execute` are unchanged. Wrap the configurations of subagents too, with the same tuckaway. Input processors
 *   that are passed with a request replace the agent's processors, including the one that is added here.
 *
 * An agent serves one conversation, as its tuckaway does: make one for each.
 *
 * @throws TuckawayError of kind `invalid_input` if a tool has the name of an artifact tool, or an option is invalid; if
 * the tools are a function, the agent throws the former
 */
export async function withTuckaway<Config extends AgentConfigLike>(
    tuckaway: AnyTuckaway,
    config: Config,
    { manage = false, ...options }: MastraOptions = {},
): Promise<Config> {
    const steps: Steps = new WeakMap();
    // Options are checked before the agent runs, even if the tools are a function.
    await offeredTools(tuckaway, {}, options);
    if (manage !== false) {
        await manageContext(tuckaway, { messages: [] }, manage === true ? {} : manage);
    }
    const tools = await mapped(config.tools, (given?: Tools) => offloaded(tuckaway, given ?? {}, options, steps));
    const methods = manage === false ? undefined : historyMethods(tuckaway, manage === true ? {} : manage);
    const { processAPIError, ...requests } = methods ?? {};
    const processor: Processor = { id: 'tuckaway', ...usageMethods(steps), ...requests };
    const inputProcessors = await mapped(config.inputProcessors, (given?: readonly InputProcessorOrWorkflow[]) => {
        return [...(given ?? []), processor];
    });
    if (processAPIError === undefined) {
        return { ...config, tools, inputProcessors };
    }
    const errorProcessors = await mapped(config.errorProcessors, (given?: readonly ErrorProcessorOrWorkflow[]) => {
        return [...(given ?? []), { id: 'tuckaway', processAPIError }];
    });
    // Mastra warns if there is no limit. Those of other processors stay.
    const limit = config.errorProcessors === undefined ? { maxProcessorRetries: config.maxProcessorRetries ?? 1 } : {};
    return { ...config, ...limit, tools, inputProcessors, errorProcessors };
}

/** The members of a tool that tuckaway uses. It may be one of Mastra or of the AI SDK. */
interface MastraTool {
    execute?: ((input: any, context: any) => any) | undefined;
    toModelOutput?: ((output: any) => any) | undefined;
}

type Tools = Readonly<Record<string, MastraTool>>;

/** The members of the context of an execution that tuckaway reads. Tools of the AI SDK get the id without `agent`. */
interface MastraContext {
    agent?: { toolCallId?: string | undefined } | undefined;
    toolCallId?: string | undefined;
    requestContext?: object | undefined;
}

/** The current steps of all runs, by the objects that Mastra passes to the processors and tools of a run. */
type Steps = WeakMap<object, Pick<Execution, 'messages' | 'usedTokens'>>;

/** Applies a function to a member of the configuration, which may itself be a function of the request. */
async function mapped<Given>(given: unknown, change: (given: Given) => unknown): Promise<any> {
    return typeof given === 'function'
        ? async (request: unknown) => change((await given(request)) as Given)
        : change(given as Given);
}

/** Returns the wrapped tools and the artifact tools. */
async function offloaded(tuckaway: AnyTuckaway, tools: Tools, options: OffloadOptions, steps: Steps): Promise<Tools> {
    const runnable = Object.entries(tools).filter(([, tool]) => typeof tool?.execute === 'function');
    reserveNames(tuckaway, options.policy, tools, 'tools');
    const bridges = Object.fromEntries(runnable.map(([name, tool]) => [name, bridge(tool)]));
    const set = (await offloadTools(tuckaway, bridges, options)) as Record<string, ToolLike>;
    const wrapped = runnable.map(([name, tool]) => [name, offloadTool(tool, set[name]!, steps)]);
    const own = Object.entries(set).filter(([name]) => !Object.hasOwn(bridges, name));
    const artifactTools = own.map(([name, entry]) => [name, artifactTool(name, entry as ArtifactToolEntry, steps)]);
    return { ...tools, ...Object.fromEntries([...wrapped, ...artifactTools]) };
}

/** The second argument of a tool in the form of the AI SDK: the call, and the work of Mastra's tool. */
interface Bridged extends Execution {
    run: () => Promise<unknown>;
}

/** Returns a tool in the form of the AI SDK. Its `execute` calls `run` of the second argument. */
function bridge(tool: MastraTool): ToolLike {
    return {
        execute: (_: unknown, { run }: Bridged) => run(),
        toModelOutput: async ({ output }: { output: unknown }): Promise<ModelOutput> => {
            if (output === undefined) {
                // The tool waits for a person: the model sees nothing yet.
                return { type: 'execution-denied' };
            }
            return modelOutputOf(await tool.toModelOutput?.(output)) ?? mediaOutput(output) ?? { type: 'json', value: output };
        },
    };
}

/** An output, and the replacement that the model sees if it was too large. */
interface Settled {
    output: unknown;
    shown?: ModelOutput | undefined;
}

/** Maximum number of outputs of a tool that are remembered until Mastra converts them for the model. */
const MAX_SETTLED = 256;

/**
 * Returns a copy of a tool. Mastra executes it first, and converts its output for the model later, without the call: the
 * view is made in between, while the call is known.
 *
 * @param offloading the tool in the form of the AI SDK, wrapped
 */
function offloadTool(tool: MastraTool, offloading: ToolLike, steps: Steps): MastraTool {
    const settled: Settled[] = [];
    const settle = async (run: () => Promise<unknown>, execution: Execution): Promise<Settled> => {
        let output: unknown;
        // Mastra makes outputs serializable in the same way, after the tool has returned them.
        const bridged: Bridged = { ...execution, run: async () => (output = ensureSerializable(await run())) };
        const result: unknown = await offloading.execute!(undefined, bridged);
        return { output, shown: isOffloaded(result) ? result.modelOutput : undefined };
    };
    const take = (output: unknown): Settled | undefined => {
        const same = settled.findIndex((each) => each.output === output);
        // Mastra copies very large outputs.
        const index = same >= 0 ? same : settled.findIndex((each) => jsonText(each.output) === jsonText(output));
        return index < 0 ? undefined : settled.splice(index, 1)[0];
    };
    const copy = Object.create(Object.getPrototypeOf(tool) as object) as MastraTool;
    return Object.assign(copy, tool, {
        async execute(input: unknown, context?: MastraContext): Promise<unknown> {
            const execution = executionOf(context, steps);
            if (execution === undefined) {
                return tool.execute!(input, context);
            }
            const each = await settle(async () => tool.execute!(input, context), execution);
            if (each.output != null) {
                settled.push(each);
                settled.splice(0, settled.length - MAX_SETTLED);
            }
            return each.output;
        },
        async toModelOutput(output: unknown): Promise<unknown> {
            // Another process may have executed the tool.
            const { shown } = take(output) ?? (await settle(async () => output, { toolCallId: '' }));
            return shown ?? tool.toModelOutput?.(output);
        },
    });
}

/** Returns the value of a tool's own conversion, if the model sees it. Mastra shows other values as JSON. */
function modelOutputOf(made: unknown): ModelOutput | undefined {
    if (made == null) {
        return undefined;
    }
    const isOutput = typeof (made as Partial<ModelOutput>).type === 'string';
    return isOutput ? (made as ModelOutput) : { type: 'json', value: made };
}

/** A part of an MCP result. */
interface McpPart {
    type?: string;
    text?: unknown;
    data?: unknown;
    mimeType?: unknown;
}

/** Converts an MCP result with images or audio as Mastra does; undefined for all other outputs, which it shows as JSON. */
function mediaOutput(output: unknown): ModelOutput | undefined {
    const { content } = (output ?? {}) as { content?: unknown };
    const parts = Array.isArray(content) ? (content as (McpPart | null)[]) : [];
    const isMedium = (part: McpPart | null): boolean =>
        (part?.type === 'image' || part?.type === 'audio') && typeof part.data === 'string';
    if (!parts.some(isMedium)) {
        return undefined;
    }
    const value = parts.filter((part) => part !== null).map((part) => {
        const { type, text, data, mimeType } = part;
        if (!isMedium(part)) {
            return { type: 'text', text: type === 'text' ? String(text ?? '') : jsonText(part) };
        }
        return type === 'image'
            ? { type: 'image-data', data, mediaType: mimeType ?? 'image/png' }
            : { type: 'file-data', data, mediaType: mimeType ?? 'audio/wav' };
    });
    return { type: 'content', value };
}

/** Returns the call that a model made; undefined if a program called the tool. */
function executionOf(context: MastraContext | undefined, steps: Steps): Execution | undefined {
    const { toolCallId } = context?.agent ?? context ?? {};
    return toolCallId === undefined ? undefined : { toolCallId, ...steps.get(context?.requestContext ?? {}) };
}

function artifactTool(name: string, { description, inputSchema, execute, toModelOutput }: ArtifactToolEntry, steps: Steps) {
    return createTool({
        id: name,
        description,
        inputSchema,
        // Strict schemas have no optional properties.
        strict: false,
        execute: async (input: unknown, context: MastraContext) => {
            const execution = executionOf(context, steps) ?? { toolCallId: '' };
            return execute(input, execution as Parameters<typeof execute>[1]);
        },
        toModelOutput: (output: unknown) => toModelOutput({ output }),
    }) as MastraTool;
}

/** Returns the method of a processor that notes the usage of each response, before its calls are executed. */
function usageMethods(steps: Steps): Pick<Processor, 'processLLMResponse'> {
    return {
        processLLMResponse({ chunks, requestContext }) {
            const { payload } = chunks.findLast(({ type }) => type === 'finish') ?? {};
            const { usage } = (payload as { output?: { usage?: { totalTokens?: number } } } | undefined)?.output ?? {};
            if (requestContext !== undefined) {
                steps.set(requestContext, { messages: {}, usedTokens: usage?.totalTokens });
            }
        },
    };
}
