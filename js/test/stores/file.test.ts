import assert from 'node:assert/strict';
import * as fs from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';

import { DirStore, StoreError, mint } from 'tuckaway';
import { sessionsContract, sharingContract, type EmptyStore, type Opener } from 'tuckaway/store-contract';

import { fails, thrown } from '../support/expect.js';
import { contract, ids, noise, put, utf8 } from './contract.js';

/** Returns helpers for a folder that is removed after the test. */
function scratch(t: TestContext) {
    const path = join(fs.mkdtempSync(join(tmpdir(), 'tuckaway-')), 'store');
    t.after(() => fs.rmSync(join(path, '..'), { recursive: true, force: true }));
    const at = (name: string) => join(path, name);
    return {
        path,
        at,
        open: DirStore.open.bind(undefined, path),
        names: () => fs.readdirSync(path).sort(),
        read: (name: string) => fs.readFileSync(at(name), 'utf8'),
        write: (name: string, content: string) => fs.writeFileSync(at(name), content),
        /** Sets the timestamp of a file to three days ago. */
        makeOld: (name: string) => {
            const old = Date.now() / 1000 - 3 * 24 * 60 * 60;
            fs.utimesSync(at(name), old, old);
        },
    };
}

test('the contract', async (t) => {
    const { path } = scratch(t);
    const empty: EmptyStore<DirStore> = (options) => DirStore.open(join(path, mint('store')), options);
    const place = (): Opener => DirStore.open.bind(undefined, join(path, mint('store')));
    const checks = { ...contract(empty), ...sessionsContract(empty), ...sharingContract(place) };
    for (const [name, check] of Object.entries(checks)) {
        await t.test(name, check);
    }
});

