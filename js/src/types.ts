/**
 * The input and output of tuckaway, as plain objects. Sizes and counts are whole numbers; a limit may also be
 * `Infinity`.
 */

import type { ErrorKind } from './error.js';
import type { Artifact } from './ports.js';

/** A tool with which a model queries a stored output. */
export type ArtifactTool = 'read' | 'grep' | 'jq';

/**
 * How an oversized output is reduced.
 *
 * - `artifact`: it is stored, and the model sees an envelope that describes it.
 * - `truncate`: head and tail are kept, and nothing is stored.
 * - `auto`: `artifact` if the model can call any artifact tool, else `truncate`.
 */
export type Mode = 'auto' | 'artifact' | 'truncate';

/**
 * The names, arguments and texts through which a model uses stored outputs. Each dialect reproduces those of an
 * existing system, so that its prompts need no changes. A tool is identified by its name, and no name occurs in two
 * dialects.
 *
 * - `artifact`: a JSON envelope; `artifact_read`, `artifact_grep`, `artifact_jq`.
 * - `cache`: the first lines and a reference; `tool_output_cache`, `tool_output_cache_grep`.
 * - `handle`: the sizes and a handle; `tool_output`, which extracts what the model asks for in plain language.
 * - `file`: the name of a file and its first characters; `read_large_output`, `search_large_output`,
 *   `query_large_output`.
 */
export type Dialect = 'artifact' | 'cache' | 'handle' | 'file';

/**
 * All limits and switches. A policy that contradicts itself is rejected, and the message names every violation. The
 * defaults below are those of the dialect `artifact`.
 */
export interface Policy {
    /** If false, every output passes inline. Default: true. */
    enabled: boolean;
    /**
     * The form of the view, and the tools it names. Omitted fields have the defaults of this dialect. Outputs of its
     * tools always pass; outputs of other dialects' tools are treated like any other. Default: `artifact`.
     */
    dialect: Dialect;
    /** How oversized outputs are reduced. Default: `auto`. */
    mode: Mode;
    /** Also stores outputs that pass inline, so that they can be replaced by a reference later. Default: false. */
    keepAll: boolean;
    /** The per-output gate, as a fraction of the context window: 0 to 1. Larger outputs are reduced. Default: 0.25. */
    contextPercentage: number;
    /** The floor in bytes: smaller outputs always pass. At most `maxThresholdBytes`. Default: 4096. */
    minThresholdBytes: number;
    /** The ceiling in bytes: larger outputs never pass. Default: 1,048,576. */
    maxThresholdBytes: number;
    /**
     * The headroom gate, as a fraction of the context window: 0 to 1. Outputs that would fill the window beyond it are
     * reduced, the largest first; 1 turns the gate off. Default: 0.7.
     */
    headroomPercentage: number;
    /**
     * Maximum tokens of an output, and of its view; at least 1. Views are counted and cut again until they fit, though
     * not below 512 bytes (an envelope: 768 bytes for each part). Default: no limit.
     */
    maxOutputTokens?: number | null | undefined;
    /** Bytes per token, used for texts that are not tokenized: above 0, at most 1024. Default: 4. */
    bytesPerToken: number;
    /**
     * Maximum bytes of a truncated view, and of any view in the dialect `cache`; raised to 512 if smaller. Default: the
     * per-output threshold.
     */
    maxViewBytes?: number | null | undefined;
    /**
     * Maximum bytes of the preview in an envelope, escapes counted; 0 omits the preview. In the dialect `file`, the
     * preview also has at most half as many characters as `maxOutputTokens`. Default: 1024.
     */
    previewBytes: number;
    /**
     * Tokens that the headroom gate counts for each block that is passed on unchanged. Default: 1600, close to the
     * highest cost of an image.
     */
    imageTokens: number;
    /** Exceptions by tool name; the first match applies. At most 1,000. Default: none. */
    overrides: readonly ToolOverride[];
}

/** Fields of a policy to change; those that are omitted or undefined keep their values. */
export type PolicyOptions = { [Field in keyof Policy]?: Policy[Field] | undefined };

