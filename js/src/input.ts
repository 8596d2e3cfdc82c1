/** Converts arguments of callers into arguments of the component. */

import * as checks from './contract/checks.js';
import type { Dialect } from './contract/types.js';
import { TuckawayError } from './error.js';
import type { PolicyOptions, Turn } from './types.js';
import {
    U64_MAX, arrayOf, boolean, invalid, isBytes, json, optional, record, size, smallSize, string,
} from './validate.js';

/** Checks some members of a policy. Spread over a complete policy, they form another complete policy. */
export function policy(given: PolicyOptions | null | undefined) {
    return checks.policy(given ?? {}, 'policy');
}

/** All artifact tools, in the order of the contract. */
export const ARTIFACT_TOOLS = ['read', 'grep', 'jq'] as const;

const toolNames = arrayOf(checks.artifactTool);

/** Checks a list of artifact tools. Returns each once, in the order of the contract. */
export function tools(given: unknown, name = 'tools') {
    const names = toolNames(given, name);
    return ARTIFACT_TOOLS.filter((tool) => names.includes(tool));
}

/** Checks the name of a dialect. */
export function dialect(given: unknown): Dialect {
    return checks.dialect(given, 'dialect');
}

const definitionOptions = record({ dialect: optional(checks.dialect), isFinalTurn: optional(boolean), isDetailed: optional(boolean) });

/** Checks the options of tool definitions. */
export function definitions(given: unknown) {
    return definitionOptions(given ?? {}, 'options');
}

const checkTurn = record({ contextWindow: optional(size), usedTokens: optional(size), tools: optional(tools) });

/** Checks the state of the conversation; omitted fields are taken from `defaults`. */
export function turn(
    given: Turn | undefined,
    { contextWindow, tools }: { contextWindow: bigint; tools: ReturnType<typeof toolNames> },
) {
    return { contextWindow, tools, usedTokens: 0n, ...checkTurn(given ?? {}, 'turn') };
}

const LONE_SURROGATE = /[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/g;

/** Encodes a text as WTF-8, which extends UTF-8 to lone surrogates (https://wtf-8.codeberg.page). */
function wtf8(text: string): Uint8Array {
    // Each is three bytes long, like the U+FFFD that the encoder writes in its place.
    const bytes = new TextEncoder().encode(text);
    let [characters, at] = [0, 0];
    for (const match of text.matchAll(LONE_SURROGATE)) {
        at += utf8Length(text, characters, match.index);
        characters = match.index + 1;
        const code = match[0].charCodeAt(0);
        bytes.set([0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f)], at);
        at += 3;
    }
    return bytes;
}

/** Returns the number of UTF-8 bytes in the well-formed part of a text between `from` and `to`. */
function utf8Length(text: string, from: number, to: number): number {
    let length = 0;
    for (let index = from; index < to; index++) {
        const code = text.charCodeAt(index);
        // Each half of a surrogate pair accounts for two of its four bytes.
        length += code < 0x80 ? 1 : code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 2 : 3;
    }
    return length;
}

/** The glue treats addresses in the component's memory as signed. */
const MAX_CONTENT_BYTES = 2 ** 31 - 1;

function checkFits(bytes: Uint8Array, name: string): Uint8Array {
    if (bytes.length > MAX_CONTENT_BYTES) {
        throw new TuckawayError(
            'limit',
            `${name} has ${bytes.length} bytes, more than fits into the component's memory (${MAX_CONTENT_BYTES}); split it.`,
        );
    }
    return bytes;
}

/** Checks that the buffer of bytes is attached; one that was transferred to another thread is not. */
function checkAttached(bytes: Uint8Array, name: string): Uint8Array {
    try {
        new Uint8Array(bytes.buffer);
    } catch (error) {
        const why = `${name} is detached: its buffer was transferred. Pass it before the transfer, or pass a copy.`;
        throw new TuckawayError('invalid_input', why, { cause: error, arguments: [name] });
    }
    return bytes;
}

const stored = record({ stored: string });

function content(value: unknown, name: string) {
    if (typeof value === 'string') {
        // A lone surrogate is preserved, as the three bytes that WTF-8 assigns to it.
        return value.isWellFormed()
            ? { tag: 'text' as const, val: value }
            : { tag: 'bytes' as const, val: checkFits(wtf8(value), name) };
    }
    if (isBytes(value)) {
        return { tag: 'bytes' as const, val: checkFits(checkAttached(value, name), name) };
    }
    if (typeof value !== 'object' || value === null || !('stored' in value)) {
        throw invalid(name, value, 'a string, a Uint8Array, or { stored: id }');
    }
    return { tag: 'stored' as const, val: stored(value, name).stored };
}

const block = record({ content, mediaType: optional(string) });

