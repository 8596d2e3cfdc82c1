/** BucketStore over two real servers. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import {
    DeleteObjectCommand,
    GetObjectCommand,
    ListObjectsV2Command,
    PutObjectCommand,
    type S3Client,
} from '@aws-sdk/client-s3';
import { mint } from 'tuckaway';
import { BucketStore, type BucketStoreOptions } from 'tuckaway/s3';
import { sessionsContract, sharingContract, type EmptyStore, type Opener } from 'tuckaway/store-contract';

import { fails, refuses, same } from '../support/expect.js';
import { type FaultProxy, startProxy } from '../support/fault-proxy.js';
import { BUCKET, SERVERS, startServer } from '../support/object-servers.js';
import { contract, ids, noise, put, utf8 } from './contract.js';

const DAY = 24 * 60 * 60;

describe('the contract', { concurrency: true }, () => {
    for (const server of SERVERS) {
        test(`BucketStore over ${server}`, async (t) => {
            const running = await startServer(t, server);
            const client = running.client();
            const open = (prefix: string, options?: Partial<BucketStoreOptions>) =>
                BucketStore.open({ client, bucket: BUCKET, prefix, segmentBytes: 700, ...options });
            const empty: EmptyStore<BucketStore> = (options) => open(mint('store'), options);
            const place = (): Opener => open.bind(undefined, mint('store'));
            const tests = { ...contract(empty), ...sessionsContract(empty), ...sharingContract(place) };
            for (const [name, check] of Object.entries(tests)) {
                await t.test(name, check);
            }
            await t.test('the layout of keys', async () => layout(client));
            await t.test('damaged artifacts are reported, and do not hide others', async () => damage(client));
            await t.test('an expired artifact leaves its metadata for a while', async () => tombstones(client));
            await t.test('orphans are removed after a day', async () => orphans(client));
            await t.test('more than a page of artifacts', async () => pages(client));
            await t.test('writers of a removed session fail', async () => writersOfRemoved(client));
            await t.test('requests match reads', async (t) => requests(await startProxy(t, running.port), running.client));
        });
    }
});

/** Returns the keys below a prefix. */
async function keys(client: S3Client, prefix: string): Promise<string[]> {
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket: BUCKET, Prefix: `${prefix}/` }));
    return Contents.map(({ Key = '' }) => Key.slice(prefix.length + 1)).sort();
}

async function text(client: S3Client, key: string): Promise<string> {
    return (await client.send(new GetObjectCommand({ Bucket: BUCKET, Key: key }))).Body!.transformToString();
}

async function write(client: S3Client, key: string, body: string | Uint8Array): Promise<void> {
    await client.send(new PutObjectCommand({ Bucket: BUCKET, Key: key, Body: body }));
}

