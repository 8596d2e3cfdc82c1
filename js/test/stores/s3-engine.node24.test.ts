/**
 * The engine over a BucketStore whose server fails: the model always gets a bounded view, and the decision names the
 * failure.
 */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';

import { mint } from 'tuckaway';
import { createTuckaway } from 'tuckaway/async';
import { BucketStore } from 'tuckaway/s3';

import { thrown } from '../support/expect.js';
import { type Fault, type Seen, startProxy } from '../support/fault-proxy.js';
import { BUCKET, SERVERS, clientOf, freePort, startServer } from '../support/object-servers.js';

const ROWS = JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}` })));

const FAULTS: [Fault, string][] = [
    [503, 'putting a segment: HTTP 503'],
    ['reset-request', 'putting a segment: the connection was reset'],
    ['stall', 'putting a segment: no answer in time'],
    ['lose-answer', 'putting a segment: the connection was reset'],
];

for (const server of SERVERS) {
    test(`tuckaway over a BucketStore and ${server}`, async (t) => {
        const { port } = await startServer(t, server);
        const proxy = await startProxy(t, port);
        const times = { timeoutMs: 1500, operationTimeoutMs: 12_000 };
        const place = { bucket: BUCKET, prefix: mint('engine'), segmentBytes: 100_000, ...times };
        const open = (at = proxy.port) => BucketStore.open({ ...place, client: clientOf(at) });
        const store = open();
        using tuckaway = await createTuckaway({ store, contextWindow: 8000 });

        const { artifacts: [artifact], decision } = await tuckaway.process({ tool: 'sql', content: ROWS });
        assert.deepEqual([decision.action, decision.failures], ['artifact', []]);
        const id = artifact!.id;
        const last = () => tuckaway.jq(id, '.[19999].name', { raw: true });
        assert.equal((await last()).text.trim(), 'row 19999');

        for (const [fault, said] of FAULTS) {
            await t.test(`${fault}: outputs are truncated`, async () => {
                proxy.fault = (seen: Seen) => (seen.method === 'PUT' ? fault : undefined);
                const view = await tuckaway.process({ tool: 'sql', content: ROWS });
                proxy.fault = undefined;
                assert.equal(view.decision.action, 'truncate');
                const failures = view.decision.failures.map(({ message }) => message).join('\n');
                assert.ok(failures.includes(said), failures);
                assert.doesNotMatch(failures + view.text, /secret|AKIA|127\.0\.0\.1/);
                assert.ok(view.text.length < 10_000, `${view.text.length} characters`);
                // Only sealed artifacts are there, and they are complete.
                assert.deepEqual((await open(port).listArtifacts()).map((each) => each.id), [id]);
                assert.equal((await last()).text.trim(), 'row 19999');
            });
        }

        await t.test('a server that cannot be reached', async () => {
            using other = await createTuckaway({ store: open(await freePort()), contextWindow: 8000 });
            const view = await other.process({ tool: 'sql', content: ROWS });
            assert.equal(view.decision.action, 'truncate');
            assert.match(view.decision.failures[0]?.message ?? '', /putting a segment: the connection was refused/);
        });

        await t.test('failed queries name the failure, and succeed later', async () => {
            using other = await createTuckaway({ store: open(), contextWindow: 8000 });
            proxy.fault = () => 503;
            const ask = () => other.callTool('artifact_jq', { artifact_id: id, filter: '.[0].name' });
            await assert.rejects(ask, { kind: 'store', message: /getting metadata: HTTP 503/ });
            proxy.fault = (seen) => (seen.kind === 'segment' ? 'end-answer' : undefined);
            await assert.rejects(ask, (error: Error) => {
                assert.match(error.message, /getting a segment: the answer ended early/);
                assert.doesNotMatch(inspect(error), /secret|AKIA|127\.0\.0\.1/);
                return true;
            });
            proxy.fault = undefined;
            assert.equal((await other.callTool('artifact_jq', { artifact_id: id, filter: '.[0].name' })).isError, false);
        });

        await t.test('an expired artifact: the reply names the tool and the time of expiry', async () => {
            const clock = () => Date.UTC(2040, 0, 1);
            const late = BucketStore.open({ ...place, client: clientOf(port), maxAgeSeconds: 3600, clock });
            using other = await createTuckaway({ store: late, contextWindow: 8000 });
            const { text, isError } = await other.callTool('artifact_jq', { artifact_id: id, filter: '.[0]' });
            const { expiry } = await thrown(() => late.stat(id), 'expired');
            const when = new Date(1000 * expiry!.expiredAt).toISOString().slice(0, 16);
            assert.deepEqual([isError, expiry!.tool], [true, 'sql']);
            assert.match(text, /sql.*expired/s);
            assert.ok(text.includes(when.slice(0, 10)), `${text} does not say ${when}`);
        });
    });
}

test('a jq path over a large artifact reads in proportion', async (t) => {
    const { port } = await startServer(t, 's3s-fs');
    const proxy = await startProxy(t, port);
    const place = { client: clientOf(proxy.port), bucket: BUCKET, prefix: mint('large') };
    const row = (id: number) => JSON.stringify({ id, text: 'x'.repeat(1000) });
    const content = `[${Array.from({ length: 24_000 }, (_, id) => row(id)).join(',\n')}]`;
    using writer = await createTuckaway({ store: BucketStore.open(place), contextWindow: 8000 });
    const { artifacts: [artifact] } = await writer.process({ tool: 'sql', content });

    using reader = await createTuckaway({ store: BucketStore.open(place), contextWindow: 8000 });
    const ask = async (query: () => Promise<{ text: string }>) => {
        proxy.seen = [];
        const { text } = await query();
        const segments = proxy.seen.filter(({ kind }) => kind === 'segment');
        const bytes = segments.reduce((sum, { answered }) => sum + answered, 0);
        return { text: text.trim(), requests: proxy.seen.length, bytes };
    };
    const early = await ask(() => reader.read(artifact!.id, { lines: { start: 200, end: 205 } }));
    t.diagnostic(`5 lines of ${content.length} bytes: ${early.requests} requests, ${early.bytes} bytes`);
    assert.ok(early.requests <= 4 && early.bytes <= 1 << 20, `${early.requests} requests, ${early.bytes} bytes`);
    // The engine checks the whole document: each byte is requested once.
    const first = await ask(() => reader.jq(artifact!.id, '.[100].id'));
    t.diagnostic(`.[100].id: ${first.requests} requests, ${first.bytes} bytes`);
    assert.equal(first.text, '100');
    assert.ok(first.requests <= 16 && first.bytes <= content.length, `${first.requests} requests, ${first.bytes} bytes`);
    // The artifact fits into the cache.
    const second = await ask(() => reader.jq(artifact!.id, '.[23000].id'));
    assert.deepEqual(second, { text: '23000', requests: 1, bytes: 0 });
});
