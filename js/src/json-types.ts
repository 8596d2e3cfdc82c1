/** JSON that the component writes, as callers see it. */

/**
 * Data about a history that is not in it: plain JSON without texts, to be stored with the history and passed to the
 * next call, in JavaScript or any other host. Without it, artifacts are stored again and earlier summaries count as the
 * user's own words; nothing is lost. Its other members are not for callers.
 */
export interface ContextMemory {
    /** The version of its form. */
    readonly version: number;
}

/** A JSON Schema of type object. */
export interface JsonSchema {
    type: 'object';
    /** The schema of each argument, by its name. */
    properties: Record<string, unknown>;
    /** The names of the arguments that cannot be omitted. */
    required?: string[];
    [keyword: string]: unknown;
}
