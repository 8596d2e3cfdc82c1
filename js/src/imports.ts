/** The component's imports: the caller's store and token counter, with every answer validated. */

import type { Imports } from './component.js';
import type { Artifact } from './contract/types.js';
import type { Deadline } from './deadline.js';
import { type StoreError, TuckawayError, isStoreError, messageOf } from './error.js';
import type { AsyncStore, AsyncTokenCounter } from './ports.js';
import { U64_MAX, isBytes } from './validate.js';

type StoreFailure =
    | { tag: 'not-found' }
    | { tag: 'expired'; val: { tool: string; expiredAt: bigint } | undefined }
    | { tag: 'quota-exceeded' }
    | { tag: 'other'; val: string };

type TaggedResult<T, E> = { tag: 'ok'; val: T } | { tag: 'err'; val: E };

/** A store and a token counter. Synchronous ones, as in `tuckaway`, are a special case of the ones in `tuckaway/async`. */
export interface Ports {
    store: AsyncStore;
    tokens: AsyncTokenCounter;
}

/** The host's record of one call. */
export class CallRecord {
    /** The last value that the store or the token counter threw. */
    thrown: unknown;
    /** The error for a promise that is not allowed. It takes precedence over the component's result. */
    misuse: TuckawayError | undefined;
    /** Artifacts that were created, but neither sealed nor deleted. */
    readonly unsealed = new Set<string>();
    /** Artifacts that the call sealed. */
    readonly sealed = new Set<string>();

    constructor(readonly deadline: Deadline) {}

    /** Returns why the store or the token counter may not be asked. Deletions are allowed, to clean up. */
    refusal(method: string): Error | undefined {
        return method === 'delete' ? undefined : this.deadline.refusal();
    }
}

/** Calls the store or the token counter and converts its answer, at once or when its promise has settled. */
type Settle = <T, V, E>(
    method: string,
    ask: () => T | Promise<T>,
    ok: (answer: T) => V,
    failed: (error: unknown) => E,
) => TaggedResult<V, E>;

/** Returns the imports of an instance. `record` returns the record of the current call. */
export function importsOver(ports: Ports, record: () => CallRecord, suspends: boolean): Imports {
    const settle: Settle = suspends ? settleAsync(record) : settleSync(record);
    const { store } = ports;
    const storeImports = {
        create: (tool: string, mediaType: string) =>
            settle('create', () => store.create(tool, mediaType), (id) => {
                record().unsealed.add(asString(id, 'create'));
                return id;
            }, storeFailure),
        append: (id: string, bytes: Uint8Array) =>
            // The glue passes a view of the component's memory.
            settle('append', () => store.append(id, store.borrowsBytes ? bytes : new Uint8Array(bytes)), nothing, storeFailure),
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
        listArtifacts: () => settle('listArtifacts', () => store.listArtifacts(), asArtifacts, storeFailure),
        delete: (id: string) =>
            settle('delete', () => store.delete(id), () => void record().unsealed.delete(id), storeFailure),
    };
    const tokensImports = {
        count: (text: string) => settle('tokens', () => ports.tokens(text), asCount, messageOf),
    };
    // The glue's types use versioned names, but the glue itself reads unversioned ones. Likewise, the glue takes a
    // tagged result where its types declare a return value or an exception.
    return {
        'tuckaway:context/store': storeImports,
        'tuckaway:context/store@0.1.0': storeImports,
        'tuckaway:context/tokens': tokensImports,
        'tuckaway:context/tokens@0.1.0': tokensImports,
    } as unknown as Imports;
}

function settleSync(record: () => CallRecord): Settle {
    return (method, ask, ok, failed) => {
        const refusal = record().refusal(method);
        if (refusal !== undefined) {
            return { tag: 'err', val: failed(refusal) };
        }
        try {
            const answer = ask();
            if (!isPromise(answer)) {
                return { tag: 'ok', val: ok(answer) };
            }
            // Nothing awaits it, so a rejection would go unhandled.
            answer.then(undefined, () => {});
            const who = method === 'tokens' ? 'The token counter' : `The store's \`${method}\``;
            const error = new TuckawayError(
                'invalid_input',
                `${who} returned a promise; use createTuckaway from tuckaway/async, which awaits it.`,
                { arguments: [method === 'tokens' ? 'tokens' : 'store'] },
            );
            record().misuse ??= error;
            return { tag: 'err', val: failed(error) };
        } catch (error) {
            record().thrown = error;
            return { tag: 'err', val: failed(error) };
        }
    };
}

function settleAsync(record: () => CallRecord): Settle {
    const settle = async <T, V, E>(
        method: string,
        ask: () => T | Promise<T>,
        ok: (answer: T) => V,
        failed: (error: unknown) => E,
    ): Promise<TaggedResult<V, E>> => {
        const refusal = record().refusal(method);
        if (refusal !== undefined) {
            return { tag: 'err', val: failed(refusal) };
        }
        try {
            return { tag: 'ok', val: ok(await record().deadline.answered(ask())) };
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
        case 'expired':
            return { tag: code, val: asExpiry(error as StoreError) };
        case 'not_found':
            return { tag: 'not-found' };
        case 'quota_exceeded':
            return { tag: 'quota-exceeded' };
        default:
            return { tag: 'other', val: messageOf(error) };
    }
}

/**
 * Returns the known facts about an expired artifact; nothing if they are malformed, since the artifact has expired
 * either way.
 */
function asExpiry(error: StoreError): { tool: string; expiredAt: bigint } | undefined {
    try {
        const { tool, expiredAt } = error.expiry ?? {};
        return { tool: asString(tool, 'stat', 'tool'), expiredAt: asInteger(expiredAt, 'stat', 'expiredAt') };
    } catch {
        return undefined;
    }
}

function nothing(): undefined {}

function wrong(method: string, what: string, answer: unknown): Error {
    return new Error(`\`${method}\` returned ${describe(answer)}, which is not a valid ${what}`);
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
        throw wrong('listArtifacts', 'array', artifacts);
    }
    // Unlike map, Array.from does not skip holes.
    return Array.from(artifacts, (artifact) => asArtifact(artifact, 'listArtifacts'));
}

function asBytes(bytes: Uint8Array): Uint8Array {
    if (!isBytes(bytes)) {
        throw wrong('read', 'Uint8Array', bytes);
    }
    return bytes;
}

function asCount(count: number): bigint {
    if (!Number.isSafeInteger(count) || count < 0) {
        throw new Error(`it returned ${describe(count)}, which is not a number of tokens`);
    }
    return BigInt(count);
}
