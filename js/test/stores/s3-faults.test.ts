/** BucketStore over two real servers, through a proxy that breaks requests. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { mint } from 'tuckaway';
import { BucketStore } from 'tuckaway/s3';

import { fails, same } from '../support/expect.js';
import { type Fault, type FaultProxy, type Seen, startProxy } from '../support/fault-proxy.js';
import { BUCKET, SERVERS, clientOf, freePort, startServer } from '../support/object-servers.js';
import { ids, noise, put } from './contract.js';

const SEGMENT = 1000;
/** Limits that only stalled requests reach, even on a busy machine. */
const PATIENT = { timeoutMs: 10_000, operationTimeoutMs: 60_000 };
/** Limits for stalled requests. The requests between them must still be answered in time. */
const HASTY = { timeoutMs: 1500, operationTimeoutMs: 12_000 };

/** A store reached through a proxy, and the artifacts that must survive. */
class Bench {
    readonly proxy: FaultProxy;
    readonly store: BucketStore;
    readonly #prefix = `secret-prefix/${mint('faults')}`;
    readonly #port: number;
    readonly #sealed = new Map<string, Uint8Array>();

    /** `port` is the port of the server. */
    constructor(proxy: FaultProxy, port: number) {
        this.proxy = proxy;
        this.#port = port;
        this.store = this.open();
    }

