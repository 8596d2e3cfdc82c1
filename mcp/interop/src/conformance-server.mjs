// The server that the scenarios of the conformance suite expect, written with the official SDK: it
// has the tools, resources and prompts that the scenarios name. `node conformance-server.mjs PORT`
// serves HTTP; without a port, it serves standard input and output.

import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import * as types from "@modelcontextprotocol/sdk/types.js";
import { ofTemplate, PROMPTS, RESOURCES, SCHEMAS, SIMPLE_TOOLS, TEMPLATE, text, wait } from "./conformance-data.mjs";

/** Asks the user, and returns the answer as text. */
async function elicited(/** @type {any} */ extra, /** @type {string} */ message, /** @type {any} */ properties, /** @type {string[]} */ required = []) {
  const params = { message, requestedSchema: { type: "object", properties, required } };
  const result = await extra.sendRequest({ method: "elicitation/create", params }, types.ElicitResultSchema);
  return [text(`Elicitation completed: action=${result.action}, content=${JSON.stringify(result.content ?? {})}`)];
}

const options = ["option1", "option2", "option3"];
const titled = ["First", "Second", "Third"].map((title, index) => ({ const: `value${index + 1}`, title: `${title} Option` }));

/** @type {Record<string, (args: any, extra: any) => any>} */
const TOOLS = {
  ...SIMPLE_TOOLS,
  async test_tool_with_logging(_, extra) {
    for (const data of ["Tool execution started", "Tool processing data", "Tool execution completed"]) {
      await extra.sendNotification({ method: "notifications/message", params: { level: "info", data } });
      await wait();
    }
    return [text("Done.")];
  },
  async test_tool_with_progress(_, extra) {
    const progressToken = extra._meta?.progressToken;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) {
        await extra.sendNotification({ method: "notifications/progress", params: { progressToken, progress, total: 100 } });
      }
      await wait();
    }
    return [text(`${progressToken}`)];
  },
  async test_sampling({ prompt }, extra) {
    const params = { messages: [{ role: "user", content: text(prompt) }], maxTokens: 100 };
    const result = await extra.sendRequest({ method: "sampling/createMessage", params }, types.CreateMessageResultSchema);
    return [text(`LLM response: ${result.content.text}`)];
  },
  test_elicitation: ({ message }, extra) =>
    elicited(
      extra,
      message,
      { username: { type: "string", description: "User's response" }, email: { type: "string", description: "User's email address" } },
      ["username", "email"],
    ),
  test_elicitation_sep1034_defaults: (_, extra) =>
    elicited(extra, "Please check the defaults", {
      name: { type: "string", default: "John Doe" },
      age: { type: "integer", default: 30 },
      score: { type: "number", default: 95.5 },
      status: { type: "string", enum: ["active", "inactive", "pending"], default: "active" },
      verified: { type: "boolean", default: true },
    }),
  test_elicitation_sep1330_enums: (_, extra) =>
    elicited(extra, "Please choose", {
      untitledSingle: { type: "string", enum: options },
      titledSingle: { type: "string", oneOf: titled },
      legacyEnum: { type: "string", enum: ["opt1", "opt2", "opt3"], enumNames: ["Option One", "Option Two", "Option Three"] },
      untitledMulti: { type: "array", items: { type: "string", enum: options } },
      titledMulti: { type: "array", items: { anyOf: titled } },
    }),
  async test_reconnection(_, extra) {
    // Ends the stream of this request; the client fetches the result with another one.
    extra.closeSSEStream?.();
    await wait();
    return [text("Reconnected.")];
  },
};

function newServer() {
  const capabilities = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} };
  const server = /** @type {any} */ (new Server({ name: "conformance", version: "1.0.0" }, { capabilities }));
  server.setRequestHandler(types.ListToolsRequestSchema, () => ({
    tools: Object.keys(TOOLS).map((name) => ({
      name,
      description: `The tool ${name}`,
      inputSchema: SCHEMAS[name] ?? { type: "object", properties: {} },
    })),
  }));
  server.setRequestHandler(types.CallToolRequestSchema, async (/** @type {any} */ { params }, /** @type {any} */ extra) => {
    try {
      return { content: await TOOLS[params.name]?.(params.arguments ?? {}, extra) };
    } catch (error) {
      return { isError: true, content: [text(error instanceof Error ? error.message : `${error}`)] };
    }
  });
  server.setRequestHandler(types.ListResourcesRequestSchema, () => ({
    resources: Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({ uri, name: uri, description: uri, mimeType })),
  }));
  server.setRequestHandler(types.ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: [TEMPLATE],
  }));
  server.setRequestHandler(types.ReadResourceRequestSchema, (/** @type {any} */ { params: { uri } }) => {
    const content = ofTemplate(uri) ?? RESOURCES[uri];
    if (!content) throw new types.McpError(-32002, `There is no resource ${uri}`);
    return { contents: [{ uri, ...content }] };
  });
  server.setRequestHandler(types.SubscribeRequestSchema, () => ({}));
  server.setRequestHandler(types.UnsubscribeRequestSchema, () => ({}));
  server.setRequestHandler(types.ListPromptsRequestSchema, () => ({
    prompts: Object.entries(PROMPTS).map(([name, prompt]) => ({ name, description: name, arguments: prompt.arguments ?? [] })),
  }));
  server.setRequestHandler(types.GetPromptRequestSchema, (/** @type {any} */ { params }) => ({
    messages: PROMPTS[params.name]?.messages(params.arguments ?? {}).map((content) => ({ role: "user", content })),
  }));
  server.setRequestHandler(types.CompleteRequestSchema, () => ({ completion: { values: ["paris", "park"], total: 2, hasMore: false } }));
  return server;
}

/** Keeps the messages of each stream, for clients that reconnect. */
class Events {
  /** @type {[string, string, any][]} */ #all = [];
  async storeEvent(/** @type {string} */ stream, /** @type {any} */ message) {
    const id = `${this.#all.length}`;
    this.#all.push([id, stream, message]);
    return id;
  }
  async replayEventsAfter(/** @type {string} */ last, /** @type {{send: (id: string, message: any) => Promise<void>}} */ { send }) {
    const [, stream] = this.#all[Number(last)] ?? [];
    for (const [id, of, message] of this.#all) {
      // The first event of a stream has no message.
      if (of === stream && Number(id) > Number(last) && message.jsonrpc) await send(id, message);
    }
    return stream ?? "";
  }
}

async function listen(/** @type {number} */ port) {
  /** @type {Map<string, StreamableHTTPServerTransport>} */
  const sessions = new Map();
  const http = createServer(async (request, response) => {
    const id = `${request.headers["mcp-session-id"] ?? ""}`;
    let transport = sessions.get(id);
    if (!transport) {
      if (id) return void response.writeHead(404).end();
      const added = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        eventStore: new Events(),
        retryInterval: 500,
        enableDnsRebindingProtection: true,
        allowedHosts: [`127.0.0.1:${port}`, `localhost:${port}`],
        allowedOrigins: [`http://127.0.0.1:${port}`, `http://localhost:${port}`],
        onsessioninitialized: (session) => void sessions.set(session, added),
      });
      transport = added;
      await newServer().connect(transport);
    }
    await transport.handleRequest(request, response);
  });
  http.listen(port, "127.0.0.1", () => console.error(`listening on port ${port}`));
}

const port = Number(process.argv[2] ?? 0);
if (port) await listen(port);
else await newServer().connect(new StdioServerTransport());
