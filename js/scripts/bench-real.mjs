// `npm run bench -- real DIRECTORY`: measures process() on each file of a directory of real outputs: in this Node and,
// if it is installed, in Chromium, compared with JSON.parse. A file is marked if it takes more than 0.3 ms and 5 ms per
// MB, more than twice the time without its preview, or, as JSON, more than twice the time of JSON.parse. `--json`
// prints records. The times are medians of wall-clock times: they are longer on a busy machine.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { createTuckaway } from 'tuckaway';

import { inChromium } from './chromium.mjs';
import { measure } from './real.mjs';

const START_MS = 0.3;
const MS_PER_MB = 5;

const directory = process.argv[process.argv.indexOf('real') + 1];
if (directory === undefined || directory.startsWith('--')) {
    console.error('Name a directory with files: npm run bench -- real DIRECTORY');
    process.exit(2);
}
const files = readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(json|ndjson|log|csv)$/.test(entry.name))
    .map((entry) => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'utf8') }))
    // Smaller files would pass inline.
    .filter(({ text }) => text.length > 16_384)
    .sort((a, b) => (a.name < b.name ? -1 : 1));

const measured = { [`Node ${process.versions.node}`]: await measure(createTuckaway, files) };
const inPage = await inChromium('/scripts/real.mjs', files);
if (inPage !== undefined) {
    measured.Chromium = inPage;
}

/** Returns the limits that a file exceeds. */
function misses({ bytes, whole, bare, parse }) {
    return [
        whole > START_MS + (MS_PER_MB * bytes) / 1e6 && 'speed',
        whole > 2 * bare && 'preview',
        parse !== undefined && whole > 2 * parse && 'JSON.parse',
    ].filter(Boolean);
}

if (process.argv.includes('--json')) {
    console.log(JSON.stringify(measured, null, 2));
} else {
    for (const [where, rows] of Object.entries(measured)) {
        console.log(`| ${where} | KB | process(), ms | MB/s | x without preview | x JSON.parse | first call, ms | misses |`);
        console.log('|---|---|---|---|---|---|---|---|');
        for (const row of rows) {
            const { name, bytes, first, whole, bare, parse } = row;
            const ratios = [whole / bare, whole / parse].map((ratio) => (Number.isNaN(ratio) ? '' : ratio.toFixed(2)));
            const cells = [name, (bytes / 1e3).toFixed(0), whole.toFixed(2), (bytes / 1e3 / whole).toFixed(0), ...ratios];
            console.log(`| ${[...cells, first.toFixed(2), misses(row).join(', ')].join(' | ')} |`);
        }
    }
}
if (Object.values(measured).some((rows) => rows.some((row) => misses(row).length > 0))) {
    process.exitCode = 1;
}
