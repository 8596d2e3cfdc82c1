/** Loads the bytes of outputs from their origins. */

import type { Store } from 'tuckaway';

import type { FreshOrigin, Origin } from '../protocol.js';
import { makeSample } from '../samples.js';
import type { ByteSource } from './excerpt.js';

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

