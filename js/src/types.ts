/** Arguments whose form differs from the contract: options, content of several kinds, and parts of settings. */

import type {
    ArtifactTool, CacheConfig, CompactionConfig, Dialect, ExtractionConfig, Policy,
} from './contract/types.js';

/** Members to change; omitted or undefined ones keep their values. Null removes a value. */
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
     * counted and stored once; if its only string is the text of a block, the text counts once; otherwise it is treated
     * as one more block.
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
