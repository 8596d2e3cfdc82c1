// The table of the servers, as a line of the report and as a row of the documentation.

import { readFileSync, writeFileSync } from "node:fs";

/** @typedef {import("./run.mjs").Session} Session */

const BEGIN = "<!-- interop:servers -->";
const END = "<!-- /interop:servers -->";
const HEAD = [
  "| server | version | tools | definitions | calls | results | with the proxy | stored | repeated | facts |",
  "|---|---|---|---|---|---|---|---|---|---|",
];

const number = (/** @type {number} */ value) => value.toLocaleString("en-US");
const sum = (/** @type {Session} */ { seen }) => seen.reduce((sum, { tokens }) => sum + tokens, 0);

/** Returns the figures of a server. */
export function line(/** @type {string} */ name, /** @type {string} */ version, /** @type {Session} */ direct, /** @type {Session} */ proxied) {
  const stored = proxied.seen.filter(({ isStored }) => isStored).length;
  /** @type {Map<string, number>} */
  const ways = new Map();
  for (const { by } of proxied.seen) if (by) ways.set(by, (ways.get(by) ?? 0) + 1);
  const facts = [...ways].map(([way, count]) => `${count} ${way.startsWith("artifact_") ? `by \`${way}\`` : `in the ${way}`}`).join(", ");
  const structured = direct.seen.filter(({ repeats }) => repeats !== undefined);
  const repeated = structured.length === 0 ? "–" : `${structured.filter(({ repeats }) => repeats).length} of ${structured.length}`;
  const [tools, calls] = [direct.tools.length, direct.seen.length];
  const [before, after] = [number(sum(direct)), number(sum(proxied))];
  const cells = [`\`${name}\``, version, tools, number(direct.definitions), calls, before, after, stored, repeated, facts || "none asked"];
  const definitions = `${tools} tools, ${number(direct.definitions)} tokens (${number(proxied.definitions)} with the proxy)`;
  return {
    text: `${definitions}; ${calls} calls, ${before} tokens (${after}); ${stored} stored; structured content repeats the text: ${repeated}; facts: ${facts.replaceAll("`", "") || "none"}`,
    row: `| ${cells.join(" | ")} |`,
  };
}

/** Puts the rows into the documentation, between the markers. */
export function write(/** @type {string} */ file, /** @type {string[]} */ rows) {
  const text = readFileSync(file, "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${file} has no ${BEGIN} before ${END}`);
  writeFileSync(file, `${text.slice(0, begin)}${[BEGIN, ...HEAD, ...rows].join("\n")}\n${text.slice(end)}`);
}
