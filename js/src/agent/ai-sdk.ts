/** Tuckaway for the tools of the AI SDK (`ai` 7 or newer). */

import type { Artifact, ArtifactTool, ToolDefinition, ToolReply, View } from '../contract/types.js';
import type { JsonSchema } from '../json-types.js';
import type { AsyncTuckaway, Tuckaway } from '../tuckaway.js';
import { type AnyTuckaway, type ContentPart, callArtifactTool, errorText, jsonText } from './calls.js';
import { type Execution, type OffloadOptions, type ViewOf, offeredTools, offloadContent, viewMaker } from './views.js';

export {
    type AiSdkContext, type ContextMemory, type ContextOptions, type ContextReport, type ManagedContext,
    type PairConfig, type StepOptions, type Summarize, type SummaryCall, manageContext, manageSteps,
} from './ai-sdk-context.js';
export type { ToolCall } from './calls.js';
export type { OffloadOptions } from './views.js';

/** The members of an AI SDK tool that tuckaway uses. */
export interface ToolLike {
    execute?: ((input: any, options: any) => any) | undefined;
    toModelOutput?: ((options: any) => any) | undefined;
}

/** An output as the model receives it, in the formats of the AI SDK. */
export type ModelOutput =
    | { type: 'text' | 'error-text'; value: string }
    | { type: 'json' | 'error-json'; value: any }
    | { type: 'content'; value: any[] }
    | { type: 'execution-denied'; reason?: string };

/**
 * Replaces an oversized output of a tool. It is plain data, except for bytes in preserved parts: it can be sent to a
 * page, stored with the messages and converted again, and the model sees the same text each time.
 */
export interface OffloadedOutput {
    /** Distinguishes it from a tool's own output; see {@link isOffloaded}. */
    readonly tuckaway: 'offloaded';
    /** The artifacts that contain the full output; empty if it was truncated. */
    readonly artifacts: readonly Artifact[];
    /** The output for the model. */
    readonly modelOutput: ModelOutput;
}

/**
 * A tool that returns an {@link OffloadedOutput} if its own output is too large. A tool without `execute` is unchanged.
 */
export type OffloadedTool<Tool> = Tool extends {
    execute: (input: infer Input, options: infer Options) => infer Result;
}
    ? Omit<Tool, 'execute' | 'outputSchema' | 'toModelOutput'> & {
          execute: (input: Input, options: Options) => OffloadedResult<OutputOf<Result>>;
          toModelOutput: (options: { toolCallId: string; input: any; output: any }) => Promise<ModelOutput>;
      }
    : Tool;

type OutputOf<Result> =
    Result extends AsyncIterable<infer Output> | PromiseLike<infer Output> ? Output : Result;

type OffloadedResult<Output> = AsyncIterable<Output | OffloadedOutput> | PromiseLike<Output | OffloadedOutput>;

/** An artifact tool. Its Standard Schema accepts anything: the component checks the arguments. */
export interface ArtifactToolEntry {
    description: string;
    inputSchema: {
        readonly '~standard': {
            readonly version: 1;
            readonly vendor: 'tuckaway';
            readonly validate: (value: unknown) => { value: any };
            readonly jsonSchema: { readonly input: () => JsonSchema; readonly output: () => JsonSchema };
        };
    };
    execute: (input: any, options: { toolCallId: string; messages: any[] }) => Promise<ToolReply>;
    toModelOutput: (options: { output: any }) => ModelOutput;
}

/**
 * The wrapped tools of a set, and the artifact tools that `createTuckaway` was configured to offer. In dialects other
 * than `artifact`, these have that dialect's names, which the type cannot express.
 */
export type OffloadedTools<Tools, Offered extends ArtifactTool = ArtifactTool> = {
    [Name in keyof Tools]: OffloadedTool<Tools[Name]>;
} & {
    [Name in `artifact_${Offered}`]: ArtifactToolEntry;
};

/**
 * Wraps a set of tools: oversized outputs are offloaded, and the artifact tools are added.
 *
 * The view is made once, when the tool has finished, and is the tool's output from then on: in `steps`, in the stream
 * to a page, and in saved messages. A conversation that is loaded again is therefore identical, and the provider's
 * prompt cache stays valid. An output that passes is unchanged.
 *
 * - The gates measure the output as the model would see it: after the tool's own `toModelOutput`. If it has several
 *   parts (MCP tools, images), the texts are offloaded and the other parts are preserved.
 * - If a tool streams, preliminary outputs are passed on, and the last one is measured.
 * - If a tool throws, the wrapped tool throws the same error, unless its message is too large.
 * - Calls of one step share the headroom in the order in which they finish.
 * - A tool without `execute` is unchanged: its output is produced elsewhere. Do not wrap tools that only programs call
 *   (code mode): no model sees their outputs.
 *
 * The artifact tools are always included, so that the tool list stays the same throughout the conversation, and the
 * prompt cache stays valid. Use a set only in the conversation of its tuckaway.
 *
 * @throws TuckawayError of kind `invalid_input` if a tool has the name of an artifact tool, or an option is invalid
 */
export async function offloadTools<
    Tools extends Readonly<Record<string, ToolLike>>,
    Offered extends ArtifactTool = ArtifactTool,
