/** The artifacts of outputs that tuckaway's own helpers made, noted until a history with the outputs arrives. */

import type { KnownArtifact, View } from '../contract/types.js';
import type { ContextMemory } from '../json-types.js';

/** Maximum number of notes for histories that have not arrived; the oldest go first. */
const MAX_NOTES = 10_000;

/** Maximum characters of their texts. */
const MAX_CHARACTERS = 10_000_000;

/** The text of a result, and the artifact from which the output can be read. */
export type Note = Required<KnownArtifact>;

const noted = new WeakMap<object, Note[]>();

/**
 * Notes from which artifact a result can be read. A view of several artifacts has no single one.
 *
 * @param tuckaway the tuckaway whose store has the artifact
 */
export function noteView(tuckaway: object, callId: string, { text, artifacts }: View): void {
    const [artifact, ...more] = artifacts;
    if (artifact !== undefined && more.length === 0) {
        noted.set(tuckaway, newest([...notesOf(tuckaway), { callId, text, artifact: artifact.id }]));
    }
}

/** Returns the notes, oldest first. */
export function notesOf(tuckaway: object): readonly Note[] {
    return noted.get(tuckaway) ?? [];
}

/** Drops the notes that a memory has taken over. */
export function forgetNotes(tuckaway: object, used: readonly Note[], memory: ContextMemory): void {
    const known = JSON.stringify(memory);
    const dropped = new Set(used.filter(({ artifact }) => known.includes(JSON.stringify(artifact))));
    if (dropped.size > 0) {
        noted.set(tuckaway, notesOf(tuckaway).filter((note) => !dropped.has(note)));
    }
}

/** Returns the newest notes that stay within both bounds. */
function newest(notes: Note[]): Note[] {
    let characters = 0;
    const older = notes.findLastIndex(({ text }) => (characters += text?.length ?? 0) > MAX_CHARACTERS);
    return notes.slice(Math.max(older + 1, notes.length - MAX_NOTES));
}