    /** Opens the same session again, through the proxy or another port. */
    open(port = this.proxy.port, times = PATIENT): BucketStore {
        const place = { client: clientOf(port), bucket: BUCKET, prefix: this.#prefix };
        return BucketStore.open({ ...place, segmentBytes: SEGMENT, ...times });
    }

    /** Opens the same session with limits that stalled requests reach soon. */
    hasty(): BucketStore {
        return this.open(this.proxy.port, HASTY);
    }

    async put(length: number, store = this.store): Promise<string> {
        const id = await put(store, 't', noise(length));
        this.#sealed.set(id, noise(length));
        return id;
    }

    /** Breaks a request during an action if `fault` returns a value for it, at most `times` times. */
    async during<T>(fault: (seen: Seen) => Fault | undefined, action: () => Promise<T>, times = Infinity): Promise<T> {
        let left = times;
        this.proxy.fault = (seen) => {
            const found = left > 0 ? fault(seen) : undefined;
            left -= found === undefined ? 0 : 1;
            return found;
        };
        try {
            return await action();
        } finally {
            this.proxy.fault = undefined;
            assert.ok(times === Infinity || left === 0, `${left} of ${times} requests were not broken`);
        }
    }

    /**
     * Fails unless an action fails, within the time limits, with one of these messages. Messages never reveal the
     * location.
     */
    async failing(action: () => Promise<unknown>, ...expected: string[]): Promise<void> {
        const begun = performance.now();
        const message = await fails(action, 'other');
        const milliseconds = performance.now() - begun;
        assert.ok(expected.includes(message), `${message}; expected ${expected.join(' or ')}`);
        assert.doesNotMatch(message, /secret|AKIA|127\.0\.0\.1|http:/);
        assert.ok(milliseconds < 2 * PATIENT.operationTimeoutMs, `it took ${milliseconds} ms`);
    }

    /** Checks that the sealed artifacts are there, byte for byte, and nothing else is visible. */
    async check(): Promise<void> {
        for (const store of [this.store, this.open(this.#port)]) {
            same(await ids(store), [...this.#sealed.keys()]);
            for (const [id, bytes] of this.#sealed) {
                same((await store.stat(id)).sizeBytes, bytes.length);
                same(await store.read(id, 0, 1e9), bytes);
            }
        }
    }
}

const isPut = (kind: Seen['kind']) => (seen: Seen) => seen.method === 'PUT' && seen.kind === kind;
const isGet = (kind: Seen['kind']) => (seen: Seen) => seen.method === 'GET' && seen.kind === kind;

// Both at once, because they mostly wait for stalled requests, or between attempts.
describe('faults', { concurrency: true }, () => {
    for (const server of SERVERS) {
        test(`faults between a BucketStore and ${server}`, async (t) => {
            const { port } = await startServer(t, server);
            const proxy = await startProxy(t, port);
            for (const [name, check] of Object.entries(FAULTS)) {
                await t.test(name, async () => {
                    const bench = new Bench(proxy, port);
                    await bench.put(2500);
                    await check(bench);
                    await bench.check();
                    await bench.put(1500);
                    await bench.check();
                });
            }
        });
    }
});

/** One call for each operation that needs the server, by the beginning of its errors. */
const operations = (store: BucketStore, id: string): Record<string, () => Promise<unknown>> => ({
    'putting a segment': () => put(store, 't', noise(2500)),
    'getting metadata': () => store.stat(id),
    listing: () => store.listArtifacts(),
    'listing sessions': () => store.sessions(),
    'removing a session': () => store.removeSession('a'),
});

/** Breaks all requests of each operation. */
async function allBroken(bench: Bench, fault: Fault, ...reasons: string[]): Promise<void> {
    const id = await bench.put(2500);
    for (const [what, operation] of Object.entries(operations(bench.hasty(), id))) {
        const expected = reasons.map((reason) => `${what}: ${reason}`);
        await bench.during(() => fault, () => bench.failing(operation, ...expected));
    }
    const reader = bench.hasty();
    await reader.stat(id);
    const expected = reasons.map((reason) => `getting a segment: ${reason}`);
    await bench.during(() => fault, () => bench.failing(() => reader.read(id, 0, 100), ...expected));
}

const FAULTS: Record<string, (bench: Bench) => Promise<void>> = {
    'the connection is refused': async (bench) => {
        const store = bench.open(await freePort());
        const refused = 'the connection was refused';
        await bench.failing(() => put(store, 't', noise(2500)), `putting a segment: ${refused}`);
        await bench.failing(() => put(store, 't', noise(10)), `putting a segment: ${refused}`);
        await bench.failing(() => put(store, 't', noise(0)), `sealing: ${refused}`);
        await bench.failing(() => store.stat('art'), `getting metadata: ${refused}`);
        await bench.failing(() => store.listArtifacts(), `listing: ${refused}`);
    },

    'a reset in the middle of a segment': async (bench) => {
        await bench.during((seen) => (isPut('segment')(seen) ? 'reset-request' : undefined), () => bench.put(2500), 2);
        await bench.during(
            (seen) => (isPut('segment')(seen) ? 'reset-request' : undefined),
            () => bench.failing(() => put(bench.store, 't', noise(2500)), 'putting a segment: the connection was reset'),
        );
    },

    'a reset, an early end and a stall in the middle of a range': async (bench) => {
        const id = await bench.put(2500);
        for (const fault of ['reset-answer', 'end-answer', 'stall-answer'] as const) {
            const broken = (seen: Seen) => (isGet('segment')(seen) ? fault : undefined);
            const reader = bench.hasty();
            same(await bench.during(broken, () => reader.read(id, 100, 2000), 2), noise(2500).subarray(100, 2100));
            const other = bench.hasty();
            const why = fault === 'stall-answer' ? 'the answer stalled' : 'the answer ended early';
            await bench.during(broken, () => bench.failing(() => other.read(id, 100, 2000), `getting a segment: ${why}`));
            // Operations that failed once succeed later.
            same(await other.read(id, 100, 2000), noise(2500).subarray(100, 2100));
        }
    },

    'truncated metadata and listings': async (bench) => {
        const id = await bench.put(2500);
        const early = (kind: Seen['kind']) => (seen: Seen) => (isGet(kind)(seen) ? 'end-answer' as const : undefined);
        same((await bench.during(early('metadata'), () => bench.store.stat(id), 2)).sizeBytes, 2500);
        await bench.during(early('metadata'), () => bench.failing(() => bench.store.stat(id), 'getting metadata: the answer ended early'));
        await bench.during(early('listing'), async () => {
            const error: unknown = await bench.store.listArtifacts().catch((thrown: unknown) => thrown);
            assert.match(String(error), /^StoreError: listing: (the connection was reset|the request failed)$/);
        });
    },

    'a stall longer than the limit, once': async (bench) => {
        const store = bench.hasty();
        await bench.during((seen) => (isPut('segment')(seen) ? 'stall' : undefined), () => bench.put(2500, store), 1);
        await bench.during((seen) => (isPut('metadata')(seen) ? 'stall' : undefined), () => bench.put(2500, store), 1);
        await bench.during((seen) => (isGet('listing')(seen) ? 'stall' : undefined), () => store.listArtifacts(), 1);
    },

    'a stall longer than the limit, for good': (bench) => allBroken(bench, 'stall', 'no answer in time'),

    'errors of the server for a while': async (bench) => {
        for (const status of [500, 503, 429]) {
            await bench.during(() => status, () => bench.put(2500), 2);
            const id = await bench.put(2500);
            await bench.during(() => status, () => bench.store.stat(id), 2);
            same(await bench.during(() => status, () => bench.open().read(id, 0, 10), 2), noise(2500).subarray(0, 10));
            await bench.during(() => status, () => bench.store.listArtifacts(), 2);
        }
    },

    'HTTP 500 for good': (bench) => allBroken(bench, 500, 'HTTP 500'),
    'HTTP 503 for good': (bench) => allBroken(bench, 503, 'HTTP 503'),
    'HTTP 429 for good': (bench) => allBroken(bench, 429, 'HTTP 429'),
    'HTTP 403 for good': (bench) => allBroken(bench, 403, 'HTTP 403'),

    'a request that is delivered twice': async (bench) => {
        await bench.during((seen) => (seen.method === 'PUT' ? 'twice' : undefined), () => bench.put(2500));
        const id = await put(bench.store, 't', noise(2500));
        await bench.during((seen) => (seen.method === 'DELETE' ? 'twice' : undefined), () => bench.store.delete(id));
    },

    'an answer that is lost, so that the request is repeated': async (bench) => {
        await bench.during((seen) => (seen.method === 'PUT' ? 'lose-answer' : undefined), () => bench.put(2500), 2);
        // Only the answers to the metadata: each repetition finds the object that the first one wrote.
        await bench.during((seen) => (isPut('metadata')(seen) ? 'lose-answer' : undefined), () => bench.put(2500));
        const id = await put(bench.store, 't', noise(2500));
        await bench.during((seen) => (seen.method === 'DELETE' ? 'lose-answer' : undefined), () => bench.store.delete(id), 2);
    },

    'metadata that cannot be written': async (bench) => {
        for (const fault of [503, 'reset-request', 'stall'] as const) {
            bench.proxy.seen = [];
            const store = bench.hasty();
            const broken = (seen: Seen) => (isPut('metadata')(seen) ? fault : undefined);
            await bench.during(broken, () => bench.failing(
                () => put(store, 't', noise(2500)),
                'sealing: HTTP 503', 'sealing: the connection was reset', 'sealing: no answer in time',
            ));
            // The segments are removed after the metadata, since its request may have succeeded.
            const removed = bench.proxy.seen.filter(({ method }) => method === 'DELETE').map(({ kind }) => kind);
            assert.deepEqual(removed, ['metadata', 'segment', 'segment', 'segment']);
        }
    },

    'segments stay if their metadata cannot be removed': async (bench) => {
        // The metadata is written, but no answer about it arrives: the artifact is complete.
        const isMeta = (seen: Seen) => seen.kind === 'metadata';
        let id = '';
        const lost = (seen: Seen): Fault | undefined =>
            isPut('metadata')(seen) ? 'lose-answer' : isMeta(seen) || seen.method === 'DELETE' ? 503 : undefined;
        await bench.during(lost, () => bench.failing(async () => {
            id = await bench.store.create('t', '');
            await bench.store.append(id, noise(2500));
            await bench.store.seal(id, 1);
        }, 'sealing: the connection was reset', 'sealing: the server gave no definite answer'));
        same(await bench.open().read(id, 0, 9999), noise(2500));
        await bench.store.delete(id);
    },

    'a removal that stops in the middle': async (bench) => {
        const id = await put(bench.store, 't', noise(2500));
        const fault = (seen: Seen) => (seen.method === 'DELETE' && seen.kind === 'segment' ? 503 : undefined);
        await bench.during(fault, () => bench.failing(() => bench.store.delete(id), 'removing a segment: HTTP 503'));
        await fails(() => bench.store.stat(id), 'not_found');
        await fails(() => bench.open().read(id, 0, 10), 'not_found');
        await bench.store.delete(id);
        await fails(() => bench.store.delete(id), 'not_found');
    },

    'a server that cannot say yet whether metadata exists': async (bench) => {
        await bench.during((seen) => (seen.isConditional ? 409 : undefined), () => bench.put(2500), 2);
        const undecided = () => put(bench.store, 't', noise(2500));
        await bench.during(
            (seen) => (seen.isConditional ? 409 : undefined),
            () => bench.failing(undecided, 'sealing: the server gave no definite answer'),
        );
    },

    'a server without conditional writes': async (bench) => {
        const conditional = (fault: Fault) => (seen: Seen) => (seen.isConditional ? fault : undefined);
        await bench.during(conditional(501), () => bench.put(2500));
        // The condition is part of the content that s3s-fs checks the signature of, so it cannot be removed on the way.
        const { status } = await bench.during(conditional('no-condition'), async () => {
            const error: unknown = await bench.put(2500).catch((thrown: unknown) => thrown);
            return { status: error instanceof Error ? error.message : '' };
        });
        assert.ok(['', 'sealing: HTTP 403 (SignatureDoesNotMatch)'].includes(status), status);
    },
};
