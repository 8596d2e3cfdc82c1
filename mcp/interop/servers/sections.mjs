// Runs each server of the table without the proxy and behind it, and compares what the model learns.

import { rmSync } from "node:fs";
import { join } from "node:path";
import { recordingDifferences, replaced } from "../src/compare.mjs";
import { isolated, npmProgram, PROGRAM } from "../src/servers.mjs";
import { prepare, site, writeDocuments } from "./data.mjs";
import { line } from "./report.mjs";
import { isStored, sessionOf } from "./run.mjs";
import { PYTHON, SERVERS, versionOf } from "./table.mjs";

/**
 * @typedef {import("../src/sections.mjs").Section} Section
 * @typedef {import("../src/servers.mjs").Command} Command
 * @typedef {import("./run.mjs").Session} Session
 * @typedef {import("./table.mjs").Row} Row
 */

/** The bytes that a view and the reply to one query may have together. */
const MOST = 12_000;

/** The documents, which are written once. @type {string | undefined} */
let documents;

/** Returns the proxy before a server, with its defaults and a store in memory. @returns {Command} */
function proxyOf(/** @type {Command} */ { command, args, env }) {
  return { command: PROGRAM, args: ["mcp", "proxy", "--store", "memory", "--", command, ...args], env };
}

/** Runs a server once, in a home of its own. @returns {Promise<Session>} */
async function outcomeOf(/** @type {Row} */ row, /** @type {string} */ directory, /** @type {string} */ url, /** @type {boolean} */ isProxied) {
  documents ??= writeDocuments(`${directory}-documents`, PYTHON);
  const places = prepare(directory, documents, url);
  const beside = await row.beside?.();
  try {
    const { command, args, env } = row.start({ ...places, beside: beside?.url ?? "" });
    const server = { command, args, env: { ...isolated(places.home), ...env } };
    return await sessionOf(isProxied ? proxyOf(server) : server, row.calls(places), places.directory);
  } finally {
    await beside?.stop();
  }
}

/** Returns what is wrong with the calls: facts that the model did not learn, and views that are too long. */
function mistakes(/** @type {Session} */ direct, /** @type {Session} */ proxied) {
  const found = [];
  for (const [index, { call, by, isStored }] of proxied.seen.entries()) {
    if (call.fact === undefined) continue;
    if (!direct.seen[index]?.by) found.push(`${call.tool} alone does not give ${call.fact}`);
    if (!by) found.push(`the model did not learn ${call.fact} from ${call.tool}, which was ${isStored ? "stored" : "not stored"}`);
    if (call.isWhole && isStored) found.push(`the result of ${call.tool} was stored`);
    if (call.inView && by !== "view" && by !== "result") found.push(`the view of ${call.tool} does not have ${call.fact}`);
  }
  for (const { answer, step } of proxied.recording.records.filter(isStored)) {
    const view = JSON.stringify(answer.result.content).length;
    if (view > MOST) found.push(`the view of ${step.params.name} has ${view} characters`);
  }
  return found;
}

/** Compares everything that was not stored, and checks that what was stored is whole. */
function comparison(/** @type {Row} */ { varies = [], hasRandomLog }, /** @type {Session} */ direct, /** @type {Session} */ proxied) {
  const [before, after] = /** @type {[any, any]} */ ([direct, proxied].map(({ recording }) => replaced(recording, varies)));
  // The proxy speaks a newer revision than some servers.
  before.introduction.result.protocolVersion = after.introduction.result.protocolVersion;
  for (const recording of hasRandomLog ? [before, after] : []) {
    recording.notifications = recording.notifications.filter((/** @type {any} */ { method }) => method !== "notifications/message");
  }
  const found = /** @type {string[]} */ ([]);
  after.records.forEach((/** @type {any} */ record, /** @type {number} */ index) => {
    const original = before.records[index];
    original.step.reduced = isStored(record);
    const contents = [original, record].map(({ answer }) => JSON.stringify(answer?.result?.content));
    // The comparison of members does not see their order.
    if (!isStored(record) && contents[0] !== contents[1]) found.push(`${index} ${record.step.params?.name}: the content is not the same text`);
  });
  return [...found, ...recordingDifferences(before, after)];
}

/** @type {(name: string, row: Row) => Section} */
const section = (name, row) => async (place) => {
  const pages = await site();
  try {
    const directory = join(place.directory, "server");
    const direct = await outcomeOf(row, directory, pages.url, false);
    const proxied = await outcomeOf(row, directory, pages.url, true);
    rmSync(directory, { recursive: true, force: true });
    const { text, row: written } = line(name, versionOf(row), direct, proxied);
    return { what: text, found: [...mistakes(direct, proxied), ...comparison(row, direct, proxied)], row: written };
  } finally {
    pages.stop();
  }
};

/** @type {{[name: string]: Section}} */
export const SERVER_SECTIONS = Object.fromEntries(Object.entries(SERVERS).map(([name, row]) => [`server: ${name}`, section(name, row)]));
