#!/usr/bin/env node
/**
 * The command `tuckaway`, as `npx tuckaway` runs it: starts the program that the package of this platform contains.
 * That package is an optional dependency, so npm installs only the matching one.
 */

import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import process from 'node:process';

/** Signals that end a program: the command decides what to do about them, and the launcher ends with it. */
const FORWARDED: NodeJS.Signals[] = ['SIGHUP', 'SIGINT', 'SIGTERM'];

/** Returns the name of this platform's package. */
function packageName(): string {
    const isMusl = process.platform === 'linux' && !hasGlibc();
    return `@tuckaway/command-${process.platform}-${process.arch}${isMusl ? '-musl' : ''}`;
}

function hasGlibc(): boolean {
    const { header } = process.report.getReport() as { header: { glibcVersionRuntime?: string } };
    return header.glibcVersionRuntime !== undefined;
}

function findProgram(name: string): string | undefined {
    const file = process.platform === 'win32' ? 'tuckaway.exe' : 'tuckaway';
    try {
        return createRequire(import.meta.url).resolve(`${name}/bin/${file}`);
    } catch {
        return undefined;
    }
}

function fail(message: string): void {
    console.error(`tuckaway: ${message}`);
    process.exitCode = 1;
}

const name = packageName();
const program = findProgram(name);
if (program === undefined) {
    fail(
        `the package ${name}, which contains the command for this platform, is not installed. Install tuckaway again ` +
            'without --omit=optional, or install the command with `cargo install tuckaway-cli`.',
    );
} else {
    const child = spawn(program, process.argv.slice(2), { stdio: 'inherit' });
    for (const signal of FORWARDED) {
        process.on(signal, () => child.kill(signal));
    }
    child.on('error', (error) => fail(`cannot start ${program}: ${error.message}`));
    child.on('exit', (status, signal) => {
        // As a shell reports a program that a signal has ended.
        process.exitCode = status ?? 128 + (signal === null ? 0 : constants.signals[signal]);
    });
}