/** Changes the policy for the tools whose name matches a glob. */
export interface ToolOverride {
    /**
     * The glob, 1 to 256 bytes: `*` matches any run of characters, `?` one character, everything else itself (`sql_*`).
     */
    tools: string;
    /** Passes every output unchanged, for example a skill or a file that the user asked for. Default: false. */
    exempt?: boolean | undefined;
    /** Replaces the policy's mode. Default: the policy's. */
    mode?: Mode | null | undefined;
    /** Replaces the policy's ceiling in bytes, and lowers a floor above it. Default: the policy's. */
    maxThresholdBytes?: number | null | undefined;
}

/** The state of the conversation when an output arrives. */
export interface Turn {
    /** The model's context window in tokens, at least 1. Default: the window given to `createTuckaway`. */
    contextWindow?: number | undefined;
    /** Input tokens already used. Default: 0. */
    usedTokens?: number | undefined;
    /** The artifact tools that the model can call. Default: the tools given to `createTuckaway`. */
    tools?: readonly ArtifactTool[] | undefined;
}

/**
 * The content of an output: text, any bytes, or the id of an artifact that is already in the store. Bytes that are not
 * valid UTF-8 are stored unchanged and shown with U+FFFD, as are lone surrogates of a string; binary content is shown
 * as a one-line description.
 */
export type Content = string | Uint8Array | { readonly stored: string };

/** One part of an output. */
export interface Block {
    /** The content of the block. Stored content must be the only block of its output. */
    content: Content;
    /**
     * A hint at the format; if it is omitted or wrong, the format is detected from the content. Blocks of `image/…`,
     * `audio/…` and `video/…` are passed on unchanged, as are bytes without a media type that are detected as such.
     */
    mediaType?: string | undefined;
}

/**
 * The output of one tool call: one `content`, or several `blocks`. Each block that is not plain text is reduced and
 * stored separately. If a single text is a JSON-encoded MCP result, its inner blocks are stored.
 */
export type ToolOutput = {
    /**
     * The tool's name as the model called it. The names of the dialect's tools are reserved: outputs under them always
     * pass.
     */
    tool: string;
    /** Whether the output is an error message of the tool. Default: false. */
    isError?: boolean | undefined;
    /**
     * The result as JSON text, in addition to the content: MCP's `structuredContent`. If it repeats the blocks, it is
     * counted and stored once; otherwise it is treated as one more block.
     */
    structured?: string | undefined;
} & (
    | {
          /** The whole output. */
          content: Content;
          /** A hint at the format of `content`; detected if omitted or wrong. */
          mediaType?: string | undefined;
          blocks?: undefined;
      }
    | {
          /** The parts of the output, in order; an empty list is an empty output. */
          blocks: readonly Block[];
          content?: undefined;
          mediaType?: undefined;
      }
);

/** How an output was handled: passed unchanged, stored, or truncated. */
export type Action = 'inline' | 'artifact' | 'truncate';

/**
 * The rule that decided. Rules are checked in this order:
 *
 * - `disabled`: the policy is not enabled.
 * - `exempt`: an override exempts the tool.
 * - `artifact-tool`: the output is a reply of a tool of the policy's dialect.
 * - `below-floor`: the output is smaller than the floor. For this rule and the next two, the size of an output that is
 *   not valid UTF-8 is its size as text, with each invalid byte counted as the three bytes of U+FFFD.
 * - `ceiling`: the output is larger than the ceiling.
 * - `per-output`: the output is larger than its share of the context window.
 * - `token-cap`: the output has more tokens than `maxOutputTokens`.
 * - `headroom`: the output does not fit into the remaining headroom.
 * - `fits`: no other rule applies.
 */
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

/** A failure that did not end the call. */
export interface Failure {
    /** The kind of failure, for programs. */
    kind: ErrorKind;
    /** One or two sentences for people and models, at most 1 KiB. */
    message: string;
}

/**
 * The record of a decision: the measurements, and the limits they were compared with. Fields without a value are
 * omitted.
 */
