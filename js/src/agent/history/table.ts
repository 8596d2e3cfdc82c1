/** The formats of histories, and which one a history has. */

import { aiSdk } from './ai-sdk.js';
import { anthropic } from './anthropic.js';
import { chat } from './chat.js';
import type { Fields, HistoryFormat } from './format.js';
import { neutral } from './neutral.js';
import { responses } from './responses.js';

/** A format of histories. */
export type FormatName = 'chat' | 'responses' | 'anthropic' | 'ai-sdk' | 'neutral';

export const FORMATS: Readonly<Record<FormatName, HistoryFormat>> = {
    chat,
    responses,
    anthropic,
    'ai-sdk': aiSdk,
    neutral,
};

/** Types of blocks by which a message is one of Anthropic. */
const OF_ANTHROPIC = new Set([
    'tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'server_tool_use', 'document', 'image',
    'search_result', 'container_upload',
]);

/** Types of parts by which a message is one of the AI SDK. */
const OF_AI_SDK = new Set(['tool-call', 'tool-result', 'reasoning', 'tool-approval-request', 'tool-approval-response']);

/**
 * Detects the format of a history by the first item that only one of them has. Texts alone are the same in several;
 * they are read as Chat Completions.
 */
export function detectFormat(history: readonly object[]): FormatName {
    for (const item of history as readonly Fields[]) {
        const format = formatOf(item ?? {});
        if (format !== undefined) {
            return format;
        }
    }
    return 'chat';
}

function formatOf(item: Fields): FormatName | undefined {
    if (Array.isArray(item.parts)) {
        return 'neutral';
    }
    if (typeof item.type === 'string') {
        return 'responses';
    }
    if (item.tool_calls != null || item.tool_call_id != null || item.function_call != null) {
        return 'chat';
    }
    const blocks = (Array.isArray(item.content) ? item.content : []) as (Fields | null)[];
    const types = blocks.map((block) => String(block?.type));
    if (types.some((type) => OF_AI_SDK.has(type))) {
        return 'ai-sdk';
    }
    if (types.some((type) => type.startsWith('input_') || type.startsWith('output_'))) {
        return types.includes('input_audio') ? 'chat' : 'responses';
    }
    if (types.includes('image_url')) {
        return 'chat';
    }
    // An image of Anthropic has its data in `source`, one of the AI SDK in `image`.
    if (blocks.some((block) => block?.type === 'image' && block.source === undefined)) {
        return 'ai-sdk';
    }
    return types.some((type) => OF_ANTHROPIC.has(type)) ? 'anthropic' : undefined;
}
