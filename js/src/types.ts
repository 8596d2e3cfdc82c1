/** What goes into tuckaway and what comes out: the records of the contract in `wit/`, as plain objects. */

import type { ErrorKind } from './error.js';
import type { Artifact } from './ports.js';

/** A tool with which a model asks a stored output. */
export type ArtifactTool = 'read' | 'grep' | 'jq';

/** How an output that is too big is offloaded. `auto` is `artifact` if the model can call any artifact tool, else `truncate`. */
export type Mode = 'auto' | 'artifact' | 'truncate';

/** Every bound and every switch, with its default in brackets. A number that is a size may be `Infinity`. */
export interface Policy {
    /** [true] Off: everything passes. */
    enabled: boolean;
    /** ['auto'] */
    mode: Mode;
    /** [false] Store outputs that pass too, so that a later trim can leave a reference behind. */
    keepAll: boolean;
    /** [0.25] An output larger than this share of the context window is offloaded … */
    contextPercentage: number;
    /** [4096] … but never one smaller than this … */
    minThresholdBytes: number;
    /** [1048576] … and always one larger than this. */
    maxThresholdBytes: number;
    /** [0.7] Outputs that would fill the window beyond this share are offloaded, the largest first; 1 is off. */
    headroomPercentage: number;
    /** [none] Cap in tokens for one output. */
    maxOutputTokens?: number | null | undefined;
    /** [4] Bytes per token where only bytes are known: above 0, at most 1024. */
    bytesPerToken: number;
    /** [none: the per-output threshold] Bound of a truncated view; never below 512. */
    maxViewBytes?: number | null | undefined;
    /** [1024] Bound of the preview in an envelope, escapes counted; 0 for none. */
    previewBytes: number;
    /** [1600] Tokens of each block that is passed on, in the headroom: about the most that an image costs. */
    imageTokens: number;
    /** [none] By the tool's name; the first match wins. At most 1,000. */
    overrides: readonly ToolOverride[];
}

/** What is said of a policy; the rest is as it was. */
export type PolicyOptions = { [Field in keyof Policy]?: Policy[Field] | undefined };

/** A policy for the tools whose name matches a glob. */
export interface ToolOverride {
    /** `*` is any run of characters, `?` one character, all else itself (`sql_*`): 1 to 256 bytes. */
    tools: string;
    /** [false] Pass everything: a skill, a file the user asked for whole. */
    exempt?: boolean | undefined;
    /** [the policy's] */
    mode?: Mode | null | undefined;
    /** [the policy's] A floor above it comes down with it. */
    maxThresholdBytes?: number | null | undefined;
}

/** Where the conversation stands as an output arrives. */
export interface Turn {
    /** In tokens, at least 1. [that of `createTuckaway`] */
    contextWindow?: number | undefined;
    /** Input tokens already used. [0] */
    usedTokens?: number | undefined;
    /** The artifact tools that the model can call in this turn. [those of `createTuckaway`] */
    tools?: readonly ArtifactTool[] | undefined;
}

/**
 * What a tool returned: text, any bytes, or what is in the store already. Bytes that are not UTF-8 are
 * stored as they are and shown as U+FFFD; so are the lone surrogates of a string.
 */
export type Content = string | Uint8Array | { readonly stored: string };

/** One block of an output. */
export interface Block {
    content: Content;
    /**
     * Inferred if none. Blocks of `image/…`, `audio/…` and `video/…` are passed on as they are, and so are bytes
     * without a media type that are such.
     */
    mediaType?: string | undefined;
}

/**
 * The output of one tool call: one `content`, or several `blocks`, of which each that is not plain text is
 * reduced and stored on its own. A single text that is an MCP result as JSON is stored as what is inside.
 */
export type ToolOutput = {
    /** The tool's name as the model called it. */
    tool: string;
    /** The output says why the tool failed. [false] */
    isError?: boolean | undefined;
    /** The result as JSON text, beside the rest: MCP's `structuredContent`. Where it says the same, it is stored once. */
    structured?: string | undefined;
} & (
    | { content: Content; mediaType?: string | undefined; blocks?: undefined }
    | { blocks: readonly Block[]; content?: undefined; mediaType?: undefined }
);

/** What was done with an output. */
export type Action = 'inline' | 'artifact' | 'truncate';

/** The rule that decided, in the order in which they are asked. */
export type Gate =
    | 'disabled'
    | 'exempt'
    | 'artifact-tool'
    | 'below-floor'
    | 'ceiling'
    | 'per-output'
    | 'token-cap'
    | 'headroom'
    | 'fits';

/** Something that failed and did not end the call. */
export interface Failure {
    kind: ErrorKind;
    message: string;
}

