/** Tuckaway around the tools of the AI SDK (`ai`, from version 7 on). */

import type { Artifact } from '../ports.js';
import type { JsonSchema, ToolDefinition, ToolOutput, ToolReply, Turn, View } from '../types.js';
import { record } from '../validate.js';
import {
    type AnyTuckaway, type ContentPart, OPTIONS, type RunOptions, callArtifactTool, checkOptions, errorText,
    jsonText, partsAfter, partsOutput, reserveNames, tell,
} from './calls.js';

export type { ToolCall } from './calls.js';

/** What is asked of a tool of the AI SDK. */
export interface ToolLike {
    execute?: ((input: any, options: any) => any) | undefined;
    toModelOutput?: ((options: any) => any) | undefined;
}

/** How outputs are offloaded; `maxBytes` bounds the replies of the artifact tools. */
export interface OffloadOptions extends Omit<RunOptions, 'turn' | 'onError'> {
    /**
     * Where the conversation stands, or how to find out. Without `usedTokens` the headroom is that of an
     * empty conversation: keep `usage.totalTokens` of `onLanguageModelCallEnd`, and give it here.
     */
    turn?: Turn | (() => Turn) | undefined;
}

/** What the model is given of an output, in the shapes of the AI SDK. */
export type ModelOutput =
    | { type: 'text' | 'error-text'; value: string }
    | { type: 'json' | 'error-json'; value: any }
    | { type: 'content'; value: any[] }
    | { type: 'execution-denied'; reason?: string };

/**
 * The output of a tool, where its own was too big. It is plain data, but for bytes in parts that were kept:
 * it may be sent to a page, stored with the messages and converted again, and the model sees the same each time.
 */
export interface OffloadedOutput {
    /** What tells it from a tool's own output; see {@link isOffloaded}. */
    readonly tuckaway: 'offloaded';
    /** Where the whole output is; empty where it was truncated. */
    readonly artifacts: readonly Artifact[];
    /** What the model sees. */
    readonly modelOutput: ModelOutput;
}

/** A tool whose output is an {@link OffloadedOutput} where it would be too big. Any other tool is as it was. */
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

/** An artifact tool. Its Standard Schema takes anything: the component says what is wrong with arguments. */
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

/** The tools of a set, offloaded, and the artifact tools that `createTuckaway` was told to offer. */
export type OffloadedTools<Tools> = { [Name in keyof Tools]: OffloadedTool<Tools[Name]> } & {
    [Name in 'artifact_read' | 'artifact_grep' | 'artifact_jq']: ArtifactToolEntry;
};

/**
 * Wraps a set of tools: an output that is too big is put away, and the artifact tools are added.
 *
 * The view is made once, when the tool is done, and is the tool's output from then on: in `steps`, in what
 * is streamed to a page, in the messages that are kept. A conversation that is read back thus says the same,
 * and the provider's prompt cache holds. An output that passes is left as it is.
 *
 * - What counts is what the model would see: the output after the tool's own `toModelOutput`. Of one with
 *   several parts (MCP tools, images) the texts are put away, the other parts stay.
 * - A tool that streams is heard to its end: preliminary outputs are passed on, the last one is judged.
 * - A tool that throws throws the same error, unless its message is too big.
 * - Calls of one step share the headroom in the order in which they are done.
 * - A tool without `execute` is left as it is: its output is made elsewhere. Leave out tools that only a
 *   program calls (code mode): no model sees their outputs.
 *
 * The artifact tools are always there, so that the list of tools, and with it the prompt cache, stays the
 * same through the conversation. A set is for the conversation of its tuckaway.
 *
 * @throws TuckawayError of kind `invalid-input` if a tool has the name of an artifact tool, or an option is wrong
 */
export async function offloadTools<Tools extends Readonly<Record<string, ToolLike>>>(
    tuckaway: AnyTuckaway,
    tools: Tools,
    options: OffloadOptions = {},
): Promise<OffloadedTools<Tools>> {
    knownOptions(options, 'options');
    await reserveNames(tuckaway, tools, 'tools');
    await checkOptions(tuckaway, turnOf(options), options);
    const viewOf = viewMaker(tuckaway, options);
    const offloaded = Object.entries(tools).map(([name, tool]) => [name, offloadTool(name, tool, viewOf)]);
    const definitions = await tuckaway.toolDefinitions();
    const artifactTools = definitions.map((definition) => {
        return [definition.name, artifactTool(tuckaway, definition, options, viewOf)];
    });
    return Object.fromEntries([...offloaded, ...artifactTools]) as OffloadedTools<Tools>;
}

