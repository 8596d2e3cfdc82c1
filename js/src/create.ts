/** What the entry points share: each says how the core module is loaded, and nothing else. */

import { type Instantiate, compile } from './component.js';
import { asyncTuckawayOver, settings, tuckawayOver } from './engine.js';
import { TuckawayError } from './error.js';
import { Instances } from './instances.js';
import { MemoryStore } from './stores/memory.js';
import { estimate } from './tokens/estimate.js';
import type { AsyncTuckaway, AsyncTuckawayOptions, Tuckaway, TuckawayOptions, WasmSource } from './tuckaway.js';

/** Where an entry point finds the core module, and how it reads an address that the caller gives. */
export interface Loader {
    core(): WasmSource | Promise<WasmSource>;
    open(address: URL | string): Promise<Response | BufferSource>;
}

/** Compiles the core module that the caller gives, or the entry point's own, once. */
function moduleOf(loader: Loader): (options: AsyncTuckawayOptions) => Promise<WebAssembly.Module> {
    let own: Promise<WebAssembly.Module> | undefined;
    return async ({ wasm }) => {
        if (wasm != null) {
            return compile(() => wasm, loader.open);
        }
        own ??= compile(() => loader.core(), loader.open);
        try {
            return await own;
        } catch (error) {
            // It may be there the next time.
            own = undefined;
            throw error;
        }
    };
}

/** `createTuckaway` of an entry point whose stores answer at once. */
export function creator(loader: Loader, instantiate: Instantiate): (options?: TuckawayOptions) => Promise<Tuckaway> {
    const load = moduleOf(loader);
    return async (options = {}) => {
        const checked = settings(options);
        const ports = { store: options.store ?? new MemoryStore(), tokens: options.tokens ?? estimate };
        return tuckawayOver(new Instances(await load(options), instantiate, ports, false), checked);
    };
}

/** `createTuckaway` of an entry point whose stores may return promises. */
export function asyncCreator(
    loader: Loader,
    instantiate: (...args: Parameters<Instantiate>) => unknown,
): (options?: AsyncTuckawayOptions) => Promise<AsyncTuckaway> {
    const load = moduleOf(loader);
    return async (options = {}) => {
        if (!('Suspending' in WebAssembly)) {
            throw new TuckawayError(
                'unsupported',
                'tuckaway/async needs JavaScript Promise Integration (WebAssembly.Suspending), which this engine ' +
                    'lacks: Node has it from 24 on, Chromium from 137 on. Use tuckaway, with a store that answers at once.',
            );
        }
        const checked = settings(options);
        const ports = { store: options.store ?? new MemoryStore(), tokens: options.tokens ?? estimate };
        const suspending = instantiate as Instantiate;
        return asyncTuckawayOver(new Instances(await load(options), suspending, ports, true), checked);
    };
}

