/** The component with the page's store, and the current output. */

import {
    createTuckaway, estimate,
    type Artifact, type Content, type Decision, type Store, type TokenCounter, type Tuckaway,
} from 'tuckaway';

import type {
    Counter, HighlightedMatches, OffloadRequest, Offloaded, Opened, Origin, Source, TokenCount,
} from '../protocol.js';
import { bytesOf, countTokens, excerpt, type ByteSource } from './excerpt.js';
import { load, mediaTypeOf, storedBytes } from './origins.js';
import { marker } from './spans.js';
import { openStore } from './store.js';

/** The most that the page shows of an output and of its view. */
const INPUT_BYTES = 64 * 1024;
const INPUT_LINES = 1_000;
const VIEW_BYTES = 256 * 1024;

/** The output of the last request. */
interface Current {
    key: number;
    /** The origin; `stored` once it is in the store. */
    origin: Origin;
    /** Its bytes, until they are in the store. */
    bytes?: Uint8Array;
    tokens: Partial<Record<Counter, TokenCount>>;
}

export class Session {
    #tuckaway!: Tuckaway;
    #store!: Store;
    #count: TokenCounter = estimate;
    #current: Current | undefined;

    async open(): Promise<Opened> {
        const { store, why } = await openStore();
        this.#store = store;
        this.#tuckaway = await createTuckaway({ store, tokens: (text) => this.#count(text) });
        return {
            store: why === undefined ? 'opfs' : 'memory',
            ...(why === undefined ? {} : { why }),
            policy: this.#tuckaway.policy,
            artifacts: this.#tuckaway.list(),
        };
    }

    /** Decides on an output and makes its view. What is already in the store is not stored again. */
    async offload({ source, tool, isError, turn, policy, counter }: OffloadRequest): Promise<Offloaded> {
        const began = performance.now();
        this.#count = counter === 'gpt' ? (await import('tuckaway/gpt-tokens')).gptTokens : estimate;
        const current = await this.#currentOf(source);
        const { origin } = current;
        const mediaType = mediaTypeOf(origin);
        const content: Content = origin.kind === 'stored' ? { stored: origin.id } : current.bytes!;
        const view = this.#tuckaway.process({ tool, isError, content, mediaType }, turn, policy);

        const isStored = origin.kind === 'stored';
        const input: ByteSource = isStored ? storedBytes(this.#store, origin.id) : bytesOf(current.bytes!);
        const { decision } = view;
        const text = bytesOf(new TextEncoder().encode(view.text));
        const artifact = view.artifacts[0] ?? (origin.kind === 'stored' ? this.#store.stat(origin.id) : undefined);
        const offloaded: Offloaded = {
            input: excerpt(input, INPUT_BYTES, INPUT_LINES),
            view: excerpt(text, VIEW_BYTES),
            ...(view.kept.length > 0 ? {} : { tokens: this.#countBoth(current, input, text, decision, counter) }),
            decision,
            ...(artifact === undefined ? {} : { artifact }),
            artifacts: this.#tuckaway.list(),
            milliseconds: performance.now() - began,
        };
        if (artifact !== undefined) {
            current.origin = { kind: 'stored', id: artifact.id };
            delete current.bytes;
        }
        return offloaded;
    }

    read: Tuckaway['read'] = (id, options) => this.#tuckaway.read(id, options);
    jq: Tuckaway['jq'] = (id, filter, options) => this.#tuckaway.jq(id, filter, options);

    grep(...[id, pattern, options = {}]: Parameters<Tuckaway['grep']>): HighlightedMatches {
        const found = this.#tuckaway.grep(id, pattern, options);
        const spansOf = marker(pattern, options);
        return { ...found, matches: found.matches.map((match) => ({ ...match, spans: spansOf(match) })) };
    }

    remove(id: string): Artifact[] {
        this.#store.delete(id);
        if (this.#current?.origin.kind === 'stored' && this.#current.origin.id === id) {
            this.#current = undefined;
        }
        return this.#tuckaway.list();
    }

    /** Returns the tokens of an output, which are counted once, and of its view. */
    #countBoth(
        current: Current,
        input: ByteSource,
        view: ByteSource,
        decision: Decision,
        counter: Counter,
    ): Offloaded['tokens'] {
        const isCounted = decision.tokenCount !== undefined && !decision.tokensEstimated;
        current.tokens[counter] ??= isCounted
            ? { tokens: decision.tokenCount!, exact: true }
            : countTokens(input, this.#count);
        return { input: current.tokens[counter], view: countTokens(view, this.#count) };
    }

    async #currentOf({ key, origin }: Source): Promise<Current> {
        if (this.#current?.key !== key) {
            this.#current = undefined;
            const bytes = origin.kind === 'stored' ? undefined : await load(origin);
            this.#current = { key, origin, tokens: {}, ...(bytes === undefined ? {} : { bytes }) };
        }
        return this.#current;
    }
}
