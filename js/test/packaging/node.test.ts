/** The tarball, installed in a fresh folder: its files, the README's example, and its types. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';

import { packageRoot } from '../support/browser.js';
import { commandLine } from '../support/command-line.js';
import { consumer } from './consumer.js';
import { install, pack } from './fresh.js';
import { ANSWER, PRINT, agents } from './programs.js';

/** Returns the strings in a tree of objects. */
function leaves(tree: object): string[] {
    return Object.values(tree).flatMap((value) => (typeof value === 'string' ? value : leaves(value as object)));
}

test('the tarball', async (t) => {
    const { files } = await pack();

    await t.test('has the files in the exports map, and no sources or tests', () => {
        const { exports } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { exports: object };
        const named = leaves(exports).filter((path) => !path.includes('*')).map((path) => path.replace('./', ''));
        assert.ok(named.length > 15, `the exports map names ${named}`);
        for (const file of named) {
            assert.ok(files.includes(file), `${file} is missing`);
        }
        for (const file of ['README.md', 'LICENSE-APACHE', 'LICENSE-MIT', 'generated/core.wasm', 'generated/component.wasm']) {
            assert.ok(files.includes(file), `${file} is missing`);
        }
        const contract = readdirSync(join(packageRoot, '../wit')).map((file) => `wit/${file}`);
        assert.deepEqual(files.filter((file) => file.startsWith('wit/')).sort(), contract.sort());
        assert.deepEqual(files.filter((file) => !/^(dist|generated|wit)\/|^(README\.md|LICENSE-\w+|package\.json)$/.test(file)), []);
        assert.deepEqual(files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts')), []);
    });

    await t.test("runs the README's example on a real file, with the same view as the Rust command line", async (t) => {
        const fresh = await install(t, ['gpt-tokenizer']);
        const example = /```js\n(\/\/ view\.mjs\n[^`]*)```/.exec(readFileSync(join(packageRoot, 'README.md'), 'utf8'))?.[1];
        assert.ok(example !== undefined, 'README.md has no example that begins with // view.mjs');
        // The output of a real tool that is available wherever the tests run: our dependencies according to npm.
        const output = execFileSync('npm', ['query', '*'], { cwd: packageRoot, encoding: 'utf8', maxBuffer: 1 << 26 });
        await fresh.write({ 'view.mjs': example, 'output.json': output });
        const view = await fresh.run('node', 'view.mjs', 'output.json');
        assert.match(view, /^\{\n {2}"artifact_id": "art_cat_[a-z0-9]{10}",\n {2}"size_bytes": \d+,/);
        assert.ok(existsSync(join(fresh.path, 'outputs')), 'the example keeps its outputs in a folder');

        const cli = commandLine();
        const args = ['--store', 'memory', 'offload', '--tool', 'cat', '--window', '128000', 'output.json'];
        const native = execFileSync(cli, args, { cwd: fresh.path, encoding: 'utf8', stdio: 'pipe' });
        const withoutId = (text: string) => text.replace(/art_cat_[a-z0-9]{10}/, 'art_cat_…').trimEnd();
        assert.equal(withoutId(view), withoutId(native));

        // The command line can read the folder that Node has written.
        const id = /art_cat_[a-z0-9]{10}/.exec(view)?.[0] ?? '';
        const read = ['--store', 'dir:outputs', 'read', id, '--bytes', '0:100'];
        assert.equal(execFileSync(cli, read, { cwd: fresh.path, encoding: 'utf8' }).slice(0, 100), output.slice(0, 100));
    });

    await t.test('runs agent loops, and resolves the contract', async (t) => {
        const fresh = await install(t);
        await fresh.write({ 'agents.js': `${agents('tuckaway')}${PRINT}` });
        assert.equal((await fresh.run('node', 'agents.js')).trim(), ANSWER);
        const resolve = "console.log(import.meta.resolve('tuckaway/wit/world.wit'))";
        const resolved = await fresh.run('node', '--input-type=module', '--eval', resolve);
        assert.equal(
            readFileSync(new URL(resolved.trim()), 'utf8'),
            readFileSync(join(packageRoot, '../wit/world.wit'), 'utf8'),
        );
    });

    await t.test("runs the store contract, as the README's example does", async (t) => {
        const fresh = await install(t);
        const example = /```js\n(\/\/ own-store\.test\.mjs\n[^`]*)```/.exec(readFileSync(join(packageRoot, 'README.md'), 'utf8'))?.[1];
        assert.ok(example !== undefined, 'README.md has no example that begins with // own-store.test.mjs');
        const own = "import { MemoryStore } from 'tuckaway';\nexport class OwnStore extends MemoryStore { ";
        await fresh.write({ 'own-store.test.mjs': example, 'own-store.mjs': `${own} }` });
        // With this variable, the runner would consider itself a part of this test.
        const run = () => fresh.run('env', '-u', 'NODE_TEST_CONTEXT', 'node', '--test', '--test-reporter=tap', 'own-store.test.mjs');
        assert.match(await run(), /^# fail 0$/m);
        // A store that violates the contract is detected.
        await fresh.write({ 'own-store.mjs': `${own} listArtifacts() { return super.listArtifacts().reverse(); } }` });
        await assert.rejects(run, /not ok \d+ - artifacts are listed oldest first, even within one second/);
    });

    await t.test('has an S3 store, whose client is a separate package', async (t) => {
        const fresh = await install(t);
        await fresh.write({ 'fleet.mjs': "import { BucketStore } from 'tuckaway/s3'; console.log(typeof BucketStore.open);" });
        await assert.rejects(fresh.run('node', 'fleet.mjs'), /Cannot find package '@aws-sdk\/client-s3'/);
        // The client has many dependencies, which are all in one place here.
        await symlink(join(packageRoot, 'node_modules/@aws-sdk'), join(fresh.path, 'node_modules/@aws-sdk'));
        assert.equal(await fresh.run('node', 'fleet.mjs'), 'function\n');
        const program = `
            import { S3Client } from '@aws-sdk/client-s3';
            import type { AsyncSessions, AsyncStore } from 'tuckaway/async';
            import { BucketStore, type BucketStoreOptions } from 'tuckaway/s3';
            const options: BucketStoreOptions = { client: new S3Client({}), bucket: 'b', session: 'a', maxAgeSeconds: 60 };
            export const store: AsyncStore & AsyncSessions<BucketStore> = BucketStore.open(options).session('inner');
        `;
        await fresh.write({ 'fleet.ts': program });
        // The client's own types need the types of newer environments than ours.
        const options = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--lib', 'es2022,dom', '--module', 'nodenext'];
        await fresh.tool('tsc', ...options, '--types', '', 'fleet.ts');
    });

    await t.test('has types that a strict consumer compiles against', async (t) => {
        const fresh = await install(t, ['@types/node', 'undici-types', 'gpt-tokenizer']);
        await fresh.write({ 'consumer.ts': consumer });
        const options = ['--noEmit', '--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--target', 'es2022'];
        const settings = {
            'Node, without the DOM types': ['--module', 'nodenext', '--lib', 'es2022', '--types', 'node'],
            'a bundler': ['--module', 'esnext', '--moduleResolution', 'bundler', '--lib', 'es2022,dom'],
        };
        for (const [name, setting] of Object.entries(settings)) {
            await t.test(name, async () => {
                await fresh.tool('tsc', ...options, ...setting, 'consumer.ts');
            });
        }
        await t.test('which reject invalid programs', async () => {
            await fresh.write({
                'wrong.ts': [
                    "import { createTuckaway } from 'tuckaway';",
                    "const tuckaway = await createTuckaway({ contextWindow: 8000, policy: { minThreshold: 1 } });",
                    "tuckaway.process({ tool: 'a', text: 'b' });",
                    "tuckaway.process({ tool: 'a', content: 'b', blocks: [] });",
                    "tuckaway.toolDefinitions(['write']);",
                    'createTuckaway({ contextWindow: 8000, tokens: async () => 1 });',
                    'createTuckaway({});',
                    'createTuckaway();',
                    'export {};',
                ].join('\n'),
            });
            const compile = fresh.tool('tsc', ...options, ...settings['a bundler'], 'wrong.ts');
            await assert.rejects(compile, (error: Error) => {
                for (const line of [2, 3, 4, 5, 6, 7, 8]) {
                    assert.match(error.message, new RegExp(`wrong\\.ts\\(${line},`));
                }
                return true;
            });
        });
    });
});
