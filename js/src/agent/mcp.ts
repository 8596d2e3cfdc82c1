/** Tuckaway around the results of MCP tools, in a client, a proxy or a server. */

import { TuckawayError } from '../error.js';
import type { Block, ToolOutput, View } from '../types.js';
import { type ContentPart, ToolResult, isPassedOn, jsonText } from './calls.js';

/** What is read of a `CallToolResult`. */
export interface McpResult {
    content?: readonly McpItem[] | undefined;
    structuredContent?: unknown;
    isError?: boolean | undefined;
}

/** What is read of an item of its content. */
export interface McpItem {
    type: string;
}

/** The items that tuckaway knows; any other is told as its JSON. */
type KnownItem =
    | { type: 'text'; text: string }
    | { type: 'image' | 'audio'; data: string; mimeType: string }
    | { type: 'resource'; resource: { mimeType?: string; text: string } | { mimeType?: string; blob: string } };

/**
 * The result of an MCP tool as an output for {@link Tuckaway.process}: one block for each item of its content, in
 * their order, so that `view.kept` are indices of items. Images and sound are passed on, and count by the policy's
 * `imageTokens`; texts, resources and `structuredContent` are parts, each of which is stored as what it is.
 *
 * @param tool the name under which the model called it
 * @throws TuckawayError of kind `invalid-input` if the result is none
 */
export function mcpOutput(tool: string, result: McpResult): ToolOutput {
    return { tool, isError: result.isError ?? false, blocks: itemsOf(result).map(blockOf), structured: structuredOf(result) };
}

/**
 * The result as the model should get it: as it was where it passed; else the view in place of all items but those
 * that are passed on, and without `structuredContent`, which would be the whole of it again.
 *
 * @param view what tuckaway made of {@link mcpOutput} of the same result
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

/**
 * The result of an MCP tool for a provider's loop: images in its shape, all else as texts.
 *
 * @param imagePart an image in the provider's shape
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
        const why = 'result.content is no array of items with a type; give what callTool of the client returned.';
        throw new TuckawayError('invalid-input', why);
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

/** Bytes in base64; what is passed on need not cross into the component to be counted. */
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
