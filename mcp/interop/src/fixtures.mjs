// The data that the servers work on: files, a git repository, pages of an HTTP server. Its bytes are always the same.

import { execFileSync } from "node:child_process";
import { createServer } from "node:http";
import { mkdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The time of all files and commits. */
const TIME = "2026-01-02T03:04:05Z";

/** The dates and names of commits, so that their hashes are always the same. */
export const GIT_ENV = {
  GIT_AUTHOR_NAME: "Ada",
  GIT_AUTHOR_EMAIL: "ada@example.com",
  GIT_AUTHOR_DATE: TIME,
  GIT_COMMITTER_NAME: "Ada",
  GIT_COMMITTER_EMAIL: "ada@example.com",
  GIT_COMMITTER_DATE: TIME,
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_CONFIG_SYSTEM: "/dev/null",
};

const rows = JSON.stringify(
  Array.from({ length: 3000 }, (_, id) => ({
    id,
    name: `Name ${(id * 7919) % 1000}`,
    city: ["Zürich", "Łódź", "東京"][id % 3],
    score: (id * 31) % 97,
    tags: ["a", `t${id % 13}`],
  })),
);

const log = Array.from(
  { length: 4000 },
  (_, line) =>
    `${new Date(Date.parse(TIME) + line * 1000).toISOString()} ${line % 50 ? "INFO" : "ERROR"} request ${line} took ${(line * 17) % 900} ms`,
).join("\n");

const entities = Array.from({ length: 1500 }, (_, id) => ({
  name: `Entity ${id}`,
  entityType: "thing",
  observations: [`It is number ${id}.`, `Its square is ${id * id}.`],
}));

const PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Recreates all data in a directory. Returns the values of the placeholders in sessions. */
export function prepare(/** @type {string} */ directory, /** @type {string} */ http) {
  rmSync(directory, { recursive: true, force: true });
  const files = join(directory, "files");
  const repo = join(directory, "repo");
  mkdirSync(join(files, "many"), { recursive: true });
  const write = (/** @type {string} */ name, /** @type {string | Buffer} */ content) => {
    const path = join(files, name);
    writeFileSync(path, content);
    utimesSync(path, new Date(TIME), new Date(TIME));
  };
  write("small.txt", "first line\nsecond line with ü\n");
  write("rows.json", rows);
  write("app.log", log);
  write("dot.png", Buffer.from(PIXEL, "base64"));
  for (let index = 0; index < 2500; index++) write(`many/file-with-a-rather-long-name-${index}.txt`, "");
  repository(repo);
  return { FILES: files, REPO: repo, HTTP: http, ENTITIES: entities, DIRECTORY: directory };
}

/** Makes a repository of 600 commits, with a large one that has the tag `big`. */
function repository(/** @type {string} */ directory) {
  mkdirSync(directory, { recursive: true });
  const git = (/** @type {string[]} */ args, /** @type {string | undefined} */ input = undefined) =>
    execFileSync("git", args, { cwd: directory, env: { ...process.env, ...GIT_ENV }, input, stdio: ["pipe", "ignore", "inherit"] });
  git(["init", "-q", "-b", "main"]);
  const lines = [];
  for (let commit = 1; commit <= 600; commit++) {
    const content = commit === 300 ? log : `line ${commit}\n`;
    lines.push(`commit refs/heads/main\nmark :${commit}\n`);
    lines.push(`committer Ada <ada@example.com> ${1767323045 + commit} +0000\n`);
    lines.push(data(`Change number ${commit}\n\nIt changes what was there before.\n`));
    lines.push(`M 100644 inline ${commit === 300 ? "app.log" : "a.txt"}\n`, data(content));
  }
  lines.push("tag big\nfrom :300\ntagger Ada <ada@example.com> 1767323045 +0000\n", data("big\n"));
  git(["fast-import", "--quiet"], lines.join(""));
  git(["checkout", "-q", "main"]);
  writeFileSync(join(directory, "a.txt"), "changed\n");
}

function data(/** @type {string} */ text) {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

/** Serves pages on a free port. Returns the address, and a function that stops the server. */
export async function pages() {
  /** @type {Record<string, [string, string]>} */
  const paths = {
    "/small.html": ["text/html", "<html><head><title>Small</title></head><body><h1>Hello</h1><p>A page.</p></body></html>"],
    "/rows.json": ["application/json", rows],
    "/app.log": ["text/plain", log],
    "/robots.txt": ["text/plain", "User-agent: *\nAllow: /\n"],
  };
  const server = createServer((request, response) => {
    const [type, text] = paths[request.url ?? ""] ?? ["text/plain", ""];
    response.writeHead(text ? 200 : 404, { "content-type": `${type}; charset=utf-8` }).end(text || "Nothing here.");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", () => resolve(undefined)));
  const address = /** @type {import("node:net").AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${address.port}`, stop: () => server.close() };
}
