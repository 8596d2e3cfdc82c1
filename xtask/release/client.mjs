// An MCP client, the official SDK's, whose server is behind the proxy: `node client.mjs COMMAND ARGUMENT…`, where the
// words start the installed command `tuckaway`. It lists the tools, calls one, and queries what was stored.

import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [command, ...words] = process.argv.slice(2);
const server = fileURLToPath(new URL("server.mjs", import.meta.url));
const args = [...words, "mcp", "proxy", "--", process.execPath, server];
const client = new Client({ name: "verify", version: "1.0.0" });
// By default, the SDK passes only some variables: not the addresses of the registries.
await client.connect(new StdioClientTransport({ command, args, env: process.env }));

const names = (await client.listTools()).tools.map(({ name }) => name);
for (const name of ["rows", "artifact_read", "artifact_grep", "artifact_jq"]) {
  assert(names.includes(name), `the proxy lists ${names.join(", ")}, but not ${name}`);
}
const textOf = async (name, given) => (await client.callTool({ name, arguments: given })).content[0].text;
const envelope = JSON.parse(await textOf("rows", {}));
assert.deepEqual(envelope.shape, { rows: "array(200000) of integer" });
const counted = await textOf("artifact_jq", { artifact_id: envelope.artifact_id, filter: ".rows | length" });
assert.equal(counted.trim(), "200000");
await client.close();
