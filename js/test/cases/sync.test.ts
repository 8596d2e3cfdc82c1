/** The cases in Node. */

import { test } from 'node:test';

import { caseFiles, judge, ONLY } from './corpus/files.js';
import { run } from './corpus/sync.js';

test('the cases, in Node', async (t) => {
    judge(t, await run(caseFiles(), ONLY));
});
