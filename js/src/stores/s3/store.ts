/** A store in an S3 bucket, or on a server with a compatible API. */

import type { Artifact } from '../../contract/types.js';
import { StoreError } from '../../error.js';
import type { AsyncStore } from '../../ports.js';
import { Limits, expired } from '../limits.js';
import { isArtifactId, mintUnchecked } from '../mint.js';
import { type AsyncSessions, type Garbage, addGarbage, sessionName } from '../sessions.js';
import { Catalog, type S3Meta } from './catalog.js';
import { Collector } from './collector.js';
import { Keys } from './keys.js';
import { Objects } from './objects.js';
import { OWN_OPTIONS, type BucketStoreOptions } from './options.js';
import { BlockCache, Reader } from './reader.js';
import { Writer, type WriterContext } from './writer.js';

/** Maximum number of artifacts whose last reads are remembered. */
const MAX_READERS = 256;

/** State that a store shares with its sessions. */
interface Shared {
    options: BucketStoreOptions;
    objects: Objects;
    cache: BlockCache;
}

/**
 * Keeps artifacts in a bucket, for `tuckaway/async`. Any number of agents on any machines may use a session at the same
 * time, through this store or the Rust host's `BucketStore` (`s3://BUCKET/PREFIX` on its command line).
 *
 * The content of an artifact consists of segments, `data/<id>/<n>`, which are written as they fill. After the last one,
 * `meta/<id>.json` is written, and the artifact begins to exist: a reader sees the whole artifact or nothing. The
 * session NAME is stored below `sessions/NAME/`. Reads request ranges of segments, and read ahead if they are
 * sequential.
 */
export class BucketStore implements AsyncStore, AsyncSessions<BucketStore> {
    readonly #shared: Shared;
    readonly #limits: Limits;
    readonly #keys: Keys;
    readonly #catalog: Catalog;
    readonly #collector: Collector;
    readonly #context: WriterContext;
    readonly #writers = new Map<string, Writer>();
    readonly #readers = new Map<string, Reader>();

