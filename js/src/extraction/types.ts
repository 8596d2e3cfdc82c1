/** Questions about an artifact that a model answers, and what is exchanged with that model. */

import type { ToolDefinition } from '../types.js';

/**
 * How the answer is found.
 *
 * - `auto`: chosen by the size of the artifact and the length of its lines.
 * - `full-chunked`: a model reads all of it, in chunks if it is large, and puts together what it found in them.
 * - `read-grep`: a model reads and searches it with the tools `Read` and `Grep`.
 * - `truncate`: its head and tail, without a model.
 */
export type ExtractionMode = 'auto' | 'full-chunked' | 'read-grep' | 'truncate';

/** What is asked. */
export interface Question {
    /** The artifact. */
    artifact: string;
    /** What to extract: 1 byte to 16 KiB. */
    extract: string;
    /** How. Default: `auto`. */
    mode?: ExtractionMode | undefined;
    /**
     * The arguments of the call that the artifact is the output of, as JSON text, for the model: cut to 4 KiB. Default:
     * they are not known.
     */
    toolArguments?: string | null | undefined;
    /**
     * Marks what the model answers: 8 to 64 letters and digits that the artifact cannot contain on purpose. Default:
     * `extract` draws a random one; `start` derives it from the artifact's id.
     */
    nonce?: string | null | undefined;
}

/** The model's limits, and those of an extraction. */
export interface ExtractionConfig {
    /** The context window of the model that is asked, in tokens: at least 2048. */
    contextTokens: number;
    /**
     * The most tokens of one of its answers: at least 64, at most half of the context window. Default: 4096, or an
     * eighth of the window if that is less.
     */
    maxOutputTokens: number;
    /** `auto` reads everything if it fits into this many chunks: at least 1. Default: 1. */
    maxFullChunks: number;
    /** `auto` also reads everything if the lines are longer than this many bytes in the mean. Default: 1000. */
    longLineBytes: number;
    /**
     * An artifact of more chunks is not read as a whole but with `Read` and `Grep`, and the answer says so: 1 to 1024.
     * Default: 64.
     */
    maxChunks: number;
    /** How much of a chunk repeats the end of the one before, in percent: 0 to 50. Default: 10. */
    overlapPct: number;
    /** The most requests that are not answered at the same time: 1 to 64. Default: 4. */
    maxParallel: number;
    /** The most requests of all: at least 1. Default: 150. */
    maxRequests: number;
    /**
     * The most tokens of all requests and their answers, as counted before a request is made. Default: no limit.
     */
    maxTokens?: number | null | undefined;
    /** The most turns of a model with `Read` and `Grep`: 2 to 64. Default: 12. */
    maxTurns: number;
    /** The most calls of `Read` and `Grep`: 1 to 256. Default: 40. */
    maxToolCalls: number;
    /** The most bytes of a reply to one of them: 256 to 65536. Default: 16384. */
    maxReplyBytes: number;
    /** The most bytes of the answer: 1024 to 1048576. Default: 32768. */
    maxAnswerBytes: number;
}

/**
 * Changes to the defaults of {@link ExtractionConfig}. `contextTokens` is the context window of `createTuckaway` if
 * omitted.
 */
export type ExtractionOptions = { [Field in keyof ExtractionConfig]?: ExtractionConfig[Field] | undefined };

/** Why a request is made: to extract from a chunk, to put extracts together, or to answer with `Read` and `Grep`. */
export type RequestPurpose = 'extract' | 'synthesize' | 'search';

/** A call of a tool by the model. */
export interface ModelCall {
    /** The id that its result refers to. */
    id: string;
    /** The tool. */
    name: string;
    /** The arguments as JSON text. */
    arguments: string;
}

/** What a model said. */
export interface ModelTurn {
    /** Its text. */
    text: string;
    /** The tools that it called. Default: none. */
    calls?: readonly ModelCall[] | undefined;
}

/** What a tool returned to it. */
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
    /** The results of its calls: all of them. */
    | { results: ModelCallResult[] };

/** A request for the model. Nothing of it becomes part of the agent's history. */
export interface ModelRequest {
    /** Names the request in the event that answers it. */
    id: string;
    purpose: RequestPurpose;
    /** The system prompt. */
    system: string;
    /** The messages; the first one is the user's. */
    messages: RequestMessage[];
    /** The tools that its calls are of: some providers want them as long as a message has a call. */
    tools: ToolDefinition[];
    /** Whether the model may call one of them now; if not, it has to answer. */
    mayCall: boolean;
    /** Its tokens, as tuckaway counts them. */
    inputTokens: number;
    /** The most tokens of the answer. */
    maxOutputTokens: number;
}

