// `npm test`: type-checks sources and tests, bundles each test file separately (packages stay imports, including this
// package, through its exports map), and runs them with node:test, each in its own process. The files of some folders
// share a bundle and a process, and so the package that they pack or the page that they build.
//
// Arguments are parts of paths: `npm test -- stores` runs the files whose path contains `stores`. Files named
// `*.node24.test.ts` need Node 24 or newer, mostly for JSPI. If this Node is older, they run in one from npm.

import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'esbuild';

const SHARING_FOLDERS = ['packaging', 'playground'];
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

const isForNewer = (file) => file.includes('.node24.');
const here = programs(files.filter((file) => !isForNewer(file)), 'node');
const newer = programs(files.filter(isForNewer), 'node24');
await build({
    absWorkingDir: js,
    entryPoints: [...here, ...newer].map(({ name, source }) => ({ in: source, out: name })),
    outdir: out,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    // The package has no side effects, but its tests do: an import runs them.
    ignoreAnnotations: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    sourcemap: 'inline',
    logLevel: 'warning',
});

const bundled = ({ name }) => join(out, `${name}.mjs`);
// At least a process for each core: processes mostly wait for a browser or a server.
const concurrency = Math.max(2, availableParallelism());
const flags = ['--enable-source-maps', '--test', '--test-reporter=spec', `--test-concurrency=${concurrency}`];
if (here.length > 0) {
    run('tests', process.execPath, [...flags, ...here.map(bundled)]);
}
if (newer.length > 0) {
    const isNewer = Number(process.versions.node.split('.')[0]) >= 24;
    const [command, first] = isNewer ? [process.execPath, []] : ['npx', ['--yes', '--package', NEWER_NODE, 'node']];
    run(`tests under ${isNewer ? process.version : NEWER_NODE}`, command, [...first, ...flags, ...newer.map(bundled)]);
}

/** Returns the programs that run the files: their names, and the sources to bundle. */
function programs(files, suffix) {
    const alone = files.filter((file) => !SHARING_FOLDERS.includes(folder(file)));
    const shared = SHARING_FOLDERS.map((name) => [name, files.filter((file) => folder(file) === name)]);
    return [
        ...alone.map((file) => ({ name: file.replace(/\.ts$/, ''), source: join('test', file) })),
        ...shared.filter(([, files]) => files.length > 0).map(([name, files]) => {
            const source = join(out, `${name}.${suffix}.ts`);
            const paths = files.map((file) => JSON.stringify(join(js, 'test', file)));
            mkdirSync(out, { recursive: true });
            writeFileSync(source, paths.map((path) => `import ${path};\n`).join(''));
            return { name: `${name}.${suffix}.test`, source };
        }),
    ];
}

function folder(file) {
    return file.split(sep)[0];
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
