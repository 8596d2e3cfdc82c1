// `npm run build`: transpiles the component (generated/) and the sources (dist/) to JavaScript, and copies the
// contract and the licences. Its output is neither committed nor edited by hand. `--clean`, which `npm pack` uses,
// removes the output of earlier builds first.

import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { build } from 'esbuild';

import { transpile } from './transpile.mjs';

const js = new URL('../', import.meta.url);
const component = new URL('../target/tuckaway.wasm', js);

if (!existsSync(component)) {
    console.error('error: target/tuckaway.wasm is missing; run `cargo xtask component` in the repository.');
    process.exit(1);
}
if (process.argv.includes('--clean')) {
    for (const made of ['generated/', 'dist/', 'wit/']) {
        await rm(new URL(made, js), { recursive: true, force: true });
    }
}

const generated = new URL('generated/', js);
const built = await readFile(component);
const sources = [built, await readFile(new URL('scripts/transpile.mjs', js)), await readFile(new URL('package.json', js))];
const hash = sources.reduce((hash, bytes) => hash.update(bytes), createHash('sha256')).digest('hex');
const stamp = new URL('.made-from', generated);
if ((await readFile(stamp, 'utf8').catch(() => undefined)) !== hash) {
    await mkdir(new URL('interfaces/', generated), { recursive: true });
    for (const [name, content] of Object.entries(await transpile(built))) {
        await writeFile(new URL(name, generated), content);
    }
    await writeFile(new URL('component.wasm', generated), built);
    await writeFile(stamp, hash);
}
await cp(new URL('../wit/', js), new URL('wit/', js), { recursive: true });
for (const licence of ['LICENSE-APACHE', 'LICENSE-MIT']) {
    await cp(new URL(`../${licence}`, js), new URL(licence, js));
}

try {
    const compiler = fileURLToPath(new URL('node_modules/typescript/bin/tsc', js));
    execFileSync(process.execPath, [compiler], { cwd: fileURLToPath(js), stdio: 'inherit' });
} catch {
    console.error('error: the sources have the errors above.');
    process.exit(1);
}

// Bundles the whole package to report its size.
const bundle = await build({
    entryPoints: [fileURLToPath(new URL('dist/entry/browser.js', js))],
    bundle: true,
    minify: true,
    format: 'esm',
    write: false,
});
const report = (what, bytes) =>
    console.log(`${what.padEnd(22)} ${kilobytes(bytes.length)} ${kilobytes(gzipSync(bytes, { level: 9 }).length)} gzip`);
const kilobytes = (bytes) => `${Math.round(bytes / 1000)} KB`.padStart(8);
report('core module', await readFile(new URL('core.wasm', generated)));
report('JavaScript, bundled', bundle.outputFiles[0].contents);
