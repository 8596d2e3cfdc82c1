/** Code that the hostile tests share. Runs in Node and in browsers. */

import {
    MemoryStore, TuckawayError, createTuckaway,
    type AsyncTuckaway, type ErrorKind, type Store, type Tuckaway, type TuckawayOptions,
} from 'tuckaway';

import { ok } from '../../support/expect.js';

/** Tests by name, for Node and for browsers. */
export type Tests = Record<string, () => Promise<void>>;

export const LINE = 'a line of an output that is stored\n';
export const BIG = LINE.repeat(10_000);

/** Creates a tuckaway for a window in which {@link BIG} is too large. */
export function open(options: Partial<TuckawayOptions> = {}): Promise<Tuckaway> {
    return createTuckaway({ contextWindow: 100_000, ...options });
}

/** Returns a store that works, except for the given methods. */
export function storeWith(methods: Partial<Record<keyof Store, (...args: never[]) => unknown>>): Store {
    const store = new MemoryStore();
    return {
        create: (tool, mediaType) => store.create(tool, mediaType),
        append: (id, bytes) => store.append(id, bytes),
        seal: (id, lineCount) => store.seal(id, lineCount),
        stat: (id) => store.stat(id),
        read: (id, offset, length) => store.read(id, offset, length),
        listArtifacts: () => store.listArtifacts(),
        delete: (id) => store.delete(id),
        ...methods,
    } as Store;
}

/** Returns the error that an action throws or rejects with, which must be a `TuckawayError` of this kind. */
export async function refuses(kind: ErrorKind, action: () => unknown): Promise<TuckawayError> {
    let answer: unknown;
    try {
        answer = await action();
    } catch (error) {
        ok(error instanceof TuckawayError, `threw something other than a TuckawayError: ${error instanceof Error ? error.stack : String(error)}`);
        ok(error.kind === kind, `threw ${error.kind} (${error.message}), expected ${kind}`);
        ok(error.message !== '' && !error.message.includes('bug in tuckaway'), `this is not helpful: ${error.message}`);
        return error;
    }
    throw new Error(`returned ${String(JSON.stringify(answer)).slice(0, 200)}, expected an error: ${kind}`);
}

/** Like {@link refuses}; the message must also contain each of these parts. */
export async function refusesWith(kind: ErrorKind, parts: readonly string[], action: () => unknown): Promise<void> {
    const { message, arguments: names } = await refuses(kind, action);
    const isNamed = kind !== 'invalid_input' || names.length > 0 || message.includes('was disposed');
    ok(isNamed, `the error names no argument: ${message}`);
    for (const part of parts) {
        ok(message.includes(part), `${JSON.stringify(part)} is not in the message: ${message}`);
    }
}

/** Checks that calls work: an output can be stored, searched and read back. */
export async function works(tuckaway: Tuckaway | AsyncTuckaway): Promise<void> {
    const view = await tuckaway.process({ tool: 'sql', content: BIG });
    ok(view.decision.action === 'artifact', `it was ${view.decision.action}: ${JSON.stringify(view.decision.failures)}`);
    const id = view.artifacts[0]?.id ?? '';
    const found = await tuckaway.grep(id, 'is stored', { maxMatches: 1 });
    ok(found.matches[0]?.line === 1, 'grep did not find the first line');
    const { text } = await tuckaway.read(id, { lines: { start: 10_000, end: 10_000 } });
    ok(text === LINE, `read returned ${JSON.stringify(text)}`);
}

/** A store that only counts bytes, and tracks the artifacts that are not sealed. */
export class Counting implements Store {
    readonly unsealed = new Set<string>();
    /** The bytes that were appended. */
    bytes = 0;
    #made = 0;

    create(): string {
        this.#made += 1;
        const id = `art_${this.#made}`;
        this.unsealed.add(id);
        return id;
    }
    append(_id: string, bytes: Uint8Array): void {
        this.bytes += bytes.length;
    }
    seal(id: string, lineCount: number) {
        this.unsealed.delete(id);
        return { id, tool: 'sql', mediaType: 'text/plain', sizeBytes: this.bytes, lineCount, createdAt: 0 };
    }
    stat = nothing;
    read = nothing;
    listArtifacts = () => [];
    delete(id: string): void {
        this.unsealed.delete(id);
    }
}

/** Records the modules that are instantiated from now on, and the memories that they export. */
export function watchInstances(): { made: number; found: WebAssembly.Memory[]; stop(): void } {
    const { Instance } = WebAssembly;
    const seen = {
        made: 0,
        found: [] as WebAssembly.Memory[],
        stop: () => {
            WebAssembly.Instance = Instance;
        },
    };
    WebAssembly.Instance = new Proxy(Instance, {
        construct: (target, args) => {
            const instance = Reflect.construct(target, args) as WebAssembly.Instance;
            seen.made += 1;
            if (instance.exports.memory instanceof WebAssembly.Memory) {
                seen.found.push(instance.exports.memory);
            }
            return instance;
        },
    });
    return seen;
}

function nothing(): never {
    throw new Error('nothing is kept');
}

/** Returns bytes that make the glue throw, as an engine does when its stack is exhausted. */
export function trapping(): Uint8Array {
    return Object.defineProperty(new Uint8Array(1), 'byteLength', {
        get: () => {
            throw new RangeError('Maximum call stack size exceeded');
        },
    });
}
