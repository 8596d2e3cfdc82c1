/** Bytes in case files: text, lines, or a recipe. `cases/README.md` lists the forms. */

import { isObject, malformed, type Json, type JsonObject } from './json.js';

const encoder = new TextEncoder();
const strictDecoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The bytes of recipes, which nothing writes to. */
let cooked = new WeakMap<JsonObject, Uint8Array>();

const RECIPES = ['repeat', 'concat', 'each', 'base64', 'hex'];

/** Returns the bytes that a case file describes. */
export function bytes(value: Json | undefined): Uint8Array {
    if (typeof value === 'string') {
        return encoder.encode(value);
    }
    if (Array.isArray(value)) {
        return join(value.map(bytes), encoder.encode('\n'));
    }
    if (!isObject(value)) {
        return malformed('this does not describe bytes', value ?? 'nothing');
    }
    const made = cooked.get(value) ?? cook(value);
    cooked.set(value, made);
    return made;
}

/** Forgets the bytes of all recipes, which are kept because the cases of a file share them. */
export function forgetRecipes(): void {
    cooked = new WeakMap();
}

/** Like {@link bytes}, for text. */
export function text(value: Json | undefined): string {
    return typeof value === 'string' ? value : strictDecoder.decode(bytes(value));
}

/** Decodes bytes if they are UTF-8; otherwise returns undefined. */
export function asText(bytes: Uint8Array): string | undefined {
    try {
        return strictDecoder.decode(bytes);
    } catch {
        return undefined;
    }
}

/** Returns whether a value describes bytes, so that {@link bytes} can be called. */
export function isRecipe(value: Json | undefined): boolean {
    if (Array.isArray(value)) {
        return value.every(isRecipe);
    }
    return typeof value === 'string' || (isObject(value) && RECIPES.some((name) => name in value));
}

/** Returns bytes that are not UTF-8 in the notation of expectations. */
export function encoded(bytes: Uint8Array): JsonObject {
    return { base64: btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')) };
}

export function equal(a: Uint8Array, b: Uint8Array): boolean {
    if (a.length !== b.length) {
        return false;
    }
    // Not with a function for each byte: texts have megabytes.
    for (let index = 0; index < a.length; index += 1) {
        if (a[index] !== b[index]) {
            return false;
        }
    }
    return true;
}

export function join(parts: readonly Uint8Array[], separator = new Uint8Array()): Uint8Array {
    const gaps = Math.max(parts.length - 1, 0) * separator.length;
    const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, gaps));
    let end = 0;
    for (const [index, part] of parts.entries()) {
        if (index > 0) {
            whole.set(separator, end);
            end += separator.length;
        }
        whole.set(part, end);
        end += part.length;
    }
    return whole;
}

function cook(recipe: JsonObject): Uint8Array {
    if (recipe.repeat !== undefined) {
        return repeat(bytes(recipe.repeat), number(recipe, 'times'));
    }
    if (Array.isArray(recipe.concat)) {
        return join(recipe.concat.map(bytes));
    }
    if (recipe.each !== undefined) {
        const each = text(recipe.each);
        const [from, to] = [number(recipe, 'from'), number(recipe, 'to')];
        const all = Array.from({ length: to - from + 1 }, (_, index) => each.replaceAll('%', String(from + index)));
        return encoder.encode(all.join(recipe.join === undefined ? '' : text(recipe.join)));
    }
    if (typeof recipe.base64 === 'string') {
        return decodeBase64(recipe.base64);
    }
    if (typeof recipe.hex === 'string') {
        const pairs = recipe.hex.replaceAll(' ', '').match(/../g) ?? [];
        return Uint8Array.from(pairs, (pair) => Number.parseInt(pair, 16));
    }
    return malformed('this is not a valid recipe', recipe);
}

function decodeBase64(text: string): Uint8Array {
    const chars = atob(text);
    const decoded = new Uint8Array(chars.length);
    for (let index = 0; index < chars.length; index += 1) {
        decoded[index] = chars.charCodeAt(index);
    }
    return decoded;
}

function repeat(unit: Uint8Array, times: number): Uint8Array {
    const whole = new Uint8Array(unit.length * times);
    whole.set(unit.subarray(0, whole.length));
    for (let filled = unit.length; filled < whole.length && filled > 0; filled *= 2) {
        whole.copyWithin(filled, 0, filled);
    }
    return whole;
}

function number(recipe: JsonObject, name: string): number {
    const value = recipe[name];
    return typeof value === 'number' ? value : malformed(`${name} is missing or not a number`, recipe);
}
