/** Documents, a question, and models of a local server, shared by the tests of extractions. */

import { type Question, type Store, MemoryStore, createTuckaway } from 'tuckaway';
import { type Model, type ModelOptions, anthropicModel, openaiModel } from 'tuckaway/extraction';

export const KEY = 'sk-scripted-secret-key';
export const NEEDLE = 'the turbine stopped at 04:12';
export const WHAT = 'Say when it happened: "the turbine stopped"';

/** A document of one long line. */
export function oneLine(rows: number): string {
    const events = Array.from({ length: rows }, (_, id) => ({
        id,
        event: id === Math.trunc(rows / 2) ? NEEDLE : `nothing of note happened in hour ${id}`,
    }));
    return JSON.stringify({ events });
}

export function manyLines(lines: number): string {
    const at = Math.trunc((lines * 3) / 4);
    return Array.from({ length: lines }, (_, n) => `event ${n}: ${n === at ? NEEDLE : 'nothing of note'}\n`).join('');
}

/** Returns a tuckaway with one artifact, and a question about it. */
export async function stored(text: string, store: Store = new MemoryStore()) {
    const tuckaway = await createTuckaway({ store, contextWindow: 200_000 });
    const view = tuckaway.process({ tool: 'monitor', content: text }, {}, { keepAll: true });
    const question: Question = { artifact: view.artifacts[0]!.id, extract: WHAT, toolArguments: '{"plant": 7}' };
    return { tuckaway, store, question };
}

export function settings({ url }: { url: string }, changes: Partial<ModelOptions> = {}): ModelOptions {
    return { model: 'scripted', apiKey: KEY, baseUrl: url, backoffMs: 5, timeoutMs: 20_000, ...changes };
}

/** The adapters of both APIs. */
export const ADAPTERS: readonly (readonly [string, (options: ModelOptions) => Model])[] = [
    ['openai', openaiModel],
    ['anthropic', anthropicModel],
];
