/** Questions about an artifact that a model answers, and the messages exchanged with that model. */

import type { ToolDefinition } from '../types.js';

/**
 * How the answer is found.
 *
 * - `auto`: chosen by the size of the artifact and the length of its lines.
 * - `full-chunked`: a model reads all of it, in chunks if it is large, and combines the findings of all chunks.
 * - `read-grep`: a model reads and searches it with the tools `Read` and `Grep`.
 * - `truncate`: its head and tail, without a model.
 */
export type ExtractionMode = 'auto' | 'full-chunked' | 'read-grep' | 'truncate';

/** A question about an artifact. */
export interface Question {
    /** The artifact. */
    artifact: string;
    /** The question: what to extract, 1 byte to 16 KiB. */
    extract: string;
    /** The strategy. Default: `auto`. */
    mode?: ExtractionMode | undefined;
    /**
     * The arguments of the tool call that produced the artifact, as JSON text, for the model: truncated to 4 KiB.
     * Default: unknown.
     */
    toolArguments?: string | null | undefined;
    /**
     * Delimits the model's answer: 8 to 64 letters and digits that the artifact cannot contain on purpose.
     * Default: `extract` generates a random one; `start` derives it from the artifact's id.
     */
    nonce?: string | null | undefined;
}

/** The limits of the model and of an extraction. */
export interface ExtractionConfig {
    /** The context window of the model in tokens: at least 2048. */
    contextTokens: number;
    /**
     * Maximum tokens of one answer: at least 64, at most half of the context window. Default: 4096, or an eighth of the
     * window if that is less.
     */
    maxOutputTokens: number;
    /** `auto` reads the whole artifact if it fits into this many chunks: at least 1. Default: 1. */
    maxFullChunks: number;
    /** `auto` also reads the whole artifact if its lines are longer than this many bytes on average. Default: 1000. */
    longLineBytes: number;
    /**
     * An artifact with more chunks is not read as a whole but searched with `Read` and `Grep`, and the answer says so:
     * 1 to 1024. Default: 64.
     */
    maxChunks: number;
    /** The part of a chunk that overlaps with the previous chunk, in percent: 0 to 50. Default: 10. */
    overlapPct: number;
    /** Maximum concurrent requests: 1 to 64. Default: 4. */
    maxParallel: number;
    /** Maximum requests in total: at least 1. Default: 150. */
    maxRequests: number;
    /** Maximum tokens of all requests and answers, as counted before a request is made. Default: no limit. */
    maxTokens?: number | null | undefined;
    /** Maximum turns of a model with `Read` and `Grep`: 2 to 64. Default: 12. */
    maxTurns: number;
    /** Maximum calls of `Read` and `Grep`: 1 to 256. Default: 40. */
    maxToolCalls: number;
    /** Maximum bytes of a reply to such a call: 256 to 65536. Default: 16384. */
    maxReplyBytes: number;
    /** Maximum bytes of the answer: 1024 to 1048576. Default: 32768. */
    maxAnswerBytes: number;
}

/**
 * Changes to the defaults of {@link ExtractionConfig}. `contextTokens` defaults to the context window given to
 * `createTuckaway`.
 */
export type ExtractionOptions = { [Field in keyof ExtractionConfig]?: ExtractionConfig[Field] | undefined };

/** Why a request is made: to extract from a chunk, to combine extracts, or to answer with `Read` and `Grep`. */
export type RequestPurpose = 'extract' | 'synthesize' | 'search';

/** A call of a tool by the model. */
export interface ModelCall {
    /** The id that the result refers to. */
    id: string;
    /** The tool's name. */
    name: string;
    /** The arguments as JSON text. */
    arguments: string;
}

/** A turn of the model. */
export interface ModelTurn {
    /** The text. */
    text: string;
    /** The calls that the model made. Default: none. */
    calls?: readonly ModelCall[] | undefined;
}

/** The result of a call. */
export interface ModelCallResult {
    /** The id of the call. */
    callId: string;
    /** The text. */
    text: string;
    /** Whether `text` reports a mistake. */
    isError: boolean;
}

/** A message of a request: an object with exactly one of these members. */
export type RequestMessage =
    | { user: string }
    /** An earlier turn of the model. */
    | { model: Required<ModelTurn> }
    /** The results of all calls of that turn. */
    | { results: ModelCallResult[] };

/** A request for the model. No part of it becomes part of the agent's history. */
export interface ModelRequest {
    /** The id that the event with the answer refers to. */
    id: string;
    purpose: RequestPurpose;
    /** The system prompt. */
    system: string;
    /** The messages; the first one is the user's. */
    messages: RequestMessage[];
    /** The tools of the calls in `messages`: some providers require them as long as a message has a call. */
    tools: ToolDefinition[];
    /** Whether the model may call a tool now; if not, it must answer. */
    mayCall: boolean;
    /** The request's tokens, as tuckaway counts them. */
    inputTokens: number;
    /** Maximum tokens of the answer. */
    maxOutputTokens: number;
}

