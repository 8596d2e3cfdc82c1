/**
 * Stored images, PDF documents and recordings, for models that can see them. The component answers a call with text; a
 * format whose results may contain more asks here first.
 */

import type { Artifact } from '../contract/types.js';
import type { AsyncStore } from '../ports.js';
import { inBase64 } from './base64.js';

/** A stored file that a model may be able to see or hear. */
export interface StoredMedia {
    readonly artifact: Artifact;
    readonly kind: MediaKind;
    /** Detected from the bytes: providers refuse a file of another type than its declared one. */
    readonly mediaType: string;
    /** The file in base64; undefined if it is too large. */
    readonly data: string | undefined;
    /** What the artifact is and, if it is too large, why it is not shown; for the model. */
    readonly text: string;
}

/** The kinds of files that a model may be able to see or hear. */
export type MediaKind = 'image' | 'pdf' | 'audio';

/**
 * The maximum size of a file that is returned: 5 MiB as base64, Anthropic's limit for an image in a request. A result
 * that the provider refuses would end the conversation.
 */
const MAX_BYTES = ((5 << 20) / 4) * 3;

/** The bytes that show what a file is. */
const HEAD_BYTES = 12;

/** The tools that read, and the argument of each that names the artifact. */
const READING: ReadonlyMap<string, string> = new Map([
    ['artifact_read', 'artifact_id'],
    ['tool_output_cache', 'ref_id'],
    ['tool_output', 'handle'],
    ['read_large_output', 'filename'],
]);

/**
 * The arguments that ask for a part of an artifact's bytes or characters. An image has no lines, so a range of lines
 * asks for all of it.
 */
const PARTS = ['start_byte', 'end_byte', 'start', 'cursor'];

const DESCRIBED = { image: 'an image', pdf: 'a PDF document', audio: 'an audio recording' };

/**
 * Returns the file that a model asks for, if a tool that reads names an image, a PDF document or a recording, and no
 * bytes or characters of it. Undefined for every other call, malformed ones included, and if the store cannot read the
 * artifact: `callTool` answers those.
 */
export async function mediaOfCall(store: AsyncStore, name: string, args: string): Promise<StoredMedia | undefined> {
    const parameter = READING.get(name);
    if (parameter === undefined) {
        return undefined;
    }
    try {
        const given = JSON.parse(args) as Record<string, unknown>;
        const named = given[parameter];
        // Models pass 0 or an empty text for an argument that they do not want to set.
        const isPart = PARTS.some((part) => ![undefined, null, 0, ''].includes(given[part] as null));
        const id = typeof named === 'string' ? named.trim() : '';
        return isPart || !/^[\w-]{1,64}$/.test(id) ? undefined : await storedMedia(store, id);
    } catch {
        return undefined;
    }
}

async function storedMedia(store: AsyncStore, id: string): Promise<StoredMedia | undefined> {
    const artifact = await store.stat(id);
    if (!/^(image\/|audio\/|application\/pdf$)/.test(artifact.mediaType)) {
        return undefined;
    }
    const isShown = artifact.sizeBytes <= MAX_BYTES;
    const length = isShown ? artifact.sizeBytes : HEAD_BYTES;
    const bytes = await store.read(id, 0, length);
    const [kind, mediaType] = detected(bytes);
    if (kind === undefined || bytes.length !== length) {
        return undefined;
    }
    const description = `The artifact is ${DESCRIBED[kind]} (${mediaType}, ${artifact.sizeBytes} bytes).`;
    const tooLarge = ` It is not shown, because a reply has files of at most ${MAX_BYTES} bytes.`;
    const text = isShown ? description : description + tooLarge;
    return { artifact, kind, mediaType, data: isShown ? inBase64(bytes) : undefined, text };
}

/** Detects the type of a file from its first bytes. */
function detected(bytes: Uint8Array): [kind: MediaKind, mediaType: string] | [undefined?] {
    const head = String.fromCharCode(...bytes.subarray(0, HEAD_BYTES));
    const found = TYPES.find(([start]) => start.test(head));
    return found === undefined ? [] : [found[1], found[2]];
}

const TYPES: readonly [start: RegExp, kind: MediaKind, mediaType: string][] = [
    [/^\x89PNG\r\n\x1a\n/, 'image', 'image/png'],
    [/^\xff\xd8\xff/, 'image', 'image/jpeg'],
    [/^GIF8[79]a/, 'image', 'image/gif'],
    [/^RIFF[^]{4}WEBP/, 'image', 'image/webp'],
    [/^%PDF-/, 'pdf', 'application/pdf'],
    [/^RIFF[^]{4}WAVE/, 'audio', 'audio/wav'],
    [/^(ID3|\xff\xfb)/, 'audio', 'audio/mpeg'],
    [/^OggS/, 'audio', 'audio/ogg'],
    [/^fLaC/, 'audio', 'audio/flac'],
];
