// The hook for the client's own shell, in a real client whose model is a script.

import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { hookModel } from "./hook-model.mjs";
import * as servers from "./servers.mjs";

/** @typedef {import("./sections.mjs").Section} Section */

const LINES = 60_000;
const SETTINGS = '{ "security": { "auth": { "selectedType": "gemini-api-key" } } }\n';

/** Runs a program, without anything on its standard input. */
async function run(/** @type {string} */ program, /** @type {string[]} */ args, /** @type {object} */ options) {
  const running = promisify(execFile)(program, args, { timeout: 120_000, maxBuffer: 64 << 20, ...options });
  running.child.stdin?.end();
  return (await running).stdout;
}

/** @type {{[name: string]: Section}} */
export const HOOK_SECTIONS = {
  async "hook: Gemini CLI"(place) {
    const found = [];
    const home = join(place.directory, "hook");
    const settings = join(home, ".gemini", "settings.json");
    mkdirSync(join(home, "work"), { recursive: true });
    mkdirSync(join(home, ".gemini"), { recursive: true });
    writeFileSync(settings, SETTINGS);
    // Gemini CLI would restart itself to get more memory.
    const env = { ...servers.environment(), HOME: home, XDG_STATE_HOME: home, GEMINI_API_KEY: "none", GEMINI_CLI_NO_RELAUNCH: "true" };
    const hook = (/** @type {string[]} */ ...args) => run(servers.PROGRAM, ["hook", ...args, "gemini", "--write"], { env });
    await hook("install", "--program", servers.PROGRAM);
    const model = await hookModel(`seq 1 ${LINES}`);
    try {
      const gemini = servers.npmProgram("@google/gemini-cli/bundle/gemini.js");
      await run(process.execPath, [gemini, "-m", "gemini-2.5-flash", "--yolo", "-p", "run it"], {
        cwd: join(home, "work"),
        env: { ...env, GOOGLE_GEMINI_BASE_URL: model.url, GEMINI_CLI_TRUST_WORKSPACE: "true" },
      });
    } finally {
      model.stop();
    }
    const result = model.results[0] ?? "";
    const id = result.match(/tuckaway read (art_\w+) --lines 1:200/)?.[1];
    if (!id || result.length > 8_000) found.push(`the model got no envelope: ${result.slice(0, 400)}`);
    const whole = id ? await run(servers.PROGRAM, ["read", id], { env }) : "";
    const lines = Array.from({ length: LINES }, (_, index) => `${index + 1}\n`).join("");
    if (whole !== lines) found.push(`the artifact has ${whole.length} bytes instead of ${lines.length}`);
    await hook("uninstall");
    if (readFileSync(settings, "utf8") !== SETTINGS) found.push("the settings were not restored");
    return { what: "a large output of the shell tool was stored and read", found };
  },
};
