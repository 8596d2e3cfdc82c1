/** Tests of OpfsStore, which run in a dedicated worker. */

import { mint, type Store } from 'tuckaway';

import { OpfsStore, createTuckaway } from '../support/browser-package.js';
import { fails, ok, same, thrown } from '../support/expect.js';
import { contract, ids, noise, put, utf8 } from './contract.js';

const DAY = 24 * 60 * 60;
const MEBIBYTE = 1 << 20;
const HEADER = 20;

/** The contract's stores stay open: no test opens one twice. */
export const tests = {
    ...contract((options) => OpfsStore.open(mint('store'), options)),

    'stores are listed by name, and removed completely': async () => {
        const name = mint('store');
        const store = await OpfsStore.open(name);
        await put(store, 't', noise(100));
        store.close();
        ok((await OpfsStore.names()).includes(name), 'it is listed');
        await OpfsStore.remove(name);
        ok(!(await OpfsStore.names()).includes(name), 'it is not listed');
    },

    'the oldest artifacts expire if there is not enough space, and a later run knows when': async () => {
        const name = mint('store');
        const store = await OpfsStore.open(name);
        const written = [await put(store, 'a', noise(40)), await put(store, 'b', noise(40)), await put(store, 'c', noise(40))];
        store.close();
        const small = await OpfsStore.open(name, { quotaBytes: 90 });
        same(small.collectGarbage(), { expired: 1, abandoned: 0, forgotten: 0, freedBytes: 40 });
        small.close();
        const again = await OpfsStore.open(name);
        same(await ids(again), written.slice(1));
        const { expiry } = await thrown(() => again.stat(written[0]!), 'expired');
        same(expiry?.tool, 'a');
        ok(Math.abs(Date.now() / 1000 - expiry!.expiredAt) < 60, `expired at ${expiry!.expiredAt}`);
        again.close();
    },

    'sealed artifacts outlive the store, others are not visible': async () => {
        const name = mint('store');
        const store = await OpfsStore.open(name);
        const first = await put(store, 't"\n\ud83e', noise(5000));
        const deleted = await put(store, 't', noise(100));
        const unsealed = store.create('t', '');
        store.append(unsealed, utf8('half'));
        const last = await put(store, 't', new Uint8Array(0));
        store.delete(deleted);
        const before = store.listArtifacts();
        store.close();
        store.close();
        same(await fails(() => store.listArtifacts(), 'other'), 'the store is closed');
        same(await fails(() => store.read(first, 0, 1), 'other'), 'the store is closed');

        const again = await OpfsStore.open(name);
        same(again.listArtifacts(), before);
        same(await ids(again), [first, last]);
        same(again.read(first, 0, 9999), noise(5000));
        await fails(() => again.stat(unsealed), 'not_found');
        await fails(() => again.stat(deleted), 'not_found');
        again.close();
    },

    'opening waits for a store that is open elsewhere, and then reports it': async () => {
        const store = await OpfsStore.open('elsewhere');
        same(
            await fails(() => OpfsStore.open('elsewhere', { waitSeconds: 0.1 }), 'other'),
            'the store "elsewhere" is open elsewhere, in another tab or worker; close it there or use another name',
        );
        const waiting = OpfsStore.open('elsewhere');
        setTimeout(() => store.close(), 200);
        (await waiting).close();
    },

    'a truncated log loses only the missing records': async () => {
        const name = mint('store');
        const { files, sealedAt } = await recorded(name);
        const [log] = files as [Uint8Array];
        // Every offset in the file's header and in the last two artifacts; those before are equivalent.
        const from = sealedAt.at(-3)!.at - 2;
        for (let end = 0; end <= log.length; end = end === HEADER + 1 ? from : end + 1) {
            await replace(name, [log.subarray(0, end), new Uint8Array(0)]);
            // A file with an incomplete header is empty: it was just created.
            await check(name, sealedAt.filter(({ at }) => at <= end), `cut at ${end}`);
        }
    },

    'a log with a garbage tail loses only the tail': async () => {
        const name = mint('store');
        const { files, sealedAt } = await recorded(name);
        const [log] = files as [Uint8Array];
        const zeros = [1, 4096].map((length) => new Uint8Array(length));
        for (const garbage of [...zeros, noise(19), noise(20), noise(3000), log.subarray(HEADER + 5)]) {
            await replace(name, [join(log, garbage), noise(500)]);
            await check(name, sealedAt, `${garbage.length} bytes`);
        }
        const last = sealedAt.at(-1)!;
        for (let at = sealedAt.at(-2)!.at; at < last.at; at++) {
            const flipped = log.slice();
            flipped[at]! ^= 0x10;
            await replace(name, [flipped, new Uint8Array(0)]);
            const store = await OpfsStore.open(name);
            for (const { id, bytes } of sealedAt.slice(0, -1)) {
                same(store.read(id, 0, 9999), noise(bytes), `flipped at ${at}`);
            }
            // The last artifact is never trusted: it is lost or damaged.
            same(store.listArtifacts().length, sealedAt.length - 1, `flipped at ${at}`);
            await fails(() => store.read(last.id, 0, 1), 'other', 'not_found');
            store.close();
        }
    },

    'damage in the middle is reported, and does not hide other artifacts': async () => {
        const name = mint('store');
        const { files, sealedAt } = await recorded(name);
        const [log] = files as [Uint8Array];
        const [first, ...others] = sealedAt as [Sealed, ...Sealed[]];
        log[HEADER + HEADER + 3]! ^= 1;
        await replace(name, [log, new Uint8Array(0)]);
        const store = await OpfsStore.open(name);
        same(await ids(store), others.map(({ id }) => id));
        same(await fails(() => store.read(first.id, 0, 1), 'other'), 'the content of the artifact is damaged');
        await fails(() => store.append(first.id, utf8('x')), 'other');
        store.delete(first.id);
        await fails(() => store.stat(first.id), 'not_found');
        store.close();
    },

    'a store that is damaged beyond repair is reported, and can be removed': async () => {
        const name = mint('store');
        const { files } = await recorded(name);
        const [log] = files as [Uint8Array];
        log[0]! ^= 1;
        await replace(name, [log, new Uint8Array(0)]);
        ok((await fails(() => OpfsStore.open(name), 'other')).includes('damaged beyond repair'), 'message');
        same((await contents(name))[0], log, 'the log is unchanged');
        await OpfsStore.remove(name);
        await OpfsStore.remove(name);
        const store = await OpfsStore.open(name);
        same(store.listArtifacts(), []);
        store.close();
    },

    'the space of deleted artifacts is reclaimed, and nothing else changes': async () => {
        const name = mint('store');
        const store = await OpfsStore.open(name);
        const small = await put(store, 't', noise(3000));
        const open = store.create('open', '');
        store.append(open, noise(500));
        for (let n = 0; n < 12; n++) {
            const id = store.create('big', '');
            store.append(id, noise(MEBIBYTE));
            store.seal(id, 1);
            store.delete(id);
        }
        store.append(open, noise(700));
        same(store.seal(open, 2).sizeBytes, 1200);
        const last = await put(store, 't', noise(10));
        const listed = store.listArtifacts();
        same(listed.map(({ id }) => id), [small, open, last]);
        store.close();
        const sizes = (await contents(name)).map(({ length }) => length);
        ok(Math.max(...sizes) < 2.1 * MEBIBYTE && Math.min(...sizes) === 0, `${sizes} bytes are left`);
        const again = await OpfsStore.open(name);
        same(again.listArtifacts(), listed);
        same(again.read(small, 0, 9999), noise(3000));
        same(again.read(open, 0, 9999), join(noise(500), noise(700)));
        again.close();
    },

    'a crash while space is reclaimed loses nothing': async () => {
        const name = mint('store');
        const store = await OpfsStore.open(name);
        const expected: Sealed[] = [];
        for (const bytes of [300, 20]) {
            expected.push({ id: await put(store, 't', noise(bytes)), bytes, at: 0 });
        }
        const big = store.create('big', '');
        store.append(big, noise(MEBIBYTE));
        store.seal(big, 1);
        store.close();
        const [before] = (await contents(name)) as [Uint8Array];
        const deleting = await OpfsStore.open(name);
        deleting.delete(big);
        deleting.close();
        const [freed, after] = (await contents(name)) as [Uint8Array, Uint8Array];
        same(freed.length, 0);
        ok(after.length < 2000, `${after.length} bytes`);

        const withBig = [...expected, { id: big, bytes: MEBIBYTE, at: 0 }];
        const headless = after.slice();
        headless.fill(0, 0, HEADER);
        for (let end = 0; end <= after.length; end += end < HEADER ? 4 : 97) {
            // Before the copy has its header, and while the header is written, the old file is current.
            await replace(name, [before, headless.subarray(0, end)]);
            await check(name, withBig, `copied ${end}`);
            const halfHeader = headless.slice();
            halfHeader.set(after.subarray(0, Math.min(end, HEADER - 1)));
            await replace(name, [before, halfHeader]);
            await check(name, withBig, `header of ${end}`);
        }
        for (const old of [before, before.subarray(0, 1000), before.subarray(0, 7)]) {
            await replace(name, [old, after]);
            await check(name, expected, `${old.length} of the old`);
        }
    },

    'an expired artifact is remembered for a while, and its space is reclaimed': async () => {
        const name = mint('store');
        let now = Date.now() / 1000;
        const open = (maxAgeSeconds: number) => OpfsStore.open(name, { maxAgeSeconds, clock: () => now * 1000 });
        let store: Store & { close(): void } = await open(100);
        const id = store.create('t', '');
        store.append(id, noise(2 * MEBIBYTE));
        store.seal(id, 1);
        now += 100;
        const kept = await put(store, 't', noise(10));
        store.close();
        ok((await contents(name)).every(({ length }) => length < 2000), 'space was reclaimed');
        // A store without a maximum age sees the same.
        store = await open(Infinity);
        await fails(() => store.read(id, 0, 1), 'expired');
        same(await ids(store), [kept]);
        now += 3 * DAY;
        await fails(() => store.stat(id), 'not_found');
        same(await ids(store), [kept]);
        store.close();
    },

    'tuckaway can store outputs in it and query them': async () => {
        const store = await OpfsStore.open(mint('store'));
        using tuckaway = await createTuckaway({ store, contextWindow: 8000 });
        const content = JSON.stringify(Array.from({ length: 100_000 }, (_, id) => ({ id, name: `row ${id}` })));
        const { artifacts: [artifact], decision } = tuckaway.process({ tool: 'sql', content });
        same([decision.action, decision.failures, artifact?.sizeBytes], ['artifact', [], content.length]);
        same(tuckaway.jq(artifact!.id, '.[99999].name').text, '"row 99999"\n');
        same(tuckaway.listArtifacts(), store.listArtifacts());
        store.close();
    },

    'an invalid name or option is reported': async () => {
        for (const open of [
            () => OpfsStore.open('../x'),
            () => OpfsStore.open(''),
            () => OpfsStore.open('x', { waitSeconds: -1 }),
            () => OpfsStore.open('x', { quota: 1 } as object),
        ]) {
            const error: unknown = await open().catch((thrown: unknown) => thrown);
            same((error as { kind: string }).kind, 'invalid_input');
        }
    },
};

