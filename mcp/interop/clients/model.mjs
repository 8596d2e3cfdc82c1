// A server on loopback whose model follows the script, in all four protocols.

import { createServer } from "node:http";
import { PROTOCOLS } from "./protocols.mjs";
import { isWork, next, STEPS } from "./script.mjs";

/**
 * @typedef {{characters: number, learned: {tool: string, knows: boolean}[], isDone: boolean, tools: string[]}} Outcome
 */

/**
 * Starts the server. `outcome` is what the model knows after the last request: the characters of all results together,
 * what it has learned from them, and the names of its tools. `done` resolves once the model has nothing left to do.
 * @returns {Promise<{url: string, outcome: Outcome, done: Promise<void>, stop: () => void}>}
 */
export async function modelServer() {
  /** @type {Outcome} */
  const outcome = { characters: 0, learned: [], isDone: false, tools: [] };
  let finish = () => {};
  const done = new Promise((/** @type {(_: void) => void} */ resolve) => (finish = resolve));
  const server = createServer(async (request, response) => {
    const parts = [];
    for await (const part of request) parts.push(part);
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const protocol = PROTOCOLS.find(({ path }) => path.test(pathname));
    if (request.method !== "POST" || protocol === undefined) {
      response.writeHead(request.method === "GET" ? 200 : 404, { "content-type": "application/json" });
      return response.end(JSON.stringify({ object: "list", data: [] }));
    }
    const body = JSON.parse(Buffer.concat(parts).toString() || "{}");
    const seen = protocol.read(body);
    let answer = /** @type {import("./script.mjs").Answer} */ ({ text: "A title" });
    if (isWork(seen)) {
      const step = next(seen);
      answer = step.answer;
      const characters = seen.results.join("").length;
      Object.assign(outcome, { characters, learned: step.learned, isDone: step.learned.length === STEPS.length, tools: seen.tools });
      if (outcome.isDone) finish();
    }
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const { event, data } of protocol.write(answer, body)) {
      if (event !== undefined) response.write(`event: ${event}\n`);
      response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
    }
    response.end();
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, outcome, done, stop: () => (server.closeAllConnections(), server.close()) };
}
