// Modules in Extism's SDK for JavaScript and in plain WebAssembly, for the runner of the cases: `node_host.py` makes the
// calls, and answers the imported functions. `cargo xtask adapters` installs the SDK next to a copy of this file.
//
// A message is its length in four bytes, most significant first, and its content. A call is two messages, the function
// and its arguments; without a function, it makes a new instance and has no answer. Messages from here begin with a
// letter: `s` and `t` ask the store and the token counter, which the next message answers; `a` is the answer of the
// call, `e` an error of the host.

import { readFileSync, readSync, writeSync } from 'node:fs';
import createPlugin from '@extism/extism';

const utf8 = new TextEncoder();

/** Returns the next message; undefined at the end. */
function receive() {
  const length = receiveBytes(4);
  return length && receiveBytes(new DataView(length.buffer).getUint32(0));
}

function receiveBytes(length) {
  // Neither a Buffer nor a part of one, whose memory others share: the SDK takes an array's whole memory.
  const bytes = new Uint8Array(length);
  for (let end = 0; end < length;) {
    const received = readSync(0, bytes, end, length - end, null);
    if (received === 0) return undefined;
    end += received;
  }
  return bytes;
}

function send(kind, content) {
  const message = Buffer.alloc(5 + content.length);
  message.writeUInt32BE(content.length + 1);
  message.write(kind, 4);
  message.set(content, 5);
  for (let sent = 0; sent < message.length;) sent += writeSync(1, message, sent);
}

function ask(kind, request) {
  send(kind, request);
  return receive();
}

/** A plugin of Extism. Returns its calls and its end. */
async function inExtism(module) {
  const through = (kind) => (context, at) => context.store(ask(kind, context.read(at)?.bytes() ?? new Uint8Array()));
  const functions = { store: through('s'), tokens: through('t') };
  const plugin = await createPlugin({ wasm: [{ module }] }, { functions: { 'extism:host/user': functions } });
  const call = async (name, given) => {
    try {
      return (await plugin.call(name, given)).bytes();
    } finally {
      // The SDK keeps the memory of all calls until then, and fails after 32,768 blocks.
      await plugin.reset();
    }
  };
  return { call, close: () => plugin.close() };
}

/** The core module. */
async function inPlainWebAssembly(module) {
  const read = (at, length) => new Uint8Array(exports.memory.buffer, at >>> 0, length >>> 0).slice();
  const write = (bytes) => {
    const at = exports.alloc(bytes.length) >>> 0;
    new Uint8Array(exports.memory.buffer).set(bytes, at);
    return [at, bytes.length];
  };
  const through = (kind) => (at, length) => {
    const [address, size] = write(ask(kind, read(at, length)));
    return (BigInt(address) << 32n) | BigInt(size);
  };
  const imports = { store: through('s'), tokens: through('t') };
  const { exports } = await WebAssembly.instantiate(module, { tuckaway: imports });
  const call = (name, given) => {
    const buffers = [utf8.encode(name), given].map(write);
    const packed = BigInt.asUintN(64, exports.call(...buffers.flat()));
    const answer = [Number(packed >> 32n), Number(packed & 0xffff_ffffn)];
    const out = read(...answer);
    for (const [at] of [...buffers, answer]) exports.free(at);
    return out;
  };
  return { call, close: () => {} };
}

const [host, file] = process.argv.slice(2);
const open = { extism: inExtism, core: inPlainWebAssembly }[host];
const module = await WebAssembly.compile(readFileSync(file));
let instance = await open(module);
for (let name = receive(); name !== undefined; name = receive()) {
  const given = receive();
  if (name.length === 0) {
    await instance.close();
    instance = await open(module);
    continue;
  }
  try {
    send('a', await instance.call(new TextDecoder().decode(name), given));
  } catch (error) {
    send('e', utf8.encode(error.stack));
  }
}
await instance.close();
