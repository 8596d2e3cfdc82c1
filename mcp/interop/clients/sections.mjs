// Runs each client with the server alone, and with the proxy before it, and compares what its model learned.

import { execFileSync, spawn } from "node:child_process";
import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { HOME, isolated, PROGRAM } from "../src/servers.mjs";

import { modelServer } from "./model.mjs";
import { STEPS } from "./script.mjs";
import { CLIENTS, WITH_SERVERS } from "./table.mjs";

/** @typedef {import("../src/sections.mjs").Section} Section */

const SERVER = { command: process.execPath, args: [join(HOME, "clients", "server.mjs")] };
/** The milliseconds after which a client is ended. */
const PATIENCE = 120_000;
/** The characters that the results may have together behind the proxy: five views, and the answers to three queries. */
const MOST = 8000;

/**
 * Runs a client in a home of its own until its model has nothing left to do. `change` may change the files in the home
 * before.
 */
async function outcomeOf(
  /** @type {string} */ name,
  /** @type {string} */ directory,
  /** @type {boolean} */ isProxied,
  /** @type {(home: string) => void} */ change = () => {},
) {
  const home = mkdtempSync(join(directory, `${name}-`));
  const place = { home, work: join(home, "work"), store: join(home, "store") };
  const proxy = { command: PROGRAM, args: ["mcp", "proxy", "--store", `dir:${place.store}`, "--", SERVER.command, ...SERVER.args] };
  const model = await modelServer();
  try {
    const client = CLIENTS[name]?.({ ...place, url: model.url, server: isProxied ? proxy : SERVER });
    if (client === undefined) throw new Error(`there is no client ${name}`);
    mkdirSync(place.work);
    for (const [path, text] of Object.entries(client.files ?? {})) {
      mkdirSync(dirname(join(home, path)), { recursive: true });
      writeFileSync(join(home, path), text);
    }
    change(home);
    const said = await finished(client.program, client.args, place.work, { ...isolated(home), ...client.env }, model.done);
    return { ...model.outcome, said };
  } finally {
    model.stop();
  }
}

/** Runs a program until it ends, or until some time after `done`: some clients then wait for input. */
function finished(
  /** @type {string} */ program,
  /** @type {string[]} */ args,
  /** @type {string} */ cwd,
  /** @type {Record<string, string>} */ env,
  /** @type {Promise<void>} */ done,
) {
  return new Promise((/** @type {(said: string) => void} */ resolve, reject) => {
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    let said = "";
    const end = () => void child.kill("SIGKILL");
    const late = setTimeout(end, PATIENCE);
    void done.then(() => setTimeout(end, 3000).unref());
    child.stdout.on("data", (data) => (said = `${said}${data}`.slice(-1000)));
    child.stderr.on("data", (data) => (said = `${said}${data}`.slice(-1000)));
    child.once("error", reject);
    child.once("exit", () => (clearTimeout(late), resolve(said)));
  });
}

/** @type {(name: string) => Section} */
const section = (name) => async (place) => {
  mkdirSync(place.directory, { recursive: true });
  const direct = await outcomeOf(name, place.directory, false);
  const proxied = await outcomeOf(name, place.directory, true);
  // Without the proxy, a client may well end at a context that is too long.
  return { what: `${count(proxied)}; without the proxy ${count(direct)}`, found: mistakes(proxied) };
};

/** @typedef {Awaited<ReturnType<typeof outcomeOf>>} Outcome */

function count(/** @type {Outcome} */ { characters, learned }) {
  return `${characters} characters, ${learned.filter(({ knows }) => knows).length} of ${STEPS.length} facts`;
}

/** Returns what is wrong behind the proxy. */
function mistakes(/** @type {Outcome} */ { isDone, learned, said, characters }) {
  const found = [];
  if (!isDone) found.push(`the client stopped after ${learned.length} of ${STEPS.length} tools: ${said}`);
  for (const { tool, knows } of learned) {
    if (!knows) found.push(`the model did not learn what ${tool} knows`);
  }
  if (characters > MOST) found.push(`the results have ${characters} characters`);
  return found;
}

/** Runs Continue, which does not put a server's name before its tools, with what `install` makes of two servers. */
async function installed(/** @type {import("../src/sections.mjs").Place} */ { directory }) {
  mkdirSync(directory, { recursive: true });
  const outcome = await outcomeOf("continue", directory, false, (home) => {
    const config = join(home, "config.yaml");
    appendFileSync(config, `  - name: second\n    command: ${JSON.stringify(SERVER.command)}\n    args: ${JSON.stringify(SERVER.args)}\n`);
    const args = ["mcp", "install", "continue", "--path", config, "--write", "--program", PROGRAM];
    execFileSync(PROGRAM, args, { env: isolated(home), stdio: "ignore" });
  });
  const found = mistakes(outcome);
  const { tools } = outcome;
  for (const tool of ["shop_orders", "second_orders", "artifact_read", "artifact_grep", "artifact_jq"]) {
    const listed = tools.filter((each) => each === tool).length;
    if (listed !== 1) found.push(`${tool} is listed ${listed} times among ${tools.join(", ")}`);
  }
  return { what: `${count(outcome)}; two servers through one proxy, ${tools.length} tools`, found };
}

const sections = (/** @type {string[]} */ names) => Object.fromEntries(names.map((name) => [`client: ${name}`, section(name)]));

/** The clients that need no installation of their own. @type {{[name: string]: Section}} */
export const REAL_CLIENT_SECTIONS = sections(WITH_SERVERS);

/** All clients. @type {{[name: string]: Section}} */
export const ALL_REAL_CLIENT_SECTIONS = { ...sections(Object.keys(CLIENTS)), "client: continue, after mcp install": installed };
