// The plugin in Extism's SDK for JavaScript, and the core module in plain WebAssembly: the same calls have the
// same answers, byte for byte. `cargo xtask adapters` installs the SDK next to a copy of this file.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import createPlugin from '@extism/extism';

const TARGET = process.env.TUCKAWAY_TARGET;

const bytes = (name) => readFile(join(TARGET, name));
const wasm = async (name) => ({ wasm: [{ data: await bytes(name) }] });
const utf8 = new TextEncoder();
const text = new TextDecoder();

/** The store of a host: the answer to a request, both as bytes. */
class MapStore {
  #artifacts = new Map();
  #created = 0;

  answer(request) {
    const end = request.indexOf(10);
    const { method, ...given } = JSON.parse(text.decode(request.subarray(0, end)));
    const artifact = this.#artifacts.get(given.id);
    if (artifact === undefined && !['create', 'list_artifacts'].includes(method)) return failed('not_found');
    switch (method) {
      case 'create': {
        const id = `art_${++this.#created}`;
        this.#artifacts.set(id, { id, ...given, created_at: 1_700_000_000 + this.#created, content: [] });
        return ok(id);
      }
      case 'append':
        artifact.content.push(request.slice(end + 1));
        return ok(null);
      case 'seal':
        artifact.content = Buffer.concat(artifact.content);
        artifact.size_bytes = artifact.content.length;
        artifact.line_count = given.line_count;
        return ok(described(artifact));
      case 'stat':
        return ok(described(artifact));
      case 'read':
        return ok(null, artifact.content.subarray(given.offset, given.offset + given.length));
      case 'list_artifacts':
        return ok([...this.#artifacts.values()].filter((each) => 'size_bytes' in each).map(described));
      case 'delete':
        this.#artifacts.delete(given.id);
        return ok(null);
    }
    return failed({ other: `there is no method ${method}` });
  }
}

const described = ({ content: _, ...artifact }) => artifact;
const ok = (result, content = []) => Buffer.concat([utf8.encode(JSON.stringify({ ok: result }) + '\n'), Buffer.from(content)]);
const failed = (error) => utf8.encode(JSON.stringify({ error }));
const count = (request) => utf8.encode(JSON.stringify({ ok: Math.ceil(request.length / 4) }));

/** The plugin whose store is a host function. */
async function inExtism() {
  const store = new MapStore();
  // Copied: the SDK takes an array's whole memory, which a Buffer shares with others.
  const through = (answer) => (context, at) =>
    context.store(new Uint8Array(answer(context.read(at)?.bytes() ?? new Uint8Array())));
  const functions = { store: through((request) => store.answer(request)), tokens: through(count) };
  const plugin = await createPlugin(await wasm('tuckaway-extism-host.wasm'), { functions: { 'extism:host/user': functions } });
  const call = async (name, given) => (await plugin.call(name, JSON.stringify(given))).text();
  return { call, close: () => plugin.close() };
}

/** The core module. */
async function inPlainWebAssembly() {
  const store = new MapStore();
  const read = (at, length) => new Uint8Array(exports.memory.buffer, at >>> 0, length >>> 0).slice();
  const write = (bytes) => {
    const at = exports.alloc(bytes.length) >>> 0;
    new Uint8Array(exports.memory.buffer).set(bytes, at);
    return [at, bytes.length];
  };
  const through = (answer) => (at, length) => {
    const [address, size] = write(answer(read(at, length)));
    return (BigInt(address) << 32n) | BigInt(size);
  };
  const imports = { store: through((request) => store.answer(request)), tokens: through(count) };
  const { instance } = await WebAssembly.instantiate(await bytes('tuckaway-core.wasm'), { tuckaway: imports });
  const { exports } = instance;
  const call = async (name, given) => {
    const buffers = [name, JSON.stringify(given)].map((part) => write(utf8.encode(part)));
    const packed = BigInt.asUintN(64, exports.call(...buffers.flat()));
    const answer = [Number(packed >> 32n), Number(packed & 0xffff_ffffn)];
    const out = text.decode(read(...answer));
    for (const [at] of [...buffers, answer]) exports.free(at);
    return out;
  };
  return { call, close: () => {} };
}

const ROWS = Array.from({ length: 9000 }, (_, n) => `{"id": ${n}, "name": "row ${n} é漢🦀"}\n`).join('');
const TURN = { context_window: 32_000, tools: ['read', 'grep', 'jq'] };
const output = (text) => ({ tool: 'sql', blocks: [{ content: { text } }] });

const CALLS = [
  ['process', { output: output('short'), turn: TURN }],
  ['process', { output: output(ROWS), turn: TURN }],
  ['process', { output: output(ROWS), turn: TURN, policy: { mode: 'truncate', max_view_bytes: 2000 } }],
  ['read', { id: 'art_1', range: { lines: { start: 8990, end: 8992 } }, line_numbers: true }],
  ['grep', { id: 'art_1', query: { pattern: 'row 89[0-9]{2} ', max_matches: 7 } }],
  ['jq', { id: 'art_1', query: { filter: 'select(.id == 8999) | .name', compact: true } }],
  ['jq', { id: 'art_1', query: { filter: '.nothing |' } }],
  ['list_artifacts', {}],
  ['definitions', { tools: ['read', 'grep', 'jq'] }],
  ['call', { name: 'artifact_grep', arguments: '{"artifact_id": "art_1", "pattern": "row 4711 "}' }],
  ['read', { id: 'art_2' }],
  ['extraction_config', { context_tokens: 200_000 }],
  ['plan', { conversation: { messages: [] }, task: { manage: { context_window: 8000 } } }],
  ['no_such_function', {}],
];

let extism;
let plain;
before(async () => {
  [extism, plain] = [await inExtism(), await inPlainWebAssembly()];
});
after(() => extism.close());

for (const [index, [name, given]] of CALLS.entries()) {
  test(`${index} ${name}`, async () => {
    const expected = await plain.call(name, given);
    if (name === 'no_such_function') {
      assert.match(expected, /There is no function/);
      await assert.rejects(extism.call(name, given));
    } else {
      assert.match(expected, name === 'read' && given.id === 'art_2' ? /"not_found"/ : /^\{"(ok|error)":/);
      assert.equal(await extism.call(name, given), expected);
    }
  });
}

test('the answers are those of an engine', async () => {
  const found = JSON.parse(await extism.call('grep', { id: 'art_1', query: { pattern: 'row 8999 ' } }));
  assert.equal(found.ok.matches[0].text, '{"id": 8999, "name": "row 8999 é漢🦀"}');
});

test('artifacts last as long as the plugin that keeps them in its memory', async () => {
  const plugin = await createPlugin(await wasm('tuckaway-extism.wasm'), { config: { max_bytes: '1000000' } });
  const call = async (name, given) => (await plugin.call(name, JSON.stringify(given))).json();
  const view = await call('process', { output: output(ROWS), turn: TURN });
  const [{ id }] = view.ok.artifacts;
  const found = await call('grep', { id, query: { pattern: 'row 8999 ' } });
  assert.equal(found.ok.matches[0].line, 9000);
  assert.deepEqual(await call('delete', { id }), { ok: null });
  assert.deepEqual((await call('list_artifacts', {})).ok, []);
  await plugin.close();
});
