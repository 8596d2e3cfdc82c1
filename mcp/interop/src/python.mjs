// Sessions with Python clients.

import { spawn } from "node:child_process";
import { HOME, environment, pythonProgram } from "./servers.mjs";
import { join } from "node:path";

/**
 * @typedef {import("./servers.mjs").Step} Step
 * @typedef {import("./servers.mjs").Command} Command
 * @typedef {import("./record.mjs").Record} Record
 */

/** Runs a session with a client. @returns {Promise<Record[]>} */
export async function pythonRecords(
  /** @type {"mcp" | "fastmcp"} */ client,
  /** @type {Command | string} */ server,
  /** @type {Step[]} */ steps,
  /** @type {string} */ files,
) {
  const child = spawn(pythonProgram("python"), [join(HOME, "clients/session.py")], {
    env: environment(),
    stdio: ["pipe", "pipe", "pipe"],
  });
  let [output, errors] = ["", ""];
  child.stdout.setEncoding("utf8").on("data", (text) => (output += text));
  child.stderr.setEncoding("utf8").on("data", (text) => (errors = (errors + text).slice(-4000)));
  child.stdin.end(JSON.stringify({ client, server, steps, files }));
  const code = await new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (code !== 0) throw new Error(`the Python client ${client} ended with ${code}: ${errors}`);
  const answers = JSON.parse(output);
  return steps.map((step, index) => ({ step, answer: withoutRevision(answers[index]) }));
}

/**
 * Removes the members that describe a result: a client that supports revision 2026-07-28 uses it
 * with the proxy, but an older revision with an older server.
 */
function withoutRevision(/** @type {any} */ answer) {
  if (!answer?.result) return answer;
  const { resultType: _, ttlMs: __, cacheScope: ___, _meta: ____, ...result } = answer.result;
  return { ...answer, result };
}
