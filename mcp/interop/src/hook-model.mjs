// A server on loopback that speaks the Gemini API. Its model calls the shell tool once, then ends.

import { createServer } from "node:http";

/** Starts the server. `results` receives the outputs that the client returns for the call. */
export async function hookModel(/** @type {string} */ command) {
  /** @type {string[]} */
  const results = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const { contents = [] } = JSON.parse(body || "{}");
    const parts = contents.flatMap((/** @type {any} */ content) => content.parts ?? []);
    const answered = parts.filter((/** @type {any} */ part) => part.functionResponse);
    results.push(...answered.map((/** @type {any} */ part) => part.functionResponse.response.output));
    const call = { functionCall: { name: "run_shell_command", args: { command, description: "run" } } };
    const content = { role: "model", parts: [answered.length ? { text: "done" } : call] };
    const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.end(`data: ${JSON.stringify({ candidates: [{ content, finishReason: "STOP", index: 0 }], usageMetadata })}\n\n`);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, results, stop: () => server.close() };
}
