// `npm run bench`: measures start-up, calls, throughput and the size of the package in this Node, and prints a
// Markdown table; `--json` prints records. The baseline in the same run is JSON.parse, which a program would
// otherwise call to inspect an output. Compare the ratios: machines differ and are noisy.
// `npm run bench -- hostile` measures endless filters instead, and `npm run bench -- real DIRECTORY` single files.

import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { createTuckaway } from 'tuckaway';

import { SizesOnly } from './real.mjs';

for (const other of ['hostile', 'real']) {
    if (process.argv.includes(other)) {
        await import(`./bench-${other}.mjs`);
        process.exit();
    }
}

const js = new URL('../', import.meta.url);
const asJson = process.argv.includes('--json');
const rows = [];

function add(what, value, unit, note = '') {
    rows.push({ what, value, unit, note });
    process.stderr.write(asJson ? '' : `${what}\n`);
}

/** Returns the time of the fastest of several runs, in milliseconds. */
async function fastest(runs, run) {
    let best = Infinity;
    for (let index = 0; index < runs; index++) {
        const begun = performance.now();
        await run();
        best = Math.min(best, performance.now() - begun);
    }
    return best;
}

/** Returns the time of one call among many, in microseconds, after the engine has optimized them. */
async function each(calls, call) {
    const run = () => {
        for (let index = 0; index < calls; index++) {
            call();
        }
    };
    return ((await fastest(5, run)) / calls) * 1000;
}

/** Returns a large JSON output: twitter.json if `cargo xtask suites` has fetched it, otherwise generated records. */
function input() {
    const twitter = new URL('../target/suites/json-examples/twitter.json', js);
    if (existsSync(twitter)) {
        // As an API would send it, without the indentation.
        const one = JSON.stringify(JSON.parse(readFileSync(twitter, 'utf8')));
        return { name: 'twitter.json × 200', text: `[${Array(200).fill(one).join(',')}]` };
    }
    const record = (n) => ({ id: n, name: `row ${n}`, score: n / 7, tags: ['a', 'b'], note: 'Zürich '.repeat(n % 9) });
    const records = Array.from({ length: 700_000 }, (_, n) => record(n));
    return { name: '700,000 generated records', text: JSON.stringify(records) };
}

const core = readFileSync(new URL('generated/core.wasm', js));
const cold = await fastest(5, async () => {
    // A copy, so that the engine finds no cached compilation.
    const started = await createTuckaway({ wasm: await WebAssembly.compile(core.slice()), contextWindow: 200_000 });
    started.truncate('a short output', 512);
});
add('start-up: compile, instantiate, a first call', cold.toFixed(1), 'ms');

const tuckaway = await createTuckaway({ store: new SizesOnly(), contextWindow: 200_000 });
const short = { tool: 'tool', content: 'a short output' };
add('decide(), a short output', (await each(5000, () => tuckaway.decide(short))).toFixed(1), 'µs');
add('process(), a short output', (await each(5000, () => tuckaway.process(short))).toFixed(1), 'µs');

const { name, text } = input();
const bytes = new TextEncoder().encode(text);
const megabytes = bytes.length / 1e6;
const speed = (ms) => (megabytes / (ms / 1000)).toFixed(0);
const parsed = await fastest(3, () => JSON.parse(text));
add(`JSON.parse, ${name}, ${megabytes.toFixed(0)} MB`, speed(parsed), 'MB/s', '1.0 ×');
for (const [what, content] of [
    ['a string', text],
    ['bytes', bytes],
]) {
    const ms = await fastest(3, () => tuckaway.process({ tool: 'tool', content }));
    add(`process() of the same as ${what}`, speed(ms), 'MB/s', `${(parsed / ms).toFixed(1)} ×`);
}

const kilobytes = (count) => (count / 1000).toFixed(0);
for (const [what, path] of [
    ['core module', 'generated/core.wasm'],
    ['glue', 'generated/sync.js'],
    ['glue of tuckaway/async', 'generated/jspi.js'],
]) {
    const content = readFileSync(new URL(path, js));
    add(what, kilobytes(content.length), 'KB', `${kilobytes(gzipSync(content, { level: 9 }).length)} KB gzip`);
}
const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--ignore-scripts', '--json'], {
        cwd: fileURLToPath(js),
        stdio: ['ignore', 'pipe', 'ignore'],
    }),
);
add('package, unpacked', kilobytes(packed.unpackedSize), 'KB', `${kilobytes(packed.size)} KB as a tarball`);

if (asJson) {
    console.log(JSON.stringify(rows, null, 2));
} else {
    console.log(`| Node ${process.versions.node} | measured | |\n|---|---|---|`);
    for (const { what, value, unit, note } of rows) {
        console.log(`| ${what} | ${value} ${unit} | ${note} |`);
    }
}
