/** From where an output comes to its bytes. */

import type { Store } from 'tuckaway';

import type { FreshOrigin, Origin } from '../protocol.js';
import { makeSample } from '../samples.js';
import type { Bytes } from './excerpt.js';

/** The bytes of an output that is not in the store. */
export async function load(origin: FreshOrigin): Promise<Uint8Array> {
    switch (origin.kind) {
        case 'file': return new Uint8Array(await origin.file.arrayBuffer());
        case 'text': return new TextEncoder().encode(origin.text);
        case 'sample': return makeSample(origin.sample, origin.bytes);
    }
}

/** The media type that the origin names, if it is one that is passed on as it is. */
export function mediaTypeOf(origin: Origin): string | undefined {
    const named = origin.kind === 'file' ? origin.file.type : '';
    return /^(image|audio|video)\//.test(named) ? named : undefined;
}

/** A stored output, read where it is. */
export function storedBytes(store: Store, id: string): Bytes {
    const length = store.stat(id).sizeBytes;
    return {
        length,
        slice: (start, wanted) => {
            const bytes = new Uint8Array(Math.min(wanted, length - start));
            for (let filled = 0; filled < bytes.length; ) {
                const chunk = store.read(id, start + filled, bytes.length - filled);
                if (chunk.length === 0) {
                    throw new Error(`the store has ${length} bytes of ${id} and gives only ${start + filled}`);
                }
                bytes.set(chunk, filled);
                filled += chunk.length;
            }
            return bytes;
        },
    };
}

