// Runs a session with the official TypeScript SDK, and records the messages as they arrive.

import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { InMemoryTaskStore } from "@modelcontextprotocol/sdk/experimental/tasks";
import * as types from "@modelcontextprotocol/sdk/types.js";

/**
 * @typedef {import("./servers.mjs").Step} Step
 * @typedef {import("./servers.mjs").Command} Command
 * @typedef {{step: Step, answer: any, after?: any[], artifacts?: Record<string, string>, tool?: Record<string, string>}} Record
 * @typedef {{introduction: any, records: Record[], notifications: any[], requests: any[]}} Recording
 */

/** How long a step may take. */
const PATIENCE = 30_000;
/** How often a task is polled. */
const POLL = 200;

/** A connected client, and the messages that it received. */
export class Recorder {
  /** @type {any[]} */ notifications = [];
  /** @type {any[]} */ requests = [];
  /** @type {Map<any, any>} */ #answers = new Map();
  /** @type {any} */ #sent;
  /** @type {any} */ introduction;

  /**
   * @param {Command | string} server a command, or a URL
   * @param {{files: string}} places
   */
  static async connect(server, places) {
    const recorder = new Recorder();
    const transport =
      typeof server === "string"
        ? new StreamableHTTPClientTransport(new URL(server))
        : new StdioClientTransport({ ...server, stderr: process.env["INTEROP_LOG"] ? "inherit" : "ignore" });
    recorder.#tap(transport);
    recorder.transport = transport;
    recorder.client = newClient(places.files);
    await recorder.client.connect(/** @type {any} */ (transport), { timeout: PATIENCE });
    recorder.introduction = recorder.#answers.get(0);
    // The everything server asks for the roots 350 ms after its initialization.
    if (recorder.client.getServerCapabilities()?.logging) await recorder.#seen("roots/list", recorder.requests, 5000);
    return recorder;
  }

  #tap(/** @type {any} */ transport) {
    transport.onmessage = (/** @type {any} */ message) => {
      if (!message.method) this.#answers.set(message.id, withoutFrame(message));
      else if (message.id === undefined) this.notifications.push(withoutFrame(message));
      else this.requests.push(withoutFrame(message));
    };
    const send = transport.send.bind(transport);
    transport.send = (/** @type {any} */ message, /** @type {any} */ options) => {
      if (message.method && message.id !== undefined) this.#sent = message.id;
      return send(message, options);
    };
  }

  /** Waits for a message with this method. */
  async #seen(/** @type {string} */ method, /** @type {any[]} */ list, /** @type {number} */ patience) {
    const from = Date.now();
    while (!list.some((message) => message.method === method)) {
      if (Date.now() - from > patience) return;
      await sleep(20);
    }
  }

  /** Sends a request. Returns the answer as it arrived: its result or its error. */
  async ask(/** @type {string} */ method, /** @type {any} */ params = undefined, /** @type {any} */ options = {}) {
    let id;
    try {
      const request = /** @type {any} */ (params === undefined ? { method } : { method, params });
      const answer = this.client.request(request, types.ResultSchema, { timeout: PATIENCE, ...options });
      id = this.#sent;
      await answer;
    } catch (error) {
      // Errors of the server are recorded below.
      if (!this.#answers.has(id)) return { thrown: error instanceof Error ? error.message : `${error}` };
    }
    return this.#answers.get(id);
  }

  /** Runs one step. @returns {Promise<Record>} */
  async run(/** @type {Step} */ step) {
    const options = /** @type {any} */ ({});
    if (step.progress) options.onprogress = () => {};
    if (step.cancelAfter) options.signal = AbortSignal.timeout(step.cancelAfter);
    const before = this.notifications.length;
    const answer = await this.ask(step.method, step.params, options);
    /** @type {Record} */
    const record = { step, answer };
    if (step.task) record.after = await this.#task(answer);
    if (step.until) {
      while (!this.notifications.slice(before).some((message) => message.method === step.until)) {
        await sleep(50);
      }
    }
    const ids = artifactIds(answer);
    if (ids.length > 0) {
      record.artifacts = {};
      record.tool = {};
      for (const id of ids) {
        record.artifacts[id] = await this.#resource(`tuckaway://${id}`);
        record.tool[id] = await this.#artifactRead(id);
      }
    }
    return record;
  }

  /** Follows a task to its result. */
  async #task(/** @type {any} */ answer) {
    const taskId = answer.result?.task?.taskId;
    const statuses = [];
    for (;;) {
      const status = await this.ask("tasks/get", { taskId });
      statuses.push(status);
      if (!["working", "input_required"].includes(status?.result?.status)) break;
      await sleep(POLL);
    }
    // The number of polls depends on time.
    return [statuses.at(-1), await this.ask("tasks/result", { taskId })];
  }

  /** Reads an artifact as a resource, page by page. */
  async #resource(/** @type {string} */ uri) {
    let text = "";
    for (let next = uri; next; ) {
      const { result } = await this.ask("resources/read", { uri: next });
      text += result.contents[0].text ?? Buffer.from(result.contents[0].blob, "base64").toString("utf8");
      next = result.contents[1]?.uri;
    }
    return text;
  }

  /** Reads an artifact with the tool, as a model does. */
  async #artifactRead(/** @type {string} */ id) {
    let all = "";
    let args = /** @type {any} */ ({ artifact_id: id, start_byte: 0 });
    for (;;) {
      const { result } = await this.ask("tools/call", { name: "artifact_read", arguments: args });
      const text = result.content[0].text;
      all += text;
      const cursor = text.match(/cursor[=:]? ?"([^"]+)"/)?.[1];
      if (!cursor || result.isError) return all;
      args = { artifact_id: id, cursor };
    }
  }

  /** Runs the steps of a session, and ends the connection. @returns {Promise<Recording>} */
  async all(/** @type {Step[]} */ steps) {
    const records = [];
    for (const step of steps) records.push(await this.run(step));
    return { introduction: this.introduction, records, notifications: this.notifications, requests: this.requests };
  }

  close() {
    return this.client.close();
  }

  /** @type {Client} */ client = /** @type {any} */ (undefined);
  /** @type {any} */ transport;
}

