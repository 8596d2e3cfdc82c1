/// <reference lib="esnext.disposable" preserve="true" />

/** The interface of tuckaway, with a store that answers at once or one that answers later. */

import type { Artifact, AsyncStore, AsyncTokenCounter, Store, TokenCounter } from './ports.js';
import type {
    ArtifactTool, Bound, Decision, GrepOptions, JqOptions, Matches, Outputs, Page, Policy, PolicyOptions,
    ReadOptions, Shape,
    ToolDefinition, ToolOutput, ToolReply, Turn, View,
} from './types.js';

/** A `WebAssembly.Module`, by a type that programs without the types of browsers have too. */
export type WasmModule = object;

/** Where the component's core module comes from: compiled, as bytes, as a response, or as an address to fetch. */
export type WasmSource = WasmModule | ArrayBuffer | ArrayBufferView | Response | URL | string;

interface CommonOptions {
    /** What differs from the default policy. */
    policy?: PolicyOptions | undefined;
    /** The artifact tools that the model can call. [all three] */
    tools?: readonly ArtifactTool[] | undefined;
    /** The model's context window in tokens, for turns that do not say. */
    contextWindow?: number | undefined;
    /** The core module, where the entry point's own way to load it does not fit: `tuckaway/core.wasm`. */
    wasm?: WasmSource | Promise<WasmSource> | undefined;
}

/** What `createTuckaway` takes. */
export interface TuckawayOptions extends CommonOptions {
    /** [a new `MemoryStore`] */
    store?: Store | undefined;
    /** [`estimate`] */
    tokens?: TokenCounter | undefined;
}

/** What `createTuckaway` of `tuckaway/async` takes. */
export interface AsyncTuckawayOptions extends CommonOptions {
    /** [a new `MemoryStore`] */
    store?: AsyncStore | undefined;
    /** [`estimate`] */
    tokens?: AsyncTokenCounter | undefined;
}

/**
 * The component over one store and one token counter.
 *
 * Every method throws a {@link TuckawayError} and nothing else. A call that trapped, or for which memory
 * grew past 64 MiB, is the last of its instance; the next call gets a fresh one. A call computes until it
 * is done: where it must be possible to stop one, run tuckaway in a worker.
 */
export interface Tuckaway {
    /** One output to its view: stores it, if it is too big, and says what the model should see instead. */
    process(output: ToolOutput, turn?: Turn, policy?: PolicyOptions): View;
    /** All outputs of one turn, so that together they fit the headroom. Views in the order of the outputs. */
    processTurn(outputs: readonly ToolOutput[], turn?: Turn, policy?: PolicyOptions): View[];
    /** The decision alone; nothing is stored. */
    decide(output: ToolOutput, turn?: Turn, policy?: PolicyOptions): Decision;
    /** What is in a text. `maxBytes` is at least 256. [2048] */
    inferShape(text: string | Uint8Array, maxBytes?: number): Shape;
    /** Head and tail within `maxBytes`, at least 512; JSON stays JSON. The text as it is if it fits. */
    truncate(text: string | Uint8Array, maxBytes: number): string;
    /** A part of an artifact. */
    read(id: string, options?: ReadOptions): Page;
    /** The lines of an artifact that match a regular expression of the dialect of Rust's regex crate. */
    grep(id: string, pattern: string, options?: GrepOptions): Matches;
    /** What a jq filter gives for a JSON artifact. */
    jq(id: string, filter: string, options?: JqOptions): Outputs;
    /** All artifacts of the session, oldest first. */
    list(): Artifact[];
    /** The artifact tools, to be given to the model. [the tools of `createTuckaway`] */
    toolDefinitions(tools?: readonly ArtifactTool[]): ToolDefinition[];
    /** Runs an artifact tool as the model called it: with its JSON text, or the object parsed from it. */
    callTool(name: string, args: string | object, options?: Bound): ToolReply;
    /** The policy that calls start from: the defaults and what `createTuckaway` was given. */
    readonly policy: Readonly<Policy>;
    /** Lets go of the component's memory. The store is the caller's. */
    dispose(): void;
    /** {@link dispose}, for `using`; not there in engines that do not know it. */
    [Symbol.dispose](): void;
}

/** A {@link Tuckaway} whose methods return promises. Calls may overlap. */
export type AsyncTuckaway = {
    [Member in keyof Tuckaway]: Member extends 'dispose' | typeof Symbol.dispose
        ? Tuckaway[Member]
        : Tuckaway[Member] extends (...args: infer Args) => infer Answer
          ? (...args: Args) => Promise<Answer>
          : Tuckaway[Member];
};
