// Runs every section, and fails if a section finds a difference.

import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pages } from "./fixtures.mjs";
import { CLIENT_SECTIONS } from "./clients-sections.mjs";
import { CONFORMANCE_SECTIONS } from "./conformance.mjs";
import { PYTHON_SECTIONS } from "./python-sections.mjs";
import { SECTIONS } from "./sections.mjs";

const ALL = { ...SECTIONS, ...PYTHON_SECTIONS, ...CLIENT_SECTIONS, ...CONFORMANCE_SECTIONS };

const wanted = process.argv.slice(2);
const directory = realpathSync(mkdtempSync(join(tmpdir(), "tuckaway-interop-")));
const http = await pages();
let isWrong = false;
try {
  for (const [name, run] of Object.entries(ALL)) {
    if (wanted.length > 0 && !wanted.some((part) => name.includes(part))) continue;
    const begun = Date.now();
    const report = await run({ directory: join(directory, "work"), http: http.url }).catch((error) => ({
      what: "could not be run",
      found: [error instanceof Error ? `${error.stack}` : `${error}`],
    }));
    const seconds = ((Date.now() - begun) / 1000).toFixed(1);
    console.log(`${report.found.length ? "DIFFERENT" : "same     "}  ${name}: ${report.what} (${seconds} s)`);
    for (const difference of report.found) console.log(`    ${difference}`);
    isWrong ||= report.found.length > 0;
  }
} finally {
  http.stop();
  rmSync(directory, { recursive: true, force: true });
}
process.exitCode = isWrong ? 1 : 0;
