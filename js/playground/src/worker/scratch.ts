/** A second component, whose store is in memory: for measurements and comparisons that are not kept. */

import { createTuckaway, MemoryStore, type TokenCounter, type Tuckaway } from 'tuckaway';

import type { Finding, MeasureRequest, Measured } from '../protocol.js';
import type { Question } from '../question.js';
import { bytesOf, countTokens } from './excerpt.js';

export class Scratch {
    readonly #store = new MemoryStore();
    readonly #tokens: TokenCounter;
    #tuckaway: Promise<Tuckaway> | undefined;

    constructor(tokens: TokenCounter) {
        this.#tokens = tokens;
    }

    /** Returns the result of a query on a text. */
    async find(tool: string, content: Uint8Array, question: Question): Promise<Finding> {
        const tuckaway = await this.#open();
        const { artifacts } = tuckaway.process({ tool, content }, {}, { keepAll: true });
        try {
            return findIn(tuckaway, artifacts[0]!.id, question);
        } finally {
            artifacts.forEach(({ id }) => this.#store.delete(id));
        }
    }

    /** Offloads the outputs of a transcript in order. The views of earlier ones are in the window of later ones. */
    async measure({ calls, turn, policy }: MeasureRequest): Promise<Measured[]> {
        const tuckaway = await this.#open();
        let { usedTokens } = turn;
        return calls.map(({ tool, text, isError }) => {
            const view = tuckaway.process({ tool, isError, content: text }, { ...turn, usedTokens }, policy);
            view.artifacts.forEach(({ id }) => this.#store.delete(id));
            const [before, after] = [text, view.text]
                .map((each) => countTokens(bytesOf(new TextEncoder().encode(each)), this.#tokens));
            usedTokens += after!.tokens;
            return { before: before!, after: after!, action: view.decision.action };
        });
    }

    #open(): Promise<Tuckaway> {
        this.#tuckaway ??= createTuckaway({ store: this.#store, tokens: this.#tokens, contextWindow: Infinity });
        return this.#tuckaway;
    }
}

/** Returns the result of a query on an artifact, in a few words. */
export function findIn(tuckaway: Tuckaway, id: string, { console, values }: Question): Finding {
    try {
        return { text: console === 'jq' ? jq(tuckaway, id, values) : grep(tuckaway, id, values), failed: false };
    } catch (error) {
        return { text: error instanceof Error ? error.message : String(error), failed: true };
    }
}

function jq(tuckaway: Tuckaway, id: string, { filter = '.', slurp }: Question['values']): string {
    const { text, failure } = tuckaway.jq(id, filter, { compact: true, slurp: slurp === 'true' });
    if (failure !== undefined) {
        throw new Error(failure.message);
    }
    return text.trim();
}

function grep(tuckaway: Tuckaway, id: string, { pattern = '', ...options }: Question['values']): string {
    const { matches, total = 0, matchCount = total } = tuckaway.grep(id, pattern, {
        fixedString: options.fixedString === 'true',
        eachMatch: options.eachMatch === 'true',
    });
    return matchCount === 0 ? 'no match' : matchCount === 1 ? matches[0]!.text.trim() : String(matchCount);
}
