/** Loads the bytes of outputs from their origins. */

import type { Store } from 'tuckaway';

import type { FreshOrigin, Origin } from '../protocol.js';
import { makeSample } from '../samples.js';
import type { ByteSource } from './excerpt.js';

/** Number of bytes compared at once. */
const COMPARED_BYTES = 1 << 20;

/** Loads an output that is not in the store. */
export async function load(origin: FreshOrigin): Promise<Uint8Array> {
    switch (origin.kind) {
        case 'file': return new Uint8Array(await origin.file.arrayBuffer());
        case 'text': return new TextEncoder().encode(origin.text);
        case 'sample': return makeSample(origin.sample, origin.bytes);
    }
}

/** Returns the media type that the origin declares, if blocks of this type are passed on unchanged. */
export function mediaTypeOf(origin: Origin): string | undefined {
    const named = origin.kind === 'file' ? origin.file.type : '';
    return /^(image|audio|video)\//.test(named) ? named : undefined;
}

/** Returns access to a stored output, read in place. */
export function storedBytes(store: Store, id: string): ByteSource {
    const length = store.stat(id).sizeBytes;
    return {
        length,
        slice: (start, wanted) => {
            const bytes = new Uint8Array(Math.min(wanted, length - start));
            for (let filled = 0; filled < bytes.length; ) {
                const chunk = store.read(id, start + filled, bytes.length - filled);
                if (chunk.length === 0) {
                    throw new Error(`the store has ${length} bytes of ${id} but returns only ${start + filled}`);
                }
                bytes.set(chunk, filled);
                filled += chunk.length;
            }
            return bytes;
        },
    };
}

/** Returns whether an output has exactly these bytes. */
export function isSame(output: ByteSource, bytes: Uint8Array): boolean {
    if (output.length !== bytes.length) {
        return false;
    }
    for (let at = 0; at < bytes.length; at += COMPARED_BYTES) {
        const part = output.slice(at, COMPARED_BYTES);
        if (part.some((byte, index) => byte !== bytes[at + index])) {
            return false;
        }
    }
    return true;
}
