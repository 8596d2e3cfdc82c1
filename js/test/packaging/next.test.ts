/** The tarball in the server bundle of Next. */

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { packageRoot } from '../support/browser.js';
import { install } from './fresh.js';
import { ANSWER, NEXT_ROUTE, single } from './programs.js';

test('a route of Next runs the tarball, bundled', async (t) => {
    // Within the package: Next resolves itself from the folder of the program, and follows no links out of its root.
    const fresh = await install(t, [], true);
    await fresh.write({
        'next.config.js': `export default { turbopack: { root: ${JSON.stringify(packageRoot)} } };`,
        'app/layout.js': 'export default ({ children }) => <html><body>{children}</body></html>;',
        'app/answer/route.js': single('tuckaway', '', NEXT_ROUTE),
    });
    await fresh.run('env', 'NEXT_TELEMETRY_DISABLED=1', join(packageRoot, 'node_modules/.bin/next'), 'build');
    assert.equal(await readFile(join(fresh.path, '.next/server/app/answer.body'), 'utf8'), ANSWER);
});
