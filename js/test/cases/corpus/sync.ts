/** The cases through `tuckaway`. */

import { createTuckaway } from 'tuckaway';

import { CONTEXT_WINDOW, run as runCases, type CaseFile, type Report } from './corpus.js';

export function run(files: readonly CaseFile[], only: string): Promise<Report> {
    return runCases(
        (world) => createTuckaway({ store: world, tokens: (text) => world.count(text), contextWindow: CONTEXT_WINDOW }),
        files,
        only,
    );
}