/** An artifact of `bytes` bytes of noise, at whose sealing the log had `at` bytes. */
interface Sealed {
    id: string;
    bytes: number;
    at: number;
}

/** Creates a store with some artifacts, and returns its files and where each artifact was sealed. */
async function recorded(name: string): Promise<{ files: Uint8Array[]; sealedAt: Sealed[] }> {
    const sealedAt: Sealed[] = [];
    for (const bytes of [1200, 0, 30, 5]) {
        const store = await OpfsStore.open(name);
        const id = await put(store, 't', noise(bytes));
        store.close();
        sealedAt.push({ id, bytes, at: (await contents(name))[0]!.length });
    }
    return { files: await contents(name), sealedAt };
}

/** Checks that a store contains exactly these artifacts, and that it accepts and keeps another. */
async function check(name: string, expected: Sealed[], when: string): Promise<void> {
    const store = await OpfsStore.open(name);
    same(await ids(store), expected.map(({ id }) => id), when);
    for (const { id, bytes } of expected) {
        same(store.read(id, 0, 2 * MEBIBYTE), noise(bytes), when);
    }
    const more = await put(store, 'more', noise(33));
    store.close();
    const again = await OpfsStore.open(name);
    same(await ids(again), [...expected.map(({ id }) => id), more], `${when}, with one more`);
    again.close();
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
    return Uint8Array.of(...a, ...b);
}