/** The record of a decision: what was measured against what. Members without a value are left out. */
export interface Decision {
    action: Action;
    gate: Gate;
    sizeBytes: number;
    lineCount: number;
    /** None where no count could have changed the decision. */
    tokenCount?: number;
    /** The count is size over `bytesPerToken`, for want of a tokenizer. */
    tokensEstimated: boolean;
    /** The floor, as an override may have lowered it. */
    minThresholdBytes: number;
    /** The per-output gate. */
    thresholdBytes: number;
    /** The ceiling, as an override may have set it. */
    maxThresholdBytes: number;
    maxOutputTokens?: number;
    /**
     * What the headroom gate left for this output; negative where the conversation is past it, none where the
     * gate is off. Of a window or use that is `Infinity`, so is this.
     */
    headroomTokens?: number;
    /** Tokens of the blocks that are passed on, which are taken off too; none if there are none. */
    keptTokens?: number;
    /** The glob of the override that was applied. */
    matchedOverride?: string;
    /** What failed on the way and what was done instead. */
    failures: Failure[];
}

/** What a model sees of an output. */
export interface View {
    /** What goes into the conversation in place of the output's text. */
    text: string;
    /** Blocks to pass on as they are (images), by index. */
    kept: number[];
    /**
     * What was stored, in the order of the output's parts: at least one where the action is `artifact`, all where
     * `keepAll` is set, none otherwise.
     */
    artifacts: Artifact[];
    decision: Decision;
}

/** What is in a text. */
export interface Shape {
    mediaType: string;
    /** A JSON value that a model can read at a glance. */
    json: string;
}

/** How long a reply may be. */
export interface Bound {
    /** At least 256. [16384] */
    maxBytes?: number | undefined;
}

/** Which part of an artifact: lines, bytes, or where an earlier page left off; all of it if none is given. */
export interface ReadOptions extends Bound {
    /** First and last line, from 1, both included; to the end if there is no last one. */
    lines?: readonly [first: number, last?: number] | undefined;
    /** So many lines at the end, read from there: at least 1; all if there are no more of them. */
    lastLines?: number | undefined;
    /** From 0, end excluded, widened to character boundaries; to the end if there is none. */
    bytes?: readonly [from: number, to?: number] | undefined;
    /** `next` of an earlier page. */
    cursor?: string | undefined;
    /** Each line after its number. [false] */
    lineNumbers?: boolean | undefined;
}

/** A part of an artifact. */
export interface Page {
    text: string;
    /** Pass it as `cursor` to go on; none at the end. */
    next?: string;
}

/** How to search. */
export interface GrepOptions extends Bound {
    /** The pattern is a plain string. [false] */
    fixedString?: boolean | undefined;
    ignoreCase?: boolean | undefined;
    /** The lines that do not match. [false] */
    invert?: boolean | undefined;
    /** Lines before each match, at most 100. [0] */
    before?: number | undefined;
    /** Lines after each match, at most 100. [0] */
    after?: number | undefined;
    /** [100] */
    maxMatches?: number | undefined;
    cursor?: string | undefined;
}

/** One matching line; if it is long, an excerpt centred on its first match. */
export interface Match {
    /** From 1. */
    line: number;
    /** Of the first match, from 1, in characters. 1 for inverted ones. */
    column: number;
    /** Of the first match, from the artifact's start. */
    byteOffset: number;
    /** Without its line end. */
    text: string;
    /** Text, before or after hold excerpts. */
    clipped: boolean;
    before: string[];
    after: string[];
}

/** What a search found. */
export interface Matches {
    matches: Match[];
    /** Matching lines over the whole artifact, if this query read all of it. */
    total?: number;
    next?: string;
}

/** How to write what a filter gives. */
export interface JqOptions extends Bound {
    /** Strings without quotes. [false] */
    raw?: boolean | undefined;
    /** One line an output, not indented. [false] */
    compact?: boolean | undefined;
    /**
     * Steps that the filter may take, about one for each of its terms that is run, besides four for each
     * byte of the documents that are read. [5,000,000]
     */
    maxSteps?: number | undefined;
    /**
     * Bytes that the filter and its document may take at once, by an estimate that is the same everywhere;
     * from 1 MiB to 3 GiB. Five eighths are for the values of a document, the rest is for what the filter
     * makes of them. [1 GiB]
     */
    maxMemory?: number | undefined;
    cursor?: string | undefined;
}

/** What a filter gave. */
export interface Outputs {
    /** One output after the other, each ended by a line feed. */
    text: string;
    next?: string;
    /** What stopped the filter, after these outputs or before there was any. */
    failure?: Failure;
    /** Where a filter that gave nothing, or nothing but nulls, left the document, and which keys are there. */
    hint?: string;
    /** How the content was read, if it is not one JSON document. */
    parsedAs?: string;
}

/** An artifact tool, as model providers want to be told of it. */
export interface ToolDefinition {
    name: string;
    description: string;
    /** A JSON Schema of type object. */
    inputSchema: JsonSchema;
}

/** A JSON Schema of type object. */
export interface JsonSchema {
    type: 'object';
    properties: Record<string, unknown>;
    required?: string[];
    [keyword: string]: unknown;
}

/** What to tell the model that called a tool. */
export interface ToolReply {
    text: string;
    /** A mistake that the model can mend. */
    isError: boolean;
}
