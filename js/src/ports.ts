/** The two things that the component asks of its host: a store and a token counter. */

/** What a store knows of one artifact. */
export interface Artifact {
    /** 1 to 64 characters of `A-Z a-z 0-9 _ -`. */
    id: string;
    /** The tool that produced it. */
    tool: string;
    /** `application/json`, `text/plain`, … */
    mediaType: string;
    sizeBytes: number;
    /** Line feeds, and one more for a last line that has none. */
    lineCount: number;
    /** Unix seconds, from the host's clock. */
    createdAt: number;
}

/**
 * Where full outputs are kept. One store is one session: the host scopes it, bounds it, and removes it
 * when the session ends.
 *
 * A method that cannot do its work throws a {@link StoreError}. Nothing that a store answers is believed:
 * an id outside the grammar, a sealed size that is not what was written, a read that is longer than asked
 * or ends before the artifact does, `undefined` where a value belongs, each count as a failure of the store.
 */
export interface Store {
    /**
     * Begins an artifact and mints its id, which nobody can guess (see `mint`). Nothing is visible to
     * `stat`, `read` and `list` until `seal`. `tool` and `mediaType` are data from outside: any text.
     */
    create(tool: string, mediaType: string): string;
    /**
     * Adds bytes at the end of an artifact that is not sealed yet. The bytes are the store's to keep.
     * After a failure the artifact can only be deleted. No bytes is a success.
     */
    append(id: string, bytes: Uint8Array): void;
    /** Makes the artifact visible, whole, or fails and keeps nothing. */
    seal(id: string, lineCount: number): Artifact;
    /** What is known of a sealed artifact. */
    stat(id: string): Artifact;
    /** Up to `length` bytes from `offset`. Shorter only at the end; empty at or past it. */
    read(id: string, offset: number, length: number): Uint8Array;
    /** Sealed artifacts, oldest first. */
    list(): Artifact[];
    /** Removes an artifact, sealed or not. */
    delete(id: string): void;
}

/** A {@link Store} whose methods may return promises; for `tuckaway/async`. */
export type AsyncStore = {
    [Method in keyof Store]: (
        ...args: Parameters<Store[Method]>
    ) => ReturnType<Store[Method]> | Promise<ReturnType<Store[Method]>>;
};

/**
 * Tokens of one text, as the model counts them: a whole number from 0 on. If it throws, or answers
 * anything else, bytes stand in for tokens, and the decision says so.
 */
export type TokenCounter = (text: string) => number;

/** A {@link TokenCounter} that may return a promise; for `tuckaway/async`. */
export type AsyncTokenCounter = (text: string) => number | Promise<number>;
