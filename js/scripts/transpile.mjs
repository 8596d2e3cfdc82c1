// Transpiles the component to JavaScript: jco's glue for synchronous calls (sync.js) and for calls that suspend
// (jspi.js), with the same core module.

import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

import { transpileBytes } from '@bytecodealliance/jco-transpile';
import { transform } from 'esbuild';

const STORE = 'tuckaway:context/store@0.1.0';
const TOKENS = 'tuckaway:context/tokens@0.1.0';
const EXPORTS = {
    'tuckaway:context/offload@0.1.0': ['default-policy', 'decide', 'process', 'process-turn'],
    'tuckaway:context/reduce@0.1.0': ['infer-shape', 'truncate'],
    'tuckaway:context/artifacts@0.1.0': ['read', 'grep', 'grep-all', 'jq', 'list-artifacts'],
    'tuckaway:context/tools@0.1.0': ['definitions', 'call'],
    'tuckaway:context/cache@0.1.0': ['default-config', 'view', 'unreferenced'],
    'tuckaway:context/compaction@0.1.0': ['default-config', 'should-compact'],
    'tuckaway:context/budget@0.1.0': ['preset-config', 'check'],
    'tuckaway:context/planning@0.1.0': ['plan', 'read-refusal'],
    'tuckaway:context/histories@0.1.0': ['detect-format', 'read-usage', 'start', 'step'],
    'tuckaway:context/extraction@0.1.0': ['default-config', 'parse-call', 'estimate', 'start', 'step'],
};

/** The common options. Without `strict`, a promise that an import returns would become 0. */
const COMMON = {
    name: 'tuckaway',
    instantiation: 'sync',
    strict: true,
    nodejsCompat: false,
    wasiShim: false,
    tracing: false,
    // An error of the contract is thrown as a plain record.
    noComponentErrorWrapping: true,
};

const JSPI = {
    ...COMMON,
    asyncMode: 'jspi',
    asyncImports: [
        ...['create', 'append', 'seal', 'stat', 'read', 'list-artifacts', 'delete'].map((name) => `${STORE}#${name}`),
        `${TOKENS}#count`,
    ],
    asyncExports: Object.entries(EXPORTS).flatMap(([id, names]) => names.map((name) => `${id}#${name}`)),
};

/** Changes to the glue. Each text must occur exactly `times` times, so that a changed release of jco is noticed. */
const PATCHES = [
    // A directive that no bundler supports.
    { from: '"use components";', to: '', times: 1 },
    // A leading U+FEFF is part of a text.
    { from: 'new TextDecoder();', to: "new TextDecoder('utf-8', { ignoreBOM: true });", times: 1 },
    // The lookup of the environment variable is expensive, and runs a dozen times per call.
    { from: 'if (!globalThis?.process?.env?.JCO_DEBUG) { return; }', to: 'return;', times: 1 },
    // The bytes for a store, which our imports copy for stores that may keep them.
    {
        from: 'new Uint8Array(memory0.buffer.slice(ptr1, ptr1 + len1 * 1))',
        to: 'new Uint8Array(memory0.buffer, ptr1 >>> 0, len1 >>> 0)',
        times: 1,
    },
    // Encodes directly instead of first counting the bytes in a loop over the characters, which takes longer than
    // encoding: allocates one byte per character and, if that is too little, three per remaining one, as the canonical
    // ABI specifies.
    {
        from: `    // Compute the exact allocation size up front. Some older preview1
    // adapters only support an initial allocation, not a subsequent shrink.
    let len = 0;
    let codepoints = 0;
    for (let i = 0; i < s.length; i++) {
      const ch = s.charCodeAt(i);
      codepoints++;
      if (ch < 0x80) { len += 1; }
      else if (ch < 0x800) { len += 2; }
      else if (ch >= 0xd800 && ch <= 0xdbff &&
      i + 1 < s.length &&
      (s.charCodeAt(i + 1) & 0xfc00) === 0xdc00) {
        len += 4;
        i++;
      } else { len += 3; }
    }
    const ptr = realloc(0, 0, 1, len);
    const { read, written } = TEXT_ENCODER_UTF8.encodeInto(
    s,
    new Uint8Array(memory.buffer, ptr, len),
    );
    if (read !== s.length || written !== len) {
      throw new Error('failed to encode whole string');
    }
    const res = { ptr, len, codepoints };
    return res;
`,
        to: `    const encode = (text, at, room) => TEXT_ENCODER_UTF8.encodeInto(text, new Uint8Array(memory.buffer, at, room));
    const ptr = realloc(0, 0, 1, s.length);
    const { read, written } = encode(s, ptr, s.length);
    if (read === s.length) { return { ptr, len: written }; }
    const rest = s.slice(read);
    const room = written + 3 * rest.length;
    const grown = realloc(ptr, s.length, 1, room);
    const len = written + encode(rest, grown + written, room - written).written;
    return { ptr: realloc(grown, room, 1, len), len };
`,
        times: 1,
    },
];

