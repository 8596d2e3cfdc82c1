/**
 * What the page and its worker say to each other. The page calls a method by its name and gets one reply.
 * The worker answers in the order of the calls; a call cannot be interrupted, so the page stops one by
 * ending the worker. What the worker must know again after that comes with every call.
 */

import type {
    Artifact, Decision, ErrorKind, GrepOptions, JqOptions, Match, Outputs, Page, Policy, ReadOptions, Turn,
} from 'tuckaway';

import type { SampleName } from './samples.js';

/** Where an output comes from. */
export type Origin =
    | { kind: 'file'; file: File }
    | { kind: 'text'; text: string }
    | { kind: 'sample'; sample: SampleName; bytes: number }
    | { kind: 'stored'; id: string };

/** An origin of what is not in the store. */
export type FreshOrigin = Exclude<Origin, { kind: 'stored' }>;

/** An output to put away. The same `key` is the same output: it is kept once, however often it is asked for. */
export interface Source {
    key: number;
    origin: Origin;
}

/** How tokens are counted: gpt-tokenizer's o200k_base, or from bytes. */
export type Counter = 'gpt' | 'estimate';

/** How many tokens a text has; scaled up from samples where the text is large. */
export interface TokenCount {
    tokens: number;
    exact: boolean;
}

/** The beginning of a text, short enough to be shown. */
export interface Excerpt {
    text: string;
    /** Of the whole text. */
    sizeBytes: number;
    complete: boolean;
}

/** Where artifacts are kept, and why they are not kept in OPFS. */
export interface Opened {
    store: 'opfs' | 'memory';
    why?: string;
    /** The defaults. */
    policy: Policy;
    artifacts: Artifact[];
}

export interface OffloadRequest {
    source: Source;
    tool: string;
    isError: boolean;
    turn: Required<Turn>;
    policy: Partial<Policy>;
    counter: Counter;
}

export interface Offloaded {
    input: Excerpt;
    view: Excerpt;
    /** Of input and view; none where the output's block is passed on as it is, such as an image. */
    tokens?: { input: TokenCount; view: TokenCount };
    decision: Decision;
    /** The artifact that holds the output, also if this decision would not have stored it. */
    artifact?: Artifact;
    artifacts: Artifact[];
    milliseconds: number;
}

/** A match with the ranges of its text that matched, as UTF-16 offsets. */
export interface HighlightedMatch extends Match {
    spans: [start: number, end: number][];
}

export interface Found {
    matches: HighlightedMatch[];
    total?: number;
    next?: string;
}

/** What the worker can be asked. */
export interface Methods {
    open(): Opened;
    offload(request: OffloadRequest): Offloaded;
    read(request: { id: string; options: ReadOptions }): Page;
    grep(request: { id: string; pattern: string; options: GrepOptions }): Found;
    jq(request: { id: string; filter: string; options: JqOptions }): Outputs;
    remove(request: { id: string }): Artifact[];
}

export type Method = keyof Methods;
export type Argument<M extends Method> = Parameters<Methods[M]>[0];
export type Answer<M extends Method> = ReturnType<Methods[M]>;

export interface Request {
    call: number;
    method: Method;
    argument: unknown;
}

export type Reply = { call: number } & ({ answer: unknown } | { error: { kind?: ErrorKind; message: string } });
