/** A case that does not run in JavaScript, and why. */
export interface Skip {
    /** The file, from `cases/`. */
    file: string;
    /** The case's name. */
    name: string;
    /** For people. */
    reason: string;
}

/** All of them. One that would pass, or that names no case, fails the run. */
export const SKIPS: readonly Skip[] = [];
