/** Parts of messages: texts, media and opaque content, in the format of any provider. */

import type { Part } from '../../conversation/model.js';
import { invalid } from '../../validate.js';
import { type Fields, fieldsOf } from './format.js';

/** Tokens of an image, a sound or a document of unknown size: close to the highest cost of an image. */
const MEDIA_TOKENS = 1_600;

/** Tokens of an image in OpenAI's low detail, which are independent of its size. */
const LOW_DETAIL_TOKENS = 85;

/** Pixels per token, as Anthropic counts them. */
const PIXELS_PER_TOKEN = 750;

const MEDIA = /image|file|audio|video|document|media|screenshot/;

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

/** Reads a block that is neither a call nor a result. */
export function plainPart(block: Fields): Part {
    const text = blockText(block);
    if (text !== undefined) {
        return { text };
    }
    return isMedia(block) ? { media: mediaTokens(block) } : opaque(block);
}

function isMedia(block: Fields): boolean {
    return typeof block.type === 'string' && MEDIA.test(block.type);
}

/** Returns the text of a block: a text, a refusal, or a plain-text document. */
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
    const inner = (name: string) => (typeof block[name] === 'object' ? (block[name] ?? {}) : {}) as Fields;
    if (block.detail === 'low' || inner('image_url').detail === 'low') {
        return LOW_DETAIL_TOKENS;
    }
    const { width = block.width, height = block.height } = inner('source');
    const pixels = Number(width) * Number(height);
    return pixels > 0 ? Math.min(Math.ceil(pixels / PIXELS_PER_TOKEN), MEDIA_TOKENS) : MEDIA_TOKENS;
}

/** Returns an opaque part, with the bytes of its JSON. */
export function opaque(value: unknown): Part {
    return { opaque: new TextEncoder().encode(json(value)).length };
}

/** Returns arguments as JSON text. A custom tool takes a text, and some servers send the object instead of its JSON. */
export function argumentsOf(args: unknown): string {
    return typeof args === 'string' ? args : json(args ?? {});
}

/** Returns a value as JSON; the empty text if JSON cannot represent it. */
export function json(value: unknown): string {
    try {
        return JSON.stringify(value) ?? '';
    } catch {
        return '';
    }
}

/** The output of a tool: its text, and parts for its media, which follow the parts of the message's blocks. */
export interface ResultContent {
    text: string;
    media: Part[];
}

/**
 * Reads the content of a result. Its texts, and the JSON of blocks that are neither texts nor media, are joined into
 * one text, separated by line feeds.
 */
export function resultContent(content: unknown, path: string): ResultContent {
    const media: Part[] = [];
    const texts: string[] = [];
    partsOf(content, path, (block) => {
        const part = plainPart(block);
        if ('media' in part) {
            media.push(part);
        } else {
            texts.push('text' in part ? part.text : json(block));
        }
        return part;
    });
    return { text: typeof content === 'string' ? content : texts.join('\n'), media };
}

/**
 * Returns the content of a result in which a new text replaces everything but the media. The other members of the first
 * text block are preserved, as is the cache breakpoint of the last block.
 */
export function withText(content: unknown, text: string): unknown {
    if (!Array.isArray(content)) {
        return text;
    }
    const isReplaced = (block: Fields) => !('media' in plainPart(block));
    const replaced = content.filter(isReplaced) as Fields[];
    const first = replaced.find((block) => blockText(block) !== undefined && block.type !== 'document');
    const marked = replaced.findLast(({ cache_control }) => cache_control != null);
    const block = {
        ...(first ?? { type: 'text' }),
        text,
        ...(marked !== undefined && { cache_control: marked.cache_control }),
    };
    return [block, ...content.filter((each) => !isReplaced(each))];
}
