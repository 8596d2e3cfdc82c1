/** The formats of histories, and the detection of a history's format. */

import { aiSdk } from './ai-sdk.js';
import { anthropic } from './anthropic.js';
import { chat } from './chat.js';
import type { Fields, HistoryFormat } from './format.js';
import { neutral } from './neutral.js';
import { responses } from './responses.js';

/** A format of histories. */
export type FormatName = 'openai-chat' | 'openai-responses' | 'anthropic' | 'ai-sdk' | 'neutral';

export const FORMATS: Readonly<Record<FormatName, HistoryFormat>> = {
    'openai-chat': chat,
    'openai-responses': responses,
    anthropic,
    'ai-sdk': aiSdk,
    neutral,
};

/** Types that occur only in blocks of Anthropic. */
const ANTHROPIC = ['tool_use', 'tool_result', 'thinking', 'redacted_thinking', 'server_tool_use', 'document'];

/** Types that occur only in parts of the AI SDK. */
const AI_SDK = ['tool-call', 'tool-result', 'reasoning', 'tool-approval-request', 'tool-approval-response'];

/** Types that occur only in parts of Responses. */
const RESPONSES = ['input_text', 'output_text', 'input_image', 'input_file'];

/** Types that occur only in parts of Chat Completions. */
const CHAT = ['image_url', 'input_audio', 'refusal'];

/**
 * Detects the format of a history by the first item that occurs in only one format. Plain texts look the same in
 * several formats; they are read as Chat Completions.
 */
export function detectFormat(history: readonly object[]): FormatName {
    for (const item of history as readonly (Fields | null)[]) {
        const format = formatOf(item ?? {});
        if (format !== undefined) {
            return format;
        }
    }
    return 'openai-chat';
}

function formatOf(item: Fields): FormatName | undefined {
    if (Array.isArray(item.parts)) {
        return 'neutral';
    }
    if (typeof item.type === 'string') {
        return 'openai-responses';
    }
    if (item.tool_calls != null || item.tool_call_id != null || item.function_call != null) {
        return 'openai-chat';
    }
    const blocks = (Array.isArray(item.content) ? item.content : []) as (Fields | null)[];
    return blocks.map((block) => formatOfBlock(block ?? {})).find((format) => format !== undefined);
}

function formatOfBlock(block: Fields): FormatName | undefined {
    const type = String(block.type);
    if (ANTHROPIC.includes(type) || typeof block.source === 'object' || block.cache_control != null) {
        return 'anthropic';
    }
    if (AI_SDK.includes(type) || type === 'image' || (type === 'file' && typeof block.file !== 'object')) {
        return 'ai-sdk';
    }
    if (RESPONSES.includes(type)) {
        return 'openai-responses';
    }
    return CHAT.includes(type) || type === 'file' ? 'openai-chat' : undefined;
}
