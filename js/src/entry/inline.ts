/** `tuckaway/inline`: the core module is part of the JavaScript, for programs in a single file. */

import { core } from '../../generated/inline.js';
import { instantiate } from '../../generated/sync.js';
import { fromBase64 } from '../component.js';
import { creator } from '../create.js';

export * from './common.js';

function decompressCore(): Promise<ArrayBuffer> {
    const packed = new Blob([fromBase64(core)]).stream();
    return new Response(packed.pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
}

/** Creates a tuckaway; all options except `contextWindow` have defaults. */
export const createTuckaway = /* @__PURE__ */ creator(
    { core: decompressCore, open: (address) => fetch(address) },
    instantiate,
);
