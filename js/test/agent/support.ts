/** Outputs of tools, and helpers for their views, shared by the tests of agent loops. */

import assert from 'node:assert/strict';

import { MemoryStore, StoreError, type TuckawayOptions, createTuckaway } from 'tuckaway';

/** An output that is too large for a model: about 1.4 MB as JSON. */
export const rows = Array.from({ length: 20_000 }, (_, id) => ({
    id,
    name: `row ${id}`,
    city: 'Eindhoven',
    score: id % 7,
}));

/** A small output. */
export const weather = { city: 'Delft', celsius: 11 };

/** A PNG of one pixel, in base64. */
export const pixel =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII=';

export function newTuckaway(options: Partial<TuckawayOptions> = {}) {
    return createTuckaway({ contextWindow: 200_000, ...options });
}

/** Returns the id of the artifact that an envelope refers to. */
export function artifactId(envelope: unknown): string {
    const { artifact_id } = JSON.parse(String(envelope)) as { artifact_id: unknown };
    assert.ok(typeof artifact_id === 'string', 'no artifact_id in the envelope');
    return artifact_id;
}

/** A store that can be made to fail, with a message that the model must not see. */
export class FlakyStore extends MemoryStore {
    isBroken = false;

    override read(...args: Parameters<MemoryStore['read']>) {
        if (this.isBroken) {
            throw new StoreError('other', 'EIO: /srv/secret/outputs');
        }
        return super.read(...args);
    }
}
