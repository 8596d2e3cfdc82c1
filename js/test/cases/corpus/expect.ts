/** Compares answers with expectations. */

import { bytes, equal, isRecipe } from './content.js';
import { isObject, type Json, type JsonObject } from './json.js';

const encoder = new TextEncoder();

/** Longer texts are written as length and hash, with their ends for readers. */
const MAX_WRITTEN_BYTES = 4_096;
/** An output of at most this length is repeated where it occurs in an answer. */
const MAX_REPEATED_BYTES = 120;
/** The number of characters of each of these ends. */
const END_CHARS = 60;

/** Returns whether an answer is as expected, byte for byte. */
export async function agree(expected: Json, actual: Json): Promise<boolean> {
    const actualBytes = bytesOf(actual);
    if (actualBytes !== undefined) {
        return isRecipe(expected)
            ? equal(bytes(expected), actualBytes)
            : isObject(expected) && actualBytes.length > MAX_WRITTEN_BYTES && same(expected, await digest(actualBytes));
    }
    if (Array.isArray(expected) && Array.isArray(actual)) {
        return expected.length === actual.length
            && all(expected.map((each, index) => agree(each, actual[index] as Json)));
    }
    if (isObject(expected) && isObject(actual)) {
        return Object.keys(expected).length === Object.keys(actual).length
            && all(Object.entries(expected).map(
                async ([name, each]) => name in actual && agree(each, actual[name] as Json),
            ));
    }
    return expected === actual;
}

/**
 * Returns the answer in the notation of the expectation: the expected value wherever the two agree, so that a diff
 * shows only the differences.
 */
export async function inExpectedNotation(expected: Json | undefined, actual: Json): Promise<Json> {
    if (expected !== undefined && (await agree(expected, actual))) {
        return expected;
    }
    const long = bytesOf(actual);
    if (long !== undefined && long.length > MAX_WRITTEN_BYTES) {
        return digest(long);
    }
    if (typeof actual === 'string') {
        return actual.includes('\n') ? actual.split('\n') : actual;
    }
    if (Array.isArray(actual)) {
        const old = Array.isArray(expected) ? expected : [];
        return Promise.all(actual.map((each, index) => inExpectedNotation(old[index], each)));
    }
    if (isObject(actual) && long === undefined) {
        const old = isObject(expected) ? expected : {};
        const names = [...Object.keys(old).filter((name) => name in actual), ...Object.keys(actual)];
        const members = [...new Set(names)].map(async (name) => [name, await inExpectedNotation(old[name], actual[name] as Json)]);
        return Object.fromEntries(await Promise.all(members)) as JsonObject;
    }
    return actual;
}

/** Returns an answer with `{"output": index}` in place of each text that equals an output and is not short. */
export function replaceOutputs(outputs: readonly Uint8Array[], answer: Json): Json {
    if (outputs.length === 0) {
        return answer;
    }
    const found = bytesOf(answer);
    if (found !== undefined) {
        const index = found.length > MAX_REPEATED_BYTES ? outputs.findIndex((output) => equal(output, found)) : -1;
        return index < 0 ? answer : { output: index };
    }
    if (Array.isArray(answer)) {
        return answer.map((each) => replaceOutputs(outputs, each));
    }
    return isObject(answer)
        ? Object.fromEntries(Object.entries(answer).map(([name, each]) => [name, replaceOutputs(outputs, each)]))
        : answer;
}

async function digest(bytes: Uint8Array): Promise<JsonObject> {
    const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>));
    const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    return {
        bytes: bytes.length,
        sha256: Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join(''),
        // A character has at most two code units.
        starts: Array.from(text.slice(0, 2 * END_CHARS)).slice(0, END_CHARS).join(''),
        ends: Array.from(text.slice(-2 * END_CHARS)).slice(-END_CHARS).join(''),
    };
}

/** Returns the bytes of an answer's text, or of its base64 if it is not text. */
function bytesOf(actual: Json): Uint8Array | undefined {
    if (typeof actual === 'string') {
        return encoder.encode(actual);
    }
    return isObject(actual) && Object.keys(actual).length === 1 && 'base64' in actual ? bytes(actual) : undefined;
}

function same(a: JsonObject, b: JsonObject): boolean {
    const names = Object.keys(a);
    return names.length === Object.keys(b).length && names.every((name) => a[name] === b[name]);
}

async function all(checks: readonly Promise<boolean>[]): Promise<boolean> {
    return (await Promise.all(checks)).every(Boolean);
}
