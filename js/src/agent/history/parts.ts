/** Parts of messages: texts, media and what is kept as it is, in the format of any provider. */

import type { Part } from '../../conversation/model.js';
import { invalid } from '../../validate.js';
import { type Fields, fieldsOf } from './format.js';

/** Tokens of an image, a sound or a document that does not say how large it is: close to the most that an image costs. */
const MEDIA_TOKENS = 1_600;

/** Tokens of an image in OpenAI's low detail, which does not depend on its size. */
const LOW_DETAIL_TOKENS = 85;

const MEDIA = new Set([
    'image', 'image_url', 'input_image', 'computer_screenshot', 'document', 'file', 'input_file', 'input_audio', 'audio',
    'input_video', 'video', 'video_url', 'media', 'reasoning-file',
    'file-data', 'file-url', 'file-id', 'file-reference',
    'image-data', 'image-url', 'image-file-id', 'image-file-reference',
]);

/** Reads content: a text, or an array of blocks. */
export function partsOf(content: unknown, path: string, read: (block: Fields, path: string) => Part): Part[] {
    if (content === undefined || content === null) {
        return [];
    }
    if (typeof content === 'string') {
        return [{ text: content }];
    }
    if (!Array.isArray(content)) {
        throw invalid(path, content, 'a string or an array of parts');
    }
    return Array.from(content, (block, index) => read(fieldsOf(block, `${path}[${index}]`), `${path}[${index}]`));
}

/** Reads a block that is no call and no result. */
export function plainPart(block: Fields): Part {
    const text = blockText(block);
    if (text !== undefined) {
        return { text };
    }
    return typeof block.type === 'string' && MEDIA.has(block.type) ? { media: mediaTokens(block) } : opaque(block);
}

/** Returns the text of a block: of a text, a refusal, or a document that is plain text. */
function blockText(block: Fields): string | undefined {
    switch (block.type) {
        case 'text':
        case 'input_text':
        case 'output_text':
            return typeof block.text === 'string' ? block.text : undefined;
        case 'refusal':
            return typeof block.refusal === 'string' ? block.refusal : undefined;
        case 'document': {
            const source = (block.source ?? {}) as Fields;
            return source.type === 'text' && typeof source.data === 'string' ? source.data : undefined;
        }
        case 'file': {
            const data = (block.data ?? {}) as Fields;
            return data.type === 'text' && typeof data.text === 'string' ? data.text : undefined;
        }
        default:
            return undefined;
    }
}

function mediaTokens(block: Fields): number {
    const { detail = block.detail } = (typeof block.image_url === 'object' ? (block.image_url ?? {}) : {}) as Fields;
    return detail === 'low' ? LOW_DETAIL_TOKENS : MEDIA_TOKENS;
}

/** Returns what is kept as it is, with the length of its JSON. */
export function opaque(value: unknown): Part {
    return { opaque: json(value).length };
}

/** Returns a value as JSON; the empty text if JSON cannot represent it. */
export function json(value: unknown): string {
    try {
        return JSON.stringify(value) ?? '';
    } catch {
        return '';
    }
}

/** What a tool returned: its text, and parts for everything else, which follow those of the message's blocks. */
export interface ResultContent {
    text: string;
    others: Part[];
}

/** Reads the content of a result. Its texts are one text, with a line feed between two. */
export function resultContent(content: unknown, path: string): ResultContent {
    const parts = partsOf(content, path, plainPart);
    const texts = parts.flatMap((part) => ('text' in part ? [part.text] : []));
    return { text: texts.join('\n'), others: parts.filter((part) => !('text' in part)) };
}

/** Returns the content of a result with another text: the first text is replaced, further ones are removed. */
export function withText(content: unknown, text: string): unknown {
    if (!Array.isArray(content)) {
        return text;
    }
    const first = content.findIndex((block: Fields) => blockText(block) !== undefined);
    return content.flatMap((block: Fields, index) => {
        if (blockText(block) === undefined) {
            return [block];
        }
        return index === first ? [{ ...block, text }] : [];
    });
}
