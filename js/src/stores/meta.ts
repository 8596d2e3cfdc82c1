/**
 * The metadata of an artifact as JSON, as the Rust host writes it: next to the content in a folder, and in an object
 * store. Readers ignore unknown keys, so that a later version can add some.
 */

import type { Artifact } from '../contract/types.js';
import { StoreError } from '../error.js';

/** Metadata of an artifact in a folder. */
export interface Meta {
    artifact: Artifact;
    /** When it expired, in Unix seconds; undefined until it has. */
    expiredAt: number | undefined;
}

/** Returns the metadata as one line. `more` are the additional keys of this kind of store. */
export function metaToJson({ artifact, expiredAt }: Meta, more: Record<string, string | number> = {}): string {
    return `${JSON.stringify({
        id: artifact.id,
        tool: artifact.tool,
        media_type: artifact.mediaType,
        size_bytes: artifact.sizeBytes,
        line_count: artifact.lineCount,
        created_at: artifact.createdAt,
        ...more,
        expired_at: expiredAt,
    })}\n`;
}

/** Parses metadata. Throws a {@link StoreError} that says what is wrong. */
export function metaFromJson(json: Uint8Array): Meta {
    return parseMeta(json).meta;
}

/** Parses metadata, and returns it with a function that reads the additional keys of this kind of store. */
export function parseMeta(json: Uint8Array): { meta: Meta; member: Member } {
    let values: Record<string, unknown>;
    try {
        values = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(json));
    } catch {
        throw new StoreError('other', 'the metadata of the artifact is damaged: it is not JSON');
    }
    const member: Member = (key, is) => {
        const value = values?.[key];
        if (!is(value)) {
            const why = `${key} is missing or has the wrong type`;
            throw new StoreError('other', `the metadata of the artifact is damaged: ${why}`);
        }
        return value;
    };
    const artifact = {
        id: member('id', isString),
        tool: member('tool', isString),
        mediaType: member('media_type', isString),
        sizeBytes: member('size_bytes', isCount),
        lineCount: member('line_count', isCount),
        createdAt: member('created_at', isCount),
    };
    return { meta: { artifact, expiredAt: member('expired_at', isOptionalCount) ?? undefined }, member };
}

/** Returns the value of a key. Throws unless it has the given type. */
export type Member = <T>(key: string, is: (value: unknown) => value is T) => T;

export function isString(value: unknown): value is string {
    return typeof value === 'string';
}

/** Returns whether a value is a whole number that JavaScript can represent. */
export function isCount(value: unknown): value is number {
    return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isOptionalCount(value: unknown): value is number | null | undefined {
    return value === undefined || value === null || isCount(value);
}
