/** What a case file is made of. */

export type Json = null | boolean | number | string | Json[] | JsonObject;
export interface JsonObject {
    [name: string]: Json;
}

export function isObject(value: Json | undefined): value is JsonObject {
    return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A case that says what no case may say. */
export class MalformedCase extends Error {
    override readonly name = 'MalformedCase';
}

/** What makes a case malformed, with the value that does. */
export function malformed(what: string, value?: Json): never {
    throw new MalformedCase(value === undefined ? what : `${what}: ${JSON.stringify(value).slice(0, 200)}`);
}
