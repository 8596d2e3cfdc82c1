// `npm run bench -- hostile`: measures the filters of the corpus that are meant to run forever, in this Node and, if it
// is installed, in Chromium. `--json` prints all results as records. The times are wall-clock times: they are longer on
// a busy machine.

import { readFileSync } from 'node:fs';

import { createTuckaway } from 'tuckaway';

import { inChromium } from './chromium.mjs';
import { measure } from './hostile.mjs';

const BUDGET_MS = 2000;
const SHOWN = 10;

const js = new URL('../', import.meta.url);
const cases = JSON.parse(readFileSync(new URL('../cases/query/jq-hostile.json', js), 'utf8'));

const measured = { [`Node ${process.versions.node}`]: await measure(createTuckaway, cases) };
const inPage = await inChromium('/scripts/hostile.mjs', cases);
if (inPage !== undefined) {
    measured.Chromium = inPage;
}

if (process.argv.includes('--json')) {
    console.log(JSON.stringify(measured, null, 2));
} else {
    for (const [where, runs] of Object.entries(measured)) {
        runs.sort((a, b) => b.ms - a.ms);
        const limits = runs.filter(({ ended }) => ended === 'limit').length;
        console.log(`| ${where}: ${runs.length} filters, ${limits} end with a limit | ms | ends with |\n|---|---|---|`);
        for (const { filter, ms, ended } of runs.slice(0, SHOWN)) {
            const shown = filter.length > 140 ? `${filter.slice(0, 70)} … ${filter.slice(-70)}` : filter;
            console.log(`| \`${shown.replaceAll('|', '\\|')}\` | ${ms.toFixed(0)} | ${ended} |`);
        }
    }
}
for (const [where, runs] of Object.entries(measured)) {
    const missed = runs.filter(({ ms }) => ms > BUDGET_MS).length;
    if (missed > 0) {
        console.error(`${where}: ${missed} filters take more than ${BUDGET_MS} ms.`);
        process.exitCode = 1;
    }
}
