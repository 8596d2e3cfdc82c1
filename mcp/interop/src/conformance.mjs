// The official conformance suite, with and without the proxy. A scenario that passes without the
// proxy must pass with it, with the exceptions listed here.

import { spawn } from "node:child_process";
import { join } from "node:path";
import * as servers from "./servers.mjs";

/** @typedef {import("./sections.mjs").Section} Section */

/** The scenarios that fail with the proxy, and why. docs/mcp.md has the same list. @type {{[scenario: string]: string}} */
const KNOWN = {};

/**
 * The suites: of the revisions with `initialize`, and of the revision without. The second one has no release, only the
 * version that is pinned.
 * @typedef {{directory: string, options: string[]}} Suite
 * @type {Suite}
 */
const INITIALIZED = { directory: "@modelcontextprotocol/conformance", options: ["--suite", "all"] };
/** @type {Suite} */
const STATELESS = { directory: "conformance-stateless", options: ["--requirements", "2026-07-28"] };

/** Runs all scenarios against a URL. Returns the numbers of passed and failed checks for each that the revision requires. */
async function scenarios(/** @type {string} */ url, /** @type {Suite} */ { directory, options }) {
  const program = servers.npmProgram(join(directory, "dist/index.js"));
  const args = ["--import", join(servers.HOME, "src/node22.mjs"), program, "server", "--url", url, ...options];
  const child = spawn(process.execPath, args, { env: servers.environment(), stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (output += text));
  await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  const plain = output.replace(/\u001b\[\d+m/g, "");
  /** @type {Map<string, {passed: number, failed: number}>} */
  const results = new Map();
  for (const [, name, passed, failed] of plain.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gmu)) {
    results.set(`${name}`, { passed: Number(passed), failed: Number(failed) });
  }
  for (const [, name] of plain.matchAll(/^ +[✓✗] ([\w-]+) \((?:extension|pending)\)/gmu)) results.delete(`${name}`);
  if (results.size < 20) throw new Error(`the conformance suite found ${results.size} scenarios: ${plain.slice(-3000)}`);
  return results;
}

/** Compares a server with the same server through the proxy. */
async function compared(/** @type {string} */ direct, /** @type {servers.Command} */ command, /** @type {Suite} */ suite) {
  const before = await scenarios(direct, suite);
  const proxy = await servers.listening(command);
  const after = await scenarios(proxy.url, suite).finally(proxy.stop);
  const found = [];
  for (const [name, { passed, failed }] of before) {
    const now = after.get(name);
    const isWorse = !now || now.failed > failed || now.passed < passed;
    if (isWorse && !KNOWN[name]) found.push(`${name}: ${passed} passed, ${failed} failed; with the proxy ${now?.passed}, ${now?.failed}`);
    if (!isWorse && KNOWN[name]) found.push(`${name} passes: remove it from the list of failures`);
  }
  const passing = [...before.values()].filter(({ failed }) => failed === 0).length;
  const failing = [...before].filter(([, { failed }]) => failed > 0).map(([name]) => name);
  const what = `${passing} of ${before.size} scenarios pass without the proxy${failing.length ? `; not: ${failing.join(", ")}` : ""}`;
  return { what, found };
}

/** Compares a server of these files with the same server behind the proxy. */
async function comparedOwn(/** @type {string} */ file, /** @type {Suite} */ suite) {
  const port = await servers.freePort();
  const script = join(servers.HOME, "src", file);
  const node = { command: process.execPath, env: servers.environment() };
  const server = await servers.started({ ...node, args: [script, `${port}`] }, /listening on port/);
  try {
    return await compared(`http://127.0.0.1:${port}/mcp`, servers.proxyOf({ ...node, args: [script] }), suite);
  } finally {
    await server.stop();
  }
}

/** @type {{[name: string]: Section}} */
export const CONFORMANCE_SECTIONS = {
  "conformance: a server for it": () => comparedOwn("conformance-server.mjs", INITIALIZED),
  "conformance: a server for it, 2026-07-28": () => comparedOwn("conformance-stateless.mjs", STATELESS),
  async "conformance: the everything server"() {
    const server = await servers.everythingOverHttp();
    try {
      return await compared(server.url, servers.proxied(["--url", server.url]), INITIALIZED);
    } finally {
      await server.stop();
    }
  },
};
