// Compares the messages that a client received with and without the proxy, member by member.

import { isDeepStrictEqual } from "node:util";

/**
 * @typedef {import("./record.mjs").Recording} Recording
 * @typedef {import("./record.mjs").Record} Record
 */

/**
 * Differences between any two runs, whether with or without the proxy, each with its reason.
 * @type {{of: RegExp, to: string, because: string}[]}
 */
const RANDOM = [
  { of: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, to: "UUID", because: "ids of elicitations and tasks are random" },
  { of: /\b[0-9a-f]{32}\b/g, to: "TASK", because: "ids of tasks of the TypeScript SDK are random" },
  { of: /\b20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|\+00:00|[+-]\d\d:\d\d)/g, to: "TIME", because: "servers print the time" },
  { of: /UmVzb3VyY2Ug[\w+/]+={0,2}/g, to: "BLOB", because: "the dynamic blobs of the everything server have the time of day, in Base64" },
  { of: /\b\d{1,2}:\d\d:\d\d\s?[AP]M\b/g, to: "TIME", because: "the dynamic resources of the everything server have the time of day" },
  { of: /\blane-\d\b/g, to: "LANE", because: "sections that run side by side have directories of their own" },
  { of: /\b(created|modified|accessed): .*/g, to: "$1: TIME", because: "the times of a file that was just made" },
];

/** The order of environment variables does not matter: Rust sorts the variables of a child process. */
const UNORDERED = ["get-env"];

/** Replaces the parts of a value that differ between any two runs. */
export function steady(/** @type {any} */ value) {
  return replaced(value, RANDOM);
}

/** Replaces parts of all strings of a value. @returns {any} */
export function replaced(/** @type {any} */ value, /** @type {{of: RegExp, to: string}[]} */ parts) {
  if (typeof value === "string") return parts.reduce((text, { of, to }) => text.replace(of, to), value);
  if (Array.isArray(value)) return value.map((item) => replaced(item, parts));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, replaced(member, parts)]));
}

/** Returns the differences between two values: the path and both values. @returns {string[]} */
export function differences(/** @type {any} */ direct, /** @type {any} */ proxied, path = "") {
  if (isDeepStrictEqual(direct, proxied)) return [];
  const areObjects = [direct, proxied].every((value) => value !== null && typeof value === "object");
  if (!areObjects || Array.isArray(direct) !== Array.isArray(proxied)) {
    return [`${path || "."}: ${brief(direct)} became ${brief(proxied)}`];
  }
  const names = [...new Set([...Object.keys(direct), ...Object.keys(proxied)])];
  return names.flatMap((name) => differences(direct[name], proxied[name], `${path}.${name}`));
}

function brief(/** @type {any} */ value) {
  const text = JSON.stringify(value) ?? "nothing";
  return text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text;
}

/** The artifact tools that the proxy adds, in the order in which it adds them. */
export const ARTIFACT_TOOLS = ["artifact_read", "artifact_grep", "artifact_jq"];

/** Returns a tool as the proxy lists it: without its `outputSchema`, which no view would match. */
export function asListed(/** @type {any} */ tool) {
  const { outputSchema: _, ...listed } = tool;
  return listed;
}

/** Compares lists of tools. @returns {string[]} */
export function toolDifferences(/** @type {any[]} */ direct, /** @type {any[]} */ proxied) {
  const added = proxied.slice(-ARTIFACT_TOOLS.length);
  const found = differences(direct.map(asListed), proxied.slice(0, -ARTIFACT_TOOLS.length), "tools");
  const names = added.map((tool) => tool.name);
  if (!isDeepStrictEqual(names, ARTIFACT_TOOLS)) found.push(`the last tools are ${names}`);
  for (const tool of added) {
    const members = ["name", "title", "description", "inputSchema", "annotations", "_meta"];
    found.push(...differences(members, Object.keys(tool), `${tool.name} has the members`));
    const readsOnly = !("save_as" in tool.inputSchema.properties);
    if (tool.annotations?.readOnlyHint !== readsOnly) found.push(`the readOnlyHint of ${tool.name} is not ${readsOnly}`);
  }
  return found;
}

/** Compares two recordings. @returns {string[]} */
export function recordingDifferences(/** @type {Recording} */ direct, /** @type {Recording} */ proxied) {
  const found = introductionDifferences(direct.introduction?.result, proxied.introduction?.result);
  direct.records.forEach((record, index) => {
    const other = /** @type {Record} */ (proxied.records[index]);
    found.push(...recordDifferences(record, other).map((what) => `${index} ${label(record)}${what}`));
  });
  found.push(...notificationDifferences(direct.notifications, proxied.notifications));
  found.push(...differences(unique(steady(requestsOf(direct))), unique(steady(requestsOf(proxied))), "requests to the client"));
  return found;
}

export function label(/** @type {Record} */ { step }) {
  const { method, params } = step;
  return `${method} ${params?.name ?? params?.uri ?? ""}`;
}

/**
 * Returns the requests to the client. Progress tokens are the proxy's own. A client whose HTTP
 * stream was cut receives its messages again, so each is compared once.
 */
function requestsOf(/** @type {Recording} */ recording) {
  const polls = /^tasks\/(get|result)$/;
  return recording.requests
    // How often the server polls a task depends on time.
    .filter(({ method }) => !polls.test(method))
    .map(({ method, params }) => {
      const { _meta, ...rest } = params ?? {};
      const { progressToken: _, ...meta } = _meta ?? {};
      return { method, ...rest, ...meta };
    });
}

