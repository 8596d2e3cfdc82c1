/** A scripted model, for a page that calls no real one: it knows nothing but the text of the request. */

import type { ModelReply, ModelRequest, ModelTurn } from 'tuckaway';

/** Maximum characters of an excerpt around a match, and maximum lines of an answer. */
const AROUND = 120;
const MOST_LINES = 8;

/** Answers as `scripted` does, after a pause, so that parallel requests can be observed. */
export async function scriptedSlowly(request: ModelRequest): Promise<ModelReply> {
    await new Promise((resolve) => setTimeout(resolve, 120));
    return scripted(request);
}

/**
 * Searches for the passage in quotation marks, or for the longest word of the question, in the text to extract from. For
 * a chunk or for extracts, it answers with the lines that contain the passage; with `Read` and `Grep` it searches, reads
 * the first line that was found, and answers with that line.
 */
export async function scripted({ system, messages, mayCall }: ModelRequest): Promise<ModelReply> {
    const wanted = passageOf(/WHAT TO EXTRACT\n(.*)/.exec(system)?.[1] ?? '');
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

function passageOf(question: string): string {
    const words = question.match(/[\p{L}\p{N}_]+/gu) ?? [];
    return /"([^"]+)"/.exec(question)?.[1] ?? words.reduce((best, word) => (word.length > best.length ? word : best), '');
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