/**
 * Changes to the glue for synchronous calls only. Without JSPI, `WebAssembly.promising` is missing, and each of the
 * exceptions that jco catches costs 2 ms in every new instance: V8 parses the glue again for its message. Nothing here
 * suspends: the functions are used unchanged, as jco does after the exception.
 */
const SYNC_PATCHES = [
    { from: 'WebAssembly.promising(', to: '(', times: 26 },
];

function patched(source, patches) {
    for (const { from, to, times } of patches) {
        const found = source.split(from).length - 1;
        if (found !== times) {
            throw new Error(`jco's glue has ${JSON.stringify(from)} ${found} times, not ${times}: check the patch`);
        }
        source = source.replaceAll(from, to);
    }
    return source;
}

async function glue(files, patches) {
    const source = patched(new TextDecoder().decode(files['tuckaway.js']), patches);
    const { code } = await transform(source, { minify: true, format: 'esm', target: 'es2022' });
    return code;
}

/**
 * Adds a section to the core module that names its build, so that the glue recognizes its own module. A module of
 * another release, left next to a bundle, would fail in strange ways or answer differently.
 */
function marked(core, build) {
    const name = Buffer.from('tuckaway-build');
    const content = Buffer.concat([Buffer.of(name.length), name, Buffer.from(build)]);
    // A custom section is of kind 0; a length below 128 is one byte.
    return Buffer.concat([core, Buffer.of(0, content.length), content]);
}

/** Returns a file that imports the core module and its adapters, for environments that do not compile bytes. */
function importedModules(adapters) {
    const imports = adapters.map((name, index) => `import adapter${index} from './${name}';\n`).join('');
    const members = adapters.map((name, index) => `${JSON.stringify(name)}: adapter${index}`).join(', ');
    return {
        'modules.js': `import core from './core.wasm';\n${imports}export { core };\nexport const adapters = { ${members} };\n`,
        'modules.d.ts': [
            '/** The core module. */',
            'export declare const core: WebAssembly.Module;',
            '/** Its adapters, by the names that the glue requests. */',
            'export declare const adapters: Record<string, WebAssembly.Module>;\n',
        ].join('\n'),
    };
}

const base64 = (bytes) => Buffer.from(bytes).toString('base64');

/** Returns the files to write, by name, for the bytes of the component. */
export async function transpile(component) {
    const [sync, jspi] = [(await transpileBytes(component, COMMON)).files, (await transpileBytes(component, JSPI)).files];
    const cores = Object.keys(sync).filter((name) => name.endsWith('.wasm'));
    for (const name of cores) {
        if (!Buffer.from(sync[name]).equals(Buffer.from(jspi[name]))) {
            throw new Error(`${name} differs between the two transpilations, so they can no longer share it`);
        }
    }
    const [name, ...adapters] = cores.sort((a, b) => sync[b].length - sync[a].length);
    const build = createHash('sha256').update(sync[name]).digest('hex').slice(0, 32);
    const core = marked(sync[name], build);
    const declarations = Object.entries(sync).filter(([name]) => name.startsWith('interfaces/'));
    return {
        'core.wasm': core,
        'sync.js': await glue(sync, [...PATCHES, ...SYNC_PATCHES]),
        'sync.d.ts': sync['tuckaway.d.ts'],
        'jspi.js': await glue(jspi, PATCHES),
        'jspi.d.ts': jspi['tuckaway.d.ts'],
        // Modules of a few hundred bytes that link the core module to its imports.
        'adapters.js': `export const build = '${build}';\nexport const adapters = ${JSON.stringify(
            Object.fromEntries(adapters.map((name) => [name, base64(sync[name])])),
        )};\n`,
        'adapters.d.ts': [
            '/** The build of the core module that belongs to the glue. */',
            'export declare const build: string;',
            '/** Core modules as base64, by the names that the glue requests. */',
            'export declare const adapters: Record<string, string>;\n',
        ].join('\n'),
        ...importedModules(adapters),
        ...Object.fromEntries(adapters.map((name) => [name, sync[name]])),
        'inline.js': `export const core = ${JSON.stringify(base64(gzipSync(core, { level: 9 })))};\n`,
        'inline.d.ts': '/** The core module, gzipped, as base64. */\nexport declare const core: string;\n',
        ...Object.fromEntries(declarations),
    };
}
