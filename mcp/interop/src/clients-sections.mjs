// The inspector's command line, and the configurations that `tuckaway mcp install` prints.

import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { ARTIFACT_TOOLS, asListed, differences, steady, toolDifferences } from "./compare.mjs";
import { prepare } from "./fixtures.mjs";
import { record } from "./record.mjs";
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
export const CLIENT_SECTIONS = {
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

  async "tuckaway mcp install"(place) {
    const found = [];
    const places = prepare(place.directory, place.http);
    const everything = servers.commandOf("everything", places);
    for (const [client, { file, write, read }] of Object.entries(CONFIGURATIONS)) {
      const path = join(place.directory, client, file);
      mkdirSync(join(path, ".."), { recursive: true });
      writeFileSync(path, write(everything));
      const args = ["mcp", "install", client, "--path", path, "--program", servers.PROGRAM];
      const { stdout } = await run(servers.PROGRAM, args, { env: servers.environment() });
      const { command, args: words, env = {} } = read(stdout);
      if (command !== servers.PROGRAM) found.push(`${client}: the server is not behind the proxy: ${stdout}`);
      // As the client would start it, except that the store is not the user's.
      const store = { XDG_STATE_HOME: place.directory };
      const steps = [{ method: "tools/list" }, { method: "tools/call", params: { name: "echo", arguments: { message: client } } }];
      const places_ = { files: places.FILES };
      const before = await record(everything, steps, places_);
      const after = await record({ command, args: words, env: { ...servers.environment(), ...env, ...store } }, steps, places_);
      found.push(...toolDifferences(before.records[0]?.answer.result.tools, after.records[0]?.answer.result.tools).map((what) => `${client}: ${what}`));
      found.push(...differences(before.records[1]?.answer, after.records[1]?.answer).map((what) => `${client}: ${what}`));
    }
    return { what: `the command lines of ${Object.keys(CONFIGURATIONS).length} clients were started`, found };
  },
};

/** Reads and writes a configuration in JSON with its servers under this member. */
const json = (/** @type {string} */ file, /** @type {string} */ member) => ({
  file,
  write: (/** @type {servers.Command} */ { command, args }) => JSON.stringify({ [member]: { everything: { command, args } } }, null, 2),
  read: (/** @type {string} */ text) => JSON.parse(text)[member].everything,
});

/** The configurations of clients. @type {{[client: string]: {file: string, write: (_: servers.Command) => string, read: (_: string) => any}}} */
const CONFIGURATIONS = {
  "claude-code": json(".mcp.json", "mcpServers"),
  "claude-desktop": json("claude_desktop_config.json", "mcpServers"),
  cursor: json("mcp.json", "mcpServers"),
  vscode: json("mcp.json", "servers"),
  codex: {
    file: "config.toml",
    write: ({ command, args }) => `[mcp_servers.everything]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
    // The strings and lists of strings in this TOML are also JSON.
    read: (text) => ({
      command: JSON.parse(text.match(/^command = (".*")$/m)?.[1] ?? '""'),
      args: JSON.parse(text.match(/^args = (\[[^\]]*\])/m)?.[1] ?? "[]"),
    }),
  },
};
