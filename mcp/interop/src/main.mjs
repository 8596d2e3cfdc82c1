// Runs every section, some in parallel, and fails if a section finds a difference.

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ALL_REAL_CLIENT_SECTIONS, REAL_CLIENT_SECTIONS } from "../clients/sections.mjs";
import { write } from "../servers/report.mjs";
import { SERVER_SECTIONS } from "../servers/sections.mjs";
import { pages } from "./fixtures.mjs";
import { CONFORMANCE_SECTIONS } from "./conformance.mjs";
import { HOOK_SECTIONS } from "./hook-sections.mjs";
import { INSPECTOR_SECTIONS } from "./inspector-sections.mjs";
import { INSTALL_SECTIONS } from "./install-sections.mjs";
import { PYTHON_SECTIONS } from "./python-sections.mjs";
import { SECTIONS } from "./sections.mjs";

/**
 * With `--clients`, only the clients that people use run, but all of them; with `--servers`, the servers of the table.
 * `--write FILE` then puts the table into a file.
 */
const { values, positionals: wanted } = parseArgs({
  options: { clients: { type: "boolean" }, servers: { type: "boolean" }, write: { type: "string" } },
  allowPositionals: true,
});
const MAIN = {
  ...SECTIONS,
  ...PYTHON_SECTIONS,
  ...INSPECTOR_SECTIONS,
  ...INSTALL_SECTIONS,
  ...HOOK_SECTIONS,
  ...CONFORMANCE_SECTIONS,
  ...REAL_CLIENT_SECTIONS,
};
const ALL = values.servers ? SERVER_SECTIONS : values.clients ? ALL_REAL_CLIENT_SECTIONS : MAIN;
if (values.write !== undefined && (!values.servers || wanted.length > 0)) throw new Error("--write needs --servers, and all of them");

/** How many sections run in parallel: most of their time, they wait for servers to start. */
const LANES = 2;

const directory = realpathSync(mkdtempSync(join(tmpdir(), "tuckaway-interop-")));
const http = await pages();
/** The rows of the table, by section. @type {Map<string, string>} */
const rows = new Map();
let isWrong = false;

/** Runs a section in a directory of its lane, and prints what it has found. */
async function report(/** @type {string} */ name, /** @type {number} */ lane) {
  const begun = Date.now();
  const section = /** @type {import("./sections.mjs").Section} */ (ALL[name]);
  /** @type {import("./sections.mjs").Report} */
  const report = await section({ directory: join(directory, `lane-${lane}`), http: http.url }).catch((error) => ({
    what: "could not be run",
    found: [error instanceof Error ? `${error.stack}` : `${error}`],
  }));
  const seconds = ((Date.now() - begun) / 1000).toFixed(1);
  console.log(`${report.found.length ? "DIFFERENT" : "same     "}  ${name}: ${report.what} (${seconds} s)`);
  for (const difference of report.found) console.log(`    ${difference}`);
  isWrong ||= report.found.length > 0;
  if (report.row !== undefined) rows.set(name, report.row);
}

try {
  const names = Object.keys(ALL).filter((name) => wanted.length === 0 || wanted.some((part) => name.includes(part)));
  const lanes = Array.from({ length: LANES }, async (_, lane) => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) await report(name, lane);
  });
  await Promise.all(lanes);
  if (values.write !== undefined && !isWrong) write(values.write, Object.keys(ALL).flatMap((name) => rows.get(name) ?? []));
} finally {
  http.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = isWrong ? 1 : 0;
