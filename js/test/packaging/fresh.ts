/** Folders of users who have installed the package from its tarball. */

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';

import { packageRoot } from '../support/browser.js';

const execute = promisify(execFile);

/** A folder with the package installed in it. */
export interface FreshFolder {
    path: string;
    /** Writes files, by their paths in the folder. */
    write(files: Record<string, string>): Promise<void>;
    /** Runs a program in the folder and returns what it printed. An error contains the whole output. */
    run(command: string, ...args: string[]): Promise<string>;
    /** Runs a program of one of our development dependencies, which the folder need not have. */
    tool(name: string, ...args: string[]): Promise<string>;
}

/** Packs the package as `npm pack` does, and returns the tarball and the names of its files. */
export async function pack(test: TestContext): Promise<{ tarball: string; files: string[] }> {
    const folder = await mkdtemp(join(tmpdir(), 'tuckaway-pack-'));
    test.after(() => rm(folder, { recursive: true, force: true }));
    // The package is already built; its prepack script would build it again during the other tests.
    const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
    const { stdout } = await execute('npm', args, { cwd: packageRoot });
    const [packed] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
    return { tarball: join(folder, packed.filename), files: packed.files.map(({ path }) => path) };
}

/** Installs the tarball in a fresh folder, with copies of packages that it names as peers. */
export async function install(test: TestContext, tarball: string, peers: string[] = []): Promise<FreshFolder> {
    const path = await mkdtemp(join(tmpdir(), 'tuckaway-fresh-'));
    test.after(() => rm(path, { recursive: true, force: true }));
    const run = async (command: string, ...args: string[]) => {
        try {
            return (await execute(command, args, { cwd: path, maxBuffer: 1 << 26 })).stdout;
        } catch (error) {
            const { stdout, stderr } = error as { stdout: string; stderr: string };
            throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}${stderr}`, { cause: error });
        }
    };
    const fresh: FreshFolder = {
        path,
        run,
        write: async (files) => {
            for (const [name, content] of Object.entries(files)) {
                await mkdir(dirname(join(path, name)), { recursive: true });
                await writeFile(join(path, name), content);
            }
        },
        tool: (name, ...args) => run(join(packageRoot, 'node_modules/.bin', name), ...args),
    };
    await fresh.write({ 'package.json': '{ "private": true, "type": "module" }' });
    await run('npm', 'install', '--no-audit', '--no-fund', '--offline', tarball);
    for (const peer of peers) {
        await cp(join(packageRoot, 'node_modules', peer), join(path, 'node_modules', peer), { recursive: true });
    }
    return fresh;
}
