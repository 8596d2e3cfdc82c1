// A server of revision 2026-07-28 for the scenarios of the conformance suite. The official SDK for JavaScript does not
// have this revision yet, so the messages are written here. `node conformance-stateless.mjs PORT` serves HTTP; without a
// port, it serves standard input and output.

import { createHmac, randomBytes } from "node:crypto";
import { createServer } from "node:http";
import { createInterface } from "node:readline";
import { ofTemplate, PROMPTS, RESOURCES, SCHEMAS, SIMPLE_TOOLS, TEMPLATE, text, wait } from "./conformance-data.mjs";

const VERSION = "2026-07-28";
const META = "io.modelcontextprotocol/";

/** An error of the protocol, with the status that HTTP gives it. */
class Refused extends Error {
  constructor(/** @type {number} */ code, /** @type {string} */ message, status = 400, /** @type {any} */ data = undefined) {
    super(message);
    Object.assign(this, { code, status, data });
  }
}

/**
 * What the handler of a request knows: the client's `_meta`, its answers, and a function that sends a notification.
 * @typedef {{meta: any, answers: any, state: any, notify: (method: string, params: any) => void, closed: Promise<void>}} Context
 */

const SECRET = randomBytes(32);
const signature = (/** @type {string} */ data) => createHmac("sha256", SECRET).update(data).digest("hex");
const signed = (/** @type {any} */ state) => {
  const data = Buffer.from(JSON.stringify(state)).toString("base64url");
  return `${data}.${signature(data)}`;
};

/** Returns the state that the client sends back. */
function stateOf(/** @type {string | undefined} */ given) {
  if (given === undefined) return undefined;
  const [data = "", own] = given.split(".");
  if (own !== signature(data)) throw new Refused(-32602, "The request state was changed.");
  return JSON.parse(Buffer.from(data, "base64url").toString());
}

const question = (/** @type {string} */ message, /** @type {string} */ name, type = "string") => ({
  method: "elicitation/create",
  params: { mode: "form", message, requestedSchema: { type: "object", properties: { [name]: { type } }, required: [name] } },
});
const sampling = (/** @type {string} */ prompt) => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: text(prompt) }], maxTokens: 100 },
});
const ROOTS = { method: "roots/list", params: {} };

/** Asks the client, and returns the result once all has been answered. */
function asked(/** @type {Context} */ { answers }, /** @type {any} */ inputRequests, /** @type {(answers: any) => any} */ result, /** @type {any} */ state = undefined) {
  if (answers !== undefined && Object.keys(inputRequests).every((key) => answers[key] !== undefined)) return result(answers);
  return { resultType: "input_required", inputRequests, ...(state && { requestState: signed(state) }) };
}
const said = (/** @type {string} */ words) => ({ content: [text(words)] });