async function contents(name: string): Promise<Uint8Array[]> {
    const folder = await folderOf(name);
    return Promise.all(['0.log', '1.log'].map(async (file) => {
        const handle = await folder.getFileHandle(file);
        return new Uint8Array(await (await handle.getFile()).arrayBuffer());
    }));
}

async function replace(name: string, files: [Uint8Array, Uint8Array]): Promise<void> {
    const folder = await folderOf(name);
    for (const [index, content] of files.entries()) {
        const file = (await folder.getFileHandle(`${index}.log`)) as FileSystemFileHandle & {
            createSyncAccessHandle(): Promise<SyncHandle>;
        };
        const handle = await file.createSyncAccessHandle();
        handle.truncate(0);
        handle.write(content);
        handle.close();
    }
}

async function folderOf(name: string): Promise<FileSystemDirectoryHandle> {
    return (await navigator.storage.getDirectory()).getDirectoryHandle(`tuckaway-${name}`);
}

/** The methods of a handle that are used here, and that the DOM types lack. */
interface SyncHandle {
    truncate(size: number): void;
    write(bytes: Uint8Array): void;
    close(): void;
}

/** Stores that {@link open} opened, by name. */
const opened = new Map<string, Store>();

/** Opens a store and keeps it open. */
export async function open(name: string, waitSeconds?: number): Promise<void> {
    opened.set(name, await OpfsStore.open(name, { waitSeconds }));
}

