// What is compared with what.

import { prepare } from "./fixtures.mjs";
import { recordingDifferences } from "./compare.mjs";
import { record } from "./record.mjs";
import * as servers from "./servers.mjs";

/**
 * @typedef {{directory: string, http: string}} Place
 * @typedef {{what: string, found: string[]}} Report
 * @typedef {(place: Place) => Promise<Report>} Section
 */

/** @type {Record<string, Section>} */
export const SECTIONS = {};

/** @type {Map<string, import("./record.mjs").Recording>} */
const DIRECT = new Map();

/** Records a session without the proxy, once for all sections. */
async function direct(/** @type {string} */ server, /** @type {Place} */ place) {
  const known = DIRECT.get(server);
  if (known) return known;
  const places = prepare(place.directory, place.http);
  const recording = await record(servers.commandOf(server, places), servers.session(server, places), { files: places.FILES });
  DIRECT.set(server, recording);
  return recording;
}

for (const server of servers.SERVERS) {
  SECTIONS[`stdio ${server}`] = async (place) => {
    const before = await direct(server, place);
    const places = prepare(place.directory, place.http);
    const proxy = servers.proxyOf(servers.commandOf(server, places));
    const after = await record(proxy, servers.session(server, places), { files: places.FILES });
    return { what: `${before.records.length} requests`, found: recordingDifferences(before, after) };
  };
}
