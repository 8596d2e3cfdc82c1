/** A model that is a script, for a page that calls none: it knows nothing but the text that it is given. */

import type { ModelReply, ModelRequest, ModelTurn } from 'tuckaway';

/** The most characters of a line around what was found, and the most lines of an answer. */
const AROUND = 120;
const MOST_LINES = 8;

/**
 * Searches for the passage in quotation marks in what it shall extract. A chunk, or what was extracted, is answered with
 * the lines that have it; with `Read` and `Grep` it searches, reads the first line that was found, and answers with that.
 */
export async function scripted({ system, messages, mayCall }: ModelRequest): Promise<ModelReply> {
    // As if it took time, so that requests are seen side by side.
    await new Promise((resolve) => setTimeout(resolve, 120));
    const wanted = /WHAT TO EXTRACT\n[^"]*"([^"]+)"/.exec(system)?.[1] ?? /WHAT TO EXTRACT\n(.*)/.exec(system)?.[1] ?? '';
    const filename = /- Handle\/filename: (\S+)/.exec(system)?.[1];
    const results = messages.flatMap((message) => ('results' in message ? message.results : [])).map(({ text }) => text);
    const line = Number(/^(\d+)[:@]/m.exec(results[0] ?? '')?.[1]);
    if (mayCall && results.length === 0) {
        return { turn: call('Grep', { filename, pattern: wanted, fixed_string: true }) };
    }
    if (mayCall && results.length === 1 && line > 0) {
        return { turn: call('Read', { filename, offset: line - 1, limit: 1 }) };
    }
    const users = messages.flatMap((message) => ('user' in message ? [message.user] : []));
    const outputs = system.split('CHUNK OUTPUTS\n')[1] ?? '';
    const content = found(results.length > 0 ? results : [...users, outputs], wanted);
    const nonce = /.*<ai-agent-([A-Za-z0-9]+)-FINAL/s.exec(system)?.[1] ?? '';
    return { turn: { text: `<ai-agent-${nonce}-FINAL format="text">\n${content}\n</ai-agent-${nonce}-FINAL>` } };
}

function call(name: string, args: object): ModelTurn {
    return { text: '', calls: [{ id: `call_${name}`, name, arguments: JSON.stringify(args) }] };
}

function found(texts: readonly string[], wanted: string): string {
    const excerpts = new Set<string>();
    for (const text of texts) {
        for (let at = text.indexOf(wanted); at >= 0 && excerpts.size < MOST_LINES; at = text.indexOf(wanted, at + AROUND)) {
            const start = Math.max(text.lastIndexOf('\n', at) + 1, at - AROUND);
            const end = text.indexOf('\n', at);
            excerpts.add(text.slice(start, Math.min(end < 0 ? text.length : end, at + AROUND)));
        }
    }
    return [...excerpts].join('\n') || `NO RELEVANT DATA FOUND\nText without ${JSON.stringify(wanted)}.`;
}