/** Compares the introductions of servers. */
function introductionDifferences(/** @type {any} */ direct, /** @type {any} */ proxied) {
  if (!direct || !proxied) return [];
  const { capabilities, ...rest } = proxied;
  const { capabilities: own, ...others } = direct;
  const expected = {
    ...own,
    // Artifacts are resources, and the artifact tools are tools.
    resources: { ...own.resources },
    // A server that is restarted may have other tools.
    tools: { ...own.tools, listChanged: true },
  };
  return [...differences(expected, capabilities, "capabilities"), ...differences(others, rest, "introduction")];
}

/** Compares the answers of one step. */
export function recordDifferences(/** @type {Record} */ direct, /** @type {Record} */ proxied) {
  const { method, reduced } = direct.step;
  if (method === "tools/list" && direct.answer?.result) {
    return toolDifferences(direct.answer.result.tools, proxied.answer?.result?.tools ?? []);
  }
  if (reduced) return reducedDifferences(direct, proxied);
  if (UNORDERED.includes(direct.step.params?.name)) {
    const [before, after] = [direct, proxied].map(({ answer }) => JSON.parse(answer.result.content[0].text));
    return differences(before, after);
  }
  return [
    ...differences(steady(direct.answer), steady(proxied.answer)),
    ...differences(steady(direct.after), steady(proxied.after), ".task"),
  ];
}

/** Checks the replacement of a reduced result, and that nothing was lost. */
function reducedDifferences(/** @type {Record} */ direct, /** @type {Record} */ proxied) {
  const [before, after] = [direct.answer?.result, proxied.answer?.result];
  if (!before || !after) return [`: ${brief(direct.answer)} became ${brief(proxied.answer)}`];
  const found = [];
  const artifacts = Object.entries(proxied.artifacts ?? {});
  if (artifacts.length === 0) found.push(": was not reduced");
  const view = JSON.stringify(after);
  if (view.length >= JSON.stringify(before).length) found.push(": the view is not shorter");
  for (const [id] of artifacts) {
    if (!view.includes(`"${id}"`) && !view.includes(id)) found.push(`: the view does not name ${id}`);
  }
  // Members that are not reduced are preserved.
  const { content: _, structuredContent: structured, contents: __, messages: ___, ...rest } = before;
  const { content: ____, structuredContent: reduced, contents: _____, messages: ______, ...others } = after;
  found.push(...differences(steady(rest), steady(others)));
  if ((structured === undefined) !== (reduced === undefined)) found.push(": structuredContent came or went");
  if (reduced !== undefined) {
    found.push(...differences(after.content[0].text, reduced.tuckaway?.view, ".structuredContent.tuckaway.view"));
    found.push(...differences(artifacts.map(([id]) => id).sort(), [...(reduced.tuckaway?.artifacts ?? [])].sort(), ".artifacts"));
  }
  found.push(...wholeDifferences(before, proxied));
  return found;
}

/** Checks that the artifacts contain every text of a result, read as resources and with the tool. */
function wholeDifferences(/** @type {any} */ before, /** @type {Record} */ proxied) {
  const found = [];
  const items = before.content ?? before.contents ?? before.messages.map((/** @type {any} */ message) => message.content);
  const texts = items.flatMap((/** @type {any} */ item) => item.text ?? item.resource?.text ?? []);
  // A recording without the proxy may be of the other lane, so paths differ.
  const kept = Object.values(proxied.artifacts ?? {}).map(steady);
  const view = JSON.stringify(steady(proxied.answer.result));
  const whole = (/** @type {string} */ text) =>
    kept.some((artifact) => artifact === text || same(artifact, text)) || view.includes(JSON.stringify(text).slice(1, -1));
  for (const text of texts.map(steady)) {
    if (!whole(text)) found.push(`: no artifact has the whole of ${brief(text)}; they are ${brief(kept)}`);
  }
  for (const [id, text] of Object.entries(proxied.artifacts ?? {})) {
    const lines = text.split("\n").filter((line) => line.length > 0 && line.length < 400);
    const missing = lines.find((line) => !proxied.tool?.[id]?.includes(line));
    if (missing !== undefined) found.push(`: artifact_read of ${id} does not give ${brief(missing)}`);
  }
  return found;
}

/** Returns whether two texts are the same JSON. */
function same(/** @type {string} */ one, /** @type {string} */ other) {
  try {
    return isDeepStrictEqual(JSON.parse(one), JSON.parse(other));
  } catch {
    return false;
  }
}

/** Compares notifications, for each method in their order. */
function notificationDifferences(/** @type {any[]} */ direct, /** @type {any[]} */ proxied) {
  const found = [];
  const methods = new Set([...direct, ...proxied].map(({ method }) => method));
  for (const method of methods) {
    const [before, after] = [direct, proxied].map((all) => steady(all.filter((message) => message.method === method).map(plain)));
    found.push(...differences(unique(before), unique(after), method));
  }
  return found;
}

/** Returns a notification for comparison: notifications on a timer have no random parts, and are compared once. */
function plain(/** @type {any} */ { method, params }) {
  if (method === "notifications/progress") return { ...params, progressToken: "TOKEN" };
  if (method === "notifications/message" && /^[A-Z][a-z]+[ -]level[ -]message/.test(params.data)) return "simulated logging";
  return params ?? {};
}

function unique(/** @type {any[]} */ values) {
  return [...new Set(values.map((value) => JSON.stringify(value)))].map((text) => JSON.parse(text));
}