/** Whether the output of a tool was too big and is a view of it. */
export function isOffloaded(output: unknown): output is OffloadedOutput {
    return typeof output === 'object' && output !== null && 'tuckaway' in output && output.tuckaway === 'offloaded';
}

/** What is read of the options with which the AI SDK runs a tool; all calls of a step get the same messages. */
interface Execution {
    toolCallId: string;
    messages?: object | undefined;
}

type ViewOf = (output: ToolOutput, execution: Execution) => Promise<View>;

const knownOptions = record(OPTIONS);

/** The views that were made for a step of the model. */
interface Step {
    /** What they take of the headroom, but for the last one. */
    takenTokens: number;
    /** The text of the last one: it is counted when there is another call. */
    uncounted: string;
    last: Promise<unknown>;
}

/** Makes views one after the other, each knowing what the earlier ones of its step take. */
function viewMaker(tuckaway: AnyTuckaway, options: OffloadOptions): ViewOf {
    const steps = new WeakMap<object, Step>();
    return async (output, { toolCallId, messages = {} }) => {
        const step = steps.get(messages) ?? { takenTokens: 0, uncounted: '', last: Promise.resolve() };
        steps.set(messages, step);
        const made = step.last.then(async () => {
            step.takenTokens += await countTokens(tuckaway, step.uncounted, options);
            step.uncounted = '';
            const turn = turnOf(options);
            const usedTokens = (turn?.usedTokens ?? 0) + step.takenTokens;
            const view = await tuckaway.process(output, { ...turn, usedTokens }, options.policy);
            step.uncounted = view.text;
            step.takenTokens += view.decision.keptTokens ?? 0;
            return view;
        });
        step.last = made.catch(() => undefined);
        const view = await made;
        tell(options.onView, { id: toolCallId, name: output.tool }, view);
        return view;
    };
}

/** The tokens of a text, by tuckaway's own counter: no gate holds before the cap, for which it has to count. */
async function countTokens(tuckaway: AnyTuckaway, content: string, { policy }: OffloadOptions): Promise<number> {
    const counting = {
        ...policy,
        enabled: true,
        contextPercentage: 1,
        minThresholdBytes: 0,
        maxThresholdBytes: Infinity,
        headroomPercentage: 1,
        maxOutputTokens: 1,
        overrides: [],
    };
    const { tokenCount } = await tuckaway.decide({ tool: '', content }, { contextWindow: Infinity }, counting);
    return tokenCount ?? content.length;
}

function turnOf({ turn }: OffloadOptions): Turn | undefined {
    return typeof turn === 'function' ? turn() : turn;
}

function offloadTool(name: string, tool: ToolLike, viewOf: ViewOf): ToolLike {
    if (tool.execute === undefined) {
        return tool;
    }
    return {
        ...tool,
        // It describes the tool's own output, and the output may be another now.
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

/** An output as it is, if what the model would see of it passes. */
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
    if (shown.type === 'content') {
        const parts: readonly ContentPart[] = shown.value;
        const view = await viewOf({ tool, isError, ...partsOutput(parts) }, execution);
        const left = partsAfter(parts, view, 'text');
        return view.decision.action === 'inline' ? output : offloaded(view, left, isError);
    }
    const content = typeof shown.value === 'string' ? shown.value : jsonText(shown.value);
    const view = await viewOf({ tool, isError, content }, execution);
    return view.decision.action === 'inline' ? output : offloaded(view, view.text, isError);
}

function offloaded(view: View, content: string | readonly ContentPart[], isError: boolean): OffloadedOutput {
    const modelOutput: ModelOutput =
        typeof content === 'string'
            ? { type: isError ? 'error-text' : 'text', value: content }
            : { type: 'content', value: [...content] };
    return { tuckaway: 'offloaded', artifacts: view.artifacts, modelOutput };
}

/** What the AI SDK makes of an output for which the tool has no `toModelOutput`. */
function plainModelOutput(output: unknown): ModelOutput {
    if (typeof output === 'string') {
        return { type: 'text', value: output };
    }
    return { type: 'json', value: JSON.parse(jsonText(output) || 'null') };
}

/** The AI SDK tells the model an error as `name: message`; without a name it is the view alone. */
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
            const reply = await callArtifactTool(tuckaway, name, jsonText(input), maxBytes);
            // It passes; what it takes of the headroom the other calls of its step must know.
            await viewOf({ tool: name, isError: reply.isError, content: reply.text }, execution);
            return reply;
        },
        toModelOutput: ({ output: { text, isError } }) => ({ type: isError ? 'error-text' : 'text', value: text }),
    };
}
