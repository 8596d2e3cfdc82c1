/// <reference lib="esnext.disposable" preserve="true" />

/** The methods of a tuckaway, over a synchronous or an asynchronous store. */

import type { Budget, Compaction, OutputCache } from './conversation/api.js';
import type { ManageOptions, Progress, Task } from './conversation/config.js';
import type { Conversation, Step } from './conversation/model.js';
import type { Extraction } from './extraction/api.js';
import type { Artifact, AsyncStore, AsyncTokenCounter, Store, TokenCounter } from './ports.js';
import type {
    ArtifactTool, Bound, Decision, DefinitionOptions, Dialect, GrepOptions, JqOptions, Matches, Outputs, Page, Policy, PolicyOptions,
    ReadOptions, Shape,
    ToolDefinition, ToolOutput, ToolReply, Turn, View,
} from './types.js';

/** A `WebAssembly.Module`, declared so that programs without the DOM types compile. */
export type WasmModule = object;

/** Where the component's core module comes from: compiled, as bytes, as a response, or as an address to fetch. */
export type WasmSource = WasmModule | ArrayBuffer | ArrayBufferView | Response | URL | string;

interface CommonOptions<Offered extends ArtifactTool> {
    /** Changes to the default policy. Default: none. */
    policy?: PolicyOptions | undefined;
    /** The artifact tools that the model can call. Default: all three. */
    tools?: readonly Offered[] | undefined;
    /** The model's context window in tokens, at least 1, for turns that omit it. */
    contextWindow?: number | undefined;
    /** The core module (`tuckaway/core.wasm`), if the entry point's own way of loading it does not suit. */
    wasm?: WasmSource | Promise<WasmSource> | undefined;
}

/** Options of `createTuckaway`. */
export interface TuckawayOptions<Offered extends ArtifactTool = ArtifactTool> extends CommonOptions<Offered> {
    /** Keeps full outputs. Default: a new `MemoryStore`. */
    store?: Store | undefined;
    /** Counts tokens. Default: `estimate`. */
    tokens?: TokenCounter | undefined;
}

/** Options of `createTuckaway` of `tuckaway/async`. */
export interface AsyncTuckawayOptions<Offered extends ArtifactTool = ArtifactTool> extends CommonOptions<Offered> {
    /** Keeps full outputs. Default: a new `MemoryStore`. */
    store?: AsyncStore | undefined;
    /** Counts tokens. Default: `estimate`. */
    tokens?: AsyncTokenCounter | undefined;
}

/**
 * The component over one store and one token counter.
 *
 * Every method throws a {@link TuckawayError} and nothing else. If a call traps, or if its memory grows past 64 MiB,
 * its instance is dropped and the next call gets a new one. A call blocks until it is done: to be able to stop one, run
 * tuckaway in a worker.
 *
 * `Offered` are the artifact tools that `createTuckaway` was given.
 */
export interface Tuckaway<Offered extends ArtifactTool = ArtifactTool> {
    /** Reduces one output to its view: stores it if it is too large, and returns what the model should see instead. */
    process(output: ToolOutput, turn?: Turn, policy?: PolicyOptions): View;
    /**
     * Reduces all outputs of one turn so that together they fit the headroom, the largest first. Returns the views in
     * the order of the outputs.
     */
    processTurn(outputs: readonly ToolOutput[], turn?: Turn, policy?: PolicyOptions): View[];
    /** Returns the decision for one output. Stores nothing. */
    decide(output: ToolOutput, turn?: Turn, policy?: PolicyOptions): Decision;
    /** Describes what a text or bytes contain in at most `maxBytes`, at least 256. Default: 2048. */
    inferShape(text: string | Uint8Array, maxBytes?: number): Shape;
    /**
     * Cuts a text to head and tail in at most `maxBytes`, at least 512; JSON stays valid JSON. Returns a text that fits
     * unchanged, and a note for bytes that are not text.
     */
    truncate(text: string | Uint8Array, maxBytes: number): string;
    /** Reads part of an artifact. */
    read(id: string, options?: ReadOptions): Page;
    /**
     * Finds the lines of an artifact that match a regular expression of at most 4096 bytes, in the dialect of Rust's
     * regex crate.
     */
    grep(id: string, pattern: string, options?: GrepOptions): Matches;
    /** Runs a jq filter of at most 16384 bytes on an artifact that is JSON, or can be read as JSON: CSV, YAML. */
    jq(id: string, filter: string, options?: JqOptions): Outputs;
    /** Lists all artifacts of the session, oldest first. */
    list(): Artifact[];
    /**
     * Returns the artifact tools, to be given to the model. Default: the tools of `createTuckaway`, in the dialect of
     * its policy. `tool_output` is returned only while something is stored.
     */
    toolDefinitions(tools?: readonly ArtifactTool[], options?: DefinitionOptions): ToolDefinition[];
    /**
     * Runs an artifact tool as the model called it: with its JSON text, or the object parsed from it. The name says
     * which tool of which dialect. A valid call of `tool_output` in another mode than `truncate` throws an error of
     * kind `unsupported`: an extraction has to run it, which asks a model: `answerCall` of `tuckaway/extraction`.
     */
    callTool(name: string, args: string | object, options?: Bound): ToolReply;
    /** The tool output cache of a conversation. */
    readonly cache: OutputCache;
    /** Summaries of a conversation's past. */
    readonly compaction: Compaction;
    /** Budgets for the parts of the context window. */
    readonly budget: Budget;
    /** Questions about an artifact that a model answers. */
    readonly extraction: Extraction;
    /** Plans a task for a conversation. `manage`, `cache.trim`, `compaction.plan` and `budget.plan` are tasks by name. */
    plan(conversation: Conversation, task: Task, progress?: Progress): Step;
    /**
     * Trims, evicts and summarizes a conversation, in this order, as far as each is due: plans for one look at it in an
     * agent loop. Apply the plan; if there is a request, ask the model and call again with the new conversation and one
     * more answer. `manageContext` of `tuckaway/openai`, `/anthropic` and `/ai-sdk` does all of this.
     */
    manage(conversation: Conversation, options?: ManageOptions): Step;
    /** Returns the defaults of a dialect, without what `createTuckaway` was given. */
    defaultPolicy(dialect: Dialect): Readonly<Policy>;
    /** The policy that calls start from: the defaults, changed by what `createTuckaway` was given. */
    readonly policy: Readonly<Policy>;
    /** The artifact tools that the model can call. */
    readonly tools: readonly Offered[];
    /** The model's context window in tokens that `createTuckaway` was given. */
    readonly contextWindow: number | undefined;
    /** Releases the component's memory. The store is the caller's. */
    dispose(): void;
    /** The same as {@link dispose}, for `using`; missing in engines that do not support it. */
    [Symbol.dispose](): void;
}

/** An interface whose methods return promises. */
export type Promising<Api> = {
    [Member in keyof Api]: Member extends 'dispose' | typeof Symbol.dispose
        ? Api[Member]
        : Api[Member] extends (...args: infer Args) => infer Answer
          ? (...args: Args) => Promise<Answer>
          : Api[Member] extends OutputCache | Compaction | Budget | Extraction
            ? Promising<Api[Member]>
            : Api[Member];
};

/** A {@link Tuckaway} whose methods return promises. Calls may overlap. */
export type AsyncTuckaway<Offered extends ArtifactTool = ArtifactTool> = Promising<Tuckaway<Offered>>;