/** Lists a store that {@link open} opened, and checks that its artifacts come from {@link writeOn}. */
export async function listed(name: string): Promise<string[]> {
    const store = opened.get(name)!;
    for (const { id, sizeBytes } of store.listArtifacts()) {
        same(store.read(id, 0, sizeBytes), noise(sizeBytes), id);
    }
    return ids(store);
}

/** Writes and deletes endlessly, and reports to the page which artifacts were sealed and are about to be deleted. */
export async function writeOn(name: string): Promise<void> {
    const store = await OpfsStore.open(name);
    const steps = new BroadcastChannel('steps');
    const report = (step: { sealed: string } | { deleting: string }) => new Promise((received) => {
        steps.onmessage = received;
        steps.postMessage(step);
    });
    const kept: string[] = [];
    for (let n = 0; ; n++) {
        const id = store.create('t', '');
        const bytes = noise(100_000 + 4321 * (n % 50));
        for (let from = 0; from < bytes.length; from += 30_000) {
            store.append(id, bytes.subarray(from, from + 30_000));
        }
        store.seal(id, 1);
        await report({ sealed: id });
        kept.push(id);
        if (kept.length > 8) {
            const oldest = kept.shift()!;
            await report({ deleting: oldest });
            store.delete(oldest);
        }
    }
}

/** Writes until the browser grants no more space, then checks that the store still works. */
export async function fill(): Promise<void> {
    const name = mint('store');
    const store = await OpfsStore.open(name);
    const kept = await put(store, 't', noise(1000));
    const write = (bytes: number) => {
        const id = store.create('t', '');
        store.append(id, crypto.getRandomValues(new Uint8Array(bytes)));
        store.seal(id, 1);
        return id;
    };
    const id = store.create('t', '');
    const message = await fails(() => {
        for (let n = 0; n < 100; n++) {
            store.append(id, crypto.getRandomValues(new Uint8Array(65536)));
        }
    }, 'quota_exceeded');
    same(message, 'writing: the browser grants no more storage');
    await fails(() => store.append(id, utf8('x')), 'other');
    store.delete(id);
    same(store.read(kept, 0, 2000), noise(1000));

    // The space of the failed artifact is free again. Even on a completely full disk, artifacts can be deleted.
    const more: string[] = [];
    for (const bytes of [50_000, 1000, 100, 10, 1]) {
        await fails(() => {
            for (let n = 0; n < 1000; n++) {
                more.push(write(bytes));
            }
        }, 'quota_exceeded');
    }
    // Each deletion is a record of 20 bytes: this many do not fit into the space left by the smallest artifact.
    ok(more.length > 30, `${more.length} fit`);
    const [deleted, rest] = [more.slice(0, 20), more.slice(20)];
    deleted.forEach((each) => store.delete(each));
    await fails(() => store.stat(deleted[0]!), 'not_found');
    store.close();
    const again = await OpfsStore.open(name);
    same(await ids(again), [kept, ...rest]);
    again.close();
}

/** Opens a store and returns the error. */
export async function openingThrows(): Promise<unknown> {
    const error: unknown = await OpfsStore.open('here').catch((thrown: unknown) => thrown);
    const { name, kind, message } = error as { name: string; kind: string; message: string };
    return { name, kind, message };
}
