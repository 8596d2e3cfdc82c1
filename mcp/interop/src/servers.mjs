// The servers that `cargo xtask test` runs, each pinned by package-lock.json or requirements.txt, and how all servers are
// found and started. ../servers/table.mjs has those of `cargo xtask mcp-interop --servers`.

import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { join } from "node:path";
import { GIT_ENV } from "./fixtures.mjs";

/**
 * @typedef {{command: string, args: string[], env: Record<string, string>}} Command
 * @typedef {{method: string, params?: any, progress?: boolean, cancelAfter?: number, until?: string, task?: boolean, reduced?: boolean}} Step
 * @typedef {Record<string, any>} Places
 */

/** The directory of these files and of the packages installed for them. */
export const HOME = join(import.meta.dirname, "..");
export const PROGRAM = process.env["TUCKAWAY_CLI"] ?? "tuckaway";

/** Returns the path of a program of the npm packages. */
export function npmProgram(/** @type {string} */ path) {
  return join(HOME, "node_modules", path);
}

/** Returns the path of a program of the Python packages, of these or of those of another directory. */
export function pythonProgram(/** @type {string} */ name, directory = HOME, environment = "python") {
  return join(directory, environment, process.platform === "win32" ? "Scripts" : "bin", name);
}

/** Returns the environment of servers. It is fixed, because servers print parts of it. */
export function environment() {
  const env = /** @type {Record<string, string>} */ ({ ...GIT_ENV, NO_COLOR: "1" });
  for (const name of ["PATH", "HOME", "SHELL", "TERM", "USER", "LOGNAME", "LANG", "TMPDIR", "SystemRoot"]) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

/** Returns an environment with nothing of the user. */
export function isolated(/** @type {string} */ home) {
  const folders = { CONFIG: ".config", DATA: ".local/share", STATE: ".local/state", CACHE: ".cache" };
  const xdg = Object.entries(folders).map(([name, path]) => [`XDG_${name}_HOME`, join(home, path)]);
  return { PATH: process.env["PATH"] ?? "", HOME: home, TERM: "dumb", NO_COLOR: "1", CI: "1", ...Object.fromEntries(xdg) };
}

/** @type {Record<string, (places: Places) => Command>} */
const COMMANDS = {
  everything: () => node("server-everything"),
  filesystem: (places) => node("server-filesystem", places["FILES"]),
  memory: (places) => node("server-memory", [], { MEMORY_FILE_PATH: join(places["DIRECTORY"], "memory.jsonl") }),
  git: (places) => python("mcp-server-git", "--repository", places["REPO"]),
  fetch: () => python("mcp-server-fetch", "--allow-private-ips"),
  time: () => python("mcp-server-time", "--local-timezone", "UTC"),
};

export const SERVERS = Object.keys(COMMANDS);

function node(/** @type {string} */ name, /** @type {string | string[]} */ args = [], env = {}) {
  const program = npmProgram(`@modelcontextprotocol/${name}/dist/index.js`);
  return { command: process.execPath, args: [program, ...[args].flat()], env: { ...environment(), ...env } };
}

function python(/** @type {string} */ name, /** @type {string[]} */ ...args) {
  return { command: pythonProgram(name), args, env: environment() };
}

export function commandOf(/** @type {string} */ server, /** @type {Places} */ places) {
  const command = COMMANDS[server];
  if (!command) throw new Error(`there is no server ${server}`);
  return command(places);
}

/** Returns the recorded session of a server. @returns {Step[]} */
export function session(/** @type {string} */ server, /** @type {Places} */ places) {
  const steps = JSON.parse(readFileSync(join(HOME, "sessions", `${server}.json`), "utf8"));
  return filled(steps, places);
}

/** Replaces `$NAME` in texts by values. */
function filled(/** @type {any} */ value, /** @type {Places} */ places) {
  if (typeof value === "string") {
    const whole = places[value.slice(1)];
    if (value.startsWith("$") && whole !== undefined) return whole;
    return value.replace(/\$([A-Z]+)/g, (all, name) => places[name] ?? all);
  }
  if (Array.isArray(value)) return value.map((item) => filled(item, places));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, filled(member, places)]));
}

/** Returns the command of the proxy. @returns {Command} */
export function proxied(/** @type {string[]} */ args) {
  return { command: PROGRAM, args: ["mcp", "proxy", "--store", "memory", "--tokens", "estimate", ...args], env: environment() };
}

/** Returns the command of the proxy in front of a server. @returns {Command} */
export function proxyOf(/** @type {Command} */ server, /** @type {string[]} */ options = []) {
  return { ...proxied([...options, "--", server.command, ...server.args]), env: server.env };
}

/**
 * Starts a program, and waits for a line of standard error that matches.
 * @param {Command} command
 * @param {RegExp} line
 * @returns {Promise<{found: RegExpMatchArray, stop: () => Promise<void>}>}
 */
export function started({ command, args, env }, line) {
  const child = spawn(command, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  const stop = () =>
    new Promise((/** @type {(_: void) => void} */ resolve) => {
      if (child.exitCode !== null) return resolve();
      const force = setTimeout(() => child.kill("SIGKILL"), 5000);
      child.once("exit", () => (clearTimeout(force), resolve()));
      child.kill();
    });
  return new Promise((resolve, reject) => {
    /** @type {string[]} */
    const seen = [];
    const late = setTimeout(() => reject(new Error(`${command} did not start: ${seen.join("\n")}`)), 30_000);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`${command} ended with ${code}: ${seen.join("\n")}`)));
    createInterface({ input: child.stderr }).on("line", (text) => {
      if (seen.length < 100) seen.push(text);
      const found = text.match(line);
      if (!found) return;
      clearTimeout(late);
      resolve({ found, stop });
    });
  });
}

/** Starts the everything server over Streamable HTTP. */
export async function everythingOverHttp() {
  const port = await freePort();
  const { command, args, env } = commandOf("everything", {});
  const server = await started({ command, args: [...args, "streamableHttp"], env: { ...env, PORT: `${port}` } }, /listening on port/);
  return { url: `http://127.0.0.1:${port}/mcp`, stop: server.stop };
}

/** Starts a proxy that listens on a free port. */
export async function listening(/** @type {Command} */ { command, args, env }) {
  const at = args.indexOf("proxy") + 1;
  const listen = [...args.slice(0, at), "--listen", "127.0.0.1:0", ...args.slice(at)];
  const proxy = await started({ command, args: listen, env }, /(http:\/\/127\.0\.0\.1:\d+\/mcp)/);
  return { url: /** @type {string} */ (proxy.found[1]), stop: proxy.stop };
}

/** @returns {Promise<number>} */
export function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
      server.close(() => resolve(port));
    });
  });
}
