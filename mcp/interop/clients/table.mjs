// The clients that people use: how each is configured in an empty home, and asked one question without a terminal.

import { join } from "node:path";
import { HOME, npmProgram, pythonProgram } from "../src/servers.mjs";

/**
 * @typedef {{command: string, args: string[]}} Server
 * @typedef {{home: string, work: string, url: string, server: Server}} Place
 * @typedef {{files?: {[path: string]: string}, program: string, args: string[], env?: Record<string, string>}} Run
 */

/** Where the clients are installed that `cargo xtask mcp-interop --clients` runs. */
const INSTALLED = join(HOME, "..", "mcp-clients");
const npm = (/** @type {string} */ name) => join(INSTALLED, "node_modules", ".bin", name);

const QUESTION = "Check the orders.";
const json = (/** @type {any} */ value) => JSON.stringify(value, null, 2);

/** @type {{[name: string]: (place: Place) => Run}} */
export const CLIENTS = {
  codex: ({ url, server, work }) => ({
    files: {
      ".codex/config.toml": [
        'model = "gpt-5"',
        'model_provider = "loopback"',
        'approval_policy = "never"',
        'sandbox_mode = "danger-full-access"',
        `[projects.${JSON.stringify(work)}]`,
        'trust_level = "trusted"',
        "[model_providers.loopback]",
        'name = "loopback"',
        `base_url = "${url}/v1"`,
        'env_key = "OPENAI_API_KEY"',
        'wire_api = "responses"',
        "[mcp_servers.shop]",
        `command = ${JSON.stringify(server.command)}`,
        `args = ${JSON.stringify(server.args)}`,
        "",
      ].join("\n"),
    },
    program: npm("codex"),
    args: ["exec", "--skip-git-repo-check", QUESTION],
    env: { OPENAI_API_KEY: "none" },
  }),

  "claude-code": ({ url, server, home }) => ({
    files: { "mcp.json": json({ mcpServers: { shop: server } }) },
    program: npm("claude"),
    args: ["-p", QUESTION, "--mcp-config", join(home, "mcp.json"), "--strict-mcp-config", "--allowedTools", "mcp__shop"],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      ENABLE_TOOL_SEARCH: "false",
    },
  }),

  gemini: ({ url, server }) => ({
    files: { ".gemini/settings.json": json({ security: { auth: { selectedType: "gemini-api-key" } }, mcpServers: { shop: { ...server, trust: true } } }) },
    program: npmProgram(".bin/gemini"),
    args: ["-m", "gemini-2.5-flash", "--yolo", "-p", QUESTION],
    env: { GOOGLE_GEMINI_BASE_URL: url, GEMINI_API_KEY: "none", GEMINI_CLI_TRUST_WORKSPACE: "true", GEMINI_CLI_NO_RELAUNCH: "true" },
  }),

  qwen: ({ url, server }) => ({
    files: { ".qwen/settings.json": json({ security: { auth: { selectedType: "openai" } }, tools: { exclude: ["tool_search"] }, mcpServers: { shop: { ...server, trust: true } } }) },
    program: npm("qwen"),
    args: ["--yolo", "-p", QUESTION],
    env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "none", OPENAI_MODEL: "qwen3-coder-plus", QWEN_CODE_NO_RELAUNCH: "true" },
  }),

  opencode: ({ url, server }) => ({
    files: { ".config/opencode/opencode.json": opencode(url, server) },
    program: npm("opencode"),
    args: ["run", "--model", "loopback/model", QUESTION],
    env: { OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
  }),

  kilo: ({ url, server }) => ({
    files: { ".config/kilo/kilo.json": opencode(url, server) },
    program: npm("kilo"),
    args: ["run", "--auto", "--model", "loopback/model", QUESTION],
  }),

  copilot: ({ url, server }) => ({
    files: { ".copilot/mcp-config.json": json({ mcpServers: { shop: { type: "local", ...server, tools: ["*"] } } }) },
    program: npm("copilot"),
    args: ["-p", QUESTION, "--allow-all-tools", "--no-auto-update"],
    env: { COPILOT_PROVIDER_BASE_URL: `${url}/v1`, COPILOT_PROVIDER_TYPE: "openai", COPILOT_PROVIDER_API_KEY: "none", COPILOT_MODEL: "gpt-5", COPILOT_OFFLINE: "true" },
  }),

  cline: ({ url, server }) => ({
    files: {
      ".cline/data/settings/providers.json": json({
        version: 1,
        lastUsedProvider: "openai-compatible",
        providers: { "openai-compatible": { settings: { provider: "openai-compatible", apiKey: "none", model: "gpt-5", baseUrl: `${url}/v1` }, updatedAt: "2026-01-01T00:00:00.000Z", tokenSource: "manual" } },
      }),
      ".cline/data/settings/cline_mcp_settings.json": json({ mcpServers: { shop: { ...server, type: "stdio", disabled: false, autoApprove: ["*"] } } }),
    },
    program: npm("cline"),
    args: ["--provider", "openai-compatible", "--model", "gpt-5", QUESTION],
    // Otherwise it leaves a daemon behind.
    env: { CLINE_SESSION_BACKEND_MODE: "local" },
  }),

  continue: ({ url, server, home }) => ({
    files: {
      "config.yaml": [
        "name: loopback",
        "version: 1.0.0",
        "schema: v1",
        "models:",
        "  - name: model",
        "    provider: openai",
        "    model: gpt-4o",
        `    apiBase: ${url}/v1`,
        "    apiKey: none",
        "    roles: [chat]",
        "    capabilities: [tool_use]",
        "mcpServers:",
        "  - name: shop",
        `    command: ${JSON.stringify(server.command)}`,
        `    args: ${JSON.stringify(server.args)}`,
        "",
      ].join("\n"),
    },
    program: npm("cn"),
    args: ["--config", join(home, "config.yaml"), "--auto", "-p", QUESTION],
    env: { CONTINUE_TELEMETRY_ENABLED: "0" },
  }),

  "openai-agents": ({ url, server }) => ({
    program: pythonProgram("python", INSTALLED),
    args: [join(HOME, "clients", "openai_agents.py"), QUESTION, server.command, ...server.args],
    env: { OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: "none", OPENAI_AGENTS_DISABLE_TRACING: "1" },
  }),
};

/** The clients that are installed with the servers. */
export const WITH_SERVERS = ["gemini"];

/** The configuration of opencode, and of Kilo, which is built on it. */
function opencode(/** @type {string} */ url, /** @type {Server} */ { command, args }) {
  const model = { name: "model", limit: { context: 200_000, output: 8000 } };
  const loopback = { npm: "@ai-sdk/openai-compatible", name: "loopback", options: { baseURL: `${url}/v1`, apiKey: "none" }, models: { model } };
  return json({ provider: { loopback }, mcp: { shop: { type: "local", command: [command, ...args], enabled: true } }, permission: { "*": "allow" } });
}
