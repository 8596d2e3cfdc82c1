// The component as JavaScript: jco's glue for engines that call at once (sync.js) and for those that
// suspend (jspi.js), over the same core module.

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { transpileBytes } from '@bytecodealliance/jco-transpile';
import { transform } from 'esbuild';

const STORE = 'tuckaway:context/store@0.1.0';
const TOKENS = 'tuckaway:context/tokens@0.1.0';
const EXPORTS = {
    'tuckaway:context/offload@0.1.0': ['default-policy', 'decide', 'process', 'process-turn'],
    'tuckaway:context/reduce@0.1.0': ['infer-shape', 'truncate'],
    'tuckaway:context/artifacts@0.1.0': ['read', 'grep', 'jq', 'list-artifacts'],
    'tuckaway:context/tools@0.1.0': ['definitions', 'call'],
};

/** What all transpilations share. Without `strict`, a promise that an import returns would become 0. */
const COMMON = {
    name: 'tuckaway',
    instantiation: 'sync',
    strict: true,
    nodejsCompat: false,
    wasiShim: false,
    tracing: false,
    // An error of the contract is thrown as the record that it is.
    noComponentErrorWrapping: true,
};

const JSPI = {
    ...COMMON,
    asyncMode: 'jspi',
    asyncImports: [
        ...['create', 'append', 'seal', 'stat', 'read', 'list-artifacts', 'delete'].map((name) => `${STORE}#${name}`),
        `${TOKENS}#count`,
    ],
    asyncExports: Object.entries(EXPORTS).flatMap(([face, names]) => names.map((name) => `${face}#${name}`)),
};

/**
 * What the glue does otherwise than we need. Each text must be there as often as said: a release of jco
 * that changes it must not pass unseen.
 */
const PATCHES = [
    // A word to bundlers that none of them knows.
    { from: '"use components";', to: '', times: 1 },
    // A leading U+FEFF is part of a text.
    { from: 'new TextDecoder();', to: "new TextDecoder('utf-8', { ignoreBOM: true });", times: 1 },
    // Looking up an environment variable costs more than what it would log, a dozen times a call.
    { from: 'if (!globalThis?.process?.env?.JCO_DEBUG) { return; }', to: 'return;', times: 1 },
];

function patched(source) {
    for (const { from, to, times } of PATCHES) {
        const found = source.split(from).length - 1;
        if (found !== times) {
            throw new Error(`jco's glue has ${JSON.stringify(from)} ${found} times, not ${times}: look at it again`);
        }
        source = source.replaceAll(from, to);
    }
    return source;
}

async function glue(files) {
    const source = patched(new TextDecoder().decode(files['tuckaway.js']));
    const { code } = await transform(source, { minify: true, format: 'esm', target: 'es2022' });
    return code;
}

/**
 * The core module with a section that names its build, by which the glue knows its own: one of an earlier
 * release, left beside a bundle, would fail in strange ways or answer otherwise.
 */
function marked(core, build) {
    const name = Buffer.from('tuckaway-build');
    const content = Buffer.concat([Buffer.of(name.length), name, Buffer.from(build)]);
    // A custom section is of kind 0; a length below 128 is one byte.
    return Buffer.concat([core, Buffer.of(0, content.length), content]);
}

const base64 = (bytes) => Buffer.from(bytes).toString('base64');

/** The files to write, by name, from the bytes of the component. */
export async function transpile(component) {
    const [sync, jspi] = [(await transpileBytes(component, COMMON)).files, (await transpileBytes(component, JSPI)).files];
    const cores = Object.keys(sync).filter((name) => name.endsWith('.wasm'));
    for (const name of cores) {
        if (!Buffer.from(sync[name]).equals(Buffer.from(jspi[name]))) {
            throw new Error(`${name} differs between the two transpilations: they can no longer share it`);
        }
    }
    const [name, ...adapters] = cores.sort((a, b) => sync[b].length - sync[a].length);
    const build = createHash('sha256').update(sync[name]).digest('hex').slice(0, 32);
    const core = marked(sync[name], build);
    const declarations = Object.entries(sync).filter(([name]) => name.startsWith('interfaces/'));
    return {
        'core.wasm': core,
        'sync.js': await glue(sync),
        'sync.d.ts': sync['tuckaway.d.ts'],
        'jspi.js': await glue(jspi),
        'jspi.d.ts': jspi['tuckaway.d.ts'],
        // The modules of a few hundred bytes that join the core module to its imports.
        'adapters.js': `export const build = '${build}';\nexport const adapters = ${JSON.stringify(
            Object.fromEntries(adapters.map((name) => [name, base64(sync[name])])),
        )};\n`,
        'adapters.d.ts': [
            '/** The build of the core module that the glue is for. */',
            'export declare const build: string;',
            '/** Core modules as base64, by the name that the glue asks for. */',
            'export declare const adapters: Record<string, string>;\n',
        ].join('\n'),
        'inline.js': `export const core = ${JSON.stringify(base64(gzipSync(core, { level: 9 })))};\n`,
        'inline.d.ts': '/** The core module, gzipped, as base64. */\nexport declare const core: string;\n',
        ...Object.fromEntries(declarations),
    };
}
