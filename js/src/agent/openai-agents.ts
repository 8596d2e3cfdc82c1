/** Tuckaway for agents of the OpenAI Agents SDK (`@openai/agents`). */

import type { ToolDefinition } from '../contract/types.js';
import { type AnyTuckaway, type ContentPart, callArtifactTool, jsonText } from './calls.js';
import { type Execution, type OffloadOptions, type ViewOf, offeredTools, offloadContent, viewMaker } from './views.js';

export type { ToolCall } from './calls.js';
export type { OffloadOptions } from './views.js';

/** The members of an agent that tuckaway uses. */
export interface AgentLike {
    readonly tools: readonly any[];
    clone(changes: any): any;
}

/** The members of a function tool that tuckaway uses. */
interface FunctionTool {
    type: 'function';
    name: string;
    invoke(context: any, input: string, details?: any): Promise<unknown>;
}

/**
 * Returns a copy of an agent whose function tools offload oversized outputs, with the artifact tools added.
 *
 * - The gates measure the output as the model would see it. Of an output with several parts, the texts are offloaded,
 *   and images and files are preserved. An output that passes is the same object.
 * - Calls of one step share the headroom in the order in which they finish. The tokens of the conversation come from
 *   the model's last request, unless `options.turn` says otherwise.
 * - Tools that the provider runs are unchanged, as are the agents of handoffs: wrap each of them, with the same tuckaway.
 *
 * @throws TuckawayError of kind `invalid_input` if a tool has the name of an artifact tool, or an option is invalid
 */
export async function withTuckaway<Agent extends AgentLike>(
    tuckaway: AnyTuckaway,
    agent: Agent,
    options: OffloadOptions = {},
): Promise<Agent> {
    const named = Object.fromEntries(agent.tools.map((tool: { name?: string }) => [tool.name, tool]));
    const definitions = await offeredTools(tuckaway, named, options);
    const viewOf = viewMaker(tuckaway, options);
    const wrapped = agent.tools.map((tool: unknown) => (isFunctionTool(tool) ? offloadTool(tool, viewOf) : tool));
    const own = definitions.map((definition) => artifactTool(tuckaway, definition, options, viewOf));
    return agent.clone({ tools: [...wrapped, ...own] }) as Agent;
}

function isFunctionTool(tool: unknown): tool is FunctionTool {
    const { type, invoke } = tool as Partial<FunctionTool>;
    return type === 'function' && typeof invoke === 'function';
}

function offloadTool(tool: FunctionTool, viewOf: ViewOf): FunctionTool {
    return {
        ...tool,
        // The schema describes the tool's own output, which may be replaced.
        ...('outputSchema' in tool && { outputSchema: undefined }),
        async invoke(context, input, details) {
            const output = await tool.invoke(context, input, details);
            const content = typeof output === 'string' ? output : (partsOf(output) ?? jsonText(output));
            const offloaded = await offloadContent(content, { tool: tool.name }, executionOf(context, details), viewOf);
            return offloaded === undefined ? output : offloaded.content;
        },
    };
}

/** Returns the parts of a structured output; undefined for any other value. */
function partsOf(output: unknown): readonly ContentPart[] | undefined {
    const parts = Array.isArray(output) ? (output as unknown[]) : [output];
    const isPart = (part: unknown): part is ContentPart =>
        ['text', 'image', 'file'].includes((part as Partial<ContentPart> | null)?.type ?? '');
    return parts.length > 0 && parts.every(isPart) ? parts : undefined;
}

interface Usage {
    requests?: number | undefined;
    requestUsageEntries?: readonly { inputTokens?: number; outputTokens?: number }[] | undefined;
}

/** The requests that a run had made when its last step began, and the object that identifies this step. */
const steps = new WeakMap<object, { requests: number; step: object }>();

function executionOf(context: { usage?: Usage } | undefined, details: { toolCall?: { callId?: string } } | undefined): Execution {
    const { requests = 0, requestUsageEntries = [] } = context?.usage ?? {};
    const { inputTokens = 0, outputTokens = 0 } = requestUsageEntries.at(-1) ?? {};
    const execution = { toolCallId: details?.toolCall?.callId ?? '', usedTokens: inputTokens + outputTokens };
    if (context === undefined) {
        return execution;
    }
    const known = steps.get(context);
    const current = known?.requests === requests ? known : { requests, step: {} };
    steps.set(context, current);
    return { ...execution, messages: current.step };
}

function artifactTool(
    tuckaway: AnyTuckaway,
    { name, description, inputSchema }: ToolDefinition,
    { maxBytes }: OffloadOptions,
    viewOf: ViewOf,
) {
    return {
        type: 'function',
        name,
        description,
        parameters: inputSchema,
        strict: false,
        needsApproval: async () => false,
        isEnabled: async () => true,
        invoke: async (context: any, input: string, details?: any): Promise<string> => {
            const { text, isError } = await callArtifactTool(tuckaway, name, input, { maxBytes });
            // The reply passes, but the other calls of the step must account for its tokens.
            await viewOf({ tool: name, isError, content: text }, executionOf(context, details));
            return text;
        },
    };
}
