/** Loads the core module in browsers and through bundlers: fetches it, and compiles it while it downloads. */

import type { Loader } from './create.js';

export const fromUrl: Loader = {
    // Bundlers recognize this expression, spelled out, and emit the file with the bundle.
    core: () => new URL('../generated/core.wasm', import.meta.url),
    open: (address) => fetch(address),
};
