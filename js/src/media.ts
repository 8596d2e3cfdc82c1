/** Stored images, PDF documents and recordings, for models that can see or hear them. */

import type { StoredMedia } from './contract/types.js';
import { TuckawayError, isStoreError, messageOf } from './error.js';
import type { AsyncStore } from './ports.js';

/**
 * Returns the bytes of the file that a reply of `callTool` has as `media`, to be added to the result in the provider's
 * format. The agent loops of this package do this.
 *
 * @param tuckaway the tuckaway that replied
 * @throws TuckawayError of the kind `not_found`, `expired` or `store`
 */
export async function mediaBytes(
    { store }: { readonly store: AsyncStore },
    { artifactId, sizeBytes }: StoredMedia,
): Promise<Uint8Array> {
    let bytes: Uint8Array;
    try {
        bytes = await store.read(artifactId, 0, sizeBytes);
    } catch (error) {
        const isGone = isStoreError(error) && (error.code === 'not_found' || error.code === 'expired');
        const message = `The store failed while reading an artifact: ${messageOf(error)}`;
        throw new TuckawayError(isGone ? error.code : 'store', message, { cause: error });
    }
    if (bytes?.length !== sizeBytes) {
        const message = `The store broke its contract: it did not return the ${sizeBytes} bytes of "${artifactId}".`;
        throw new TuckawayError('store', message);
    }
    return bytes;
}