const output = record({
    tool: string,
    isError: optional(boolean),
    content: optional(content),
    mediaType: optional(string),
    blocks: optional(arrayOf(block)),
    structured: optional(string),
});

/** Checks the context window of a client. */
export function window(given: unknown): bigint {
    if (given == null) {
        const why =
            "contextWindow is missing; pass the model's context window in tokens, as in " +
            'createTuckaway({ contextWindow: 200_000 }).';
        throw new TuckawayError('invalid_input', why, { arguments: ['contextWindow'] });
    }
    return size(given, 'contextWindow');
}

/** Checks that an artifact id is a string. The component checks its characters. */
export function id(given: unknown): string {
    return string(given, 'id');
}

/** Checks the name of a tool that a model called. */
export function toolName(given: unknown): string {
    return string(given, 'name');
}

/** Checks the size limit of a reply, if given. */
export function maxBytes(given: unknown): number | undefined {
    return given === undefined ? undefined : smallSize(given, 'maxBytes');
}

/** Checks the size limit of a truncated text. */
export function maxViewBytes(given: unknown): bigint {
    return size(given, 'maxBytes');
}

/** Checks the output of a tool call. */
export function toolOutput(given: unknown, name = 'output') {
    const { tool, isError = false, content, mediaType, blocks, structured } = output(given, name);
    if ((content === undefined) === (blocks === undefined)) {
        const what = content === undefined ? 'neither content nor blocks' : 'both content and blocks';
        const both = [`${name}.content`, `${name}.blocks`];
        throw new TuckawayError('invalid_input', `${name} has ${what}; pass one of the two.`, { arguments: both });
    }
    if (blocks !== undefined && mediaType !== undefined) {
        const why = `${name}.mediaType cannot be combined with blocks; set it on each block.`;
        throw new TuckawayError('invalid_input', why, { arguments: [`${name}.mediaType`, `${name}.blocks`] });
    }
    const only = () => [{ content: content!, ...(mediaType !== undefined && { mediaType }) }];
    return { tool, isError, blocks: blocks ?? only(), structured };
}

/** Checks the outputs of a turn. */
export const toolOutputs = arrayOf(toolOutput);

/** Checks a text or bytes to reduce, and returns the bytes. A lone surrogate becomes U+FFFD. */
export function reducible(given: unknown, name: string): Uint8Array {
    if (isBytes(given)) {
        return checkFits(checkAttached(given, name), name);
    }
    if (typeof given !== 'string') {
        throw invalid(name, given, 'a string or a Uint8Array');
    }
    return checkFits(new TextEncoder().encode(given), name);
}

/** Checks which part of an artifact to read, and how. */
export function read(given: unknown) {
    const { lines, lastLines, bytes, cursor, ...options } = checks.readOptions(given ?? {}, 'options');
    const parts = Object.entries({ lines, lastLines, bytes, cursor }).filter(([, part]) => part !== undefined);
    if (parts.length > 1) {
        const why = 'options has more than one of lines, lastLines, bytes and cursor; pass one.';
        throw new TuckawayError('invalid_input', why, { arguments: parts.map(([name]) => `options.${name}`) });
    }
    if (cursor !== undefined) {
        return { range: { tag: 'cursor' as const, val: cursor }, ...options };
    }
    if (lastLines !== undefined) {
        return { range: { tag: 'last-lines' as const, val: lastLines }, ...options };
    }
    if (bytes !== undefined) {
        return { range: { tag: 'bytes' as const, val: { start: 0n, end: U64_MAX, ...bytes } }, ...options };
    }
    return { range: { tag: 'lines' as const, val: { start: 1n, end: U64_MAX, ...lines } }, ...options };
}

/** Checks what to search for, and how. */
export function grep(pattern: unknown, given: unknown) {
    const { maxBytes, ...options } = checks.grepOptions(given ?? {}, 'options');
    if (pattern instanceof RegExp) {
        const why = "pattern is a RegExp; pass its source as a string, in the syntax of Rust's regex crate.";
        throw new TuckawayError('invalid_input', why, { arguments: ['pattern'] });
    }
    return { query: { pattern: string(pattern, 'pattern'), ...options }, maxBytes };
}

/** Checks a filter, and how to write its outputs. */
export function jq(filter: unknown, given: unknown) {
    const { maxBytes, ...options } = checks.jqOptions(given ?? {}, 'options');
    return { query: { filter: string(filter, 'filter'), ...options }, maxBytes };
}

const bound = record({ maxBytes: optional(smallSize) });

/** Converts the arguments of a tool to JSON, and checks the size limit of the reply. */
export function toolCall(args: unknown, given: unknown) {
    const { maxBytes } = bound(given ?? {}, 'options');
    return { args: json(args, 'args'), maxBytes };
}
