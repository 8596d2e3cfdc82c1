// The servers: how each is started without a network and in an empty home, and what is asked of it.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { GIT_ENV } from "../src/fixtures.mjs";
import { everythingOverHttp, HOME, npmProgram, pythonProgram } from "../src/servers.mjs";
import { ARTICLE } from "./data.mjs";

/**
 * The directories and the address that a server works on; `beside` is the address of the other server that it needs.
 * @typedef {{directory: string, home: string, docs: string, files: string, repo: string, url: string, entities: any[], beside: string}} Places
 *
 * A tool call with a fact that the model needs, and the query that finds the fact if the view does not have it. `inView`
 * says that the view must have it, and `isWhole` that the result must pass. The arguments of the next call may be made of the
 * fact.
 * @typedef {{tool: string, arguments: object | ((known: RegExpMatchArray) => object), fact?: string | RegExp, query?: Query, inView?: boolean, isWhole?: boolean}} Call
 * @typedef {{tool: string, arguments: object}} Query
 *
 * `beside` starts another server that this one needs. `varies` has the parts of its messages that differ from run to run;
 * `hasRandomLog` says that the order of its log messages does.
 * @typedef {{
 *   start: (places: Places) => {command: string, args: string[], env?: Record<string, string>},
 *   calls: (places: Omit<Places, "beside">) => Call[],
 *   from: string,
 *   beside?: () => Promise<{url: string, stop: () => Promise<void>}>,
 *   varies?: {of: RegExp, to: string, because: string}[],
 *   hasRandomLog?: boolean,
 * }} Row
 */

/** Where the servers are installed that `cargo xtask mcp-interop --servers` runs. */
export const INSTALLED = join(HOME, "..", "mcp-servers");
/** The Python with the libraries that write the documents. */
export const PYTHON = pythonProgram("python", INSTALLED);

const CHROMIUM = process.env["TUCKAWAY_CHROMIUM"] ?? "/usr/bin/chromium";

const node = (/** @type {string} */ path, /** @type {string[]} */ ...args) => ({ command: process.execPath, args: [join(INSTALLED, "node_modules", path), ...args] });
const first = (/** @type {string} */ name, /** @type {string[]} */ ...args) => ({
  command: process.execPath,
  args: [npmProgram(`@modelcontextprotocol/${name}/dist/index.js`), ...args],
});
const python = (/** @type {string} */ name, /** @type {string[]} */ ...args) => ({ command: pythonProgram(name, INSTALLED), args });
/** Servers on the first version of the SDK have an environment of their own. */
const python1 = (/** @type {string} */ name, /** @type {string[]} */ ...args) => ({ command: pythonProgram(name, INSTALLED, "python-1"), args });

const grep = (/** @type {string} */ pattern, more = {}) => ({ tool: "artifact_grep", arguments: { pattern, ...more } });
const jq = (/** @type {string} */ filter) => ({ tool: "artifact_jq", arguments: { filter } });

/** The fact in the handbook, and how it is found. */
const STOPPED = { fact: "stopped at 04:17", query: grep("turbine of Linthal") };
/** The fact in the orders, as rows of text. */
const TOTAL = { fact: "987654", query: grep("987654") };

/** How a fact in the memory is found, in either form of a result. */
const SQUARE = jq('.. | objects | select(.name == "Entity 987").observations[1]');

/** A program with a large output. */
const SQUARES = "for (let i = 0; i < 4000; i++) console.log(`${i} squared is ${i * i}`)";

/** What a page of the shop says after a click. */
const CART = "() => document.getElementById('cart').textContent";

/** The fact in the log. */
const SLOW = { fact: "ERROR request 3950 took 550 ms", query: grep("request 3950 ") };

/** A line of the repository's log, with the id of its commit. */
const COMMIT = /([0-9a-f]{40})(?:(?!Commit:)[^])*Change number 431\b/;

