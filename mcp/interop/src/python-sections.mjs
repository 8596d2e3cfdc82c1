// The sections with Python clients.

import { recordDifferences, label } from "./compare.mjs";
import { prepare } from "./fixtures.mjs";
import { pythonRecords } from "./python.mjs";
import * as servers from "./servers.mjs";

/**
 * @typedef {import("./sections.mjs").Section} Section
 * @typedef {import("./record.mjs").Record} Record
 */

export const PYTHON_SECTIONS = /** @type {{[name: string]: Section}} */ ({});

for (const client of /** @type {const} */ (["mcp", "fastmcp"])) {
  for (const server of ["everything", "filesystem", "git", "memory"]) {
    PYTHON_SECTIONS[`Python ${client}: ${server}`] = async (place) => {
      const run = async (/** @type {(command: servers.Command) => servers.Command} */ wrap) => {
        const places = prepare(place.directory, place.http);
        const command = wrap(servers.commandOf(server, places));
        return pythonRecords(client, command, servers.session(server, places), places.FILES);
      };
      const before = await run((command) => command);
      const after = await run((command) => servers.proxyOf(command));
      const found = before.flatMap((record, index) => differencesOf(record, /** @type {Record} */ (after[index])));
      return { what: `${before.filter(({ answer }) => answer).length} requests`, found };
    };
  }
}

function differencesOf(/** @type {Record} */ before, /** @type {Record} */ after) {
  if (before.answer === null) return [];
  if (!before.step.reduced) return recordDifferences(before, after).map((what) => `${label(before)}${what}`);
  // The other client checks that the whole of a reduced result can be read.
  const text = JSON.stringify(after.answer?.result ?? null);
  const isReduced = /\bart_\w+/.test(text) && text.length < JSON.stringify(before.answer.result).length;
  return isReduced ? [] : [`${label(before)}: was not reduced: ${JSON.stringify(after.answer).slice(0, 300)}`];
}
