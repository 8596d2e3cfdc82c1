// The data that the servers work on, besides the files and the repository of `fixtures.mjs`: documents, databases, and
// a site on loopback with pages and the interfaces of services.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { prepare as files } from "../src/fixtures.mjs";
import { HOME } from "../src/servers.mjs";

const CITIES = ["Zürich", "Łódź", "東京"];

/** The orders of the databases and the workbook. One has a total that no other has. */
const ORDERS = Array.from({ length: 4000 }, (_, id) => ({
  id,
  customer: `Customer ${(id * 7919) % 1000}`,
  city: CITIES[id % 3],
  total: id === 2718 ? 987_654 : (id * 31) % 997,
}));

const TOPICS = ["Bearings", "Gates", "Governors", "Penstocks", "Runners", "Shafts", "Spillways", "Transformers"];

/** The chapters of the documents. One knows when a turbine stopped. */
const CHAPTERS = Array.from({ length: 120 }, (_, index) => {
  const title = `${TOPICS[index % TOPICS.length]} of section ${index + 1}`;
  const checks = Array.from(
    { length: 6 },
    (_, check) => `Check ${check + 1} of section ${index + 1} found ${(index * 37 + check * 11) % 100} units within the tolerance of the maker.`,
  );
  if (index === 86) checks.splice(3, 0, "The turbine of Linthal stopped at 04:17 because a bearing was hot.");
  return { title, text: checks.join(" ") };
});

/** A document of 75 KB. */
export const ARTICLE = `# The handbook\n\n${CHAPTERS.map(({ title, text }) => `## ${title}\n\n${text}\n`).join("\n")}`;

/** A part of it with about 12,000 tokens: less than the cap for files, unless it counts twice. */
export const EXTRACT = ARTICLE.slice(-48_500);

const html = (/** @type {string} */ title, /** @type {string} */ body) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title><link rel="icon" href="data:,"></head><body>${body}</body></html>`;

const HANDBOOK = html("Handbook", `<main><h1>The handbook</h1>${CHAPTERS.map(({ title, text }) => `<h2>${title}</h2><p>${text}</p>`).join("")}</main>`);

const lamp = (/** @type {number} */ id) =>
  `<li><a href="/lamp/${id}">Lamp ${id}</a> ${(id * 31) % 97}.00 <button>Add lamp ${id}</button></li>`;

/** What the page says after a click on a button. */
const BUY = `document.querySelectorAll("button").forEach((each) => (each.onclick = () =>
  (document.getElementById("cart").textContent = each.textContent.replace("Add", "You bought") + ".")))`;

/** A page of a shop with so many lamps, each with a link and a button. */
const shop = (/** @type {number} */ lamps) =>
  html(
    "Lamps",
    `<nav><a href="/">Home</a> <label>Search <input type="search"></label></nav>
<main><h1>Lamps</h1><p role="status" id="cart">The cart is empty.</p><ul>${Array.from({ length: lamps }, (_, id) => lamp(id)).join("")}</ul></main>
<script>${BUY}</script>`,
  );

/** A page of the search of Notion. */
const NOTES = {
  object: "list",
  results: Array.from({ length: 100 }, (_, index) => ({
    object: "page",
    id: `00000000-0000-4000-8000-${`${index * 7919}`.padStart(12, "0")}`,
    created_time: "2026-01-02T03:04:00.000Z",
    last_edited_time: "2026-01-02T03:04:00.000Z",
    archived: false,
    properties: { Name: { id: "title", type: "title", title: [{ type: "text", text: { content: `Note ${index}`, link: null }, plain_text: `Note ${index}` }] } },
    url: `https://example.com/note-${index}`,
  })),
  next_cursor: "00000000-0000-4000-8000-100000000000",
  has_more: true,
};

/** The answers of the site, by path. @type {{[path: string]: [type: string, body: string]}} */
const ANSWERS = {
  "/handbook": ["text/html", HANDBOOK],
  "/robots.txt": ["text/plain", "User-agent: *\nAllow: /\n"],
  // Firecrawl
  "/v2/scrape": ["application/json", JSON.stringify({ success: true, data: { markdown: ARTICLE, metadata: { title: "Handbook", statusCode: 200 } } })],
  // Context7
  "/api/v2/context": ["text/plain", ARTICLE],
  // Notion
  "/v1/search": ["application/json", JSON.stringify(NOTES)],
  // AntV
  "/chart": ["application/json", JSON.stringify({ success: true, resultObj: "https://example.com/chart.png" })],
};

/** Serves the site on a free port. Returns its address, and a function that stops it. */
export async function site() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    const lamps = pathname.match(/^\/shop\/(\d+)$/)?.[1];
    const [type, body] = lamps ? ["text/html", shop(Number(lamps))] : (ANSWERS[pathname] ?? ["text/plain", ""]);
    request.resume();
    response.writeHead(body ? 200 : 404, { "content-type": `${type}; charset=utf-8`, date: "Fri, 02 Jan 2026 03:04:05 GMT" }).end(body || "Nothing here.");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, stop: () => (server.closeAllConnections(), server.close()) };
}

/** Writes the documents into a directory, and returns it. The libraries of the servers write the formats. */
export function writeDocuments(/** @type {string} */ directory, /** @type {string} */ python) {
  const papers = join(directory, "papers");
  mkdirSync(papers, { recursive: true });
  writeFileSync(join(papers, "2601.00001.md"), ARTICLE);
  writeFileSync(join(directory, "handbook.md"), ARTICLE);
  writeFileSync(join(directory, "extract.md"), EXTRACT);
  writeFileSync(join(directory, "handbook.html"), HANDBOOK);
  writeFileSync(join(directory, "orders.json"), JSON.stringify(ORDERS));
  const written = spawnSync(python, [join(HOME, "servers", "documents.py"), directory], {
    input: JSON.stringify({ orders: ORDERS, chapters: CHAPTERS }),
    encoding: "utf8",
  });
  if (written.status !== 0) throw new Error(`the documents could not be written: ${written.error ?? written.stderr}`);
  return directory;
}

/** Recreates all data in a directory. Returns where it is. */
export function prepare(/** @type {string} */ directory, /** @type {string} */ documents, /** @type {string} */ url) {
  const { FILES, REPO, ENTITIES } = files(directory, url);
  const [home, docs] = [join(directory, "home"), join(directory, "documents")];
  mkdirSync(home);
  cpSync(documents, docs, { recursive: true, preserveTimestamps: true });
  return { directory, home, docs, files: FILES, repo: REPO, entities: ENTITIES, url };
}
