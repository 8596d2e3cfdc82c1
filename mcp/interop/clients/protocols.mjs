// The four protocols that clients speak with a model. Each reads a request, and writes the answer as a stream of events.

/**
 * @typedef {import("./script.mjs").Seen} Seen
 * @typedef {import("./script.mjs").Answer} Answer
 * @typedef {{path: RegExp, read: (body: any) => Seen, write: (answer: Answer, body: any) => {event?: string, data: any}[]}} Protocol
 */

/** Returns all texts of a result, whatever its form. */
function textOf(/** @type {any} */ value) {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return /** @type {string} */ (value.map(textOf).join("\n"));
  if (value === null || typeof value !== "object") return "";
  if (typeof value.text === "string") return value.text;
  if (value.content !== undefined) return textOf(value.content);
  return value.type === undefined ? JSON.stringify(value) : "";
}

const id = () => `call_${Math.random().toString(36).slice(2)}`;

/** @type {Protocol} */
const chat = {
  path: /\/chat\/completions$/,
  read: ({ tools = [], messages = [] }) => ({
    tools: tools.map((/** @type {any} */ tool) => tool.function?.name ?? ""),
    results: messages.filter((/** @type {any} */ message) => message.role === "tool").map(textOf),
  }),
  write(answer, { model }) {
    const call = "call" in answer && { id: id(), type: "function", function: { name: answer.call, arguments: JSON.stringify(answer.arguments) } };
    const delta = call ? { role: "assistant", content: null, tool_calls: [{ index: 0, ...call }] } : { role: "assistant", content: "text" in answer ? answer.text : "" };
    const chunk = (/** @type {any} */ choice, /** @type {any} */ usage) => ({
      data: { id: "chat", object: "chat.completion.chunk", created: 1, model, choices: choice ? [{ index: 0, ...choice }] : [], ...usage },
    });
    const usage = { usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 } };
    return [chunk({ delta, finish_reason: null }, {}), chunk({ delta: {}, finish_reason: call ? "tool_calls" : "stop" }, usage), { data: "[DONE]" }];
  },
};

/** @type {Protocol} */
const responses = {
  path: /\/responses$/,
  read: ({ tools = [], input = [] }) => ({
    tools: tools.flatMap((/** @type {any} */ tool) => (tool.tools ?? [tool]).map((/** @type {any} */ each) => `${tool.tools ? `${tool.name}__` : ""}${each.name ?? ""}`)),
    results: [input].flat().filter((/** @type {any} */ item) => item.type === "function_call_output").map((/** @type {any} */ item) => textOf(item.output)),
  }),
  write(answer, { model, tools = [] }) {
    // A tool of a namespace is called by its own name.
    const space = "call" in answer && tools.find((/** @type {any} */ tool) => tool.tools && answer.call.startsWith(`${tool.name}__`));
    const name = "call" in answer && answer.call.slice(space ? space.name.length + 2 : 0);
    const item =
      "call" in answer
        ? { type: "function_call", id: "fc_1", call_id: id(), name, ...(space && { namespace: space.name }), arguments: JSON.stringify(answer.arguments), status: "completed" }
        : { type: "message", id: "msg_1", role: "assistant", status: "completed", content: [{ type: "output_text", text: answer.text, annotations: [] }] };
    const details = { input_tokens_details: { cached_tokens: 0 }, output_tokens_details: { reasoning_tokens: 0 } };
    const usage = { input_tokens: 10, output_tokens: 10, total_tokens: 20, ...details };
    const response = (/** @type {string} */ status, /** @type {any[]} */ output) => ({
      ...{ id: "resp_1", object: "response", created_at: 1, model, status, output, parallel_tool_calls: false, tool_choice: "auto", tools: [] },
      ...(status === "completed" && { usage }),
    });
    const begun = item.type === "message" ? { ...item, status: "in_progress", content: [] } : { ...item, status: "in_progress", arguments: "" };
    const at = { output_index: 0, item_id: item.id };
    const inside = "call" in answer
      ? [
          { type: "response.function_call_arguments.delta", ...at, delta: JSON.stringify(answer.arguments) },
          { type: "response.function_call_arguments.done", ...at, arguments: JSON.stringify(answer.arguments) },
        ]
      : [
          { type: "response.content_part.added", ...at, content_index: 0, part: { type: "output_text", text: "", annotations: [] } },
          { type: "response.output_text.delta", ...at, content_index: 0, delta: answer.text },
          { type: "response.output_text.done", ...at, content_index: 0, text: answer.text },
          { type: "response.content_part.done", ...at, content_index: 0, part: { type: "output_text", text: answer.text, annotations: [] } },
        ];
    const events = [
      { type: "response.created", response: response("in_progress", []) },
      { type: "response.output_item.added", output_index: 0, item: begun },
      ...inside,
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: response("completed", [item]) },
    ];
    return events.map((data, number) => ({ event: data.type, data: { ...data, sequence_number: number } }));
  },
};

/** @type {Protocol} */
const messages = {
  path: /\/messages$/,
  read: ({ tools = [], messages = [] }) => ({
    tools: tools.map((/** @type {any} */ tool) => tool.name ?? ""),
    results: messages
      .flatMap((/** @type {any} */ message) => (Array.isArray(message.content) ? message.content : []))
      .filter((/** @type {any} */ block) => block.type === "tool_result")
      .map((/** @type {any} */ block) => textOf(block.content)),
  }),
  write(answer, { model }) {
    const usage = { input_tokens: 10, output_tokens: 1 };
    const message = { id: "msg_1", type: "message", role: "assistant", model, content: [], stop_reason: null, stop_sequence: null, usage };
    const [block, delta, reason] =
      "call" in answer
        ? [{ type: "tool_use", id: `toolu_${id()}`, name: answer.call, input: {} }, { type: "input_json_delta", partial_json: JSON.stringify(answer.arguments) }, "tool_use"]
        : [{ type: "text", text: "" }, { type: "text_delta", text: answer.text }, "end_turn"];
    const events = [
      { type: "message_start", message },
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_delta", index: 0, delta },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 10 } },
      { type: "message_stop" },
    ];
    return events.map((data) => ({ event: data.type, data }));
  },
};

/** @type {Protocol} */
const gemini = {
  path: /:(streamGenerateContent|generateContent)$/,
  read: ({ tools = [], contents = [] }) => ({
    tools: tools.flatMap((/** @type {any} */ tool) => tool.functionDeclarations ?? []).map((/** @type {any} */ tool) => tool.name),
    results: contents
      .flatMap((/** @type {any} */ content) => content.parts ?? [])
      .filter((/** @type {any} */ part) => part.functionResponse)
      .map((/** @type {any} */ part) => textOf(part.functionResponse.response.output ?? part.functionResponse.response)),
  }),
  write(answer) {
    const part = "call" in answer ? { functionCall: { name: answer.call, args: answer.arguments } } : { text: answer.text };
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 };
    return [{ data: { candidates: [{ content: { role: "model", parts: [part] }, finishReason: "STOP", index: 0 }], usageMetadata } }];
  },
};

export const PROTOCOLS = [chat, responses, messages, gemini];
