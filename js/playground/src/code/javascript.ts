/** Equivalent code for Node, with the knobs that differ from the defaults. */

import { ARTIFACT_TOOLS, type Knobs } from '../knobs.js';
import { grouped } from './words.js';

/** Returns a JavaScript module for Node. */
export function nodeCode(knobs: Knobs, tool: string): string {
    const { contextWindow, usedTokens, isError, counter, tools, policy } = knobs;
    const options = [
        ...(counter === 'gpt' ? ['tokens: gptTokens'] : []),
        `contextWindow: ${grouped(contextWindow)}`,
        ...(tools.length < ARTIFACT_TOOLS.length ? [`tools: ${javaScript(tools)}`] : []),
        ...(Object.keys(policy).length > 0 ? [`policy: ${javaScript(policy)}`] : []),
    ];
    const output = [`tool: ${javaScript(tool)}`, ...(isError ? ['isError: true'] : []), 'content: output'];
    return [
        "import { createTuckaway } from 'tuckaway';",
        ...(counter === 'gpt' ? ["import { gptTokens } from 'tuckaway/gpt-tokens';"] : []),
        '',
        `const tuckaway = await createTuckaway({ ${options.join(', ')} });`,
        `const view = tuckaway.process({ ${output.join(', ')} }, { usedTokens: ${grouped(usedTokens)} });`,
        "messages.push({ role: 'tool', content: view.text });",
        '',
    ].join('\n');
}

/** Formats a value as JavaScript: names without quotes, strings in single quotes. */
function javaScript(value: unknown): string {
    if (typeof value === 'string') {
        const inner = JSON.stringify(value).slice(1, -1);
        return `'${inner.replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
    }
    if (typeof value === 'number') return grouped(value);
    if (Array.isArray(value)) return `[${value.map(javaScript).join(', ')}]`;
    if (typeof value !== 'object' || value === null) return String(value);
    return `{ ${Object.entries(value).map(([name, each]) => `${name}: ${javaScript(each)}`).join(', ')} }`;
}
