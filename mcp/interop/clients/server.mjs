// An MCP server with one tool for each kind of result: large JSON, a log, an error, structured content, an image.

import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { FAILURE, LINES, REPORT, ROWS } from "./script.mjs";

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==";
const text = (/** @type {string} */ text) => ({ type: "text", text });

/** @type {{[tool: string]: {description: string, result: any}}} */
const TOOLS = {
  orders: { description: "Lists all orders.", result: { content: [text(JSON.stringify(ROWS))] } },
  log: { description: "Returns the log.", result: { content: [text(LINES.join("\n"))] } },
  fail: { description: "Connects to the database.", result: { content: [text(FAILURE)], isError: true } },
  report: {
    description: "Reports the load of all nodes.",
    result: { content: [text(JSON.stringify(REPORT))], structuredContent: REPORT },
  },
  picture: {
    description: "Takes a picture.",
    result: { content: [text("This is a red pixel."), { type: "image", data: PIXEL, mimeType: "image/png" }] },
  },
};

const server = new Server({ name: "shop", version: "1.0.0" }, { capabilities: { tools: {} } });
const inputSchema = { type: "object", properties: {} };
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: Object.entries(TOOLS).map(([name, { description }]) => ({ name, description, inputSchema, annotations: { readOnlyHint: true } })),
}));
server.setRequestHandler(CallToolRequestSchema, ({ params: { name } }) => {
  const tool = TOOLS[name];
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  return tool.result;
});
await server.connect(new StdioServerTransport());
