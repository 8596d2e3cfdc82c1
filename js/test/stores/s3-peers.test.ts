/** Agents in separate processes that share a session in a bucket. */

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

import { mint } from 'tuckaway';
import { BucketStore } from 'tuckaway/s3';

import { packageRoot } from '../support/browser.js';
import { BUCKET, CREDENTIALS, SERVERS, startServer } from '../support/object-servers.js';
import { ids } from './contract.js';

const PROCESSES = 4;
const EACH = 15;

/** The output of a peer. */
interface Printed {
    id: string;
    tool: string;
    size_bytes: number;
    sha256: string;
}

for (const server of SERVERS) {
    test(`${PROCESSES} processes put and list in one session of ${server} at once`, async (t) => {
        const { port, client } = await startServer(t, server);
        const prefix = mint('peers');
        const env = {
            ...process.env,
            TUCKAWAY_S3_ENDPOINT: `http://127.0.0.1:${port}`,
            TUCKAWAY_S3_BUCKET: BUCKET,
            TUCKAWAY_S3_PREFIX: prefix,
            TUCKAWAY_S3_SESSION: 'shared',
            TUCKAWAY_S3_SEGMENT_BYTES: '4096',
            AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
            AWS_SECRET_ACCESS_KEY: CREDENTIALS.secretAccessKey,
            AWS_REGION: 'us-east-1',
        };
        const peer = async (...args: string[]): Promise<Printed[]> => {
            const script = join(packageRoot, 'test/support/s3-peer.mjs');
            const run = promisify(execFile)(process.execPath, ['--no-warnings', script, ...args], { env });
            const { stdout } = await run.catch((error: { stdout: string }) => error);
            return stdout.split('\n').filter((line) => line !== '').map((line) => JSON.parse(line) as Printed);
        };
        const store = BucketStore.open({ client: client(), bucket: BUCKET, prefix, session: 'shared' });
        const putting = Array.from({ length: PROCESSES }, (_, n) => peer('put', `tool ${n}`, String(EACH), '20000'));
        // Every listing in the meantime shows only complete artifacts, in a stable order.
        let isDone = false;
        const watching = (async () => {
            let before: string[] = [];
            while (!isDone) {
                const listed = await store.listArtifacts();
                for (const { id, sizeBytes } of listed) {
                    assert.equal((await store.read(id, 0, 1e9)).length, sizeBytes);
                }
                const now = listed.map(({ id }) => id);
                assert.deepEqual(now.filter((id) => before.includes(id)), before);
                before = now;
            }
        })();
        const written = (await Promise.all(putting)).flat();
        isDone = true;
        await watching;
        assert.equal(written.length, PROCESSES * EACH);
        const listed = await peer('list');
        assert.deepEqual(listed.map(({ id }) => id), await ids(store));
        const byId = (a: Printed, b: Printed) => (a.id < b.id ? -1 : 1);
        assert.deepEqual([...listed].sort(byId), [...written].sort(byId));
        await peer('delete', listed[0]!.id);
        assert.deepEqual(await peer('stat', listed[0]!.id), [{ error: 'not_found', message: 'not_found' }]);
        assert.equal((await store.listArtifacts()).length, PROCESSES * EACH - 1);
    });
}
