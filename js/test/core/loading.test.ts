/** The sources of the core module. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { TuckawayError, type WasmSource, createTuckaway } from 'tuckaway';

const address = import.meta.resolve('tuckaway/core.wasm');
const core = await readFile(new URL(address));

const sources: Record<string, () => WasmSource | Promise<WasmSource>> = {
    'a URL': () => new URL(address),
    'the text of a file URL': () => address,
    'a path': () => fileURLToPath(address),
    'a data URL': () => `data:application/wasm;base64,${core.toString('base64')}`,
    bytes: () => core,
    'an ArrayBuffer': () => new Uint8Array(core).buffer,
    'a module': () => WebAssembly.compile(core),
    'a response': () => new Response(core, { headers: { 'content-type': 'application/wasm' } }),
    'a response without its type': () => new Response(core),
};

for (const [name, source] of Object.entries(sources)) {
    test(`the core module as ${name}`, async () => {
        const tuckaway = await createTuckaway({ contextWindow: 8000, wasm: source() });
        assert.equal(tuckaway.truncate('unchanged', 512), 'unchanged');
    });
}

/** An empty module. */
const EMPTY = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);

/** Returns the core module of another build. */
function ofAnotherBuild(): Uint8Array {
    const copy = new Uint8Array(core);
    const last = copy.length - 1;
    copy[last] = copy[last] === 0x30 ? 0x31 : 0x30;
    return copy;
}

const wrong: Record<string, { wasm: WasmSource; says: RegExp }> = {
    'of another build': { wasm: ofAnotherBuild(), says: /belongs to another build/ },
    'that is another module': { wasm: EMPTY, says: /belongs to another build/ },
    'that is not a module': { wasm: new Uint8Array(9), says: /could not be loaded: .*wasm/i },
    'that is missing': { wasm: '/no/such/core.wasm', says: /ENOENT/ },
    'that a server does not have': { wasm: new Response('', { status: 404 }), says: /answered 404/ },
};

for (const [name, { wasm, says }] of Object.entries(wrong)) {
    test(`a core module ${name} is rejected with a message that says what to do`, async () => {
        await assert.rejects(createTuckaway({ contextWindow: 8000, wasm }), (error) => {
            assert.ok(error instanceof TuckawayError);
            assert.equal(error.kind, 'unsupported');
            assert.match(error.message, says);
            assert.match(error.message, /Pass it as the option `wasm`/);
            return true;
        });
        // The package's own module still works.
        assert.equal((await createTuckaway({ contextWindow: 8000 })).truncate('text', 512), 'text');
    });
}
