/** Removes garbage in one session of a bucket. */

import { StoreError } from '../../error.js';
import type { Limits } from '../limits.js';
import { type Garbage, noGarbage } from '../sessions.js';
import type { Catalog, S3Meta } from './catalog.js';
import type { Objects } from './objects.js';

/** The segments of an artifact. */
interface Segments {
    keys: string[];
    bytes: number;
    /** When the newest one was written, in Unix seconds. */
    writtenAt: number;
}

/** Finds expired artifacts and orphans. */
export class Collector {
    readonly #catalog: Catalog;
    readonly #limits: Limits;

    constructor(catalog: Catalog, limits: Limits) {
        this.#catalog = catalog;
        this.#limits = limits;
    }

    /** Returns the bytes of all segments. */
    async used(objects: Objects): Promise<number> {
        let bytes = 0;
        for await (const page of objects.list('listing', this.#catalog.keys.data())) {
            bytes += page.reduce((sum, { size }) => sum + size, 0);
        }
        return bytes;
    }

    /** Removes expired artifacts. Recently written ones are not inspected, since they cannot have expired. */
    async sweep(objects: Objects): Promise<void> {
        if (this.#limits.maxAgeSeconds === Infinity) {
            return;
        }
        const metas = await this.#catalog.list(objects, ({ writtenAt }) =>
            writtenAt === Infinity || this.#limits.hasExpired(writtenAt));
        await this.#removeExpired(objects, metas, async (id) => this.#segmentsOf(objects, id), noGarbage());
    }

    /**
     * Removes expired artifacts and segments left behind by crashed writers, and the oldest artifacts if the rest
     * exceeds the quota.
     */
    async collect(objects: Objects): Promise<Garbage> {
        const done = noGarbage();
        // Segments are listed before metadata, so that artifacts sealed in between do not look like orphans.
        const segments = await this.#allSegments(objects);
        const take = async (id: string) => {
            const found = segments.get(id);
            segments.delete(id);
            return found;
        };
        const metas = await this.#catalog.list(objects);
        await this.#removeExpired(objects, metas, take, done);
        const known = new Set(metas.map(({ artifact }) => artifact.id));
        for (const [id, found] of segments) {
            if (!known.has(id) && this.#limits.isAbandoned(found.writtenAt) && (await this.#isOrphan(objects, id))) {
                await this.#remove(objects, await take(id), done);
                done.abandoned += 1;
            }
        }
        let used = [...segments.values()].reduce((sum, { bytes }) => sum + bytes, 0);
        for (const meta of metas) {
            if (used <= this.#limits.quotaBytes) {
                break;
            }
            const found = segments.get(meta.artifact.id);
            if (found !== undefined) {
                used -= found.bytes;
                await this.#expire(objects, meta, this.#limits.now(), await take(meta.artifact.id), done);
            }
        }
        return done;
    }

    /** Removes the segments of expired artifacts, and the metadata of artifacts that may be forgotten. */
    async #removeExpired(
        objects: Objects,
        metas: readonly S3Meta[],
        take: (id: string) => Promise<Segments | undefined>,
        done: Garbage,
    ): Promise<void> {
        for (const meta of metas) {
            const { id, createdAt } = meta.artifact;
            if (meta.expiredAt !== undefined) {
                await this.#remove(objects, await take(id), done);
                if (this.#limits.mayForget(Math.max(createdAt, meta.expiredAt))) {
                    await this.#catalog.remove(objects, id);
                    done.forgotten += 1;
                }
            } else if (this.#limits.hasExpired(createdAt)) {
                await this.#expire(objects, meta, this.#limits.expiresAt(createdAt), await take(id), done);
            }
        }
    }

    /** Removes an artifact's segments, after recording in its metadata when it expired. */
    async #expire(
        objects: Objects,
        meta: S3Meta,
        expiredAt: number,
        segments: Segments | undefined,
        done: Garbage,
    ): Promise<void> {
        await this.#catalog.replace(objects, { ...meta, expiredAt: Math.ceil(expiredAt) });
        await this.#remove(objects, segments, done);
        done.expired += 1;
    }

    async #remove(objects: Objects, segments: Segments | undefined, done: Garbage): Promise<void> {
        if (segments !== undefined) {
            await objects.remove('removing a segment', segments.keys);
            done.freedBytes += segments.bytes;
        }
    }

    /** Returns whether an artifact currently has no metadata, not even damaged metadata. */
    async #isOrphan(objects: Objects, id: string): Promise<boolean> {
        try {
            await this.#catalog.read(objects, id);
            return false;
        } catch (error) {
            return error instanceof StoreError && error.code === 'not_found';
        }
    }

    async #allSegments(objects: Objects): Promise<Map<string, Segments>> {
        const { keys } = this.#catalog;
        const all = new Map<string, Segments>();
        for await (const page of objects.list('listing', keys.data())) {
            for (const { key, size, writtenAt } of page) {
                const id = keys.segmentOf(key)?.id;
                if (id !== undefined) {
                    const found = all.get(id) ?? { keys: [], bytes: 0, writtenAt: 0 };
                    all.set(id, found);
                    found.keys.push(key);
                    found.bytes += size;
                    found.writtenAt = Math.max(found.writtenAt, writtenAt);
                }
            }
        }
        return all;
    }

    async #segmentsOf(objects: Objects, id: string): Promise<Segments> {
        const found: Segments = { keys: [], bytes: 0, writtenAt: 0 };
        for await (const page of objects.list('listing', this.#catalog.keys.data(id))) {
            found.keys.push(...page.map(({ key }) => key));
            found.bytes += page.reduce((sum, { size }) => sum + size, 0);
        }
        return found;
    }
}