export interface Decision {
    /** How the output is handled. */
    action: Action;
    /** The rule that decided. */
    gate: Gate;
    /** The size of the output in bytes, without the blocks that are passed on. */
    sizeBytes: number;
    /** Number of lines of the output. */
    lineCount: number;
    /** Tokens of the output; omitted if no count could change the decision. */
    tokenCount?: number;
    /** Whether `tokenCount` is the size divided by `bytesPerToken`, because the tokenizer failed. */
    tokensEstimated: boolean;
    /** The floor in bytes, which an override may have lowered. */
    minThresholdBytes: number;
    /** The per-output threshold: the fraction of the window in bytes, clamped to floor and ceiling. */
    thresholdBytes: number;
    /** The ceiling in bytes, which an override may have replaced. */
    maxThresholdBytes: number;
    /** The policy's limit in tokens, if it has one. */
    maxOutputTokens?: number;
    /**
     * Tokens that the headroom gate left for this output; negative if the conversation already exceeds the headroom,
     * omitted if the gate is off. In a turn, the tokens of the other outputs are subtracted. Infinite if the window or
     * `usedTokens` is.
     */
    headroomTokens?: number;
    /**
     * Tokens of the blocks that are passed on unchanged, `imageTokens` for each; omitted if there are none. They, too,
     * are subtracted from the headroom.
     */
    keptTokens?: number;
    /** The glob of the override that applied. */
    matchedOverride?: string;
    /**
     * Failures that were worked around: if the store rejected the output or a part, it is truncated instead; if the
     * tokenizer failed, tokens are estimated instead.
     */
    failures: Failure[];
}

/** The replacement for an output, as the model sees it. */
export interface View {
    /** The text that replaces the output's text in the conversation. */
    text: string;
    /** Blocks to pass on unchanged (images), as indexes into `blocks`. */
    kept: number[];
    /**
     * The stored artifacts, in the order of the output's parts: at least one if the action is `artifact`, one for every
     * part if `keepAll` is set, otherwise none.
     */
    artifacts: Artifact[];
    /** The decision that led to this view. */
    decision: Decision;
}

/** A description of a text's content. */
export interface Shape {
    /** The detected format: `application/json`, `text/plain`, … */
    mediaType: string;
    /** A JSON value that summarizes the content for a model. */
    json: string;
}

/** The size limit of a reply. */
export interface Bound {
    /** Maximum bytes of a reply, at least 256. Default: 16384. */
    maxBytes?: number | undefined;
}

/** Lines of an artifact, both ends included. */
export interface LineRange {
    /** The first line, from 1; rejected if the artifact has no such line. Default: 1. */
    start?: number | undefined;
    /** The last line, not before `start`; a number past the last line means the last line. Default: the last line. */
    end?: number | undefined;
}

/** Bytes of an artifact, widened to character boundaries. */
export interface ByteRange {
    /** The first byte, from 0; rejected if it is past the artifact's size. Default: 0. */
    start?: number | undefined;
    /**
     * The end of the range, excluded, and not before `start`; an offset past the artifact's size means its size.
     * Default: its size.
     */
    end?: number | undefined;
}

/** Which part of an artifact to read: one of `lines`, `lastLines`, `bytes` and `cursor`. Default: all lines. */
export interface ReadOptions extends Bound {
    /** A range of lines. */
    lines?: LineRange | undefined;
    /** The number of lines to read at the end, at least 1; all lines if there are fewer. */
    lastLines?: number | undefined;
    /** A range of bytes. */
    bytes?: ByteRange | undefined;
    /** `next` of an earlier page. */
    cursor?: string | undefined;
    /** Prefixes each line with its number and a tab. Default: false. */
    lineNumbers?: boolean | undefined;
}

/** Part of an artifact. */
export interface Page {
    /** The text, with line ends as stored; invalid UTF-8 is replaced with U+FFFD. */
    text: string;
    /** The cursor of the next page; omitted on the last one. */
    next?: string;
}

/** Options of a search. */
export interface GrepOptions extends Bound {
    /** Matches the pattern as a plain string. Default: false. */
    fixedString?: boolean | undefined;
    /** Ignores the case of ASCII letters. Default: false. */
    ignoreCase?: boolean | undefined;
    /** Selects the lines that do not match. Default: false. */
    invert?: boolean | undefined;
    /** Lines shown before each match: 0 to 100. Default: 0. */
    before?: number | undefined;
    /** Lines shown after each match: 0 to 100. Default: 0. */
    after?: number | undefined;
    /**
     * Returns every match in a line of more than 400 bytes, not only the first: the page repeats the line for each
     * match. Default: false.
     */
    eachMatch?: boolean | undefined;
    /** Matches per page, at least 1. Default: 100. */
    maxMatches?: number | undefined;
    /** `next` of an earlier page of the same query. */
    cursor?: string | undefined;
}

