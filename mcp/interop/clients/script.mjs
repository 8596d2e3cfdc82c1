// What the scripted model does: it calls each tool of the server, and queries what was stored.

/**
 * What a request shows the model: the names of the tools that it may call, and the texts of the results so far.
 * @typedef {{tools: string[], results: string[]}} Seen
 * @typedef {{call: string, arguments: any} | {text: string}} Answer
 */

/** The rows of the tool `orders`. One has a total that no other has. */
export const ROWS = Array.from({ length: 3000 }, (_, id) => ({ id, customer: `Customer ${(id * 7919) % 1000}`, total: (id * 31) % 997 }));
Object.assign(/** @type {object} */ (ROWS[1234]), { total: 987_654 });

/** The lines of the tool `log`. */
export const LINES = Array.from({ length: 4000 }, (_, line) => `INFO request ${line} took ${(line * 17) % 900} ms`);
LINES[2718] = "ERROR request 2718 failed: the disk of node-7 is full";

/** The structured content of the tool `report`. One node has a load that no other has. */
export const REPORT = { status: "degraded", nodes: ROWS.map(({ id }) => ({ node: `node-${id}`, load: id === 2000 ? 424_242 : id % 100 })) };

/** The message of the tool `fail`. */
export const FAILURE = "the database refused the connection (code 61)";

/**
 * The calls in their order. `fact` is what the model must learn, from the result or from a query of what was stored.
 * @type {{tool: string, fact: string, query?: {tool: string, arguments: object}}[]}
 */
export const STEPS = [
  { tool: "orders", fact: "987654", query: { tool: "artifact_jq", arguments: { filter: ".[1234].total" } } },
  { tool: "log", fact: "node-7", query: { tool: "artifact_grep", arguments: { pattern: "ERROR" } } },
  { tool: "fail", fact: "code 61" },
  { tool: "report", fact: "424242", query: { tool: "artifact_jq", arguments: { filter: ".nodes[2000].load" } } },
  { tool: "picture", fact: "a red pixel" },
];

/** Returns the name of a tool as a client lists it, most of them with a prefix. */
function listed(/** @type {string[]} */ tools, /** @type {string} */ name) {
  return tools.find((tool) => tool === name || tool.endsWith(`_${name}`) || tool.endsWith(`-${name}`));
}

/** Whether a request offers the tools of the server. Clients also ask for titles and summaries. */
export function isWork(/** @type {Seen} */ { tools }) {
  return listed(tools, "orders") !== undefined;
}

/**
 * Returns what the model answers, and what it has learned so far, by tool.
 * @returns {{answer: Answer, learned: {tool: string, knows: boolean}[]}}
 */
export function next(/** @type {Seen} */ { tools, results }) {
  const learned = [];
  let at = 0;
  const call = (/** @type {string} */ name, /** @type {object} */ input) => {
    const known = listed(tools, name);
    return known === undefined ? { text: `there is no tool ${name}` } : { call: known, arguments: input };
  };
  for (const { tool, fact, query } of STEPS) {
    if (at === results.length) return { answer: call(tool, {}), learned };
    let result = results[at++] ?? "";
    const id = result.match(/art_[a-z0-9_]+/)?.[0];
    if (query !== undefined && id !== undefined && listed(tools, query.tool) !== undefined) {
      if (at === results.length) return { answer: call(query.tool, { artifact_id: id, ...query.arguments }), learned };
      result = results[at++] ?? "";
    }
    learned.push({ tool, knows: result.includes(fact) });
  }
  return { answer: { text: "All is done." }, learned };
}
