/** Code that the entry points share: each one only chooses how the core module is loaded. */

import { type Adapters, type Instantiate, type Modules, compile, modulesOf } from './component.js';
import type { ArtifactTool } from './contract/types.js';
import { asyncTuckawayOver, parseSettings, tuckawayOver } from './engine.js';
import { TuckawayError } from './error.js';
import { Instances } from './instances.js';
import { MemoryStore } from './stores/memory.js';
import { estimate } from './tokens/estimate.js';
import type { AsyncTuckaway, AsyncTuckawayOptions, Tuckaway, TuckawayOptions, WasmSource } from './tuckaway.js';

/** An entry point's way to find the core module, and to read an address that the caller passes. */
export interface Loader {
    core(): WasmSource | Promise<WasmSource>;
    open(address: URL | string): Promise<Response | BufferSource>;
    /** The adapters, if the environment cannot compile them. */
    adapters?: Adapters;
}

/** Returns a function that compiles the core module once: the caller's, or else the entry point's own. */
function moduleLoader(loader: Loader): (options: AsyncTuckawayOptions) => Promise<Modules> {
    let own: Promise<WebAssembly.Module> | undefined;
    return async ({ wasm }) => {
        if (wasm != null) {
            return modulesOf(await compile(() => wasm, loader.open), loader.adapters);
        }
        own ??= compile(() => loader.core(), loader.open);
        try {
            return modulesOf(await own, loader.adapters);
        } catch (error) {
            // The next call tries again: the failure may be temporary.
            own = undefined;
            throw error;
        }
    };
}

/** Returns the `createTuckaway` of an entry point with synchronous stores. */
export function creator(loader: Loader, instantiate: Instantiate) {
    const load = moduleLoader(loader);
    return async <Offered extends ArtifactTool = ArtifactTool>(
        options: TuckawayOptions<Offered>,
    ): Promise<Tuckaway<Offered>> => {
        const checked = parseSettings(options);
        const ports = { store: options.store ?? new MemoryStore(), tokens: options.tokens ?? estimate };
        const instances = new Instances(await load(options), instantiate, ports, false, checked.deadlineMs);
        return tuckawayOver(instances, checked) as Tuckaway<Offered>;
    };
}

/** Returns the `createTuckaway` of an entry point whose stores may return promises. */
export function asyncCreator(loader: Loader, instantiate: (...args: Parameters<Instantiate>) => unknown) {
    const load = moduleLoader(loader);
    return async <Offered extends ArtifactTool = ArtifactTool>(
        options: AsyncTuckawayOptions<Offered>,
    ): Promise<AsyncTuckaway<Offered>> => {
        if (!('Suspending' in WebAssembly)) {
            throw new TuckawayError(
                'unsupported',
                'tuckaway/async needs JavaScript Promise Integration (WebAssembly.Suspending), which this engine ' +
                    'lacks; Node 24 and Chromium 137 have it. Use createTuckaway from tuckaway, with a store that is ' +
                    'synchronous.',
            );
        }
        const checked = parseSettings(options);
        const ports = { store: options.store ?? new MemoryStore(), tokens: options.tokens ?? estimate };
        const suspending = instantiate as Instantiate;
        const instances = new Instances(await load(options), suspending, ports, true, checked.deadlineMs);
        return (await asyncTuckawayOver(instances, checked)) as AsyncTuckaway<Offered>;
    };
}

