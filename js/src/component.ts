/** The component as jco's glue exposes it: its exports, its imports, and how it is loaded. */

import { adapters, build } from '../generated/adapters.js';
import type { ImportObject, Root, instantiate } from '../generated/sync.js';
import { TuckawayError, messageOf } from './error.js';
import type { WasmSource } from './tuckaway.js';

/** The exports of the component. */
export type Component = Root;

/** The imports of the component, as the glue's types name them. */
export type Imports = ImportObject;

/** Links a core module to its imports: `instantiate` of `generated/sync.js` or of `generated/jspi.js`. */
export type Instantiate = typeof instantiate;

/** Decodes base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
}

/** Returns a module by the name that the glue requests: the core module, or a small adapter that links it to its imports. */
export type Modules = (name: string) => WebAssembly.Module;

/** Adapters by name, in place of the ones compiled from the text in `generated/adapters.js`. */
export type Adapters = Readonly<Record<string, WebAssembly.Module>>;

const adapterModules = new Map<string, WebAssembly.Module>();

/** Returns the modules of a core module. `compiled` is for environments that cannot compile. */
export function modulesOf(core: WebAssembly.Module, compiled?: Adapters): Modules {
    return (name) => {
        const text = adapters[name];
        return text === undefined ? core : (compiled?.[name] ?? adapterModule(name, text));
    };
}

function adapterModule(name: string, text: string): WebAssembly.Module {
    let module = adapterModules.get(name);
    if (module === undefined) {
        module = new WebAssembly.Module(fromBase64(text));
        adapterModules.set(name, module);
    }
    return module;
}

/** Compiles the core module from any source. `open` fetches or reads an address. */
export async function compile(
    source: () => WasmSource | Promise<WasmSource>,
    open: (address: URL | string) => Promise<Response | BufferSource>,
): Promise<WebAssembly.Module> {
    try {
        let wasm = await source();
        if (typeof wasm === 'string' || wasm instanceof URL) {
            wasm = await open(wasm);
        }
        return checkBuild(await compileSource(wasm));
    } catch (error) {
        throw new TuckawayError(
            'unsupported',
            `The component's core module could not be loaded: ${messageOf(error)}. ` +
                'Pass it as the option `wasm` (the package has it as tuckaway/core.wasm), or import tuckaway/inline. ' +
                'Where code cannot be compiled, bundle tuckaway with the condition workerd.',
            { cause: error },
        );
    }
}

async function compileSource(wasm: Exclude<WasmSource, URL | string>): Promise<WebAssembly.Module> {
    if (wasm instanceof WebAssembly.Module) {
        return wasm;
    }
    if (typeof Response !== 'undefined' && wasm instanceof Response) {
        return compileResponse(wasm);
    }
    return WebAssembly.compile(wasm as BufferSource);
}

function checkBuild(module: WebAssembly.Module): WebAssembly.Module {
    const [section] = WebAssembly.Module.customSections(module, 'tuckaway-build');
    if (section === undefined || new TextDecoder().decode(section) !== build) {
        throw new Error('it belongs to another build of the package');
    }
    return module;
}

async function compileResponse(response: Response): Promise<WebAssembly.Module> {
    if (!response.ok) {
        throw new Error(`${response.url} answered ${response.status}`);
    }
    // Engines compile only this type while it downloads, and some servers send another.
    if (response.headers.get('content-type')?.startsWith('application/wasm')) {
        return WebAssembly.compileStreaming(response);
    }
    return WebAssembly.compile(await response.arrayBuffer());
}