/** How often a session begins again because its server took longer to start than the proxy waits. */
const SLOW_STARTS = 5;

/** Connects, again if the proxy introduced itself because its only server was still starting. */
export async function connectToStarted(/** @type {Command | string} */ server, /** @type {{files: string}} */ places) {
  for (let starts = 1; ; starts++) {
    const recorder = await Recorder.connect(server, places);
    const isStarting = recorder.introduction?.result?.serverInfo?.name === "tuckaway";
    if (!isStarting || starts === SLOW_STARTS) return recorder;
    await recorder.close();
  }
}

/** Records a session with a separate server. @returns {Promise<Recording>} */
export async function record(
  /** @type {Command | string} */ server,
  /** @type {Step[]} */ steps,
  /** @type {{files: string}} */ places,
) {
  const recorder = await connectToStarted(server, places);
  try {
    return await recorder.all(steps);
  } finally {
    await recorder.close();
  }
}

/** Returns a client that answers all requests of a server, always in the same way. */
function newClient(/** @type {string} */ files) {
  const taskStore = new InMemoryTaskStore();
  const client = new Client(
    { name: "interop", version: "1.0.0" },
    {
      capabilities: {
        roots: { listChanged: true },
        sampling: {},
        elicitation: { form: {}, url: {} },
        tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } },
      },
      taskStore,
    },
  );
  const perhapsTask = async (/** @type {any} */ request, /** @type {any} */ extra, /** @type {any} */ result) => {
    if (!request.params.task) return result;
    const task = await extra.taskStore.createTask({ ttl: 60_000 });
    await extra.taskStore.storeTaskResult(task.taskId, "completed", result);
    return { task };
  };
  client.setRequestHandler(types.ListRootsRequestSchema, () => ({ roots: [{ uri: `file://${files}`, name: "files" }] }));
  client.setRequestHandler(types.CreateMessageRequestSchema, (request, extra) =>
    perhapsTask(request, extra, {
      model: "none",
      role: "assistant",
      stopReason: "endTurn",
      content: { type: "text", text: "An answer with ü." },
    }),
  );
  client.setRequestHandler(types.ElicitRequestSchema, (request, extra) =>
    perhapsTask(request, extra, request.params.mode === "url" ? { action: "accept" } : { action: "accept", content: { name: "Ada", check: true } }),
  );
  return client;
}

/** Returns the ids of the artifacts that a result names. @returns {string[]} */
function artifactIds(/** @type {any} */ answer) {
  const found = JSON.stringify(answer ?? null).matchAll(/\b(art_\w+)/g);
  return [...new Set([...found].map((match) => /** @type {string} */ (match[1])))];
}

function withoutFrame(/** @type {any} */ { jsonrpc: _, id: __, ...message }) {
  return message;
}

export function sleep(/** @type {number} */ ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
