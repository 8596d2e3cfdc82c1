// The plugin that keeps artifacts in its memory, in Extism's SDK for JavaScript. `cargo xtask adapters` installs the SDK
// next to a copy of this file.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import createPlugin from '@extism/extism';

const TARGET = process.env.TUCKAWAY_TARGET;
const REPOSITORY = join(TARGET, '..');

const ROWS = Array.from({ length: 9000 }, (_, n) => `{"id": ${n}, "name": "row ${n} é漢🦀"}\n`).join('');
const TURN = { context_window: 32_000, tools: ['read', 'grep', 'jq'] };

async function open(t) {
  const data = await readFile(join(TARGET, 'tuckaway-extism.wasm'));
  const plugin = await createPlugin({ wasm: [{ data }] }, { config: { max_bytes: '1000000' } });
  t.after(() => plugin.close());
  return plugin;
}

test('artifacts last as long as the plugin, whatever is reset', async (t) => {
  const plugin = await open(t);
  const call = async (name, given) => {
    const answer = (await plugin.call(name, JSON.stringify(given))).json();
    assert.ok(await plugin.reset());
    return answer;
  };
  const output = { tool: 'sql', blocks: [{ content: { text: ROWS } }] };
  const view = await call('process', { output, turn: TURN });
  const [{ id }] = view.ok.artifacts;
  const found = await call('grep', { id, query: { pattern: 'row 8999 ' } });
  assert.deepEqual([found.ok.matches[0].line, found.ok.matches[0].text], [9000, '{"id": 8999, "name": "row 8999 é漢🦀"}']);
  assert.deepEqual(await call('delete', { id }), { ok: null });
  assert.deepEqual((await call('list_artifacts', {})).ok, []);
});

test('a function that the plugin does not have is an error of the SDK', async (t) => {
  const plugin = await open(t);
  await assert.rejects(plugin.call('no_such_function', '{}'), /no_such_function/);
});

test('the example for Node works', async () => {
  const page = await readFile(join(REPOSITORY, 'docs/plugin-hosts.md'), 'utf8');
  const [, example] = page.slice(page.indexOf('\nIn Node ')).split(/```(?:js\n)?/);
  const script = fileURLToPath(new URL('example.mjs', import.meta.url));
  await writeFile(script, example);
  const printed = execFileSync(process.execPath, [script], { cwd: REPOSITORY, encoding: 'utf8' });
  assert.match(printed, /"artifact_id": "art_sql_query_0000000001"/);
  assert.match(printed, /^20000:19999,row 19999$/m);
});