>(
    tuckaway: Tuckaway<Offered> | AsyncTuckaway<Offered>,
    tools: Tools,
    options: OffloadOptions = {},
): Promise<OffloadedTools<Tools, Offered>> {
    const definitions = await offeredTools(tuckaway, tools, options);
    const viewOf = viewMaker(tuckaway, options);
    const offloaded = Object.entries(tools).map(([name, tool]) => [name, offloadTool(name, tool, viewOf)]);
    const artifactTools = definitions.map((definition) => {
        return [definition.name, artifactTool(tuckaway, definition, options, viewOf)];
    });
    return Object.fromEntries([...offloaded, ...artifactTools]) as OffloadedTools<Tools, Offered>;
}

/** Returns whether the output of a tool was too large and has been replaced by a view. */
export function isOffloaded(output: unknown): output is OffloadedOutput {
    return typeof output === 'object' && output !== null && 'tuckaway' in output && output.tuckaway === 'offloaded';
}

function offloadTool(name: string, tool: ToolLike, viewOf: ViewOf): ToolLike {
    if (tool.execute === undefined) {
        return tool;
    }
    return {
        ...tool,
        // The schema describes the tool's own output, which may be replaced.
        ...('outputSchema' in tool && { outputSchema: undefined }),
        toModelOutput: async (options: { output: unknown }): Promise<ModelOutput> => {
            if (isOffloaded(options.output)) {
                return options.output.modelOutput;
            }
            return tool.toModelOutput?.(options) ?? plainModelOutput(options.output);
        },
        execute: (input: unknown, execution: Execution) => {
            const settle = async (output: unknown) => {
                if (isOffloaded(output)) {
                    return output;
                }
                const shown: ModelOutput =
                    tool.toModelOutput === undefined
                        ? { type: 'json', value: output }
                        : await tool.toModelOutput({ toolCallId: execution.toolCallId, input, output });
                return offload(output, shown, name, execution, viewOf);
            };
            const fail = async (error: unknown): Promise<never> => {
                const view = await viewOf({ tool: name, isError: true, content: errorText(error) }, execution);
                throw view.decision.action === 'inline' ? error : new OffloadedError(view.text, { cause: error });
            };
            let result;
            try {
                result = tool.execute!(input, execution);
            } catch (error) {
                return fail(error);
            }
            return isAsyncIterable(result)
                ? settleLast(result, settle, fail)
                : Promise.resolve(result).then(settle, fail);
        },
    };
}

/** Returns an output unchanged if it passes in the form that the model would see, otherwise its replacement. */
async function offload(
    output: unknown,
    shown: ModelOutput,
    tool: string,
    execution: Execution,
    viewOf: ViewOf,
): Promise<unknown> {
    if (shown.type === 'execution-denied') {
        return output;
    }
    const isError = shown.type.startsWith('error-');
    const isJson = shown.type !== 'content' && typeof shown.value !== 'string';
    const content: string | readonly ContentPart[] = isJson ? jsonText(shown.value) : shown.value;
    const replaced = await offloadContent(content, { tool, isError }, execution, viewOf);
    return replaced === undefined ? output : offloaded(replaced.view, replaced.content, isError);
}

function offloaded(view: View, content: string | readonly ContentPart[], isError: boolean): OffloadedOutput {
    const modelOutput: ModelOutput =
        typeof content === 'string'
            ? { type: isError ? 'error-text' : 'text', value: content }
            : { type: 'content', value: [...content] };
    return { tuckaway: 'offloaded', artifacts: view.artifacts, modelOutput };
}

/** Converts an output as the AI SDK does for a tool without `toModelOutput`. */
function plainModelOutput(output: unknown): ModelOutput {
    if (typeof output === 'string') {
        return { type: 'text', value: output };
    }
    return { type: 'json', value: JSON.parse(jsonText(output) || 'null') };
}

/** The AI SDK reports an error to the model as `name: message`; without a name, the model sees the view alone. */
class OffloadedError extends Error {
    override readonly name = '';
}

async function* settleLast(
    outputs: AsyncIterable<unknown>,
    settle: (output: unknown) => Promise<unknown>,
    fail: (error: unknown) => Promise<never>,
): AsyncGenerator<unknown> {
    let last: unknown;
    try {
        for await (const output of outputs) {
            last = output;
            yield output;
        }
    } catch (error) {
        await fail(error);
    }
    const settled = await settle(last);
    if (settled !== last) {
        yield settled;
    }
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
    return typeof value === 'object' && value !== null && Symbol.asyncIterator in value;
}

function artifactTool(
    tuckaway: AnyTuckaway,
    { name, description, inputSchema }: ToolDefinition,
    { maxBytes }: OffloadOptions,
    viewOf: ViewOf,
): ArtifactToolEntry {
    const schema = () => inputSchema;
    return {
        description,
        inputSchema: {
            '~standard': {
                version: 1,
                vendor: 'tuckaway',
                validate: (value) => ({ value }),
                jsonSchema: { input: schema, output: schema },
            },
        },
        execute: async (input, execution) => {
            const reply = await callArtifactTool(tuckaway, name, jsonText(input), { maxBytes });
            // Artifact replies always pass, but the other calls of the step must account for their tokens.
            await viewOf({ tool: name, isError: reply.isError, content: reply.text }, execution);
            return reply;
        },
        toModelOutput: ({ output: { text, isError } }) => ({ type: isError ? 'error-text' : 'text', value: text }),
    };
}