/** Why a model stopped: it had finished, or calls a tool; or its answer was cut at the limit of its output. */
export type StopReason = 'finished' | 'length';

/** The answer of a model. */
export interface ModelReply {
    /** What it said, without thinking that the provider marks as such. */
    turn: ModelTurn;
    /** Default: `finished`. */
    stop?: StopReason | undefined;
    /** The tokens of the request as the provider counted them. Default: those of the request. */
    inputTokens?: number | null | undefined;
    /** The tokens of the answer as the provider counted them. Default: as tuckaway counts them. */
    outputTokens?: number | null | undefined;
}

/** What happened: an object with exactly one of these members. */
export type ExtractionEvent =
    /** A request was answered. */
    | { reply: { request: string; reply: ModelReply } }
    /** A request has no answer, after all attempts. Of `why`, one or two sentences, 300 bytes are kept. */
    | { failed: { request: string; why: string } }
    /** The host does not know what became of the requests: all that are not answered are returned again. */
    | { resume: true }
    /** No more requests shall be made: the answer has what was found so far. */
    | { cancel: true };

/** Bytes of the artifact, `end` excluded. */
export interface ByteSpan {
    start: number;
    end: number;
}

/** How much of the artifact the answer rests on. */
export interface Coverage {
    /** Chunks; 0 if it was not read in chunks. */
    chunks: number;
    /** Chunks that a model has read. */
    chunksDone: number;
    /** Chunks for which every attempt failed. */
    chunksFailed: number;
    /** Chunks that were not sent because a limit was reached. */
    chunksSkipped: number;
    /** The size of the artifact's text. */
    sizeBytes: number;
    /**
     * The bytes that the model has read, in order, not overlapping; none of what only `Grep` has searched. At most 100:
     * further ones are merged.
     */
    read: ByteSpan[];
}

/** A passage of the answer in quotation marks, searched for in the artifact. */
export interface Quote {
    /** The passage. */
    text: string;
    /** The first line that has it, from 1; none if no line has. */
    line?: number;
    /** The offset of that, in bytes. */
    byteOffset?: number;
}

/**
 * How an extraction ended.
 *
 * - `found`: with an answer.
 * - `not-found`: with an answer that says that there is nothing of the kind.
 * - `truncated`: the strategy failed, or this was asked for: the answer is the artifact's head and tail.
 * - `failed`: there is no answer: the text says why.
 */
export type ExtractionOutcome = 'found' | 'not-found' | 'truncated' | 'failed';

/** What was used: requests, their tokens and those of the answers, by the provider's count or else tuckaway's. */
export interface ExtractionUsage {
    requests: number;
    inputTokens: number;
    outputTokens: number;
}

/** The answer. */
export interface Answer {
    /**
     * For the agent's model: a line that names tool, artifact and strategy, and the content with notes on quotes and on
     * what is missing. At most `maxAnswerBytes`.
     */
    text: string;
    /** What the extraction's model answered, as it came. */
    content: string;
    outcome: ExtractionOutcome;
    /** The strategy that led to it. */
    strategy: Exclude<ExtractionMode, 'auto'>;
    /** Whether part of the artifact, or of what was extracted, is not in it. */
    isPartial: boolean;
    coverage: Coverage;
    /** Its quotes, in order: at most 32. */
    quotes: Quote[];
    /**
     * What the reader should know, a sentence each: a strategy that was replaced, chunks that are missing, a limit that
     * was reached.
     */
    warnings: string[];
    usage: ExtractionUsage;
}

/** What the host does next. */
export interface ExtractionStep {
    /** The state for the next step; empty with an answer. */
    state: string;
    /** New requests, which may be sent side by side. None while others are not answered. */
    requests: ModelRequest[];
    /** The answer, at the end. */
    answer?: Answer;
}

/** What an extraction would take. */
export interface ExtractionEstimate {
    strategy: Exclude<ExtractionMode, 'auto'>;
    /** Why, in a sentence. */
    reason: string;
    /** The size of the artifact's text. */
    sizeBytes: number;
    lineCount: number;
    /** The artifact's tokens; estimated from samples if it is large. */
    tokens: number;
    chunks: number;
    /** The requests, if none fails; the most of them for `read-grep`. */
    requests: number;
    /** Their tokens; the most of them for `read-grep`. */
    inputTokens: number;
    /** The most tokens of the answers. */
    outputTokens: number;
}
