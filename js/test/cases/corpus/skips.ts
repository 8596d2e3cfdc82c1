/** A case that does not run in JavaScript, and why. */
export interface Skip {
    /** The path of the file, relative to `cases/`. */
    file: string;
    /** The name of the case. */
    name: string;
    /** The reason, for people. */
    reason: string;
}

/** All skips. One whose case would pass or does not exist fails the run. */
export const SKIPS: readonly Skip[] = [];
