/** The cases through `tuckaway/async`, with a store and a token counter that answer later. */

import { createTuckaway } from 'tuckaway/async';

import { run as runCases, type CaseFile, type Report } from './corpus.js';
import { later } from './world.js';

export function run(files: readonly CaseFile[], only: string): Promise<Report> {
    return runCases((world) => createTuckaway(later(world)), files, only);
}