    private constructor(shared: Shared, limits: Limits, keys: Keys) {
        this.#shared = shared;
        this.#limits = limits;
        this.#keys = keys;
        this.#catalog = new Catalog(keys);
        this.#collector = new Collector(this.#catalog, limits);
        this.#context = {
            catalog: this.#catalog,
            limits,
            segmentBytes: shared.options.segmentBytes ?? 8 << 20,
            used: (objects, except) => this.#used(objects, except),
        };
    }

    /**
     * Opens the store in a bucket. Makes no request: if the bucket cannot be used, the first operation fails. Throws a
     * `TuckawayError` of kind `invalid_input` for an invalid option.
     */
    static open(options: BucketStoreOptions): BucketStore {
        const limits = new Limits(options, OWN_OPTIONS);
        const { client, bucket, prefix = '', session, timeoutMs = 10_000, operationTimeoutMs = 60_000 } = options;
        const root = Keys.below(prefix);
        const shared = {
            options: { ...options },
            objects: new Objects(client, bucket, { request: timeoutMs, operation: operationTimeoutMs }),
            cache: new BlockCache(options.cacheBytes ?? 32 << 20),
        };
        return new BucketStore(shared, limits, session === undefined ? root : root.session(session));
    }

    async create(tool: string, mediaType: string): Promise<string> {
        if (this.#limits.sweepIsDue()) {
            // Objects that cannot be removed now are removed later.
            await this.#collector.sweep(this.#operation()).catch(() => {});
        }
        const others = this.#limits.quotaBytes === Infinity ? 0 : await this.#used(this.#operation());
        const id = mintUnchecked(tool);
        const names = { tool: tool.toWellFormed(), mediaType: mediaType.toWellFormed() };
        const artifact = { id, ...names, sizeBytes: 0, lineCount: 0, createdAt: 0 };
        this.#writers.set(id, new Writer(this.#context, artifact, others));
        return id;
    }

    async append(id: string, bytes: Uint8Array): Promise<void> {
        const writer = this.#writers.get(id) ?? await this.#notUnsealed(id);
        await writer.append(this.#operation(), bytes);
    }

    async seal(id: string, lineCount: number): Promise<Artifact> {
        const writer = this.#writers.get(id) ?? await this.#notUnsealed(id);
        try {
            return await writer.seal(this.#operation(), lineCount);
        } finally {
            this.#writers.delete(id);
        }
    }

    async stat(id: string): Promise<Artifact> {
        return { ...(await this.#visible(this.#operation(), id)).artifact };
    }

    async read(id: string, offset: number, length: number): Promise<Uint8Array> {
        const objects = this.#operation();
        checkId(id);
        const { artifact, segmentBytes } = this.#checkAge(await this.#catalog.recall(objects, id));
        const end = Math.min(offset + length, artifact.sizeBytes);
        const bytes = new Uint8Array(Math.max(end - offset, 0));
        for (let at = offset; at < end; ) {
            const index = Math.floor(at / segmentBytes);
            const [start, size] = [index * segmentBytes, Math.min(segmentBytes, artifact.sizeBytes - index * segmentBytes)];
            const into = bytes.subarray(at - offset, Math.min(start + size, end) - offset);
            const segment = { key: this.#keys.segment(id, index), index, size };
            if (!(await this.#reader(id).fill(objects, segment, at - start, into))) {
                // The artifact was removed after its metadata was read, unless the metadata still exists.
                await this.#visible(objects, id);
                const why = 'a segment is missing or has the wrong size';
                throw new StoreError('other', `the content of the artifact is damaged: ${why}`);
            }
            at += into.length;
        }
        return bytes;
    }

    /** Lists the sealed artifacts, oldest first. Requests only metadata that is not cached. */
    async listArtifacts(): Promise<Artifact[]> {
        const metas = await this.#catalog.list(this.#shared.objects);
        const isVisible = ({ artifact, expiredAt }: S3Meta) =>
            expiredAt === undefined && !this.#limits.hasExpired(artifact.createdAt);
        return metas.filter(isVisible).map(({ artifact }) => ({ ...artifact }));
    }

    async delete(id: string): Promise<void> {
        checkId(id);
        const objects = this.#operation();
        const writer = this.#writers.get(id);
        this.#writers.delete(id);
        await writer?.stop();
        const hasMeta = writer === undefined && await this.#catalog.has(objects, id);
        if (hasMeta) {
            await this.#catalog.remove(objects, id);
        }
        const segments: string[] = [];
        for await (const page of objects.list('listing', this.#keys.data(id))) {
            segments.push(...page.map(({ key }) => key));
        }
        if (writer === undefined && !hasMeta && segments.length === 0) {
            throw new StoreError('not_found');
        }
        await objects.remove('removing a segment', segments);
    }

    session(name: string): BucketStore {
        const { options } = this.#shared;
        return new BucketStore(this.#shared, new Limits(options, OWN_OPTIONS), this.#keys.session(sessionName(name)));
    }

    async sessions(): Promise<string[]> {
        const prefixes = await this.#shared.objects.folders('listing sessions', this.#keys.sessions);
        return prefixes.flatMap((prefix) => this.#keys.sessionOf(prefix) ?? []).sort();
    }

    async removeSession(name: string): Promise<void> {
        const { objects } = this.#shared;
        const prefix = this.#keys.sessionPrefix(sessionName(name));
        const [metas, others]: [string[], string[]] = [[], []];
        for await (const page of objects.list('removing a session', prefix)) {
            for (const { key } of page) {
                const isMeta = /^(sessions\/[^/]+\/)*meta\//.test(key.slice(prefix.length));
                (isMeta ? metas : others).push(key);
            }
        }
        if (metas.length + others.length === 0) {
            throw new StoreError('not_found');
        }
        // Without its metadata, an artifact does not exist.
        await objects.remove('removing a session', metas);
        await objects.remove('removing a session', others);
    }

    async collectGarbage(): Promise<Garbage> {
        for (const [id, writer] of this.#writers) {
            if (this.#limits.isAbandoned(writer.touchedAt)) {
                this.#writers.delete(id);
            }
        }
        const done = await this.#collector.collect(this.#shared.objects);
        for (const name of await this.sessions()) {
            addGarbage(done, await this.session(name).collectGarbage());
        }
        return done;
    }

    #operation(): Objects {
        return this.#shared.objects.forOperation();
    }

    /** Requests the metadata of an artifact that is visible to readers. */
    async #visible(objects: Objects, id: string): Promise<S3Meta> {
        checkId(id);
        return this.#checkAge(await this.#catalog.read(objects, id));
    }

    #checkAge(meta: S3Meta): S3Meta {
        const { artifact, expiredAt } = meta;
        if (expiredAt !== undefined) {
            throw expired(artifact, expiredAt);
        }
        if (this.#limits.hasExpired(artifact.createdAt)) {
            throw expired(artifact, this.#limits.expiresAt(artifact.createdAt));
        }
        return meta;
    }

    /** Throws the error for an id that does not name an unsealed artifact of this process. */
    async #notUnsealed(id: string): Promise<never> {
        await this.#visible(this.#operation(), id);
        throw new StoreError('other', 'the artifact is already sealed');
    }

    /** Returns the bytes that count against the quota, without the bytes that one writer has in memory. */
    async #used(objects: Objects, except?: Writer): Promise<number> {
        let bytes = await this.#collector.used(objects);
        for (const writer of this.#writers.values()) {
            bytes += writer === except ? 0 : writer.buffered;
        }
        return bytes;
    }

    #reader(id: string): Reader {
        let reader = this.#readers.get(id);
        if (reader === undefined) {
            if (this.#readers.size >= MAX_READERS) {
                this.#readers.clear();
            }
            reader = new Reader(this.#shared.cache);
            this.#readers.set(id, reader);
        }
        return reader;
    }
}

function checkId(id: string): void {
    if (!isArtifactId(id)) {
        throw new StoreError('not_found');
    }
}
