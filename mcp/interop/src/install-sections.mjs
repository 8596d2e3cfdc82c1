// The configurations that `tuckaway mcp install` prints: their command lines are started.

import { execFile } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { differences, toolDifferences } from "./compare.mjs";
import { prepare } from "./fixtures.mjs";
import { record } from "./record.mjs";
import * as servers from "./servers.mjs";

/** @typedef {import("./sections.mjs").Section} Section */

const run = promisify(execFile);

/** @type {{[name: string]: Section}} */
export const INSTALL_SECTIONS = {
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
