/** The component with the page's store, and the current output. */

import {
    createTuckaway, estimate,
    type Artifact, type Content, type Decision, type Store, type TokenCounter, type Tuckaway,
} from 'tuckaway';

import { DEFAULT_KNOBS } from '../knobs.js';
import type {
    Comparison, Counter, HighlightedMatches, Measured, MeasureRequest, OffloadRequest, Offloaded, Opened, Origin,
    Source, Timed, TokenCount,
} from '../protocol.js';
import type { Question } from '../question.js';
import { bytesOf, countTokens, excerpt, type ByteSource } from './excerpt.js';
import { isSame, load, mediaTypeOf, storedBytes } from './origins.js';
import { truncatePlainly } from './plain.js';
import { findIn, Scratch } from './scratch.js';
import { marker } from './spans.js';
import { openStore } from './store.js';

/** Maximum bytes and lines that the page shows of an output and its view. */
const INPUT_BYTES = 64 * 1024;
const INPUT_LINES = 1_000;
const VIEW_BYTES = 256 * 1024;
const IMAGE_BYTES = 20_000_000;

/** The output of the last request. */
interface Current {
    key: number;
    /** The origin; `stored` once the output is in the store. */
    origin: Origin;
    /** The bytes, until the output is in the store. */
    bytes?: Uint8Array;
    tokens: Partial<Record<Counter, TokenCount>>;
}

export class Session {
    #tuckaway!: Tuckaway;
    #store!: Store;
    #count: TokenCounter = estimate;
    #current: Current | undefined;
    readonly #scratch = new Scratch((text) => this.#count(text));

    async open(): Promise<Opened> {
        const { store, why } = await openStore();
        this.#store = store;
        const { contextWindow } = DEFAULT_KNOBS;
        this.#tuckaway = await createTuckaway({ store, tokens: (text) => this.#count(text), contextWindow });
        return {
            store: why === undefined ? 'opfs' : 'memory',
            ...(why === undefined ? {} : { why }),
            policies: {
                artifact: this.#tuckaway.defaultPolicy('artifact'),
                cache: this.#tuckaway.defaultPolicy('cache'),
                handle: this.#tuckaway.defaultPolicy('handle'),
                file: this.#tuckaway.defaultPolicy('file'),
            },
            artifacts: this.#tuckaway.listArtifacts(),
        };
    }

