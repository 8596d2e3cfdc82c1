// `npm test`: type-checks sources and tests, bundles each test file separately (packages stay imports, including this
// package, through its exports map), and runs them with node:test.
//
// Arguments are parts of paths: `npm test -- stores` runs the files whose path contains `stores`. Files named
// `*.node24.test.ts` need Node 24 or newer, mostly for JSPI. If this Node is older, they run in one from npm.

import { spawnSync } from 'node:child_process';
import { readdirSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const NEWER_NODE = 'node@24.21.0';

const js = fileURLToPath(new URL('../', import.meta.url));
// For this run only, because several runs may overlap.
const out = join(js, 'build', `test-${process.pid}`);
process.on('exit', () => rmSync(out, { recursive: true, force: true }));
const wanted = process.argv.slice(2);

run('types', process.execPath, [join(js, 'node_modules/typescript/bin/tsc'), '--project', 'test/tsconfig.json']);

const files = readdirSync(join(js, 'test'), { recursive: true })
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => wanted.length === 0 || wanted.some((part) => file.includes(part)))
    .sort();
if (files.length === 0) {
    console.error(`error: no test file has ${wanted.join(' or ')} in its path.`);
    process.exit(1);
}
await build({
    absWorkingDir: js,
    entryPoints: files.map((file) => join('test', file)),
    outbase: 'test',
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    sourcemap: 'inline',
    logLevel: 'warning',
});

const bundled = (file) => join(out, file.replace(/\.ts$/, '.mjs'));
const isForNewer = (file) => file.includes('.node24.');
// A file for each core: most of the time one waits for a browser or a server.
const concurrency = Math.max(2, availableParallelism());
const flags = ['--enable-source-maps', '--test', '--test-reporter=spec', `--test-concurrency=${concurrency}`];
const here = files.filter((file) => !isForNewer(file)).map(bundled);
if (here.length > 0) {
    run('tests', process.execPath, [...flags, ...here]);
}
const newer = files.filter(isForNewer).map(bundled);
if (newer.length > 0) {
    const isNewer = Number(process.versions.node.split('.')[0]) >= 24;
    const [command, first] = isNewer ? [process.execPath, []] : ['npx', ['--yes', '--package', NEWER_NODE, 'node']];
    run(`tests under ${isNewer ? process.version : NEWER_NODE}`, command, [...first, ...flags, ...newer]);
}

/** Runs a command; if it fails, exits. */
function run(what, command, args) {
    console.log(`== ${what}`);
    const { status, error } = spawnSync(command, args, { cwd: js, stdio: 'inherit' });
    if (status !== 0) {
        console.error(`error: ${what} failed${error === undefined ? '' : `: ${error.message}`}.`);
        process.exit(1);
    }
}