test('the files are identical to those of the Rust host', async (t) => {
    const { open, names, read } = scratch(t);
    const store = open();
    const id = await put(store, 'build', utf8('line\n'));
    assert.deepEqual(names(), [id, `${id}.json`]);
    assert.equal(read(id), 'line\n');
    const { createdAt } = store.stat(id);
    assert.equal(
        read(`${id}.json`),
        `{"id":"${id}","tool":"build","media_type":"text/plain",`
            + `"size_bytes":5,"line_count":1,"created_at":${createdAt}}\n`,
    );
    const unsealed = store.create('build', '');
    assert.ok(names().includes(`.${unsealed}.part`));
    store.delete(unsealed);

    const odd = store.create('q"\\/\b\f\n\r\t\0\x1f\x7f\u2028é漢🦀\ud83e', '');
    store.seal(odd, 0);
    assert.match(
        read(`${odd}.json`),
        /^\{"id":"[a-z0-9_]+","tool":"q\\"\\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\u2028é漢🦀\ufffd","media_type":""/u,
    );
});

test('metadata can have keys from a later version', (t) => {
    const { open, write } = scratch(t);
    const store = open();
    const id = 'art_sql_0123456789';
    write(id, 'rows');
    write(
        `${id}.json`,
        `{"new":[1],"created_at":17,"line_count":1,"size_bytes":4,"media_type":"m","tool":"\\u00e9","id":"${id}"}`,
    );
    assert.deepEqual(store.stat(id), { id, tool: 'é', mediaType: 'm', sizeBytes: 4, lineCount: 1, createdAt: 17 });
    assert.deepEqual(store.read(id, 1, 2), utf8('ow'));
});

test('files are private and links are not followed', { skip: process.platform === 'win32' }, async (t) => {
    const { path, at, open, read, write } = scratch(t);
    const store = open();
    const id = await put(store, 't', utf8('secret'));
    const unsealed = store.create('t', '');
    const mode = (name: string) => fs.statSync(at(name)).mode & 0o777;
    assert.equal(fs.statSync(path).mode & 0o777, 0o700);
    for (const name of [id, `${id}.json`, `.${unsealed}.part`]) {
        assert.equal(mode(name), 0o600, name);
    }

    const link = 'art_t_linklink00';
    fs.symlinkSync(at(id), at(link));
    write(`${link}.json`, read(`${id}.json`).replace(id, link));
    await fails(() => store.stat(link), 'not_found');
    await fails(() => store.read(link, 0, 10), 'not_found');
    fs.unlinkSync(at(`${link}.json`));
    fs.unlinkSync(at(link));
    fs.symlinkSync(at(`${id}.json`), at(`${link}.json`));
    await fails(() => store.stat(link), 'not_found');
    fs.unlinkSync(at(`${link}.json`));
    // A file system that ignores case would find this file for another id.
    write('art_t_ABCDEFGHIJ.json', read(`${id}.json`));
    await fails(() => store.stat('art_t_ABCDEFGHIJ'), 'not_found');
    assert.deepEqual(await ids(store), [id]);
});

test('two stores can share a folder', async (t) => {
    const { open } = scratch(t);
    const [one, two] = [open(), open()];
    const written: string[] = [];
    for (let n = 0; n < 20; n++) {
        written.push(await put([one, two][n % 2] as DirStore, 't', new Uint8Array(5000).fill(n)));
        assert.ok(two.listArtifacts().every(({ sizeBytes }) => sizeBytes === 5000));
    }
    for (const [n, id] of written.entries()) {
        assert.deepEqual(one.read(id, 4990, 100), new Uint8Array(10).fill(n));
        assert.equal(two.stat(id).sizeBytes, 5000);
    }
    assert.deepEqual(one.listArtifacts(), two.listArtifacts());
    // The other store can remove an unsealed artifact, but not write to it.
    const id = one.create('t', '');
    await fails(() => two.append(id, utf8('x')), 'not_found');
    await fails(() => two.seal(id, 0), 'not_found');
    two.delete(id);
    assert.throws(() => one.seal(id, 0), StoreError);
    await fails(() => one.stat(id), 'not_found');
    assert.ok(!one.listArtifacts().some((artifact) => artifact.id === id));
});

test('writers that share a quota account for each other when they seal', async (t) => {
    const { open, names } = scratch(t);
    const [one, two] = [open({ quotaBytes: 100 }), open({ quotaBytes: 100 })];
    const [first, second] = [one.create('t', ''), two.create('t', '')];
    one.append(first, noise(60));
    two.append(second, noise(60));
    await fails(() => one.seal(first, 1), 'quota_exceeded');
    two.seal(second, 1);
    assert.deepEqual(names(), [second, `${second}.json`]);
});

test('files left behind by a crash are not visible, and are removed when they are old', async (t) => {
    const { open, names, write, makeOld } = scratch(t);
    const store = open();
    const [old, recent, oldMeta] = ['.art_t_aaaaaaaaaa.part', '.art_t_bbbbbbbbbb.part', '.art_t_cccccccccc.json.part'];
    const others = ['Makefile', 'Makefile.json', '.notes.part', 'package.json'];
    for (const name of [old, recent, oldMeta, ...others]) {
        write(name, 'half');
    }
    for (const name of [old, oldMeta, ...others]) {
        makeOld(name);
    }
    assert.deepEqual(store.listArtifacts(), []);
    const id = await put(store, 't', utf8('x'));
    const expected = [recent, id, `${id}.json`, ...others].sort();
    assert.deepEqual(names(), expected);
    // Files that are not artifacts cannot be deleted, either.
    await fails(() => store.delete('Makefile'), 'not_found');
    await fails(() => store.delete('package'), 'not_found');
    assert.deepEqual(names(), expected);
});

test('a damaged artifact is reported, and does not hide others', async (t) => {
    const { open, write } = scratch(t);
    const store = open();
    const whole = await put(store, 't', utf8('whole'));
    const cut = await put(store, 't', utf8('cut short'));
    const torn = await put(store, 't', utf8('torn'));
    write(cut, 'cut');
    assert.deepEqual(await ids(store), [whole, torn]);
    assert.equal(await fails(() => store.stat(cut), 'other'), "the artifact's file has 3 bytes, but 9 were sealed");
    for (const [meta, why] of [
        ['{', 'the metadata of the artifact is damaged: it is not JSON'],
        ['\ufeff{}', 'the metadata of the artifact is damaged: it is not JSON'],
        ['null', 'the metadata of the artifact is damaged: id is missing or has the wrong type'],
        [`{"id":"${torn}"}`, 'the metadata of the artifact is damaged: tool is missing or has the wrong type'],
        [`{"id":"${torn}","tool":"t","media_type":"","size_bytes":-4}`,
            'the metadata of the artifact is damaged: size_bytes is missing or has the wrong type'],
    ] as const) {
        write(`${torn}.json`, meta);
        assert.equal(await fails(() => store.read(torn, 0, 1), 'other'), why);
        assert.deepEqual(await ids(store), [whole]);
    }
    store.delete(cut);
    store.delete(torn);
});

test('an expired artifact leaves only its metadata', async (t) => {
    const { open, names, makeOld } = scratch(t);
    const id = await put(open(), 't', utf8('old'));
    const next = open({ maxAgeSeconds: 0 }).create('t', '');
    assert.deepEqual(names(), [`.${next}.part`, `${id}.json`]);
    // A store without a maximum age sees the same.
    await fails(() => open().stat(id), 'expired');
    makeOld(`${id}.json`);
    open().create('t', '');
    await fails(() => open().stat(id), 'not_found');
});

test('a session is a folder of the same format, and one that was removed halfway is gone', async (t) => {
    const { path, open, names } = scratch(t);
    const store = open();
    const id = await put(store.session('chat-1'), 't', utf8('x'));
    assert.deepEqual(names(), ['sessions']);
    assert.deepEqual(fs.readdirSync(join(path, 'sessions/chat-1')).sort(), [id, `${id}.json`]);
    assert.equal(fs.statSync(join(path, 'sessions/chat-1')).mode & 0o777, 0o700);
    assert.deepEqual(await ids(open(undefined).session('chat-1')), [id]);
    // Remains of an interrupted removal of a session, and other files.
    fs.mkdirSync(join(path, 'sessions/.chat-2.art_tool_output_0123456789.removed/sessions'), { recursive: true });
    fs.mkdirSync(join(path, 'sessions/Other'));
    fs.writeFileSync(join(path, 'sessions/Other/file'), '');
    fs.mkdirSync(join(path, 'sessions/never-used'));
    fs.symlinkSync(join(path, 'sessions/chat-1'), join(path, 'sessions/link'));
    assert.deepEqual(store.sessions(), ['chat-1']);
    store.collectGarbage();
    assert.deepEqual(fs.readdirSync(join(path, 'sessions')).sort(), ['Other', 'chat-1', 'link', 'never-used']);
    store.removeSession('chat-1');
    assert.deepEqual(fs.readdirSync(join(path, 'sessions')).sort(), ['Other', 'link', 'never-used']);
});

test('an expired artifact keeps when it expired, as the Rust host writes it', async (t) => {
    const { open, read, names } = scratch(t);
    let now = 1_800_000_000;
    const store = open({ maxAgeSeconds: 60, clock: () => now * 1000 });
    const id = await put(store, 'build', utf8('old'));
    now += 100;
    assert.deepEqual(store.collectGarbage(), { expired: 1, abandoned: 0, forgotten: 0, freedBytes: 3 });
    assert.deepEqual(names(), [`${id}.json`]);
    assert.equal(
        read(`${id}.json`),
        `{"id":"${id}","tool":"build","media_type":"text/plain","size_bytes":3,"line_count":1,`
            + '"created_at":1800000000,"expired_at":1800000060}\n',
    );
    const { expiry } = await thrown(() => open().stat(id), 'expired');
    assert.deepEqual(expiry, { tool: 'build', expiredAt: 1_800_000_060 });
});

test('no error names a path', async (t) => {
    const { path, open } = scratch(t);
    const store = open();
    fs.rmSync(path, { recursive: true });
    assert.equal(await fails(() => store.create('t', ''), 'other'), 'creating a file: no such file or directory');
    assert.deepEqual(store.listArtifacts(), []);
    fs.writeFileSync(path, '');
    assert.equal(await fails(open, 'other'), 'creating the folder: file already exists');
});

test('an invalid path is reported', () => {
    const wanted = 'the path of a folder: a non-empty string without NUL';
    for (const [path, shown] of [[undefined, 'undefined'], [7, '7'], ['', '""'], ['a\0b', '"a\\u0000b"']] as const) {
        assert.throws(() => DirStore.open(path as string), {
            name: 'TuckawayError',
            kind: 'invalid_input',
            message: `The store's path is ${shown}; it must be ${wanted}.`,
        });
    }
});

test('an invalid option is reported', () => {
    assert.throws(() => DirStore.open('.', { quotaBytes: -1 }), {
        name: 'TuckawayError',
        kind: 'invalid_input',
        message: 'options.quotaBytes is -1; it must be a number of at least 0, or Infinity.',
    });
    assert.throws(() => DirStore.open('.', { maxAgeSecs: 1 } as object), /did you mean maxAgeSeconds\?/);
});
