/**
 * The messages between the page and its worker. The page calls a method by name and gets one reply. The worker answers
 * in the order of the calls. A call cannot be interrupted, so the page stops one by terminating the worker; therefore
 * every call contains everything that a new worker needs.
 */

import type {
    Artifact, Decision, Dialect, ErrorKind, GrepOptions, JqOptions, Match, Outputs, Page, Policy, ReadOptions, Turn,
} from 'tuckaway';

import type { Question } from './question.js';
import type { SampleName } from './samples.js';
import type { RecordedCall } from './transcript.js';

/** The origin of an output. */
export type Origin =
    | { kind: 'file'; file: File }
    | { kind: 'text'; text: string }
    | { kind: 'sample'; sample: SampleName; bytes: number }
    | { kind: 'stored'; id: string };

/** The origin of an output that is not in the store. */
export type FreshOrigin = Exclude<Origin, { kind: 'stored' }>;

/** An output to offload. The same `key` means the same output, which is stored only once. */
export interface Source {
    key: number;
    origin: Origin;
}

/** How tokens are counted: with gpt-tokenizer's o200k_base, or estimated. */
export type Counter = 'gpt' | 'estimate';

/** The number of tokens of a text; scaled up from samples if the text is large. */
export interface TokenCount {
    tokens: number;
    exact: boolean;
}

/** The start of a text, short enough to be shown. */
export interface Excerpt {
    text: string;
    /** The size of the whole text. */
    sizeBytes: number;
    complete: boolean;
}

/** The store that was opened, and why it is not in OPFS. */
export interface Opened {
    store: 'opfs' | 'memory';
    why?: string;
    /** The default policy of each dialect. */
    policies: Record<Dialect, Policy>;
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
    /** The plain truncation of the output: its head and tail. */
    plain: Excerpt;
    /** The counts; omitted if the output is a block that is passed on unchanged, such as an image. */
    tokens?: { input: TokenCount; view: TokenCount; plain: TokenCount };
    /** The output, if it is an image that is passed on unchanged. */
    image?: Blob;
    decision: Decision;
    /** The artifact that contains the output, even if this decision would not have stored it. */
    artifact?: Artifact;
    artifacts: Artifact[];
    /** The component's run time, without loading the output or a tokenizer. */
    milliseconds: number;
}

/** An answer, and the component's run time. */
export type Timed<Answered> = Answered & { milliseconds: number };

/** The result of a query, in a few words; `failed` if it returned an error. */
export interface Finding {
    text: string;
    failed: boolean;
}

/** The results of one query on an artifact and on its plain truncation. */
export interface Comparison {
    whole: Finding;
    plain: Finding;
}

/** The measurement of a call in a transcript. */
export interface Measured {
    before: TokenCount;
    after: TokenCount;
    action: Decision['action'];
}

export type MeasureRequest =
    Pick<OffloadRequest, 'turn' | 'policy' | 'counter'> & { calls: readonly RecordedCall[] };

/** A match with the ranges of its text that matched, as UTF-16 offsets. */
export interface HighlightedMatch extends Match {
    spans: [start: number, end: number][];
}

export interface HighlightedMatches {
    matches: HighlightedMatch[];
    total?: number;
    matchCount?: number;
    next?: string;
}

/** The methods of the worker. */
export interface Methods {
    open(): Opened;
    offload(request: OffloadRequest): Offloaded;
    read(request: { id: string; options: ReadOptions }): Timed<Page>;
    grep(request: { id: string; pattern: string; options: GrepOptions }): Timed<HighlightedMatches>;
    jq(request: { id: string; filter: string; options: JqOptions }): Timed<Outputs>;
    remove(request: { id: string }): Artifact[];
    compare(request: { id: string; question: Question }): Comparison;
    measure(request: MeasureRequest): Measured[];
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
