// Runs the calls of a row with a server, and counts what the model reads.

import { createRequire } from "node:module";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { connectToStarted } from "../src/record.mjs";
import { INSTALLED } from "./table.mjs";

/**
 * @typedef {import("../src/servers.mjs").Command} Command
 * @typedef {import("../src/record.mjs").Recording} Recording
 * @typedef {import("../src/record.mjs").Recorder} Recorder
 * @typedef {import("../src/record.mjs").Record} Record
 * @typedef {import("./table.mjs").Call} Call
 *
 * One call as the model sees it. `by` is how the fact was found: `result`, `view` if the result was stored, the name of
 * an artifact tool, or nothing. `repeats` says whether structured content has the text again, if there is any.
 * @typedef {{call: Call, tokens: number, isStored: boolean, by?: string, repeats?: boolean}} Seen
 * @typedef {{recording: Recording, tools: any[], definitions: number, seen: Seen[]}} Session
 */

/** Counts tokens as o200k_base does. @returns {number} */
function tokens(/** @type {string} */ text) {
  tokenizer ??= createRequire(join(INSTALLED, "package.json"))("gpt-tokenizer/encoding/o200k_base");
  return tokenizer.countTokens(text);
}
/** @type {any} */
let tokenizer;

/** Runs the calls. With the proxy, facts that a view does not have are looked up. @returns {Promise<Session>} */
export async function sessionOf(/** @type {Command} */ command, /** @type {Call[]} */ calls, /** @type {string} */ root) {
  const recorder = await connectToStarted(command, { files: root });
  try {
    const list = await recorder.run({ method: "tools/list" });
    const tools = list.answer?.result?.tools ?? [];
    const [records, seen] = [[list], /** @type {Seen[]} */ ([])];
    /** @type {RegExpMatchArray | undefined} */
    let known;
    for (const call of calls) {
      const record = await recorder.run({ method: "tools/call", params: { name: call.tool, arguments: argumentsOf(call, known) } });
      records.push(record);
      const learned = await learn(recorder, call, record);
      known = learned.match;
      seen.push({ call, tokens: learned.texts.map(tokens).reduce((sum, each) => sum + each, 0), isStored: isStored(record), by: learned.by, repeats: repeats(record.answer.result) });
    }
    const { introduction, notifications, requests } = recorder;
    return { recording: { introduction, records, notifications, requests }, tools, definitions: tokens(definitionsOf(tools)), seen };
  } finally {
    await recorder.close();
  }
}

/** Returns the arguments of a call, which may depend on what the model learned from the call before. */
function argumentsOf(/** @type {Call} */ { tool, arguments: given }, /** @type {RegExpMatchArray | undefined} */ known) {
  if (typeof given !== "function") return given;
  if (known === undefined) throw new Error(`the call before ${tool} did not show what ${tool} needs`);
  return given(known);
}

/** Finds the fact of a call: in the result, or by the query. */
async function learn(/** @type {Recorder} */ recorder, /** @type {Call} */ { fact, query }, /** @type {Record} */ record) {
  const texts = [textOf(record.answer)];
  const match = find(texts[0] ?? "", fact);
  const [id] = Object.keys(record.artifacts ?? {});
  if (match || id === undefined || query === undefined) return { texts, match, by: match && (id === undefined ? "result" : "view") };
  const reply = await recorder.ask("tools/call", { name: query.tool, arguments: { artifact_id: id, ...query.arguments } });
  texts.push(textOf(reply));
  const found = find(texts[1] ?? "", fact);
  return { texts, match: found, by: found && query.tool };
}

/** @returns {RegExpMatchArray | undefined} */
function find(/** @type {string} */ text, /** @type {string | RegExp | undefined} */ fact) {
  if (fact === undefined) return undefined;
  return text.match(typeof fact === "string" ? new RegExp(fact.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")) : fact) ?? undefined;
}

/** Returns what the model reads of an answer, without images: the texts, or else the structured content. */
function textOf(/** @type {any} */ { result, error, thrown }) {
  if (!result) return JSON.stringify(error ?? thrown ?? null);
  const texts = (result.content ?? []).flatMap((/** @type {any} */ item) => item.text ?? item.resource?.text ?? []);
  return texts.length > 0 || !result.structuredContent ? texts.join("\n") : JSON.stringify(result.structuredContent);
}

/** Returns whether structured content has the text of a result again: as JSON, as one string, or as a list of all texts. */
function repeats(/** @type {any} */ result) {
  if (!result?.structuredContent) return undefined;
  const texts = (result.content ?? []).flatMap((/** @type {any} */ { text }) => text ?? []);
  const value = (/** @type {string} */ text) => {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  };
  const isText = (/** @type {any} */ inside) => texts.some((/** @type {string} */ text) => text === inside || isDeepStrictEqual(value(text), inside));
  const isRepeated = (/** @type {any} */ inside) =>
    isText(inside) || (Array.isArray(inside) && inside.length > 0 && inside.length === texts.length && inside.every(isText));
  /** Every value up to the first object with several members. */
  const insides = [];
  for (let inside = result.structuredContent; inside !== undefined; ) {
    insides.push(inside);
    const members = isObject(inside) ? Object.values(inside) : [];
    inside = members.length === 1 ? members[0] : undefined;
  }
  const strings = stringsIn(result.structuredContent);
  return insides.some(isRepeated) || (strings.length === 1 && isText(strings[0]));
}

/** @returns {string[]} */
function stringsIn(/** @type {any} */ value) {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(stringsIn) : [];
}

const isObject = (/** @type {any} */ value) => typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns what a client passes to the model of each tool. */
function definitionsOf(/** @type {any[]} */ tools) {
  return tools.map(({ name, description, inputSchema }) => JSON.stringify({ name, description, inputSchema })).join("\n");
}

export function isStored(/** @type {Record} */ { artifacts }) {
  return artifacts !== undefined;
}
