/** Folders of users who have installed the package from its tarball. */

import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, after } from 'node:test';
import { promisify } from 'node:util';

import { packageRoot } from '../support/browser.js';

const execute = promisify(execFile);

/** A folder with the package installed in it. */
export interface FreshFolder {
    path: string;
    /** Writes files, by their paths in the folder. */
    write(files: Record<string, string>): Promise<void>;
    /** Runs a program in the folder and returns its output. An error contains the whole output. */
    run(command: string, ...args: string[]): Promise<string>;
    /** Runs a program of one of our development dependencies, which may be missing in the folder. */
    tool(name: string, ...args: string[]): Promise<string>;
}

/** A tarball as `npm pack` makes it. */
interface Packed {
    tarball: string;
    /** The names of its files. */
    files: string[];
    /** A folder in which npm has installed it. */
    installed: string;
}

let packed: Promise<Packed> | undefined;
after(async () => {
    await packed?.then(({ tarball }) => rm(dirname(tarball), { recursive: true, force: true }));
});

/** Packs the package and installs it, once in a process: npm takes seconds for both. */
export function pack(): Promise<Packed> {
    packed ??= (async () => {
        const folder = await mkdtemp(join(tmpdir(), 'tuckaway-pack-'));
        // The package is already built; its prepack script would build it again during the other tests.
        const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder];
        const { stdout } = await execute('npm', args, { cwd: packageRoot });
        const [{ filename, files }] = JSON.parse(stdout) as [{ filename: string; files: { path: string }[] }];
        const [tarball, installed] = [join(folder, filename), join(folder, 'installed')];
        await mkdir(installed);
        await writeFile(join(installed, 'package.json'), '{ "private": true, "type": "module" }');
        await execute('npm', ['install', '--no-audit', '--no-fund', '--offline', tarball], { cwd: installed });
        return { tarball, files: files.map(({ path }) => path), installed };
    })();
    return packed;
}

/**
 * Returns a fresh folder in which the tarball is installed, with copies of packages that it names as peers. Within our own package,
 * the folder also finds our development dependencies.
 */
export async function install(test: TestContext, peers: string[] = [], isWithin = false): Promise<FreshFolder> {
    const parent = isWithin ? join(packageRoot, 'build') : tmpdir();
    await mkdir(parent, { recursive: true });
    const path = await mkdtemp(join(parent, 'tuckaway-fresh-'));
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
    await cp((await pack()).installed, path, { recursive: true });
    for (const peer of peers) {
        await cp(join(packageRoot, 'node_modules', peer), join(path, 'node_modules', peer), { recursive: true });
    }
    return fresh;
}
