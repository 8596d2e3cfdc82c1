/**
 * OpfsStore on files that crash at any operation, as when a machine loses power: any part of the unflushed data may be
 * lost. Also on files where some operations fail before the crash.
 */

import assert from 'node:assert/strict';
import { after, test } from 'node:test';

import type { Artifact } from 'tuckaway';

import { OpfsStore } from '../../src/stores/opfs.js';
import { noise } from './contract.js';

const MEBIBYTE = 1 << 20;

const SIZES = [300, 1_250_000, 0, 40, 1_150_000, 600_000, 7, 10];
const CONTENTS = new Map(SIZES.map((size) => [size, noise(size)]));

class DiskFailure extends Error {}

/** Changes a file's content. */
type Change = (content: Content) => void;

/** Bytes that are changed in place: a file has megabytes, and most writes are short. */
class Content {
    #buffer = new Uint8Array(MEBIBYTE);
    length = 0;

    get bytes(): Uint8Array {
        return this.#buffer.subarray(0, this.length);
    }

    resize(size: number): void {
        if (size > this.#buffer.length) {
            const larger = new Uint8Array(2 * size);
            larger.set(this.bytes);
            this.#buffer = larger;
        }
        this.#buffer.fill(0, this.length, Math.max(this.length, size));
        this.length = size;
    }

    write(bytes: Uint8Array, at: number): void {
        this.resize(Math.max(this.length, at + bytes.length));
        this.#buffer.set(bytes, at);
    }
}

/** Two files, whose operations are counted. */
class Disk {
    readonly files = new Map(['0.log', '1.log'].map((name) => [name, new DiskFile(this)]));
    operations = 0;
    /** Operations fail from this one on, up to `worksAt`, excluded. */
    failsAt = Infinity;
    worksAt = Infinity;

    tick(): void {
        this.operations += 1;
        if (this.operations >= this.failsAt && this.operations < this.worksAt) {
            throw new DiskFailure();
        }
    }

    /** Loses any part of the unflushed data. */
    loses(random: () => number): void {
        for (const file of this.files.values()) {
            file.loses(random);
        }
        this.failsAt = Infinity;
    }

    /** Makes this the file system of a worker. */
    mount(): void {
        const folder = {
            getFileHandle: async (name: string) => ({ createSyncAccessHandle: async () => this.files.get(name) }),
        };
        const root = { getDirectoryHandle: async () => folder };
        Object.defineProperty(globalThis, 'navigator', {
            configurable: true,
            value: { storage: { getDirectory: async () => root } },
        });
    }
}

class DiskFile {
    readonly #content = new Content();
    readonly #flushed = new Content();
    #pending: Change[] = [];
    readonly #disk: Disk;

    constructor(disk: Disk) {
        this.#disk = disk;
    }

    read(into: Uint8Array, { at }: { at: number }): number {
        const bytes = this.#content.bytes.subarray(at, at + into.length);
        into.set(bytes);
        return bytes.length;
    }

    write(bytes: Uint8Array, { at }: { at: number }): number {
        // Some writes are short.
        const written = bytes.length > 1 && this.#disk.operations % 3 === 0 ? bytes.length >> 1 : bytes.length;
        const part = bytes.slice(0, written);
        this.#change((content) => content.write(part, at));
        return written;
    }

    truncate(size: number): void {
        this.#change((content) => content.resize(size));
    }

    getSize(): number {
        return this.#content.length;
    }

    flush(): void {
        this.#disk.tick();
        this.#keep(this.#pending);
    }

    close(): void {}

    loses(random: () => number): void {
        this.#keep(this.#pending.filter(() => random() < 0.6));
        this.#content.resize(0);
        this.#content.write(this.#flushed.bytes, 0);
    }

