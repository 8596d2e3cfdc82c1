/** The metadata of a session's artifacts, cached until it changes. */

import type { Artifact } from '../../contract/types.js';
import { StoreError } from '../../error.js';
import { type Meta, isCount, isString, metaToJson, parseMeta } from '../meta.js';
import type { Keys } from './keys.js';
import { type Listed, type Objects, TAKEN, TOO_LONG } from './objects.js';
import { inParallel } from './parallel.js';

/** Metadata is one small object; a larger one is something else. */
const MAX_META_BYTES = 1 << 20;

/** Maximum bytes of a segment. */
export const MAX_SEGMENT_BYTES = 1 << 30;

/** Metadata of an artifact in a bucket. */
export interface S3Meta extends Meta {
    /** Bytes of each segment but the last one. */
    segmentBytes: number;
    /** Orders artifacts that were sealed in the same second: Unix microseconds. */
    sealedAtUs: number;
    /** Random digits by which a writer recognizes its own metadata. */
    seal: string;
}

/** Cached data about an artifact: its metadata, or the error that reading it gave. */
interface Remembered {
    meta: S3Meta | StoreError;
    /** The stamp from the server's answer. */
    stamp: string | undefined;
    /** The stamp from a listing, which differs if the server lists no ETags. */
    listedStamp?: string;
}

/** Reads and writes the metadata of one session. */
export class Catalog {
    readonly keys: Keys;
    readonly #remembered = new Map<string, Remembered>();

    constructor(keys: Keys) {
        this.keys = keys;
    }

    /** Requests the metadata of an artifact. */
    async read(objects: Objects, id: string): Promise<S3Meta> {
        const found = await objects.get('getting metadata', this.keys.meta(id), MAX_META_BYTES);
        if (found === undefined) {
            this.#remembered.delete(id);
            throw new StoreError('not_found');
        }
        const stamp = found === TOO_LONG ? undefined : found.stamp;
        const meta = found === TOO_LONG ? damaged('it is too long') : parsed(found.bytes, id);
        this.#remembered.set(id, { stamp, meta });
        return usable(meta);
    }

    /** Returns the metadata of an artifact as last read; requests it if it was not read yet. */
    async recall(objects: Objects, id: string): Promise<S3Meta> {
        const remembered = this.#remembered.get(id);
        return remembered === undefined ? this.read(objects, id) : usable(remembered.meta);
    }

    /**
     * Returns the metadata of all artifacts, oldest first. Damaged metadata is omitted, as are artifacts that
     * `isWanted` excludes before their metadata is requested.
     */
    async list(objects: Objects, isWanted: (listed: Listed) => boolean = () => true): Promise<S3Meta[]> {
        const listed = new Map<string, Listed>();
        for await (const page of objects.list('listing', this.keys.metas)) {
            for (const each of page) {
                const id = this.keys.idOfMeta(each.key);
                if (id !== undefined) {
                    listed.set(id, each);
                }
            }
        }
        for (const id of this.#remembered.keys()) {
            if (!listed.has(id)) {
                this.#remembered.delete(id);
            }
        }
        const wanted = [...listed].filter(([, each]) => isWanted(each));
        const found = await inParallel(wanted, ([id, each]) => this.#listed(objects, id, each));
        return found.filter((meta) => meta !== undefined).sort(byAge);
    }

    /** Writes new metadata. Returns `taken` if there is some already and the server supports such conditions. */
    async create(objects: Objects, meta: S3Meta): Promise<typeof TAKEN | undefined> {
        const stamp = await objects.put('sealing', this.keys.meta(meta.artifact.id), toBytes(meta), true);
        if (stamp === TAKEN) {
            return TAKEN;
        }
        this.#remembered.set(meta.artifact.id, { stamp, meta });
        return undefined;
    }

    /** Replaces metadata. */
    async replace(objects: Objects, meta: S3Meta): Promise<void> {
        await objects.put('expiring', this.keys.meta(meta.artifact.id), toBytes(meta));
        this.#remembered.delete(meta.artifact.id);
    }

    /** Returns whether an artifact has metadata, damaged or not. */
    async has(objects: Objects, id: string): Promise<boolean> {
        return (await objects.get('getting metadata', this.keys.meta(id), MAX_META_BYTES)) !== undefined;
    }

    async remove(objects: Objects, id: string): Promise<void> {
        this.#remembered.delete(id);
        await objects.remove('removing metadata', [this.keys.meta(id)]);
    }

    /** Returns the metadata of a listed artifact; undefined if it is damaged or has been removed. */
    async #listed(objects: Objects, id: string, { stamp, size }: Listed): Promise<S3Meta | undefined> {
        const remembered = this.#remembered.get(id);
        if (remembered !== undefined && (remembered.stamp === stamp || remembered.listedStamp === stamp)) {
            return remembered.meta instanceof StoreError ? undefined : remembered.meta;
        }
        if (size > MAX_META_BYTES) {
            return undefined;
        }
        await this.read(objects, id).catch((error: StoreError) => {
            // Damaged metadata is cached too, but not the absence of removed metadata.
            if (error.code !== 'not_found' && error !== this.#remembered.get(id)?.meta) {
                throw error;
            }
        });
        const found = this.#remembered.get(id);
        if (found === undefined || found.meta instanceof StoreError) {
            return undefined;
        }
        found.listedStamp = stamp;
        return found.meta;
    }
}

function toBytes(meta: S3Meta): Uint8Array {
    const more = { segment_bytes: meta.segmentBytes, sealed_at_us: meta.sealedAtUs, seal: meta.seal };
    return new TextEncoder().encode(metaToJson(meta, more));
}

function parsed(json: Uint8Array, id: string): S3Meta | StoreError {
    try {
        const { meta, member } = parseMeta(json);
        const segmentBytes = member('segment_bytes', isCount);
        if (meta.artifact.id !== id || segmentBytes === 0 || segmentBytes > MAX_SEGMENT_BYTES) {
            const isOwn = meta.artifact.id === id;
            return damaged(isOwn ? 'segment_bytes is out of range' : 'it belongs to another artifact');
        }
        return { ...meta, segmentBytes, sealedAtUs: member('sealed_at_us', isCount), seal: member('seal', isString) };
    } catch (error) {
        return error as StoreError;
    }
}

function damaged(why: string): StoreError {
    return new StoreError('other', `the metadata of the artifact is damaged: ${why}`);
}

function usable(meta: S3Meta | StoreError): S3Meta {
    if (meta instanceof StoreError) {
        throw meta;
    }
    return meta;
}

function byAge(a: S3Meta, b: S3Meta): number {
    const byId = (one: Artifact, other: Artifact) => (one.id < other.id ? -1 : 1);
    return a.artifact.createdAt - b.artifact.createdAt || a.sealedAtUs - b.sealedAtUs || byId(a.artifact, b.artifact);
}