/** @type {Record<string, (context: Context) => any>} */
const TOOLS = {
  async test_tool_with_progress({ meta, notify }) {
    const { progressToken } = meta;
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined) notify("notifications/progress", { progressToken, progress, total: 100 });
      await wait();
    }
    return said(`${progressToken}`);
  },
  async test_logging_tool({ meta, notify }) {
    if (meta[`${META}logLevel`] !== undefined) notify("notifications/message", { level: "info", data: "Working" });
    await wait();
    return said("Done.");
  },
  async test_missing_capability({ meta }) {
    if (meta[`${META}clientCapabilities`].sampling) return said("The client can sample.");
    const data = { requiredCapabilities: { sampling: {} } };
    throw new Refused(-32021, "The client has not declared the capability sampling.", 400, data);
  },
  test_streaming_elicitation: (context) => asked(context, { name: question("What is your name?", "name") }, () => said("Done.")),
  async test_trigger_tool_change() {
    for (const notify of SUBSCRIBERS) notify("notifications/tools/list_changed", {});
    return said("Changed.");
  },
  test_input_required_result_elicitation: (context) =>
    asked(context, { user_name: question("What is your name?", "name") }, ({ user_name }) => said(`Hello, ${user_name.content?.name}!`)),
  test_input_required_result_sampling: (context) =>
    asked(context, { capital_question: sampling("What is the capital of France?") }, ({ capital_question }) => said(capital_question.content.text)),
  test_input_required_result_list_roots: (context) =>
    asked(context, { client_roots: ROOTS }, ({ client_roots }) => said(JSON.stringify(client_roots.roots))),
  test_input_required_result_request_state: (context) =>
    asked(context, { confirm: question("Please confirm", "ok", "boolean") }, () => said(context.state ? "state-ok" : "no state"), { step: 1 }),
  test_input_required_result_multiple_inputs: (context) =>
    asked(
      context,
      { user_name: question("What is your name?", "name"), greeting: sampling("Generate a greeting"), client_roots: ROOTS },
      () => said("Done."),
      { step: 1 },
    ),
  test_input_required_result_multi_round(context) {
    const step = context.state?.step ?? 1;
    const second = { step2: question("Step 2: What is your favorite color?", "color") };
    if (step === 2) return asked(context, second, () => said("Done."), { step: 2 });
    const first = { step1: question("Step 1: What is your name?", "name") };
    return asked(context, first, () => ({ resultType: "input_required", inputRequests: second, requestState: signed({ step: 2 }) }), { step: 1 });
  },
  test_input_required_result_tampered_state: (context) =>
    asked(context, { confirm: question("Please confirm", "ok", "boolean") }, () => said("Done."), { step: 1 }),
  test_input_required_result_capabilities(context) {
    const { sampling: canSample, elicitation } = context.meta[`${META}clientCapabilities`];
    const inputs = { ...(canSample && { greeting: sampling("Generate a greeting") }), ...(elicitation && { name: question("Name?", "name") }) };
    return asked(context, inputs, () => said("Done."));
  },
};

/** The functions that notify the subscribers. @type {Set<Context["notify"]>} */
const SUBSCRIBERS = new Set();
const ASKING_PROMPT = "test_input_required_result_prompt";
const cached = { ttlMs: 0, cacheScope: "private" };

/** @type {Record<string, (params: any, context: Context) => any>} */
const METHODS = {
  "server/discover": () => ({
    ...cached,
    supportedVersions: [VERSION],
    capabilities: { tools: { listChanged: true }, resources: {}, prompts: {}, completions: {} },
    _meta: { [`${META}serverInfo`]: { name: "conformance", version: "1.0.0" } },
  }),
  "tools/list": () => ({
    ...cached,
    tools: [...Object.keys(SIMPLE_TOOLS), ...Object.keys(TOOLS)].map((name) => ({
      name,
      description: `The tool ${name}`,
      inputSchema: SCHEMAS[name] ?? { type: "object", properties: {} },
    })),
  }),
  async "tools/call"({ name, arguments: args = {} }, context) {
    const simple = SIMPLE_TOOLS[name];
    try {
      if (simple) return { content: simple(args) };
    } catch (error) {
      return { isError: true, content: [text(/** @type {Error} */ (error).message)] };
    }
    const tool = TOOLS[name];
    if (!tool) throw new Refused(-32602, `There is no tool ${name}`, 200);
    return tool(context);
  },
  "resources/list": () => ({
    ...cached,
    resources: Object.entries(RESOURCES).map(([uri, { mimeType }]) => ({ uri, name: uri, description: uri, mimeType })),
  }),
  "resources/templates/list": () => ({ ...cached, resourceTemplates: [TEMPLATE] }),
  "resources/read"({ uri }) {
    const content = ofTemplate(uri) ?? RESOURCES[uri];
    if (!content) throw new Refused(-32602, `There is no resource ${uri}`, 200, { uri });
    return { ...cached, contents: [{ uri, ...content }] };
  },
  "prompts/list": () => ({
    ...cached,
    prompts: [...Object.entries(PROMPTS), [ASKING_PROMPT, {}]].map(([name, prompt]) => ({ name, description: name, arguments: /** @type {any} */ (prompt).arguments ?? [] })),
  }),
  "prompts/get"({ name, arguments: args = {} }, context) {
    const messages = (/** @type {any[]} */ contents) => ({ messages: contents.map((content) => ({ role: "user", content })) });
    if (name === ASKING_PROMPT) {
      const inputs = { user_context: question("What context should the prompt use?", "context") };
      return asked(context, inputs, ({ user_context }) => messages([text(`${user_context.content?.context}`)]));
    }
    const prompt = PROMPTS[name];
    if (!prompt) throw new Refused(-32602, `There is no prompt ${name}`, 200);
    return messages(prompt.messages(args));
  },
  "completion/complete": () => ({ completion: { values: ["paris", "park"], total: 2, hasMore: false } }),
  async "subscriptions/listen"({ notifications = {} }, { notify, closed }) {
    notify("notifications/subscriptions/acknowledged", { notifications });
    if (notifications.toolsListChanged) SUBSCRIBERS.add(notify);
    await closed;
    SUBSCRIBERS.delete(notify);
    return {};
  },
};

