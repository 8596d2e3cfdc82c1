// The sections: each compares sessions without and with the proxy.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { differences, recordDifferences, recordingDifferences, label, steady, toolDifferences } from "./compare.mjs";
import { prepare } from "./fixtures.mjs";
import { record, Recorder } from "./record.mjs";
import * as servers from "./servers.mjs";

/**
 * @typedef {{directory: string, http: string}} Place
 * @typedef {{what: string, found: string[], row?: string}} Report
 * @typedef {(place: Place) => Promise<Report>} Section
 * @typedef {import("./record.mjs").Recording} Recording
 */

/** @type {Record<string, Section>} */
export const SECTIONS = {};

/** @type {Map<string, Promise<Recording>>} */
const DIRECT = new Map();

/** Records a session without the proxy, once for all sections. @returns {Promise<Recording>} */
function direct(/** @type {string} */ server, /** @type {Place} */ place) {
  const known = DIRECT.get(server);
  if (known) return known;
  const places = prepare(place.directory, place.http);
  const recording = record(servers.commandOf(server, places), servers.session(server, places), { files: places.FILES });
  DIRECT.set(server, recording);
  return recording;
}

/** Compares a session with one through a proxy. @returns {Report} */
function report(/** @type {Recording} */ before, /** @type {Recording} */ after) {
  const reduced = before.records.filter(({ step }) => step.reduced).length;
  return { what: `${before.records.length} requests, ${reduced} of them reduced`, found: recordingDifferences(before, after) };
}

for (const server of servers.SERVERS) {
  SECTIONS[`stdio to stdio: ${server}`] = async (place) => {
    const before = await direct(server, place);
    const places = prepare(place.directory, place.http);
    const proxy = servers.proxyOf(servers.commandOf(server, places));
    return report(before, await record(proxy, servers.session(server, places), { files: places.FILES }));
  };
}

for (const server of ["everything", "filesystem", "git"]) {
  SECTIONS[`HTTP to stdio: ${server}`] = async (place) => {
    const before = await direct(server, place);
    const places = prepare(place.directory, place.http);
    const proxy = await servers.listening(servers.proxyOf(servers.commandOf(server, places)));
    try {
      return report(before, await record(proxy.url, servers.session(server, places), { files: places.FILES }));
    } finally {
      await proxy.stop();
    }
  };
}

SECTIONS["stdio to HTTP: everything"] = async (place) => {
  const places = prepare(place.directory, place.http);
  const steps = servers.session("everything", places);
  const server = await servers.everythingOverHttp();
  try {
    const before = await record(server.url, steps, { files: places.FILES });
    return report(before, await record(servers.proxied(["--url", server.url]), steps, { files: places.FILES }));
  } finally {
    await server.stop();
  }
};

SECTIONS["HTTP to HTTP: everything"] = async (place) => {
  const places = prepare(place.directory, place.http);
  const steps = servers.session("everything", places);
  const server = await servers.everythingOverHttp();
  const proxy = await servers.listening(servers.proxied(["--url", server.url]));
  try {
    const before = await record(server.url, steps, { files: places.FILES });
    return report(before, await record(proxy.url, steps, { files: places.FILES }));
  } finally {
    await proxy.stop();
    await server.stop();
  }
};

/** The lists, each with the member that contains its items. @type {Record<string, string>} */
const LISTS = { "tools/list": "tools", "prompts/list": "prompts", "resources/list": "resources", "resources/templates/list": "resourceTemplates" };
/** The methods that concern all servers at once, or a server that cannot be named. */
const OF_ALL = ["tasks/list", "tasks/get", "ping", "no/such/method"];

SECTIONS["all servers behind one proxy"] = async (place) => {
  for (const server of servers.SERVERS) await direct(server, place);
  const places = prepare(place.directory, place.http);
  const mcpServers = Object.fromEntries(servers.SERVERS.map((server) => [server, servers.commandOf(server, places)]));
  const file = join(place.directory, "mcp.json");
  writeFileSync(file, JSON.stringify({ mcpServers }));
  const recorder = await Recorder.connect(servers.proxied(["--config", file]), { files: places.FILES });
  try {
    return await allBehindOne(recorder, places, place);
  } finally {
    await recorder.close();
  }
};

async function allBehindOne(/** @type {Recorder} */ recorder, /** @type {any} */ places, /** @type {Place} */ place) {
  /** @type {string[]} */
  const found = [];
  let requests = 0;
  // Every server has started when the lists are complete.
  found.push(...(await listDifferences(recorder, place)));
  for (const server of servers.SERVERS) {
    const before = await direct(server, place);
    const steps = servers.session(server, places);
    for (const [index, step] of steps.entries()) {
      if (LISTS[step.method] || OF_ALL.includes(step.method)) continue;
      requests += 1;
      const after = await recorder.run(prefixed(server, step));
      const original = /** @type {import("./record.mjs").Record} */ (before.records[index]);
      found.push(...recordDifferences(original, withoutPrefix(server, after)).map((what) => `${server} ${label(original)}${what}`));
    }
  }
  return { what: `${requests} requests, and the lists of ${servers.SERVERS.length} servers`, found };
}

/** Compares each list with the concatenated lists of the servers. */
async function listDifferences(/** @type {Recorder} */ recorder, /** @type {Place} */ place) {
  const found = [];
  for (const [method, member] of Object.entries(LISTS)) {
    const expected = [];
    for (const server of servers.SERVERS) {
      const { records } = await direct(server, place);
      const items = records.find(({ step }) => step.method === method)?.answer?.result?.[member] ?? [];
      const isNamed = member === "tools" || member === "prompts";
      expected.push(...items.map((/** @type {any} */ item) => (isNamed ? { ...item, name: `${server}_${item.name}` } : item)));
    }
    const { result } = await recorder.ask(method);
    const actual = result?.[member] ?? [];
    found.push(...(member === "tools" ? toolDifferences(expected, actual) : differences(steady(expected), steady(actual), member)));
  }
  return found;
}

/** Returns a step for the proxy of all servers. */
function prefixed(/** @type {string} */ server, /** @type {servers.Step} */ step) {
  const params = structuredClone(step.params);
  if (params?.name) params.name = `${server}_${params.name}`;
  if (params?.ref?.name) params.ref.name = `${server}_${params.ref.name}`;
  return { ...step, params };
}

/** Removes the server's name from errors of the proxy, which name the tool as the client knows it. */
function withoutPrefix(/** @type {string} */ server, /** @type {any} */ record) {
  return { ...record, answer: JSON.parse(JSON.stringify(record.answer).replaceAll(`${server}_no-such`, "no-such")) };
}