/** @type {{[name: string]: Row}} */
export const SERVERS = {
  "server-everything": {
    from: "npm @modelcontextprotocol/server-everything",
    start: () => first("server-everything"),
    calls: () => [
      { tool: "echo", arguments: { message: ARTICLE }, ...STOPPED },
      { tool: "get-structured-content", arguments: { location: "Chicago" }, fact: "Light rain" },
      { tool: "get-tiny-image", arguments: {} },
    ],
  },

  "server-filesystem": {
    from: "npm @modelcontextprotocol/server-filesystem",
    start: ({ directory }) => first("server-filesystem", directory),
    calls: ({ docs, files }) => [
      { tool: "read_text_file", arguments: { path: join(docs, "orders.json") }, fact: "987654", query: jq(".[2718].total") },
      { tool: "list_directory", arguments: { path: join(files, "many") }, fact: "name-1987.txt", query: grep("1987") },
      { tool: "read_text_file", arguments: { path: join(files, "small.txt") }, fact: "second line" },
      // Its structured content, `{"content": …}`, has the text again.
      { tool: "read_text_file", arguments: { path: join(docs, "extract.md") }, fact: "stopped at 04:17", isWhole: true },
    ],
  },

  "server-memory": {
    from: "npm @modelcontextprotocol/server-memory",
    start: ({ home }) => ({ ...first("server-memory"), env: { MEMORY_FILE_PATH: join(home, "memory.jsonl") } }),
    calls: ({ entities }) => [
      { tool: "create_entities", arguments: { entities }, fact: "Its square is 974169.", query: SQUARE },
      { tool: "read_graph", arguments: {}, fact: "Its square is 974169.", query: SQUARE },
      { tool: "open_nodes", arguments: { names: ["Entity 7"] }, fact: "Its square is 49." },
    ],
  },

  "server-sequential-thinking": {
    from: "npm @modelcontextprotocol/server-sequential-thinking",
    start: () => node("@modelcontextprotocol/server-sequential-thinking/dist/index.js"),
    calls: () => [
      {
        tool: "sequentialthinking",
        arguments: { thought: "A turbine stopped.", nextThoughtNeeded: true, thoughtNumber: 1, totalThoughts: 3 },
        fact: '"thoughtHistoryLength": 1',
      },
    ],
  },

  "mcp-server-git": {
    from: "PyPI mcp-server-git",
    start: ({ repo }) => ({ command: pythonProgram("mcp-server-git"), args: ["--repository", repo], env: GIT_ENV }),
    calls: ({ repo }) => [
      { tool: "git_log", arguments: { repo_path: repo, max_count: 2000 }, fact: COMMIT, query: grep("Change number 431$", { context: 4 }) },
      { tool: "git_show", arguments: ([, revision]) => ({ repo_path: repo, revision }), fact: "line 431" },
      { tool: "git_show", arguments: { repo_path: repo, revision: "big" }, ...SLOW },
    ],
  },

  "mcp-server-fetch": {
    from: "PyPI mcp-server-fetch",
    start: () => ({ command: pythonProgram("mcp-server-fetch"), args: ["--allow-private-ips"] }),
    calls: ({ url }) => [
      { tool: "fetch", arguments: { url: `${url}/handbook`, max_length: 999_999 }, ...STOPPED },
      { tool: "fetch", arguments: { url: `${url}/missing` }, fact: "404" },
    ],
  },

  "mcp-server-time": {
    from: "PyPI mcp-server-time",
    start: () => ({ command: pythonProgram("mcp-server-time"), args: ["--local-timezone", "UTC"] }),
    calls: () => [{ tool: "convert_time", arguments: { source_timezone: "Asia/Tokyo", time: "09:30", target_timezone: "Asia/Kolkata" }, fact: "-3.5h" }],
  },

  "@playwright/mcp": {
    from: "npm @playwright/mcp",
    start: ({ home }) => node("@playwright/mcp/cli.js", "--headless", "--isolated", "--no-sandbox", "--executable-path", CHROMIUM, "--output-dir", home),
    calls: ({ url }) => [
      { tool: "browser_navigate", arguments: { url: `${url}/shop/212` } },
      // 38 KB: the next click is made from the view.
      { tool: "browser_snapshot", arguments: {}, fact: /button "Add lamp 137" \[ref=(\w+)\]/, inView: true },
      { tool: "browser_click", arguments: ([, ref]) => ({ element: "Add lamp 137", target: ref }) },
      { tool: "browser_evaluate", arguments: { function: CART }, fact: "You bought lamp 137." },
      { tool: "browser_navigate", arguments: { url: `${url}/shop/1500` } },
      { tool: "browser_snapshot", arguments: {}, fact: /button "Add lamp 1234" \[ref=(\w+)\]/, query: grep("Add lamp 1234") },
      { tool: "browser_click", arguments: ([, ref]) => ({ element: "Add lamp 1234", target: ref }) },
      { tool: "browser_evaluate", arguments: { function: CART }, fact: "You bought lamp 1234." },
    ],
    varies: [{ of: /page-[\d-]+T[\d-]+Z/g, to: "page-TIME", because: "snapshots that are files have the time as their names" }],
  },

  "chrome-devtools-mcp": {
    from: "npm chrome-devtools-mcp",
    start: () =>
      node(
        "chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js",
        ...["--headless", "--isolated", `--executablePath=${CHROMIUM}`, "--chromeArg=--no-sandbox"],
        ...["--usageStatistics=false", "--performanceCrux=false"],
      ),
    calls: ({ url }) => [
      { tool: "new_page", arguments: { url: `${url}/shop/298` } },
      // 38 KB: the next click is made from the view.
      { tool: "take_snapshot", arguments: { pageId: 2 }, fact: /uid=(\w+) button "Add lamp 137"/, inView: true },
      { tool: "click", arguments: ([, uid]) => ({ pageId: 2, uid }) },
      { tool: "evaluate_script", arguments: { pageId: 2, function: CART }, fact: "You bought lamp 137." },
      { tool: "navigate_page", arguments: { pageId: 2, url: `${url}/shop/1500` } },
      { tool: "take_snapshot", arguments: { pageId: 2 }, fact: /uid=(\w+) button "Add lamp 1234"/, query: grep("Add lamp 1234") },
      { tool: "click", arguments: ([, uid]) => ({ pageId: 2, uid }) },
      { tool: "evaluate_script", arguments: { pageId: 2, function: CART }, fact: "You bought lamp 1234." },
    ],
  },

  "@wonderwhy-er/desktop-commander": {
    from: "npm @wonderwhy-er/desktop-commander",
    start: ({ url }) => ({ ...node("@wonderwhy-er/desktop-commander/dist/index.js"), env: { DESKTOP_COMMANDER_DISABLE_TELEMETRY: "1", DC_FLAG_URL: `${url}/flags` } }),
    calls: ({ docs, files }) => [
      { tool: "read_file", arguments: { path: join(docs, "handbook.md") }, ...STOPPED },
      { tool: "start_process", arguments: { command: `cat ${join(files, "app.log")}`, timeout_ms: 5000 }, ...SLOW },
      { tool: "list_directory", arguments: { path: docs, depth: 1 }, fact: "handbook.md" },
    ],
    varies: [{ of: /\bPID \d+/g, to: "PID", because: "processes have other numbers" }],
    hasRandomLog: true,
  },

  "@notionhq/notion-mcp-server": {
    from: "npm @notionhq/notion-mcp-server",
    start: ({ url }) => ({ ...node("@notionhq/notion-mcp-server/bin/cli.mjs"), env: { BASE_URL: url, NOTION_TOKEN: "none" } }),
    calls: () => [
      {
        tool: "API-post-search",
        arguments: { page_size: 100 },
        fact: "000000570168",
        query: jq('.results[] | select(.properties.Name.title[0].plain_text == "Note 72").id'),
      },
      { tool: "API-get-self", arguments: {}, fact: "Nothing here." },
    ],
  },

  "@upstash/context7-mcp": {
    from: "npm @upstash/context7-mcp",
    start: ({ url }) => ({ ...node("@upstash/context7-mcp/dist/index.js"), env: { CONTEXT7_API_URL: `${url}/api` } }),
    calls: () => [{ tool: "query-docs", arguments: { libraryId: "/example/handbook", query: "Why did the turbine stop?" }, ...STOPPED }],
  },

  "firecrawl-mcp": {
    from: "npm firecrawl-mcp",
    start: ({ url }) => ({ ...node("firecrawl-mcp/dist/index.js"), env: { FIRECRAWL_API_URL: url } }),
    calls: ({ url }) => [{ tool: "firecrawl_scrape", arguments: { url: `${url}/handbook`, formats: ["markdown"] }, ...STOPPED }],
  },

  "tavily-mcp": {
    from: "npm tavily-mcp",
    // It has a fixed address, so its requests go to a port that nothing listens on.
    start: () => ({ ...node("tavily-mcp/build/index.js"), env: { TAVILY_API_KEY: "none", HTTPS_PROXY: "http://127.0.0.1:9" } }),
    calls: () => [{ tool: "tavily_search", arguments: { query: "turbine" }, fact: "ECONNREFUSED" }],
  },

  "mcp-server-code-runner": {
    from: "npm mcp-server-code-runner",
    start: ({ home }) => ({ ...node("mcp-server-code-runner/dist/cli.js"), env: { TMPDIR: home } }),
    calls: () => [
      { tool: "run-code", arguments: { languageId: "javascript", code: SQUARES }, fact: "3141 squared is 9865881", query: grep("^3141 ") },
      { tool: "run-code", arguments: { languageId: "javascript", code: "console.log(6 * 7)" }, fact: "42" },
    ],
  },

  "@antv/mcp-server-chart": {
    from: "npm @antv/mcp-server-chart",
    start: ({ url }) => ({ ...node("@antv/mcp-server-chart/build/index.js"), env: { VIS_REQUEST_SERVER: `${url}/chart` } }),
    calls: () => [{ tool: "generate_line_chart", arguments: { data: [{ time: "2025", value: 1 }, { time: "2026", value: 2 }] }, fact: "chart.png" }],
  },

  "mcp-remote": {
    from: "npm mcp-remote",
    beside: everythingOverHttp,
    start: ({ beside, home }) => ({ ...node("mcp-remote/dist/proxy.js", beside), env: { MCP_REMOTE_CONFIG_DIR: home } }),
    calls: () => [
      { tool: "echo", arguments: { message: ARTICLE }, ...STOPPED },
      { tool: "get-tiny-image", arguments: {} },
    ],
  },

  "mcp-server-sqlite": {
    from: "PyPI mcp-server-sqlite",
    start: ({ docs }) => python1("mcp-server-sqlite", "--db-path", join(docs, "shop.sqlite")),
    calls: () => [
      { tool: "read_query", arguments: { query: "SELECT * FROM orders" }, ...TOTAL },
      { tool: "describe_table", arguments: { table_name: "orders" }, fact: "customer" },
    ],
  },

  "mcp-server-motherduck": {
    from: "PyPI mcp-server-motherduck",
    start: ({ docs }) => python("mcp-server-motherduck", "--db-path", join(docs, "shop.duckdb")),
    calls: () => [
      { tool: "execute_query", arguments: { sql: "SELECT * FROM orders ORDER BY total DESC" }, ...TOTAL },
      { tool: "list_tables", arguments: {}, fact: "orders" },
    ],
  },

  "markitdown-mcp": {
    from: "PyPI markitdown-mcp",
    start: () => python("markitdown-mcp"),
    calls: ({ docs, url }) => [
      { tool: "convert_to_markdown", arguments: { uri: `file://${join(docs, "handbook.pdf")}` }, ...STOPPED },
      { tool: "convert_to_markdown", arguments: { uri: `file://${join(docs, "orders.xlsx")}` }, ...TOTAL },
      { tool: "convert_to_markdown", arguments: { uri: `${url}/handbook` }, ...STOPPED },
    ],
  },

  "excel-mcp-server": {
    from: "PyPI excel-mcp-server",
    start: ({ docs }) => python("excel-mcp-server", "stdio", "--allow-dir", docs),
    calls: ({ docs }) => [
      {
        tool: "read_range",
        arguments: { path: join(docs, "orders.xlsx"), sheet: "Orders", range: "A2001:D4001", max_cells: 10_000 },
        fact: "987654",
        query: jq(".values[] | select(.[0] == 2718)"),
      },
      { tool: "describe_workbook", arguments: { path: join(docs, "orders.xlsx") }, fact: "Orders" },
    ],
  },

  "office-word-mcp-server": {
    from: "PyPI office-word-mcp-server",
    start: () => python1("word_mcp_server"),
    calls: ({ docs }) => [
      { tool: "get_document_text", arguments: { filename: join(docs, "handbook.docx") }, ...STOPPED },
      { tool: "get_document_outline", arguments: { filename: join(docs, "handbook.docx") }, fact: "Runners of section 93", query: grep("section 93") },
    ],
  },

  "office-powerpoint-mcp-server": {
    from: "PyPI office-powerpoint-mcp-server",
    start: () => python1("ppt_mcp_server"),
    calls: ({ docs }) => [
      { tool: "open_presentation", arguments: { file_path: join(docs, "handbook.pptx") }, fact: "presentation_1" },
      { tool: "extract_presentation_text", arguments: { presentation_id: "presentation_1" }, ...STOPPED },
    ],
  },

  "arxiv-mcp-server": {
    from: "PyPI arxiv-mcp-server",
    start: ({ docs }) => python1("arxiv-mcp-server", "--storage-path", join(docs, "papers")),
    calls: () => [{ tool: "read_paper", arguments: { paper_id: "2601.00001", return_full_text: true }, ...STOPPED }],
  },

  "duckduckgo-mcp-server": {
    from: "PyPI duckduckgo-mcp-server",
    start: () => python("duckduckgo-mcp-server", "--allow-private-urls"),
    calls: ({ url }) => [{ tool: "fetch_content", arguments: { url: `${url}/handbook`, max_length: 200_000 }, ...STOPPED }],
  },
};

/** The files in which the versions are pinned. */
const PINS = {
  npm: ["package.json", "servers/package.json"],
  PyPI: ["requirements.txt", "servers/requirements.txt", "servers/requirements-1.txt"],
};

/** Returns the version of a server's package. */
export function versionOf(/** @type {Row} */ { from }) {
  const [registry, name] = /** @type {["npm" | "PyPI", string]} */ (from.split(" "));
  const pinned = registry === "npm" ? new RegExp(`"${name}": "(.*)"`) : new RegExp(`^${name}==(.*)$`, "m");
  const version = PINS[registry].map((file) => readFileSync(join(HOME, file), "utf8").match(pinned)?.[1]).find((found) => found !== undefined);
  if (version === undefined) throw new Error(`the version of ${name} is not pinned`);
  return version;
}