    /** Decides on an output and makes its view. An output that is already in the store is not stored again. */
    async offload({ source, tool, isError, turn, policy, counter }: OffloadRequest): Promise<Offloaded> {
        await this.#countWith(counter);
        const current = await this.#currentOf(source, tool);
        const { origin } = current;
        const mediaType = mediaTypeOf(origin);
        const content: Content = origin.kind === 'stored' ? { stored: origin.id } : current.bytes!;
        const { milliseconds, ...view } =
            timed(() => this.#tuckaway.process({ tool, isError, content, mediaType }, turn, policy));

        const isStored = origin.kind === 'stored';
        const input: ByteSource = isStored ? storedBytes(this.#store, origin.id) : bytesOf(current.bytes!);
        const { decision } = view;
        const artifact = view.artifacts[0] ?? (isStored ? this.#store.stat(origin.id) : undefined);
        const text = bytesOf(new TextEncoder().encode(view.text));
        const plain = bytesOf(truncatePlainly(input));
        const image = view.kept.length > 0 ? imageOf(input, mediaType ?? artifact?.mediaType) : undefined;
        const offloaded: Offloaded = {
            input: excerpt(input, INPUT_BYTES, INPUT_LINES),
            view: excerpt(text, VIEW_BYTES),
            plain: excerpt(plain, VIEW_BYTES),
            ...(view.kept.length > 0 ? {} : {
                tokens: {
                    input: this.#countInput(current, input, decision, counter),
                    view: countTokens(text, this.#count),
                    plain: countTokens(plain, this.#count),
                },
            }),
            ...(image === undefined ? {} : { image }),
            decision,
            ...(artifact === undefined ? {} : { artifact }),
            artifacts: this.#tuckaway.listArtifacts(),
            milliseconds,
        };
        if (artifact !== undefined) {
            current.origin = { kind: 'stored', id: artifact.id };
            delete current.bytes;
        }
        return offloaded;
    }

    read(...query: Parameters<Tuckaway['read']>): Timed<ReturnType<Tuckaway['read']>> {
        return timed(() => this.#tuckaway.read(...query));
    }

    jq(...query: Parameters<Tuckaway['jq']>): Timed<ReturnType<Tuckaway['jq']>> {
        return timed(() => this.#tuckaway.jq(...query));
    }

    grep(...[id, pattern, options = {}]: Parameters<Tuckaway['grep']>): Timed<HighlightedMatches> {
        const found = timed(() => this.#tuckaway.grep(id, pattern, options));
        const spansOf = marker(pattern, options);
        return { ...found, matches: found.matches.map((match) => ({ ...match, spans: spansOf(match) })) };
    }

    /** Runs the same query on an artifact and on its plain truncation. */
    async compare(id: string, question: Question): Promise<Comparison> {
        const plain = truncatePlainly(storedBytes(this.#store, id));
        return {
            whole: findIn(this.#tuckaway, id, question),
            plain: await this.#scratch.find(this.#store.stat(id).tool, plain, question),
        };
    }

    async measure(request: MeasureRequest): Promise<Measured[]> {
        await this.#countWith(request.counter);
        return this.#scratch.measure(request);
    }

    remove(id: string): Artifact[] {
        this.#store.delete(id);
        if (this.#current?.origin.kind === 'stored' && this.#current.origin.id === id) {
            this.#current = undefined;
        }
        return this.#tuckaway.listArtifacts();
    }

    /** Loads a counter, so that no later call has to wait for it. */
    async #countWith(counter: Counter): Promise<void> {
        this.#count = counter === 'gpt' ? (await import('tuckaway/gpt-tokens')).gptTokens : estimate;
        this.#count('warm');
    }

    /** Returns the tokens of an output, which are counted once. */
    #countInput(current: Current, input: ByteSource, decision: Decision, counter: Counter): TokenCount {
        const isCounted = decision.tokenCount !== undefined && !decision.tokensEstimated;
        return (current.tokens[counter] ??= isCounted
            ? { tokens: decision.tokenCount!, exact: true }
            : countTokens(input, this.#count));
    }

    async #currentOf({ key, origin }: Source, tool: string): Promise<Current> {
        if (this.#current?.key !== key) {
            this.#current = undefined;
            this.#current = { key, tokens: {}, ...(await this.#loaded(origin, tool)) };
        }
        return this.#current;
    }

    /** Loads an output. A sample that is already in the store, from an earlier visit, is not stored again. */
    async #loaded(origin: Origin, tool: string): Promise<Pick<Current, 'origin' | 'bytes'>> {
        if (origin.kind === 'stored') {
            return { origin };
        }
        const bytes = await load(origin);
        const stored = origin.kind !== 'sample' ? undefined : this.#store.listArtifacts().find((artifact) =>
            artifact.tool === tool && isSame(storedBytes(this.#store, artifact.id), bytes));
        return stored === undefined ? { origin, bytes } : { origin: { kind: 'stored', id: stored.id } };
    }
}

/** Returns the result of a call, and how long it took. */
function timed<Answered extends object>(call: () => Answered): Timed<Answered> {
    const began = performance.now();
    const answered = call();
    return { ...answered, milliseconds: performance.now() - began };
}

function imageOf(input: ByteSource, mediaType = ''): Blob | undefined {
    const isImage = mediaType.startsWith('image/') && input.length <= IMAGE_BYTES;
    return isImage ? new Blob([input.slice(0, input.length).slice()], { type: mediaType }) : undefined;
}
