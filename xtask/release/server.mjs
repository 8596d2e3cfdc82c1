// An MCP server with one tool, whose result is too large for a model.

import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const text = JSON.stringify({ rows: [...Array(200_000).keys()] });
const rows = { name: "rows", description: "Returns all rows.", inputSchema: { type: "object", properties: {} } };

const server = new Server({ name: "table", version: "1.0.0" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: [rows] }));
server.setRequestHandler(CallToolRequestSchema, () => ({ content: [{ type: "text", text }] }));
await server.connect(new StdioServerTransport());
