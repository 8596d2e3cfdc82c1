/** The cases through `tuckaway/async`, with an asynchronous store and token counter. */

import { createTuckaway } from 'tuckaway/async';

import { CONTEXT_WINDOW, run as runCases, type CaseFile, type Report } from './corpus.js';
import { asyncPorts } from './world.js';

export function run(files: readonly CaseFile[], only: string): Promise<Report> {
    return runCases((world) => createTuckaway({ ...asyncPorts(world), contextWindow: CONTEXT_WINDOW }), files, only);
}
