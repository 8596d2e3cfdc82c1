/** The component's imports: a store and a token counter. */

import type { Artifact } from './contract/types.js';

/**
 * Keeps full outputs. One store is one session: the host determines its scope and its limits, and removes it when the
 * session ends.
 *
 * A method that cannot do its work throws a {@link StoreError}. Answers are checked, and each of these counts as a
 * failure of the store: an id with invalid characters, a sealed size that differs from the bytes written, a read that
 * is longer than requested or ends before the artifact does, `undefined` in place of a value.
 */
export interface Store {
    /**
     * Whether `append` keeps no reference to its array after it returns or its promise settles. If true, it is passed a
     * view of the component's memory, which saves a copy; a store that kept the view would later find other bytes in
     * it. Default: false. A subclass of one of our stores that keeps the array must set it to false.
     */
    readonly borrowsBytes?: boolean;
    /**
     * Begins an artifact and mints its id, which must be unguessable (see `mint`). `stat`, `read` and `listArtifacts`
     * do not see it until `seal`. `tool` and `mediaType` are untrusted: any text.
     */
    create(tool: string, mediaType: string): string;
    /**
     * Appends bytes to an artifact that is not sealed yet. Unless the store sets `borrowsBytes`, each call passes a new
     * array; the contract's tests change the arrays they passed. After a failure the artifact can only be deleted.
     * Appending no bytes succeeds.
     */
    append(id: string, bytes: Uint8Array): void;
    /** Makes the whole artifact visible, or fails and stores nothing. */
    seal(id: string, lineCount: number): Artifact;
    /** Returns the metadata of a sealed artifact. */
    stat(id: string): Artifact;
    /** Returns `length` bytes from `offset`: fewer only at the end, and no bytes at or past it. */
    read(id: string, offset: number, length: number): Uint8Array;
    /** Lists the sealed artifacts, oldest first. */
    listArtifacts(): Artifact[];
    /** Removes an artifact, sealed or not. */
    delete(id: string): void;
}

/** A {@link Store} whose methods may return promises; for `tuckaway/async`. */
export type AsyncStore = {
    [Member in keyof Store]: Store[Member] extends (...args: infer Args) => infer Answer
        ? (...args: Args) => Answer | Promise<Answer>
        : Store[Member];
};

/**
 * Counts the tokens of a text as the model does: a whole number, at least 0. If it throws, or returns anything else,
 * tokens are estimated from bytes, and the decision says so.
 */
export type TokenCounter = (text: string) => number;

/** A {@link TokenCounter} that may return a promise; for `tuckaway/async`. */
export type AsyncTokenCounter = (text: string) => number | Promise<number>;
