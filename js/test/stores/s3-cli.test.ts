/** Two machines: the Rust command line and an agent in Node share a session in a bucket. `TUCKAWAY_CLI` names the binary. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';

import { mint } from 'tuckaway';

import { packageRoot } from '../support/browser.js';
import { commandLine } from '../support/command-line.js';
import { BUCKET, CREDENTIALS, SERVERS, startServer } from '../support/object-servers.js';

const ROWS = JSON.stringify(Array.from({ length: 1000 }, (_, id) => ({ id, name: `row ${id} é漢🦀` })));

/** Number of artifacts that each side stores while the other does. */
const EACH = 12;

/** The output of both sides for an artifact, with the peer's digest; or the peer's error. */
interface Printed {
    id: string;
    tool: string;
    sha256?: string;
    error?: string;
}

for (const server of SERVERS) {
    test(`the Rust command line and an agent in Node share a session of ${server}`, async (t) => {
        const { port } = await startServer(t, server);
        const prefix = mint('machines');
        const env = {
            ...process.env,
            TUCKAWAY_S3_ENDPOINT: `http://127.0.0.1:${port}`,
            TUCKAWAY_S3_BUCKET: BUCKET,
            TUCKAWAY_S3_PREFIX: prefix,
            TUCKAWAY_S3_SESSION: 'machines',
            TUCKAWAY_S3_SEGMENT_BYTES: '1000',
            AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
            AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
            AWS_REGION: 'us-east-1',
        };
        const place = ['--store', `s3://${BUCKET}/${prefix}`, '--store-endpoint', env.TUCKAWAY_S3_ENDPOINT];
        const rust = async (args: string[], input = '', session = 'machines') => {
            const { error, stdout } = await run(commandLine(), [...place, '--session', session, ...args], input, env);
            assert.equal(error, null);
            return stdout;
        };
        const script = join(packageRoot, 'test/support/s3-peer.mjs');
        const node = async (args: string[], input = '') => {
            const { stdout } = await run(process.execPath, ['--no-warnings', script, ...args], input, env);
            return stdout.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Printed);
        };
        const offload = async (text: string) => {
            const view = await rust(['offload', '--window', '8000', '--tool', 'sql query'], text);
            return (JSON.parse(view) as { artifact_id: string }).artifact_id;
        };
        const listed = async () => JSON.parse(await rust(['list', '--json'])) as Printed[];

        const theirs = await offload(ROWS);
        const [found] = await node(['list']);
        assert.deepEqual([found?.id, found?.tool, found?.sha256], [theirs, 'sql query', sha256(ROWS)]);
        const [ours] = await node(['put', 'fetch'], ROWS);
        assert.equal(await rust(['jq', ours!.id, '.[999].name', '-r']), 'row 999 é漢🦀\n');
        assert.deepEqual((await listed()).map(({ id, tool }) => [id, tool]), [[theirs, 'sql query'], [ours!.id, 'fetch']]);
        assert.equal(await rust(['list', '--json'], '', 'other').then((text) => (JSON.parse(text) as []).length), 0);

        // Both at once.
        const putting = node(['put', 'noise', String(EACH), '20000']);
        const rows = Array.from({ length: EACH }, (_, n) => JSON.stringify([n, ROWS]));
        const offloaded: string[] = [];
        for (const text of rows) {
            offloaded.push(await offload(text));
        }
        const written = [theirs, ours!.id, ...offloaded, ...(await putting).map(({ id }) => id)];
        const [byNode, byRust] = [await node(['list']), await listed()];
        assert.deepEqual(byNode.map(({ id }) => id), byRust.map(({ id }) => id));
        assert.deepEqual([...written].sort(), byRust.map(({ id }) => id).sort());
        assert.deepEqual(offloaded.map((id) => byNode.find((one) => one.id === id)?.sha256), rows.map(sha256));
        for (const { id, sha256: digest } of await putting) {
            assert.equal(byNode.find((one) => one.id === id)?.sha256, digest);
        }

        // Each removes an artifact that the other has stored.
        await rust(['rm', ours!.id]);
        assert.equal((await node(['stat', ours!.id]))[0]?.error, 'not_found');
        await node(['delete', theirs]);
        assert.equal((await listed()).length, written.length - 2);
        // An artifact that one side expires is expired for the other, with the name of its tool.
        await rust(['gc', '--quota', '1']);
        const [expired] = await node(['stat', offloaded[0]!]);
        assert.deepEqual([expired?.error, expired?.tool], ['expired', 'sql query']);
        assert.deepEqual(await node(['list']), []);
    });
}

/** Runs a program until it ends. */
function run(program: string, args: string[], input: string, env: NodeJS.ProcessEnv): Promise<{ error: Error | null; stdout: string }> {
    return new Promise((resolve) => {
        const child = execFile(program, args, { env, maxBuffer: 64 << 20 }, (error, stdout) => resolve({ error, stdout }));
        child.stdin?.end(input);
    });
}

function sha256(text: string): string {
    return createHash('sha256').update(text).digest('hex');
}
