/** Loading the core module in Node: from the package's files. */

import { readFile } from 'node:fs/promises';

import type { Loader } from './create.js';

export const fromFile: Loader = {
    core: () => new URL('../generated/core.wasm', import.meta.url),
    open: (address) => (isWeb(address) ? fetch(address) : readFile(address)),
};

function isWeb(address: URL | string): boolean {
    return /^(https?|data|blob):/.test(String(address));
}
