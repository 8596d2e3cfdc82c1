/** The JSON of case files. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
    [name: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A case that does not have the format of cases. */
export class MalformedCase extends Error {
    override readonly name = 'MalformedCase';
}

/** Throws the error for a malformed case, with the value at fault. */
export function malformed(what: string, value?: Json): never {
    throw new MalformedCase(value === undefined ? what : `${what}: ${JSON.stringify(value).slice(0, 200)}`);
}
