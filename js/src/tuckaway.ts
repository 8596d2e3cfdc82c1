/// <reference lib="esnext.disposable" preserve="true" />

/** The methods of a tuckaway, over a synchronous or an asynchronous store. */

import type {
    AllMatches, Artifact, ArtifactTool, Conversation, Decision, Dialect, GrepOptions, JqOptions, Matches, Outputs, Page,
    Policy, ProviderRefusal, ReadOptions, Shape, Step, ToolDefinition, ToolReply, View,
} from './contract/types.js';
import type { Budget, Compaction, OutputCache } from './conversation/api.js';
import type { ManageOptions, Progress, Task } from './conversation/config.js';
import type { Extraction } from './extraction/api.js';
import type { Histories } from './histories/api.js';
import type { AsyncStore, AsyncTokenCounter, Store, TokenCounter } from './ports.js';
import type { Bound, DefinitionOptions, PolicyOptions, ToolOutput, Turn } from './types.js';

/** A `WebAssembly.Module`, declared so that programs without the DOM types compile. */
export type WasmModule = object;

/** A source of the component's core module: a compiled module, bytes, a response, or an address to fetch. */
export type WasmSource = WasmModule | ArrayBuffer | ArrayBufferView | Response | URL | string;

interface CommonOptions<Offered extends ArtifactTool> {
    /** The model's context window in tokens, at least 1, for calls that omit theirs. */
    contextWindow: number;
    /** Changes to the default policy. Default: none. */
    policy?: PolicyOptions | undefined;
    /** The artifact tools that the model can call. Default: all three. */
    tools?: readonly Offered[] | undefined;
    /**
     * Maximum milliseconds for one call, above 0. Default: none. It is enforced whenever the component asks the store or
     * the token counter; a filter can compute for about two seconds between two questions. A query that takes longer
     * fails with an error of kind `limit`; `process` truncates an output that it could not store in time.
     */
    deadlineMs?: number | undefined;
    /** The core module (`tuckaway/core.wasm`), for environments where the entry point cannot load it. */
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
 * its instance is discarded and the next call gets a new one. A call blocks until it is done or `deadlineMs` is over; to
 * be able to stop it at any moment, run tuckaway in a worker.
 *
 * `Offered` is the type of the artifact tools given to `createTuckaway`.
 */
export interface Tuckaway<Offered extends ArtifactTool = ArtifactTool> {
    /**
     * Reduces one output to its view: stores it if it is too large, and returns the text that the model should see
     * instead.
     */
    process(output: ToolOutput, turn?: Turn, policy?: PolicyOptions): View;
    /**
     * Reduces all outputs of one turn so that together they fit the headroom, the largest first. Returns the views in
     * the order of the outputs.
     */
    processTurn(outputs: readonly ToolOutput[], turn?: Turn, policy?: PolicyOptions): View[];
    /** Returns the decision for one output. Stores nothing. */
    decide(output: ToolOutput, turn?: Turn, policy?: PolicyOptions): Decision;
    /** Describes the content of a text or bytes in at most `maxBytes`, at least 256. Default: 2048. */
    inferShape(text: string | Uint8Array, maxBytes?: number): Shape;
    /**
     * Truncates a text to its head and tail, in at most `maxBytes`, at least 512; JSON stays valid JSON. Returns a text
     * that fits unchanged. For bytes that are not text, returns a note.
     */
    truncate(text: string | Uint8Array, maxBytes: number): string;
    /** Reads part of an artifact. */
    read(id: string, options?: ReadOptions): Page;
    /**
     * Finds the lines of an artifact that match a regular expression of at most 4096 bytes, in the syntax of Rust's
     * regex crate.
     */
    grep(id: string, pattern: string, options?: GrepOptions): Matches;
    /**
     * Finds the lines that match a pattern in all artifacts of the session, newest first. `maxMatches` and `maxBytes`,
     * here at least 1024, limit all artifacts of a page together. An artifact that cannot be read is in `skipped`.
     */
    grepAll(pattern: string, options?: GrepOptions): AllMatches;
    /** Runs a jq filter of at most 16384 bytes on an artifact that is JSON or can be read as JSON: CSV, YAML. */
    jq(id: string, filter: string, options?: JqOptions): Outputs;
    /** Lists all artifacts of the session, oldest first. */
    listArtifacts(): Artifact[];
    /**
     * Returns the definitions of the artifact tools, to be passed to the model. Default: the tools given to
     * `createTuckaway`, in the dialect of its policy. `tool_output` is returned only while something is stored.
     */
    toolDefinitions(tools?: readonly ArtifactTool[], options?: DefinitionOptions): ToolDefinition[];
    /**
     * Runs an artifact tool as the model called it, with the arguments as JSON text or as the parsed object. The name
     * identifies the tool and its dialect. A valid call of `tool_output` in a mode other than `truncate` throws an
     * error of kind `unsupported`, because it needs an extraction with a model: use `answerCall` of
     * `tuckaway/extraction`. If the call reads a stored image, PDF document or recording, the reply has `media`: see
     * `mediaBytes`.
     */
    callTool(name: string, args: string | object, options?: Bound): ToolReply;
    /** The tool output cache of a conversation. */
    readonly cache: OutputCache;
    /** Summaries of a conversation's past. */
    readonly compaction: Compaction;
    /** Budgets for the parts of the context window. */
    readonly budget: Budget;
    /** Histories of model providers. */
    readonly histories: Histories;
    /** Questions about an artifact that a model answers. */
    readonly extraction: Extraction;
    /**
     * Plans a task for a conversation. `manage`, `cache.trim`, `compaction.plan` and `budget.plan` each plan one kind
     * of task.
     */
    plan(conversation: Conversation, task: Task, progress?: Progress): Step;
    /**
     * Plans one pass over a conversation in an agent loop: trims, evicts and summarizes, in this order, each only if it
     * is due. Apply the plan; if there is a request, ask the model and call again with the new conversation and one
     * more answer. For the history of a provider, `histories` does this, and `manageContext` of `tuckaway/anthropic`,
     * `/openai` and `/ai-sdk` takes all steps.
     */
    manage(conversation: Conversation, options?: ManageOptions): Step;
    /**
     * Reads the error with which a provider refused a request: its text, or the body of its response as JSON. Any text
     * is accepted; the kind of an unknown error is `unknown`.
     */
    readRefusal(error: string): ProviderRefusal;
    /** Returns the defaults of a dialect, without the options of `createTuckaway`. */
    defaultPolicy(dialect: Dialect): Readonly<Policy>;
    /** The default policy of calls: the dialect's defaults with the changes given to `createTuckaway`. */
    readonly policy: Readonly<Policy>;
    /** The store, as given to `createTuckaway`, or the one that it made. */
    readonly store: AsyncStore;
    /** The artifact tools that the model can call. */
    readonly tools: readonly Offered[];
    /** The model's context window in tokens, as given to `createTuckaway`. */
    readonly contextWindow: number;
    /** Releases the component's memory. The store is not closed: it belongs to the caller. */
    dispose(): void;
    /** The same as {@link dispose}, for `using`; missing in engines without support for it. */
    [Symbol.dispose](): void;
}

/** An interface whose methods return promises. */
export type Promising<Api> = {
    [Member in keyof Api]: Member extends 'dispose' | typeof Symbol.dispose
        ? Api[Member]
        : Api[Member] extends (...args: infer Args) => infer Answer
          ? (...args: Args) => Promise<Answer>
          : Api[Member] extends OutputCache | Compaction | Budget | Histories | Extraction
            ? Promising<Api[Member]>
            : Api[Member];
};

/** A {@link Tuckaway} whose methods return promises. Calls may overlap. */
export type AsyncTuckaway<Offered extends ArtifactTool = ArtifactTool> = Promising<Tuckaway<Offered>>;