async function layout(client: S3Client): Promise<void> {
    const prefix = mint('layout');
    const options = { client, bucket: BUCKET, prefix: `/${prefix}/a b/`, segmentBytes: 1000 };
    const store = BucketStore.open(options);
    const id = await put(store, 'sql "query"', noise(2500));
    const empty = await put(store, 't', new Uint8Array(0));
    const nested = await put(BucketStore.open({ ...options, session: 'one' }).session('two'), 't', noise(1000));
    assert.match(id, /^art_sql_query_[a-z0-9]{16}$/);
    assert.equal(mint('x'.repeat(100)).length, 64);
    assert.equal((await put(store, 'x'.repeat(100), noise(1))).length, 64);
    const root = `${prefix}/a b`;
    assert.deepEqual((await keys(client, root)).filter((key) => !key.includes('art_xxx')), [
        `data/${id}/00000000`,
        `data/${id}/00000001`,
        `data/${id}/00000002`,
        `meta/${id}.json`,
        `meta/${empty}.json`,
        `sessions/one/sessions/two/data/${nested}/00000000`,
        `sessions/one/sessions/two/meta/${nested}.json`,
    ].sort());
    const meta = JSON.parse(await text(client, `${root}/meta/${id}.json`)) as Record<string, unknown>;
    const { created_at, sealed_at_us, seal, ...rest } = meta;
    assert.deepEqual(rest, {
        id, tool: 'sql "query"', media_type: 'text/plain', size_bytes: 2500, line_count: 1, segment_bytes: 1000,
    });
    assert.match(String(seal), /^[0-9a-f]{32}$/);
    assert.ok(Math.abs(Number(sealed_at_us) / 1e6 - Number(created_at)) < 2, `${sealed_at_us} µs, ${created_at} s`);
    // Another segment size, keys of a later version, and a store at the root of the bucket.
    const other = 'art_sql_0123456789';
    await write(client, `${root}/data/${other}/00000000`, 'abc');
    await write(client, `${root}/data/${other}/00000001`, 'd');
    const theirs = { ...meta, id: other, size_bytes: 4, segment_bytes: 3, created_at: 17, new: [1] };
    await write(client, `${root}/meta/${other}.json`, JSON.stringify(theirs));
    same(await store.read(other, 1, 9), utf8('bcd'));
    assert.equal((await ids(store))[0], other);
    same((await BucketStore.open({ client, bucket: BUCKET }).sessions()), []);
}

async function damage(client: S3Client): Promise<void> {
    const prefix = mint('damage');
    const store = BucketStore.open({ client, bucket: BUCKET, prefix, segmentBytes: 1000 });
    const whole = await put(store, 't', noise(1500));
    const id = await put(store, 't', noise(1500));
    const [missing, cut] = [await put(store, 't', noise(1500)), await put(store, 't', noise(1500))];
    await client.send(new DeleteObjectCommand({ Bucket: BUCKET, Key: `${prefix}/data/${missing}/00000001` }));
    await write(client, `${prefix}/data/${cut}/00000001`, noise(499));
    const lost = 'the content of the artifact is damaged: a segment is missing or has the wrong size';
    for (const damaged of [missing, cut]) {
        // The undamaged part can be read.
        same(await store.read(damaged, 0, 1000), noise(1500).subarray(0, 1000));
        assert.equal(await fails(() => store.read(damaged, 900, 1000), 'other'), lost);
    }
    const meta = JSON.parse(await text(client, `${prefix}/meta/${id}.json`)) as object;
    for (const [json, why] of [
        ['{', 'it is not JSON'],
        ['null', 'id is missing or has the wrong type'],
        [JSON.stringify({ ...meta, id: whole }), 'it belongs to another artifact'],
        [JSON.stringify({ ...meta, segment_bytes: 0 }), 'segment_bytes is out of range'],
        [JSON.stringify({ ...meta, segment_bytes: 2 ** 30 + 1 }), 'segment_bytes is out of range'],
        [JSON.stringify({ ...meta, seal: undefined }), 'seal is missing or has the wrong type'],
        [JSON.stringify({ ...meta, expired_at: 'x' }), 'expired_at is missing or has the wrong type'],
        [JSON.stringify({ ...meta, more: 'x'.repeat(1 << 20) }), 'it is too long'],
    ] as const) {
        await write(client, `${prefix}/meta/${id}.json`, json);
        assert.equal(await fails(() => store.stat(id), 'other'), `the metadata of the artifact is damaged: ${why}`);
        assert.deepEqual(await ids(store), [whole, missing, cut]);
        assert.deepEqual(await ids(BucketStore.open({ client, bucket: BUCKET, prefix })), [whole, missing, cut]);
    }
    // Damaged metadata does not count as missing metadata.
    const clock = () => Date.now() + 3000 * DAY;
    same((await BucketStore.open({ client, bucket: BUCKET, prefix, clock }).collectGarbage()).abandoned, 0);
    await store.delete(id);
    await fails(() => store.stat(id), 'not_found');
    await write(client, `${prefix}/meta/not an id.json`, '{}');
    await write(client, `${prefix}/meta/README`, 'x');
    await write(client, `${prefix}/data/README`, 'x');
    assert.deepEqual(await ids(store), [whole, missing, cut]);
}

