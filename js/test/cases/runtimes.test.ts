/** The cases in Deno, Bun and workerd. */

import { test } from 'node:test';

import { install } from '../packaging/fresh.js';
import { callIn, RUNTIMES } from '../packaging/runtimes.js';
import type { Report } from './corpus/corpus.js';
import { caseFiles, judge, ONLY } from './corpus/files.js';

test('the cases, in other runtimes', async (t) => {
    const fresh = await install(t);
    for (const runtime of Object.keys(RUNTIMES)) {
        for (const module of ['sync', 'async']) {
            await t.test(`${module}, in ${runtime}`, async (t) => {
                const [answer] = await callIn(runtime, fresh, `cases/corpus/${module}.ts`, [['run', caseFiles(), ONLY]]);
                if (answer?.error !== undefined) {
                    throw new Error(answer.error);
                }
                judge(t, answer?.value as Report);
            });
        }
    }
});
