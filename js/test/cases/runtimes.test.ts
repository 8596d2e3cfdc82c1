/** The cases in Deno, Bun and workerd, with the package that users install. */

import { join } from 'node:path';
import { test } from 'node:test';

import { type FreshFolder, install } from '../packaging/fresh.js';
import { inWorkerd } from '../packaging/workerd.js';
import { packageRoot } from '../support/browser.js';
import { bundle } from '../support/bundle.js';
import type { Report } from './corpus/corpus.js';
import { caseFiles, judge, ONLY } from './corpus/files.js';

/** Precedes the report in the output of a runtime, which may print lines of its own. */
const MARK = 'the report: ';

/** Returns the program that prints the report of all cases. The cases are a text: their JSON is parsed in the runtime. */
const program = (ending: string) => `
    import { run } from './runner.js';
    import cases from './cases.js';
    const print = async () => {
        console.log(${JSON.stringify(MARK)} + JSON.stringify(await run(JSON.parse(cases), ${JSON.stringify(ONLY)})));
    };
    ${ending}
`;

/** The runtimes: how the program ends, and how it runs. */
const RUNTIMES: [name: string, ending: string, run: (fresh: FreshFolder) => Promise<string>][] = [
    ['Deno', 'await print();', (fresh) => fresh.tool('deno', 'run', '--allow-read', 'main.js')],
    ['Bun', 'await print();', (fresh) => fresh.tool('bun', 'run', 'main.js')],
    ['workerd', 'export default { test: print };', inWorkerd],
];

test('the cases, in other runtimes', async (t) => {
    const fresh = await install(t);
    await fresh.write({ 'cases.js': `export default ${JSON.stringify(JSON.stringify(caseFiles()))};` });
    for (const module of ['sync', 'async']) {
        const runner = JSON.stringify(join(packageRoot, `test/cases/corpus/${module}.ts`));
        const script = await bundle(`export { run } from ${runner};`, { external: ['tuckaway', 'tuckaway/*'] });
        for (const [name, ending, run] of RUNTIMES) {
            await t.test(`${module}, in ${name}`, async (t) => {
                await fresh.write({ 'runner.js': script, 'main.js': program(ending) });
                const printed = (await run(fresh)).split('\n').find((line) => line.startsWith(MARK));
                if (printed === undefined) {
                    throw new Error(`${name} printed no report`);
                }
                judge(t, JSON.parse(printed.slice(MARK.length)) as Report);
            });
        }
    }
});