async function tombstones(client: S3Client): Promise<void> {
    const prefix = mint('tombstones');
    let now = Math.floor(Date.now() / 1000);
    const open = (maxAgeSeconds?: number) =>
        BucketStore.open({ client, bucket: BUCKET, prefix, maxAgeSeconds, clock: () => now * 1000, segmentBytes: 1000 });
    const id = await put(open(), 'build', noise(2500));
    const start = now;
    now += 700;
    await open(600).create('t', '');
    assert.deepEqual(await keys(client, prefix), [`meta/${id}.json`]);
    const meta = JSON.parse(await text(client, `${prefix}/meta/${id}.json`)) as Record<string, unknown>;
    assert.deepEqual([meta.expired_at, meta.size_bytes], [start + 600, 2500]);
    // A store without a maximum age sees the same.
    assert.deepEqual(await open().stat(id).catch(({ expiry }) => expiry), { tool: 'build', expiredAt: start + 600 });
    now += 2 * DAY - 200;
    assert.equal((await open(600).collectGarbage()).forgotten, 0);
    now += 200;
    assert.equal((await open(600).collectGarbage()).forgotten, 1);
    await fails(() => open().stat(id), 'not_found');
    assert.deepEqual(await keys(client, prefix), []);
}

async function orphans(client: S3Client): Promise<void> {
    const prefix = mint('orphans');
    let now = Date.now();
    const open = () => BucketStore.open({ client, bucket: BUCKET, prefix, clock: () => now, segmentBytes: 1000 });
    const kept = await put(open(), 't', noise(1500));
    const writer = open();
    const id = await writer.create('t', '');
    await writer.append(id, noise(2500));
    now += 1000 * (DAY - 60);
    same((await open().collectGarbage()).abandoned, 0);
    // A writer that takes this long must not seal: its segments may be gone.
    assert.equal(await fails(() => writer.seal(id, 1), 'other'), 'the artifact was not written to for 12 hours');
    const left = await writer.create('t', '');
    await writer.append(left, noise(2500));
    now += 1000 * (DAY + 120);
    same(await open().collectGarbage(), { expired: 0, abandoned: 1, forgotten: 0, freedBytes: 2000 });
    assert.deepEqual((await keys(client, prefix)).filter((key) => !key.includes(kept)), []);
    same(await open().read(kept, 0, 9999), noise(1500));
}

async function pages(client: S3Client): Promise<void> {
    const prefix = mint('pages');
    const store = BucketStore.open({ client, bucket: BUCKET, prefix, segmentBytes: 1 });
    const template = await put(store, 't', noise(1));
    const meta = await text(client, `${prefix}/meta/${template}.json`);
    const names = Array.from({ length: 1004 }, (_, n) => `art_t_${String(n).padStart(16, '0')}`);
    for (let n = 0; n < names.length; n += 50) {
        const some = names.slice(n, n + 50);
        await Promise.all(some.map((id) => write(client, `${prefix}/meta/${id}.json`, meta.replace(template, id))));
    }
    assert.deepEqual((await ids(store)).sort(), [...names, template].sort());
    await write(client, `${prefix}/sessions/a/meta/${template}.json`, meta);
    const segments = names.map((_, n) => `${prefix}/sessions/a/data/${template}/${String(n).padStart(8, '0')}`);
    for (let n = 0; n < segments.length; n += 50) {
        await Promise.all(segments.slice(n, n + 50).map((key) => write(client, key, 'x')));
    }
    // All are listed, and removed.
    await store.removeSession('a');
    same(await store.sessions(), []);
    await fails(() => store.session('a').delete(template), 'not_found');
}

