/** Histories as JSON, although their items may contain bytes and URL objects, which JSON cannot represent. */

import { bytesOf, toJson } from '../validate.js';
import { inBase64 } from './base64.js';

/**
 * Writes values as JSON, and reads changed parts of them back: bytes are written as `{"base64": …}` and URLs as texts,
 * and become the same objects again.
 */
export class HistoryJson {
    /** The texts that were written. */
    readonly texts = new Set<string>();
    /** The binary values that were written, by their base64. */
    readonly #binary = new Map<string, object>();
    /** The URLs that were written, by the name of their member and their text. */
    readonly #urls = new Map<string, URL>();

    /** Returns a value as JSON. `name`: the caller's name for the value, for errors. */
    write(value: unknown, name: string): string {
        const [texts, binary, urls] = [this.texts, this.#binary, this.#urls];
        return toJson(value, name, function (key, given) {
            // A Buffer and a URL have been converted by their `toJSON`.
            const original: unknown = this[key];
            const bytes = bytesOf(original);
            if (bytes !== undefined) {
                const base64 = inBase64(bytes);
                binary.set(base64, original as object);
                return { base64 };
            }
            if (original instanceof URL) {
                urls.set(memberKey(key, original.href), original);
            }
            if (typeof given === 'string') {
                texts.add(given);
            }
            return given;
        });
    }

    /** Returns a value that the component wrote. */
    read(text: string): any {
        return JSON.parse(text, (key, value: unknown) => {
            if (typeof value === 'string') {
                return this.#urls.get(memberKey(key, value)) ?? value;
            }
            const { base64, ...more } = (value ?? {}) as { base64?: unknown };
            const isBinary = typeof base64 === 'string' && Object.keys(more).length === 0;
            return (isBinary ? this.#binary.get(base64) : undefined) ?? value;
        });
    }
}

/** Returns the key of a URL: only the member that had it gets it back. */
function memberKey(name: string, href: string): string {
    return `${name} ${href}`;
}
