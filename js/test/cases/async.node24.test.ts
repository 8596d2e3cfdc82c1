/** The cases through `tuckaway/async`, in a version of Node that can suspend WebAssembly. */

import { test } from 'node:test';

import { run } from './corpus/async.js';
import { caseFiles, judge, ONLY } from './corpus/files.js';

test('the cases, with an asynchronous store', async (t) => {
    judge(t, await run(caseFiles(), ONLY));
});
