/** Offloads the results of MCP tools, in a client, a proxy or a server. */

import type { View } from '../contract/types.js';
import { TuckawayError } from '../error.js';
import type { Block, Bound, ToolOutput } from '../types.js';
import { type AnyTuckaway, type ContentPart, ToolResult, callWithFile, isPassedOn, jsonText } from './calls.js';

/** The members of a `CallToolResult` that tuckaway reads. */
export interface McpResult {
    content?: readonly McpItem[] | undefined;
    structuredContent?: unknown;
    isError?: boolean | undefined;
}

/** The member that tuckaway reads of every item of its content. */
export interface McpItem {
    type: string;
}

/** The items that tuckaway recognizes; any other item is passed on as JSON. */
type KnownItem =
    | { type: 'text'; text: string }
    | { type: 'image' | 'audio'; data: string; mimeType: string }
    | { type: 'resource'; resource: { mimeType?: string; text: string } | { mimeType?: string; blob: string } };

/**
 * Converts the result of an MCP tool to an output for {@link Tuckaway.process}: one block for each item of its content,
 * in order, so that `view.kept` holds indexes of items. Images and audio are passed on unchanged, and count as the
 * policy's `imageTokens`. Texts, resources and `structuredContent` are parts, each stored in its own format.
 *
 * @param tool the tool's name as the model called it
 * @throws TuckawayError of kind `invalid_input` if the result is malformed
 */
export function mcpOutput(tool: string, result: McpResult): ToolOutput {
    return { tool, isError: result.isError ?? false, blocks: itemsOf(result).map(blockOf), structured: structuredOf(result) };
}

/**
 * Returns the result for the model. It is unchanged if it passed. Otherwise the view replaces all items except those
 * that are passed on unchanged, and `structuredContent`, which would repeat the whole output, is omitted.
 *
 * @param view the view of the output that {@link mcpOutput} returned for the same result
 */
export function mcpResult<Result extends McpResult>(result: Result, view: View): Result | McpViewResult<Result> {
    if (view.decision.action === 'inline') {
        return result;
    }
    const { structuredContent: _, content = [], ...rest } = result;
    const kept = view.kept.map((index) => content[index]!);
    return { ...rest, content: [{ type: 'text', text: view.text }, ...kept] };
}

/** A result with a view in it. */
export type McpViewResult<Result extends McpResult> = Omit<Result, 'structuredContent' | 'content'> & {
    content: ({ type: 'text'; text: string } | McpItem)[];
};

/** The answer to a call of an artifact tool: a text, and the file that it describes, if there is one. */
export interface McpArtifactResult {
    content: (
        | { type: 'text'; text: string }
        | { type: 'image' | 'audio'; data: string; mimeType: string }
        | { type: 'resource'; resource: { uri: string; mimeType: string; blob: string } }
    )[];
    isError: boolean;
}

/**
 * Answers a call of an artifact tool in an MCP server. A stored image or recording that the call reads is an item of its
 * own, and a PDF document is an embedded resource. Anything else is text.
 *
 * @param args the arguments as the client sent them; undefined if it sent none
 * @throws TuckawayError of kind `invalid_input` if the name is not that of an artifact tool
 */
export async function callMcpTool(
    tuckaway: AnyTuckaway,
    name: string,
    args: object | undefined,
    options: Bound = {},
): Promise<McpArtifactResult> {
    const given = jsonText(args ?? {});
    const { text, isError, file } = await callWithFile(tuckaway, name, given, { maxBytes: options.maxBytes });
    const content: McpArtifactResult['content'] = [{ type: 'text', text }];
    if (file !== undefined) {
        const { artifactId, kind, mediaType: mimeType } = file.media;
        const { data } = file;
        const uri = `tuckaway://${artifactId}`;
        content.push(kind === 'pdf' ? { type: 'resource', resource: { uri, mimeType, blob: data } } : { type: kind, data, mimeType });
    }
    return { content, isError };
}

/**
 * Converts the result of an MCP tool for a provider's agent loop: images in its format, everything else as text.
 *
 * @param imagePart returns an image in the provider's format
 */
export function toolResultOf(
    result: McpResult,
    textType: string,
    imagePart: (data: string, mediaType: string) => ContentPart,
): ToolResult {
    const parts = itemsOf(result).map((item): ContentPart => {
        const known = item as KnownItem;
        if (known.type === 'image' && typeof known.data === 'string') {
            return imagePart(known.data, known.mimeType);
        }
        const { content } = known.type === 'audio' ? { content: jsonText(item) } : blockOf(item);
        return { type: textType, text: typeof content === 'string' ? content : jsonText(item) } as ContentPart;
    });
    return new ToolResult(parts, { isError: result.isError ?? false, structured: structuredOf(result) });
}

function itemsOf({ content = [] }: McpResult): readonly McpItem[] {
    if (!Array.isArray(content) || !content.every((item) => typeof item?.type === 'string')) {
        const why = "result.content is not an array of items with a type; pass what the client's callTool returned.";
        throw new TuckawayError('invalid_input', why, { arguments: ['result.content'] });
    }
    return content;
}

function structuredOf({ structuredContent }: McpResult): string | undefined {
    return structuredContent === undefined ? undefined : jsonText(structuredContent);
}

function blockOf(item: McpItem): Block {
    const known = item as KnownItem;
    if (known.type === 'text' && typeof known.text === 'string') {
        return { content: known.text };
    }
    if ((known.type === 'image' || known.type === 'audio') && typeof known.data === 'string') {
        return encoded(known.data, known.mimeType);
    }
    if (known.type === 'resource' && typeof known.resource === 'object' && known.resource !== null) {
        const { mimeType } = known.resource;
        if ('text' in known.resource && typeof known.resource.text === 'string') {
            return typed(known.resource.text, mimeType);
        }
        if ('blob' in known.resource && typeof known.resource.blob === 'string') {
            return encoded(known.resource.blob, mimeType);
        }
    }
    return typed(jsonText(item), 'application/json');
}

/** Returns a block of base64 data. Data that is passed on unchanged is counted without entering the component. */
function encoded(data: string, mediaType: string | undefined): Block {
    if (mediaType !== undefined && isPassedOn(mediaType)) {
        return { content: '', mediaType };
    }
    let characters: string;
    try {
        characters = atob(data);
    } catch {
        return { content: data };
    }
    return typed(Uint8Array.from(characters, (character) => character.charCodeAt(0)), mediaType);
}

function typed(content: string | Uint8Array, mediaType: string | undefined): Block {
    return mediaType === undefined ? { content } : { content, mediaType };
}
