/** What the component is given: the caller's store and token counter, with nothing of their answers believed. */

import type { Imports } from './component.js';
import { TuckawayError, isStoreError, messageOf } from './error.js';
import type { Artifact, AsyncStore, AsyncTokenCounter } from './ports.js';
import { U64_MAX, isBytes } from './validate.js';

type StoreFailure =
    | { tag: 'not-found' }
    | { tag: 'expired' }
    | { tag: 'quota-exceeded' }
    | { tag: 'other'; val: string };

type Answer<T, E> = { tag: 'ok'; val: T } | { tag: 'err'; val: E };

/** A store and a token counter. Those of `tuckaway` are those of `tuckaway/async` that answer at once. */
export interface Ports {
    store: AsyncStore;
    tokens: AsyncTokenCounter;
}

/** What the host's side remembers of one call. */
export class CallRecord {
    /** What the store or the token counter threw last. */
    thrown: unknown;
    /** A promise where there can be none: the caller's mistake, whatever the component made of it. */
    misuse: TuckawayError | undefined;
    /** Artifacts that were begun and neither sealed nor deleted. */
    readonly unsealed = new Set<string>();
    /** Artifacts that the call made. */
    readonly sealed = new Set<string>();
}

/** How an answer of the caller's is waited for, or that it is not. */
type Settle = <T, V, E>(
    method: string,
    ask: () => T | Promise<T>,
    ok: (answer: T) => V,
    failed: (error: unknown) => E,
) => Answer<V, E>;

/** The imports of an instance. `record` is that of the call under way. */
export function importsOver(ports: Ports, record: () => CallRecord, suspends: boolean): Imports {
    const settle: Settle = suspends ? later(record) : atOnce(record);
    const { store } = ports;
    const face = {
        create: (tool: string, mediaType: string) =>
            settle('create', () => store.create(tool, mediaType), (id) => {
                record().unsealed.add(asString(id, 'create'));
                return id;
            }, storeFailure),
        append: (id: string, bytes: Uint8Array) =>
            settle('append', () => store.append(id, bytes), nothing, storeFailure),
        seal: (id: string, lineCount: bigint) =>
            settle('seal', () => store.seal(id, Number(lineCount)), (artifact) => {
                record().unsealed.delete(id);
                record().sealed.add(id);
                return asArtifact(artifact, 'seal');
            }, storeFailure),
        stat: (id: string) =>
            settle('stat', () => store.stat(id), (artifact) => asArtifact(artifact, 'stat'), storeFailure),
        read: (id: string, offset: bigint, length: number) =>
            settle('read', () => store.read(id, Number(offset), length), asBytes, storeFailure),
        listArtifacts: () => settle('list', () => store.list(), asArtifacts, storeFailure),
        delete: (id: string) =>
            settle('delete', () => store.delete(id), () => void record().unsealed.delete(id), storeFailure),
    };
    const counter = {
        count: (text: string) => settle('tokens', () => ports.tokens(text), asCount, messageOf),
    };
    // The glue's types ask for the versioned names, the glue itself for the others; and what it takes as a
    // result, its types call a return value or an exception.
    return {
        'tuckaway:context/store': face,
        'tuckaway:context/store@0.1.0': face,
        'tuckaway:context/tokens': counter,
        'tuckaway:context/tokens@0.1.0': counter,
    } as unknown as Imports;
}

function atOnce(record: () => CallRecord): Settle {
    return (method, ask, ok, failed) => {
        try {
            const answer = ask();
            if (!isPromise(answer)) {
                return { tag: 'ok', val: ok(answer) };
            }
            // Nobody waits for it, so that nobody would hear of its failure.
            answer.then(undefined, () => {});
            const who = method === 'tokens' ? 'The token counter' : `The store's \`${method}\``;
            const error = new TuckawayError(
                'invalid-input',
                `${who} returned a promise; use createTuckaway of tuckaway/async, which waits for it.`,
            );
            record().misuse ??= error;
            return { tag: 'err', val: failed(error) };
        } catch (error) {
            record().thrown = error;
            return { tag: 'err', val: failed(error) };
        }
    };
}

function later(record: () => CallRecord): Settle {
    const settle = async <T, V, E>(
        _method: string,
        ask: () => T | Promise<T>,
        ok: (answer: T) => V,
        failed: (error: unknown) => E,
    ): Promise<Answer<V, E>> => {
        try {
            return { tag: 'ok', val: ok(await ask()) };
        } catch (error) {
            record().thrown = error;
            return { tag: 'err', val: failed(error) };
        }
    };
    // The glue suspends the component until the promise is settled.
    return settle as unknown as Settle;
}

function isPromise(value: unknown): value is Promise<unknown> {
    return typeof (value as Promise<unknown> | null | undefined)?.then === 'function';
}

function storeFailure(error: unknown): StoreFailure {
    const code = isStoreError(error) ? error.code : 'other';
    switch (code) {
        case 'not-found':
        case 'expired':
        case 'quota-exceeded':
            return { tag: code };
        default:
            return { tag: 'other', val: messageOf(error) };
    }
}

function nothing(): undefined {}

function wrong(method: string, what: string, answer: unknown): Error {
    return new Error(`\`${method}\` answered ${describe(answer)}, which is no ${what}`);
}

function describe(value: unknown): string {
    if (value === null || ['undefined', 'number', 'boolean', 'bigint'].includes(typeof value)) {
        return typeof value === 'bigint' ? `${value}n` : String(value);
    }
    return typeof value === 'object' ? `an object (${value.constructor?.name ?? 'without a prototype'})` : `a ${typeof value}`;
}

function asString(value: unknown, method: string, what = 'id'): string {
    if (typeof value !== 'string') {
        throw wrong(method, what, value);
    }
    return value;
}

function asInteger(value: unknown, method: string, what: string): bigint {
    if (value === Infinity) {
        return U64_MAX;
    }
    if (!Number.isSafeInteger(value) || (value as number) < 0) {
        throw wrong(method, what, value);
    }
    return BigInt(value as number);
}

function asArtifact(artifact: Artifact, method: string) {
    if (typeof artifact !== 'object' || artifact === null) {
        throw wrong(method, 'artifact', artifact);
    }
    return {
        id: asString(artifact.id, method),
        tool: asString(artifact.tool, method, 'tool'),
        mediaType: asString(artifact.mediaType, method, 'mediaType'),
        sizeBytes: asInteger(artifact.sizeBytes, method, 'sizeBytes'),
        lineCount: asInteger(artifact.lineCount, method, 'lineCount'),
        createdAt: asInteger(artifact.createdAt, method, 'createdAt'),
    };
}

function asArtifacts(artifacts: Artifact[]) {
    if (!Array.isArray(artifacts)) {
        throw wrong('list', 'array', artifacts);
    }
    // Unlike map, it does not pass over holes.
    return Array.from(artifacts, (artifact) => asArtifact(artifact, 'list'));
}

function asBytes(bytes: Uint8Array): Uint8Array {
    if (!isBytes(bytes)) {
        throw wrong('read', 'Uint8Array', bytes);
    }
    return bytes;
}

function asCount(count: number): bigint {
    if (!Number.isSafeInteger(count) || count < 0) {
        throw new Error(`it answered ${describe(count)}, which is no number of tokens`);
    }
    return BigInt(count);
}
