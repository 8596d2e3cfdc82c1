/** Equivalent settings of the MCP proxy, with the knobs that differ from the defaults. */

import type { Policy, ToolOverride } from 'tuckaway';

import type { Knobs } from '../knobs.js';
import { grouped, snake } from './words.js';

/** The fields of a policy that are settings of the proxy under another name. */
const SETTINGS: Partial<Record<keyof Policy, string>> = { maxOutputTokens: 'cap', dialect: 'dialect', mode: 'mode' };

/** Returns the file of the proxy, in TOML. A proxy does not know how much of the window is in use. */
export function mcpSettings({ contextWindow, policy: { overrides = [], ...policy } }: Knobs): string {
    const members = Object.entries(policy);
    const isSetting = ([name]: [string, unknown]): boolean => name in SETTINGS;
    const fields = members.filter((member) => !isSetting(member));
    return [
        '# tuckaway.toml, for: tuckaway mcp proxy --config tuckaway.toml',
        `window = ${toml(contextWindow)}`,
        ...members.filter(isSetting).map(([name, value]) => `${SETTINGS[name as keyof Policy]} = ${toml(value)}`),
        '',
        ...(fields.length === 0 ? [] : ['[policy]', ...fields.map(([name, value]) => `${snake(name)} = ${toml(value)}`), '']),
        '[servers.NAME]',
        'command = "COMMAND"',
        'args = ["ARGUMENT"]',
        '',
        ...overrides.flatMap(rule),
    ].join('\n');
}

function rule({ tools, ...others }: ToolOverride): string[] {
    const members = Object.entries(others).filter(([, value]) => value !== undefined);
    return ['[[tools]]', `glob = ${toml(tools)}`, ...members.map(([name, value]) => `${snake(name)} = ${toml(value)}`), ''];
}

/** Formats a value. TOML reads the escapes of JSON, and its integers have 64 bits with a sign. */
function toml(value: unknown): string {
    return typeof value === 'number' ? grouped(Math.min(value, Number.MAX_SAFE_INTEGER)) : JSON.stringify(value);
}
