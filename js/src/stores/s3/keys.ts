/** The layout of a session in a bucket: the keys of its objects. The Rust host uses the same layout. */

import { invalid } from '../../validate.js';
import { isArtifactId } from '../mint.js';
import { isSessionName } from '../sessions.js';

/** A segment of an artifact's content. */
export interface SegmentKey {
    id: string;
    /** Its position, from 0. */
    segment: number;
}

/** The keys of one session. All begin with its prefix. */
export class Keys {
    /** Empty, or ends in `/`. */
    readonly #prefix: string;

    constructor(prefix: string) {
        this.#prefix = prefix;
    }

    /** Returns the keys below the user's prefix, which may have slashes at its ends. */
    static below(prefix: unknown): Keys {
        if (typeof prefix !== 'string' || /[\0-\x1f\x7f]/.test(prefix) || prefix.length > 512) {
            throw invalid('options.prefix', prefix, 'a text of at most 512 characters without control characters');
        }
        const trimmed = prefix.replace(/^\/+|\/+$/g, '');
        return new Keys(trimmed === '' ? '' : `${trimmed}/`);
    }

    /** The prefix of all segments, or of one artifact's segments. */
    data(id?: string): string {
        return `${this.#prefix}data/${id === undefined ? '' : `${id}/`}`;
    }

    segment(id: string, segment: number): string {
        return `${this.data(id)}${String(segment).padStart(8, '0')}`;
    }

    /** The prefix of all metadata. */
    get metas(): string {
        return `${this.#prefix}meta/`;
    }

    meta(id: string): string {
        return `${this.metas}${id}.json`;
    }

    /** The prefix of all sessions within this one. */
    get sessions(): string {
        return `${this.#prefix}sessions/`;
    }

    /** The prefix of all objects of a session within this one. */
    sessionPrefix(name: string): string {
        return `${this.sessions}${name}/`;
    }

    session(name: string): Keys {
        return new Keys(this.sessionPrefix(name));
    }

    /** Returns the id of the artifact whose metadata is stored under a key; undefined for any other key. */
    idOfMeta(key: string): string | undefined {
        const id = key.startsWith(this.metas) && key.endsWith('.json') ? key.slice(this.metas.length, -5) : '';
        return isArtifactId(id) ? id : undefined;
    }

    /** Returns the segment that is stored under a key; undefined for any other key. */
    segmentOf(key: string): SegmentKey | undefined {
        const prefix = this.data();
        const [id = '', segment = '', ...more] = key.startsWith(prefix) ? key.slice(prefix.length).split('/') : [];
        const isSegment = isArtifactId(id) && /^[0-9]{8}$/.test(segment) && more.length === 0;
        return isSegment ? { id, segment: Number(segment) } : undefined;
    }

    /** Returns the name of the session whose prefix this is; undefined for any other prefix. */
    sessionOf(prefix: string): string | undefined {
        const name = prefix.startsWith(this.sessions) ? prefix.slice(this.sessions.length, -1) : '';
        return isSessionName(name) ? name : undefined;
    }
}
