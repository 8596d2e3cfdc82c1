/** Reads the case files from the disk, and judges the report of a run. In Node only. */

import { readFileSync, readdirSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { TestContext } from 'node:test';

import { packageRoot } from '../../support/browser.js';
import type { CaseFile, Report } from './corpus.js';
import type { JsonObject } from './json.js';

/** Part of the name of files or cases; if set, only those are run. */
export const ONLY = process.env.TUCKAWAY_CASES ?? '';

/** The directory of the cases, or of random ones. */
const ROOT = process.env.TUCKAWAY_CASES_FROM ?? join(packageRoot, '..', 'cases');

/** Reads all case files, in the order of their names; `data` contains fixtures. */
export function caseFiles(): CaseFile[] {
    const names = readdirSync(ROOT, { recursive: true, encoding: 'utf8' })
        .map((name) => name.split(sep).join('/'))
        .filter((name) => name.endsWith('.json') && !name.startsWith('data/'))
        .sort();
    const withFixtures = (_key: string, value: unknown) => {
        const fixture = (value as { file?: unknown } | null)?.file;
        return typeof fixture === 'string' && fixture.startsWith('data/')
            ? { base64: readFileSync(join(ROOT, fixture), 'base64') }
            : value;
    };
    return names.map((name) => ({
        name,
        content: JSON.parse(readFileSync(join(ROOT, name), 'utf8'), withFixtures) as JsonObject,
    }));
}

/** Prints how many cases ran, and fails if there were failures or if none ran. */
export function judge(test: TestContext, { passed, skipped, failures }: Report): void {
    for (const skip of skipped) {
        test.diagnostic(`skipped: ${skip}`);
    }
    test.diagnostic(`${passed} cases passed, ${skipped.length} skipped, ${failures.length} failed`);
    if (failures.length > 0) {
        throw new Error(`${failures.length} cases failed\n\n${failures.join('\n\n')}`);
    }
    if (passed + skipped.length === 0) {
        throw new Error(`there is no case with ${JSON.stringify(ONLY)} in its name`);
    }
}
