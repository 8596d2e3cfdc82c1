/** Loads the core module in Node, from the package's files. */

import { readFile } from 'node:fs/promises';

import type { Loader } from './create.js';

export const fromFile: Loader = {
    core: () => new URL('../generated/core.wasm', import.meta.url),
    // As text, because the URL of a bundler's module may be of another class.
    open: (address) => (isWebUrl(address) ? fetch(address) : readFile(isFileUrl(address) ? new URL(address) : String(address))),
};

function isFileUrl(address: URL | string): boolean {
    return String(address).startsWith('file:');
}

function isWebUrl(address: URL | string): boolean {
    return /^(https?|data|blob):/.test(String(address));
}
