/** Equivalent code for Python, with the knobs that differ from the defaults. */

import type { ToolOverride } from 'tuckaway';

import { ARTIFACT_TOOLS, type Knobs } from '../knobs.js';
import { grouped, snake } from './words.js';

/** Returns a Python script. */
export function pythonCode(knobs: Knobs, tool: string): string {
    const { contextWindow, usedTokens, isError, counter, tools, policy } = knobs;
    const fields = Object.entries(policy).map(([name, value]) => `${snake(name)}=${python(value)}`);
    const options = [
        ...(counter === 'gpt' ? ['tokens=Tiktoken()'] : []),
        `context_window=${python(contextWindow)}`,
        ...(tools.length < ARTIFACT_TOOLS.length ? [`tools=${python(tools)}`] : []),
        ...(fields.length > 0 ? [`policy=Policy(${fields.join(', ')})`] : []),
    ];
    const given = ['output', `tool=${python(tool)}`, ...(isError ? ['is_error=True'] : []), `used_tokens=${python(usedTokens)}`];
    const used = [
        ...(fields.length > 0 ? ['Policy'] : []), ...(counter === 'gpt' ? ['Tiktoken'] : []),
        ...(policy.overrides === undefined ? [] : ['ToolOverride']), 'Tuckaway',
    ];
    return [
        `from tuckaway import ${used.join(', ')}`,
        '',
        `tuckaway = Tuckaway(${options.join(', ')})`,
        `view = tuckaway.process(${given.join(', ')})`,
        'messages.append({"role": "tool", "content": view.text})',
        '',
    ].join('\n');
}

/** Formats a value. Python reads the escapes of JSON. */
function python(value: unknown): string {
    switch (typeof value) {
        case 'string': return JSON.stringify(value);
        case 'boolean': return value ? 'True' : 'False';
        case 'number': return value === Infinity ? '2**64 - 1' : grouped(value);
        default: return Array.isArray(value) ? `[${value.map(python).join(', ')}]` : override(value as ToolOverride);
    }
}

function override(value: ToolOverride): string {
    return `ToolOverride(${Object.entries(value).map(([name, each]) => `${snake(name)}=${python(each)}`).join(', ')})`;
}
