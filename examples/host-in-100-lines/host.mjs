// Runs `tuckaway.wasm` in Node with the glue of jco, with a store in a `Map` and nothing of tuckaway's npm package: it
// shows a model's view of a file, and the lines that `artifact_grep` finds in it.
//
//     npm ci && npm run transpile
//     node host.mjs FILE PATTERN

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { instantiate } from './generated/tuckaway.js';

const NOT_FOUND = { tag: 'not-found' };

/** The store of one session: artifacts by their ids, oldest first. `content` is a list of parts until it is sealed. */
class MapStore {
  #artifacts = new Map();

  #find(id, sealed) {
    const artifact = this.#artifacts.get(id);
    if (artifact === undefined || artifact.sealed !== sealed) throw NOT_FOUND;
    return artifact;
  }

  create = (tool, mediaType) => {
    const id = `art_${randomUUID()}`;
    const createdAt = BigInt(Math.floor(Date.now() / 1000));
    this.#artifacts.set(id, { id, tool, mediaType, createdAt, content: [], sealed: false });
    return id;
  };

  append = (id, bytes) => {
    this.#find(id, false).content.push(bytes.slice());
  };

  seal = (id, lineCount) => {
    const artifact = this.#find(id, false);
    const content = Buffer.concat(artifact.content);
    return Object.assign(artifact, { content, lineCount, sizeBytes: BigInt(content.length), sealed: true });
  };

  stat = (id) => this.#find(id, true);

  read = (id, offset, length) => this.#find(id, true).content.subarray(Number(offset), Number(offset) + length);

  listArtifacts = () => [...this.#artifacts.values()].filter(({ sealed }) => sealed);

  delete = (id) => {
    if (!this.#artifacts.delete(id)) throw NOT_FOUND;
  };
}

const tokens = { count: (text) => BigInt(Math.ceil(Buffer.byteLength(text) / 4)) };

const [file, pattern] = process.argv.slice(2);
if (pattern === undefined) {
  console.error('Pass the path of a file, and a pattern.');
  process.exit(2);
}

const module = (name) => new WebAssembly.Module(readFileSync(new URL(`generated/${name}`, import.meta.url)));
const engine = instantiate(module, {
  'tuckaway:context/store': new MapStore(),
  'tuckaway:context/tokens': tokens,
});

const output = {
  tool: 'fetch',
  isError: false,
  blocks: [{ content: { tag: 'bytes', val: readFileSync(file) } }],
};
const turn = { contextWindow: 128_000n, usedTokens: 0n, tools: ['read', 'grep', 'jq'] };
const view = engine.offload.process(output, turn, engine.offload.defaultPolicy('artifact'));
console.log(view.text);
for (const { id } of view.artifacts) {
  const query = JSON.stringify({ artifact_id: id, pattern });
  console.log(engine.tools.call('artifact_grep', query).text);
}
