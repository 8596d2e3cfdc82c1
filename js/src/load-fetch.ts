/** Loading the core module in browsers and through bundlers: fetched, and compiled while it arrives. */

import type { Loader } from './create.js';

export const fromUrl: Loader = {
    // Bundlers know this form, written out, and put the file beside the bundle.
    core: () => new URL('../generated/core.wasm', import.meta.url),
    open: (address) => fetch(address),
};