/** Why a model stopped: it had finished, or calls a tool; or its answer was truncated at its output limit. */
export type StopReason = 'finished' | 'length';

/** The reply of a model. */
export interface ModelReply {
    /** The model's turn, without thinking that the provider marks as such. */
    turn: ModelTurn;
    /** Default: `finished`. */
    stop?: StopReason | undefined;
    /** The tokens of the request, as the provider counted them. Default: `inputTokens` of the request. */
    inputTokens?: number | null | undefined;
    /** The tokens of the answer, as the provider counted them. Default: tuckaway's count. */
    outputTokens?: number | null | undefined;
}

/** An event: an object with exactly one of these members. */
export type ExtractionEvent =
    /** A request was answered. */
    | { reply: { request: string; reply: ModelReply } }
    /** A request has failed, after all attempts. The first 300 bytes of `why`, one or two sentences, are kept. */
    | { failed: { request: string; why: string } }
    /** The host has lost track of its requests: all unanswered ones are returned again. */
    | { resume: true }
    /** No more requests are to be made: the answer contains the findings so far, or is `failed` if there are none. */
    | { cancel: true };

/** Bytes of the artifact, `end` excluded. */
export interface ByteSpan {
    start: number;
    end: number;
}

/** How much of the artifact the answer is based on. */
export interface Coverage {
    /** Number of chunks; 0 if the artifact was not read in chunks. */
    chunks: number;
    /** Number of chunks that a model has read. */
    chunksDone: number;
    /** Number of chunks for which every attempt failed. */
    chunksFailed: number;
    /**
     * Number of chunks that were not sent because a limit was reached, or not answered before the extraction was
     * canceled.
     */
    chunksSkipped: number;
    /** The size of the artifact's text. */
    sizeBytes: number;
    /**
     * The bytes that the model has read, in order, without overlaps; bytes that only `Grep` has searched are not
     * included. At most 100 ranges: further ones are merged.
     */
    read: ByteSpan[];
}

/** A passage of the answer in quotation marks, searched for in the artifact. */
export interface Quote {
    /** The passage. */
    text: string;
    /** The first line that contains it, from 1; omitted if no line does. */
    line?: number;
    /** The offset of the passage, in bytes. */
    byteOffset?: number;
}

/**
 * The outcome of an extraction.
 *
 * - `found`: there is an answer.
 * - `not-found`: the answer says that the artifact contains nothing relevant.
 * - `truncated`: the strategy failed, or truncation was requested: the answer is the artifact's head and tail.
 * - `failed`: there is no answer; the text says why.
 */
export type ExtractionOutcome = 'found' | 'not-found' | 'truncated' | 'failed';

/** The cost: requests, their tokens and the tokens of the answers, as counted by the provider or else by tuckaway. */
export interface ExtractionUsage {
    requests: number;
    inputTokens: number;
    outputTokens: number;
}

/** The answer. */
export interface Answer {
    /**
     * The answer for the agent's model: a line that names the tool, the artifact and the strategy, and the content with
     * notes about quotes and missing parts. At most `maxAnswerBytes`.
     */
    text: string;
    /**
     * The model's answer without its wrapper, or its answers about several chunks, one after the other, if they were
     * not combined. Without an answer, the artifact's head and tail, or the message of a failure.
     */
    content: string;
    outcome: ExtractionOutcome;
    /** The strategy that led to the answer. */
    strategy: Exclude<ExtractionMode, 'auto'>;
    /** Whether part of the artifact, or of the extracted text, is missing. */
    isPartial: boolean;
    coverage: Coverage;
    /** The quotes in the answer, in order: at most 32. */
    quotes: Quote[];
    /**
     * Warnings for the reader, a sentence each: a strategy that was replaced, missing chunks, a limit that was reached.
     */
    warnings: string[];
    usage: ExtractionUsage;
}

/** The next actions of the host. */
export interface ExtractionStep {
    /** The state for the next step; empty if there is an answer. */
    state: string;
    /** New requests, which may be sent in parallel. May be empty while others are open. */
    requests: ModelRequest[];
    /** The answer, at the end. */
    answer?: Answer;
}

/** The estimated cost of an extraction. */
export interface ExtractionEstimate {
    strategy: Exclude<ExtractionMode, 'auto'>;
    /** Why this strategy, in a sentence. */
    reason: string;
    /** The size of the artifact's text. */
    sizeBytes: number;
    lineCount: number;
    /** The artifact's tokens; estimated from samples if it is large. */
    tokens: number;
    chunks: number;
    /** The number of requests, if none fails; the maximum for `read-grep`. */
    requests: number;
    /** The tokens of the requests; the maximum for `read-grep`. */
    inputTokens: number;
    /** Maximum tokens of the answers. */
    outputTokens: number;
}