/** One matching line. A long line is an excerpt centred on its match. */
export interface Match {
    /** The number of the line, from 1. */
    line: number;
    /** Where the match begins, in characters from 1: the line's first match without `eachMatch`; 1 if inverted. */
    column: number;
    /** Where the match begins, in bytes from the artifact's start. */
    byteOffset: number;
    /** The line, without its line end. */
    text: string;
    /** Whether `text`, `before` or `after` contain excerpts; the whole lines can be read. */
    clipped: boolean;
    /** Lines before the match, in order. A line appears only once in a page. */
    before: string[];
    /** Lines after the match, in order, up to the next match. */
    after: string[];
}

/** One page of matching lines. */
export interface Matches {
    /** The matching lines, in the order of the artifact. */
    matches: Match[];
    /** Matching lines in the whole artifact; omitted on pages after the first. */
    total?: number;
    /** With `eachMatch`: the total including every match in a long line; omitted if there are too many to count. */
    matchCount?: number;
    /** The cursor of the next page; omitted on the last one. */
    next?: string;
}

/** How to run a filter, and how to write its outputs. */
export interface JqOptions extends Bound {
    /** Writes strings without quotes and escapes. Default: false. */
    raw?: boolean | undefined;
    /** Writes each output on one line, without indentation. Default: false. */
    compact?: boolean | undefined;
    /**
     * Runs the filter once, on an array of all documents. A filter that only iterates over the array (`.[] | f`,
     * `map(f)`, `reduce .[] as $x (…)`, `length`) holds one document at a time; other filters hold all of them.
     * Default: false.
     */
    slurp?: boolean | undefined;
    /**
     * Runs the filter once, on null: `input` and `inputs` return the documents. Otherwise they return the documents
     * after the current one, as in jq, and the filter runs again on the next remaining document. Default: false.
     */
    nullInput?: boolean | undefined;
    /**
     * Maximum steps of the filter, about one for each term it evaluates: at least 1, clamped to 100,000,000,000. In
     * addition, the filter gets four steps for each byte of the artifact that is read. Default: 5,000,000.
     */
    maxSteps?: number | undefined;
    /**
     * Maximum bytes of memory that the filter and its document occupy at the same time: clamped to 1 MiB–3 GiB. Five
     * eighths are for the values of a document, the rest for the values that the filter builds. Usage is an estimate
     * that is the same on every platform. Default: 1 GiB.
     */
    maxMemory?: number | undefined;
    /** `next` of an earlier page of the same query. */
    cursor?: string | undefined;
}

/** One page of a filter's outputs. */
export interface Outputs {
    /** The outputs in order, each terminated by a line feed. */
    text: string;
    /** The cursor of the next page; omitted on the last one. */
    next?: string;
    /**
     * Why the filter stopped, after these outputs or before the first one: an error that the filter raised, or a value
     * to which it cannot be applied. If present, `next` is omitted.
     */
    failure?: Failure;
    /**
     * If the filter returned nothing, or only nulls: where its path leaves the document, and which keys exist there.
     * After other outputs, and together with a failure: a requested key that no object has, and the most similar
     * existing key. On first pages only; at most 1024 bytes.
     */
    hint?: string;
    /**
     * How the content was read if it is not a single JSON document, and what was skipped: text around JSON, the
     * incomplete end of a truncated document. At most 200 bytes, which do not count towards `maxBytes`.
     */
    parsedAs?: string;
}

/** Options of tool definitions. */
export interface DefinitionOptions {
    /** The dialect of the tools. Default: the dialect of tuckaway's policy. */
    dialect?: Dialect | undefined;
    /** Whether the model must answer now and can call no tool; if so, no definitions are returned. Default: false. */
    isFinalTurn?: boolean | undefined;
}

/** An artifact tool, in the form that model providers take. */
export interface ToolDefinition {
    /** The name, which belongs to one dialect only. */
    name: string;
    /** A description of the tool for the model. */
    description: string;
    /** The tool's arguments. */
    inputSchema: JsonSchema;
}

/** A JSON Schema of type object. */
export interface JsonSchema {
    type: 'object';
    /** The schema of each argument, by its name. */
    properties: Record<string, unknown>;
    /** The names of the arguments that cannot be omitted. */
    required?: string[];
    [keyword: string]: unknown;
}

/** The reply of a tool to the model. */
export interface ToolReply {
    /** The result, or how the model can correct its mistake. */
    text: string;
    /** Whether `text` reports a mistake that the model can correct. */
    isError: boolean;
}
