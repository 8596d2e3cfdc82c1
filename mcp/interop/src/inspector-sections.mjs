// The inspector's command line, without and with the proxy.

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { ARTIFACT_TOOLS, asListed, differences, steady } from "./compare.mjs";
import { prepare } from "./fixtures.mjs";
import * as servers from "./servers.mjs";

/** @typedef {import("./sections.mjs").Section} Section */

const run = promisify(execFile);

/** The requests that the inspector sends. */
const INSPECTED = [
  ["tools/list"],
  ["tools/call", "--tool-name", "get-sum", "--tool-arg", "a=1", "--tool-arg", "b=2"],
  ["tools/call", "--tool-name", "get-structured-content", "--tool-arg", "location=Chicago"],
  ["resources/list"],
  ["resources/read", "--uri", "demo://resource/static/document/features.md"],
  ["resources/templates/list"],
  ["prompts/list"],
  ["prompts/get", "--prompt-name", "args-prompt", "--prompt-args", "city=Bern"],
];

/** Runs the inspector over HTTP, because it interprets a `--` in the arguments of a command. */
async function inspected(/** @type {string} */ url, /** @type {string[]} */ method) {
  const cli = servers.npmProgram("@modelcontextprotocol/inspector/cli/build/cli.js");
  const args = [cli, "--cli", url, "--transport", "http", "--method", ...method];
  const { stdout } = await run(process.execPath, args, { env: servers.environment(), maxBuffer: 64 << 20, timeout: 60_000 });
  return JSON.parse(stdout);
}

/** @type {{[name: string]: Section}} */
export const INSPECTOR_SECTIONS = {
  async "inspector --cli: everything"(place) {
    const places = prepare(place.directory, place.http);
    const direct = await servers.everythingOverHttp();
    const proxy = await servers.listening(servers.proxyOf(servers.commandOf("everything", places)));
    const found = [];
    try {
      for (const method of INSPECTED) {
        const before = await inspected(direct.url, method);
        const after = await inspected(proxy.url, method);
        const isTools = method[0] === "tools/list";
        if (isTools) {
          before.tools = before.tools.map(asListed);
          after.tools = after.tools.slice(0, -ARTIFACT_TOOLS.length);
        }
        const different = differences(steady(before), steady(after));
        found.push(...different.map((what) => `${method.join(" ")} ${what}`));
      }
    } finally {
      await proxy.stop();
      await direct.stop();
    }
    return { what: `${INSPECTED.length} requests`, found };
  },
};
