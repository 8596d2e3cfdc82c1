/**
 * Two independent servers with the API of S3, for tests of stores: s3s-fs and moto. They are started on a free port of
 * the loopback address. A test fails if one of them cannot be started.
 */

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';

import { packageRoot } from './browser.js';

/** The servers, by name. */
export const SERVERS = ['s3s-fs', 'moto'] as const;

/** The bucket that every server has. */
export const BUCKET = 'secret-bucket';

/** Credentials that every server accepts. */
export const CREDENTIALS = { accessKeyId: 'AKIASECRETID', secretAccessKey: 'secret-access-key' };

/** A server that runs until the end of the test. */
export interface ObjectServer {
    /** Its port on 127.0.0.1. */
    port: number;
    /** A client of the server, or of a proxy in front of it. */
    client(port?: number): S3Client;
}

/** Starts a server with an empty bucket. */
export async function startServer(test: TestContext, name: (typeof SERVERS)[number]): Promise<ObjectServer> {
    const programs = await installed();
    const port = await freePort();
    const folder = await mkdtemp(join(tmpdir(), 'tuckaway-objects-'));
    const keys = ['--access-key', CREDENTIALS.accessKeyId, '--secret-key', CREDENTIALS.secretAccessKey];
    const address = ['--host', '127.0.0.1', '--port', String(port)];
    const [program, args] = name === 'moto' ? [programs.moto, address] : [programs.s3s_fs, [...address, ...keys, folder]];
    const server = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
    test.after(async () => {
        await stop(server);
        await rm(folder, { recursive: true, force: true });
    });
    await answers(server, port, name);
    const client = (at = port) => {
        const made = clientOf(at);
        test.after(() => made.destroy());
        return made;
    };
    await client().send(new CreateBucketCommand({ Bucket: BUCKET }));
    return { port, client };
}

/** Returns a client of the server at a port. */
export function clientOf(port: number): S3Client {
    return new S3Client({
        endpoint: `http://127.0.0.1:${port}`,
        region: 'us-east-1',
        forcePathStyle: true,
        credentials: CREDENTIALS,
    });
}

/** Returns a port without a listener. */
export async function freePort(): Promise<number> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    return port;
}

let programs: Promise<{ s3s_fs: string; moto: string }> | undefined;

/** Returns the programs of the servers, which are installed below cargo's target directory if they are missing. */
function installed(): Promise<{ s3s_fs: string; moto: string }> {
    programs ??= (async () => {
        const args = ['xtask', 'object-servers', '--json'];
        const { stdout } = await promisify(execFile)('cargo', args, { cwd: join(packageRoot, '..') });
        return JSON.parse(stdout) as { s3s_fs: string; moto: string };
    })();
    return programs;
}

/** Waits until a server accepts connections. */
async function answers(server: ChildProcess, port: number, name: string): Promise<void> {
    let said = '';
    server.stderr?.on('data', (data) => (said = `${said}${data}`.slice(-2000)));
    let failed: Error | undefined;
    server.on('error', (error) => (failed = error));
    for (let tries = 0; tries < 600; tries++) {
        if (failed !== undefined || server.exitCode !== null) {
            throw new Error(`${name} did not start: ${failed?.message ?? said}`);
        }
        const isOpen = await new Promise<boolean>((answered) => {
            const socket = connect(port, '127.0.0.1', () => answered(true));
            socket.on('connect', () => socket.destroy());
            socket.on('error', () => answered(false));
        });
        if (isOpen) {
            return;
        }
        await pause(100);
    }
    throw new Error(`${name} does not answer after a minute: ${said}`);
}

async function stop(server: ChildProcess): Promise<void> {
    if (server.exitCode === null && server.kill('SIGKILL')) {
        await new Promise((exited) => server.once('exit', exited));
    }
}