async function writersOfRemoved(client: S3Client): Promise<void> {
    const store = BucketStore.open({ client, bucket: BUCKET, prefix: mint('removed'), segmentBytes: 1000 });
    const session = store.session('a');
    const id = await session.create('t', '');
    await session.append(id, noise(2500));
    await store.removeSession('a');
    const why = 'another process has removed the segments of the artifact';
    assert.equal(await fails(() => session.seal(id, 1), 'other'), why);
    same([await session.listArtifacts(), await store.sessions()], [[], []]);
}

async function requests(proxy: FaultProxy, clientAt: (port: number) => S3Client): Promise<void> {
    const [segmentBytes, size] = [4 << 20, 17 << 20];
    const options = { client: clientAt(proxy.port), bucket: BUCKET, prefix: mint('requests'), segmentBytes };
    const bytes = noise(size);
    const writer = BucketStore.open(options);
    const id = await writer.create('t', '');
    await writer.append(id, bytes);
    await writer.seal(id, 1);
    const puts = proxy.seen.map(({ method, kind }) => `${method} ${kind}`);
    assert.deepEqual(puts.sort(), ['GET listing', 'PUT metadata', ...Array.from({ length: 5 }, () => 'PUT segment')]);

    // Small sequential reads: a few requests for each segment, and each byte once.
    const store = BucketStore.open(options);
    proxy.seen = [];
    for (let at = 0; at < size; at += 65536) {
        same(await store.read(id, at, 65536), bytes.subarray(at, at + 65536), `at ${at}`);
    }
    const segments = proxy.seen.filter(({ kind }) => kind === 'segment');
    assert.ok(segments.length <= 12, `${segments.length} requests`);
    assert.equal(segments.reduce((sum, { answered }) => sum + answered, 0), size);
    assert.equal(proxy.seen.length, segments.length + 1);

    // The content of recent reads stays cached for a while.
    proxy.seen = [];
    same(await store.read(id, size - 100_000, 1000), bytes.subarray(size - 100_000, size - 99_000));
    assert.equal(proxy.seen.length, 0);

    // Random reads: one block each.
    const other = BucketStore.open(options);
    proxy.seen = [];
    for (const at of [9_000_000, 100, 15_000_000, 3_000_000, 12_000_000]) {
        same(await other.read(id, at, 100), bytes.subarray(at, at + 100), `at ${at}`);
    }
    assert.equal(proxy.seen.length, 6);
    assert.ok(proxy.seen.every(({ answered }) => answered <= 256 * 1024), 'a block for each');
    // More than the cache holds.
    const small = BucketStore.open({ ...options, cacheBytes: 300_000 });
    same(await small.read(id, 1000, 9_000_000), bytes.subarray(1000, 9_001_000));

    // A listing requests only the metadata that is not cached.
    proxy.seen = [];
    await store.listArtifacts();
    proxy.seen = [];
    await store.listArtifacts();
    assert.deepEqual(proxy.seen.map(({ kind }) => kind), ['listing']);
}

test('options of a BucketStore are checked', async () => {
    const client = { send: async () => ({}) } as unknown as S3Client;
    const good = { client, bucket: 'b' };
    BucketStore.open({ ...good, prefix: '', session: undefined, quotaBytes: Infinity });
    for (const wrong of [
        undefined, {}, { client }, { bucket: 'b' }, { ...good, client: {} }, { ...good, bucket: '' }, { ...good, bucket: 7 },
        { ...good, prefix: 7 }, { ...good, prefix: 'a\n' }, { ...good, session: 'A' }, { ...good, session: '../x' },
        { ...good, timeoutMs: 0 }, { ...good, operationTimeoutMs: Infinity }, { ...good, segmentBytes: 0.5 },
        { ...good, segmentBytes: 2 ** 31 }, { ...good, cacheBytes: -1 }, { ...good, quotaBytes: -1 }, { ...good, prefixes: '' },
    ]) {
        await refuses(() => BucketStore.open(wrong as BucketStoreOptions));
    }
});