    /** Applies some of the pending changes for good, and forgets the others. */
    #keep(changes: Change[]): void {
        changes.forEach((change) => change(this.#flushed));
        this.#pending = [];
    }

    #change(change: Change): void {
        this.#disk.tick();
        this.#pending.push(change);
        change(this.#content);
    }
}

/** The artifacts that a store must contain, and the ones that it may contain. */
class Expectation {
    readonly sealed = new Map<string, number>();
    /** Artifacts whose sealing or deletion failed: they may be present or not. */
    readonly inDoubt = new Set<string>();
}

/** Writes and deletes enough that space is reclaimed several times. */
function work(store: OpfsStore, expectation: Expectation): void {
    SIZES.forEach((size, n) => step(store, expectation, size, n));
}

function step(store: OpfsStore, { sealed, inDoubt }: Expectation, size: number, n: number): void {
    const content = CONTENTS.get(size)!;
    const id = store.create(`t${n}`, '');
    inDoubt.add(id);
    const unsealed = store.create('unsealed', '');
    store.append(unsealed, content);
    store.append(unsealed, content);
    store.delete(unsealed);
    // Large ones, to reclaim space, and one in the middle of the log, which reclaims no space.
    const large = [...sealed].find(([, size]) => size > MEBIBYTE)?.[0];
    const doomed = large ?? (n === 6 ? [...sealed.keys()][1] : undefined);
    if (doomed !== undefined) {
        inDoubt.add(doomed);
        sealed.delete(doomed);
        store.delete(doomed);
        inDoubt.delete(doomed);
    }
    for (let from = 0; from < content.length; from += 500_000) {
        store.append(id, content.subarray(from, from + 500_000));
    }
    store.seal(id, 1);
    sealed.set(id, content.length);
    inDoubt.delete(id);
}

function check(store: OpfsStore, { sealed, inDoubt }: Expectation, when: string): void {
    const listed = store.listArtifacts().filter(({ id }) => !inDoubt.has(id));
    assert.deepEqual(listed.map(({ id }: Artifact) => id), [...sealed.keys()], when);
    for (const { id, sizeBytes } of store.listArtifacts()) {
        assert.ok(inDoubt.has(id) || sizeBytes === sealed.get(id), when);
        assert.ok(Buffer.from(CONTENTS.get(sizeBytes)!).equals(store.read(id, 0, 2 * MEBIBYTE)), when);
    }
}

let seed = 7;
const random = () => (seed = (seed * 48271) % 0x7fffffff) / 0x7fffffff;

const navigatorBefore = Object.getOwnPropertyDescriptor(globalThis, 'navigator');
after(() => {
    Object.defineProperty(globalThis, 'navigator', navigatorBefore ?? { configurable: true, value: undefined });
});

/** Returns the number of operations of the whole workload on a disk without failures. */
async function operationsOfWork(): Promise<number> {
    const disk = new Disk();
    disk.mount();
    work(await OpfsStore.open('x'), new Expectation());
    assert.ok(disk.operations > 60, `${disk.operations} operations`);
    return disk.operations;
}

test('a crash at any operation loses nothing that was sealed', async () => {
    const operations = await operationsOfWork();
    for (let round = 0; round < 2; round++) {
        for (let crashAt = 1; crashAt <= operations; crashAt++) {
            const disk = new Disk();
            disk.mount();
            disk.failsAt = crashAt;
            const expectation = new Expectation();
            try {
                work(await OpfsStore.open('x'), expectation);
            } catch {
                // The error into which the store converts the crash.
            }
            const when = `operation ${crashAt}, round ${round}`;
            disk.loses(random);
            check(await OpfsStore.open('x'), expectation, when);

            // Crash again during recovery.
            disk.failsAt = disk.operations + 2;
            await OpfsStore.open('x').catch(() => {});
            disk.loses(random);
            const store = await OpfsStore.open('x');
            check(store, expectation, when);
            const more = store.create('more', '');
            store.append(more, CONTENTS.get(10)!);
            store.seal(more, 1);
            store.close();
            expectation.sealed.set(more, 10);
            check(await OpfsStore.open('x'), expectation, `${when}, with one more`);
        }
    }
});

test('failing operations lose nothing that was sealed, whether a crash follows soon or late', async () => {
    const operations = await operationsOfWork();
    for (const [failures, crashes] of [[1, 'late'], [1, 'soon'], [2, 'soon']] as const) {
        for (let failsAt = 3; failsAt <= operations; failsAt++) {
            const disk = new Disk();
            disk.mount();
            const expectation = new Expectation();
            const store = await OpfsStore.open('x');
            disk.failsAt = failsAt;
            disk.worksAt = failsAt + failures;
            for (const [n, size] of SIZES.entries()) {
                try {
                    step(store, expectation, size, n);
                } catch {
                    // The result of failed operations is uncertain; the others continue.
                }
                if (crashes === 'soon' && disk.operations >= disk.worksAt) {
                    break;
                }
            }
            const when = `operations ${failsAt} to ${disk.worksAt - 1}`;
            check(store, expectation, when);
            disk.loses(random);
            check(await OpfsStore.open('x'), expectation, `${when}, then a crash ${crashes}`);
        }
    }
});
