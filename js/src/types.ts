/** What callers pass in another form than the contract's: options, content of several kinds, and parts of settings. */

import type {
    ArtifactTool, CacheConfig, CompactionConfig, Dialect, ExtractionConfig, Policy,
} from './contract/types.js';

/** Members to change; those that are omitted or undefined keep their values. Null replaces a value by none. */
export type Partially<Config> = { [Field in keyof Config]?: Config[Field] | undefined };

/** Changes to a policy. */
export type PolicyOptions = Partially<Policy>;

/** Changes to the defaults of {@link CacheConfig}. */
export type CacheOptions = Partially<CacheConfig>;

/** Changes to the defaults of {@link CompactionConfig}. */
export type CompactionOptions = Partially<CompactionConfig>;

/**
 * Changes to the defaults of {@link ExtractionConfig}. `contextTokens` defaults to the context window given to
 * `createTuckaway`.
 */
export type ExtractionOptions = Partially<ExtractionConfig>;

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
     * Maximum steps of the filter, about two for each term it evaluates: at least 1, clamped to 100,000,000,000. Each
     * 16 bytes that are read from the artifact give a used step back. Default: 20,000,000.
     */
    maxSteps?: number | undefined;
    /**
     * Maximum bytes of memory that the filter and its document occupy at the same time: clamped to 1 MiB–3 GiB. Five
     * eighths are for the values of a document, the rest for the values that the filter builds. Usage is an estimate
     * that is the same on every platform. Default: 1 GiB.
     */
    maxMemory?: number | undefined;
    /**
     * Other artifacts for the filter, at most 8: the names of variables, without the dollar sign, and artifact ids.
     * `{ users: id }` makes the parsed content of the artifact `$users`; several documents are an array. The values
     * share the memory for the values of a document.
     */
    variables?: Readonly<Record<string, string>> | undefined;
    /**
     * Stores all outputs as a new artifact in place of a page, one on each line: the artifact's `tool`, 1 to 64 bytes.
     * The answer has it as `saved`. A filter that fails, or has no output or more than 64 MiB of them, is an error.
     * Not with `cursor` or `maxBytes`.
     */
    saveAs?: string | undefined;
    /** `next` of an earlier page of the same query. */
    cursor?: string | undefined;
}

/** Options of tool definitions. */
export interface DefinitionOptions {
    /** The dialect of the tools. Default: the dialect of tuckaway's policy. */
    dialect?: Dialect | undefined;
    /** Whether the model must answer now and can call no tool; if so, no definitions are returned. Default: false. */
    isFinalTurn?: boolean | undefined;
    /**
     * Whether the definitions of the dialect `artifact` have every parameter and a description of each, which takes
     * about three times the tokens. Default: false.
     */
    isDetailed?: boolean | undefined;
}