/** Answers a request. `header` is the version that HTTP repeats. @returns {Promise<{status: number, answer: any}>} */
async function answered(/** @type {any} */ { id, method, params = {} }, /** @type {Context["notify"]} */ notify, /** @type {Promise<void>} */ closed, header = VERSION) {
  try {
    const handle = METHODS[method];
    if (!handle) throw new Refused(-32601, `There is no method ${method}`, 404);
    const meta = params._meta ?? {};
    const version = meta[`${META}protocolVersion`];
    if (version === undefined || meta[`${META}clientCapabilities`] === undefined) throw new Refused(-32602, "_meta is incomplete.");
    if (header !== version && header === VERSION) throw new Refused(-32020, "The header has another version.");
    if (version !== VERSION) throw new Refused(-32022, "The version is not supported.", 400, { supported: [VERSION], requested: version });
    const subscription = { _meta: { [`${META}subscriptionId`]: id } };
    const send = (/** @type {string} */ name, /** @type {any} */ sent) => notify(name, method === "subscriptions/listen" ? { ...sent, ...subscription } : sent);
    const context = { meta, answers: params.inputResponses, state: stateOf(params.requestState), notify: send, closed };
    return { status: 200, answer: { jsonrpc: "2.0", id, result: { resultType: "complete", ...(await handle(params, context)) } } };
  } catch (error) {
    const { code = -32603, message, status = 200, data } = /** @type {any} */ (error);
    return { status, answer: { jsonrpc: "2.0", id, error: { code, message, data } } };
  }
}

function serveInput() {
  const send = (/** @type {any} */ message) => void process.stdout.write(`${JSON.stringify(message)}\n`);
  /** @type {Map<any, () => void>} */
  const open = new Map();
  createInterface({ input: process.stdin }).on("line", async (line) => {
    const message = JSON.parse(line);
    if (message.method === "notifications/cancelled") open.get(message.params.requestId)?.();
    if (message.method === undefined || message.id === undefined) return;
    const closed = new Promise((/** @type {(_: void) => void} */ resolve) => open.set(message.id, resolve));
    const { answer } = await answered(message, (method, params) => send({ jsonrpc: "2.0", method, params }), closed);
    open.delete(message.id);
    send(answer);
  });
}

function serveHttp(/** @type {number} */ port) {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const http = createServer(async (request, response) => {
    const { host = "", origin } = request.headers;
    if (!hosts.includes(host) || (origin && !hosts.includes(new URL(origin).host))) return void response.writeHead(403).end();
    const parts = [];
    for await (const part of request) parts.push(part);
    const message = JSON.parse(Buffer.concat(parts).toString() || "{}");
    if (request.method !== "POST" || message.id === undefined) return void response.writeHead(request.method === "POST" ? 202 : 405).end();
    const begin = () => response.headersSent || response.writeHead(200, { "content-type": "text/event-stream" });
    const send = (/** @type {any} */ event) => void (begin(), response.write(`data: ${JSON.stringify(event)}\n\n`));
    const closed = new Promise((/** @type {(_: void) => void} */ resolve) => response.once("close", resolve));
    const { status, answer } = await answered(message, (method, params) => send({ jsonrpc: "2.0", method, params }), closed, `${request.headers["mcp-protocol-version"] ?? VERSION}`);
    if (response.headersSent) return void (send(answer), response.end());
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
  });
  http.listen(port, "127.0.0.1", () => console.error(`listening on port ${port}`));
}

const port = Number(process.argv[2] ?? 0);
if (port) serveHttp(port);
else serveInput();
