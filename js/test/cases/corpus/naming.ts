/** Converts between the names and numbers of case files and those of JavaScript. */

import type { Failure, TuckawayError } from 'tuckaway';

import { isObject, malformed, type Json, type JsonObject } from './json.js';

/** 2^64 - 1 in case files; `Infinity` in JavaScript. */
const MAX_U64 = '18446744073709551615';

/** Both ends of the contract's only signed number, which are infinite in JavaScript, too. */
const MAX_S64 = '9223372036854775807';
const MIN_S64 = '-9223372036854775808';

/** Converts a number of a case file. Fails if JavaScript cannot represent it exactly. */
export function toNumber(value: Json): number {
    if (typeof value === 'number') {
        return value;
    }
    if (typeof value !== 'string' || !/^\d+$/.test(value)) {
        return malformed('this is not a number', value);
    }
    const number = value === MAX_U64 ? Infinity : Number(value);
    return Number.isSafeInteger(number) || number === Infinity ? number : malformed('JavaScript has no number', value);
}

/** Renames the members of a record of a case file as in JavaScript. */
export function inCamelCase(value: JsonObject): JsonObject {
    return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
            name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
            member,
        ]),
    );
}

/** Like {@link inCamelCase}, recursively, with strings of digits converted to numbers. */
export function toRecord(value: JsonObject): Record<string, unknown> {
    return Object.fromEntries(Object.entries(inCamelCase(value)).map(([name, member]) => [name, toValue(member)]));
}

function toValue(value: Json): unknown {
    if (Array.isArray(value)) {
        return value.map(toValue);
    }
    if (isObject(value)) {
        return toRecord(value);
    }
    return typeof value === 'string' && /^\d+$/.test(value) ? toNumber(value) : value;
}

/** JSON of a provider or of the component, whose names belong to it. */
export class AsWritten {
    constructor(readonly json: Json) {}
}

/**
 * Converts a value of JavaScript to the notation of case files. Members without a value must be omitted, so
 * `undefined` is an error.
 */
export function fromValue(value: unknown): Json {
    if (value === null) {
        return null;
    }
    if (value instanceof AsWritten) {
        return value.json;
    }
    if (Array.isArray(value)) {
        return value.map(fromValue);
    }
    if (typeof value === 'object') {
        return isFailure(value) ? fromFailure(value) : Object.fromEntries(
            Object.entries(value).map(([name, member]: [string, unknown]) => [
                inSnakeCase(name),
                fromMember(name, member),
            ]),
        );
    }
    switch (typeof value) {
        case 'string':
        case 'boolean':
            return value;
        case 'number':
            return value === Infinity ? MAX_U64 : value;
        default:
            throw new TypeError(`an answer contains ${String(value)}`);
    }
}

function isFailure(value: object): value is Failure {
    return 'kind' in value && 'message' in value && 'arguments' in value;
}

/** Converts a failure, whose message spells its arguments as in JavaScript. */
export function fromFailure({ kind, message, arguments: names }: Failure | TuckawayError): Json {
    const spelled = (text: string, name: string): string =>
        text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), inSnakeCase(name));
    return { kind, message: names.reduce(spelled, message), arguments: names.map(inSnakeCase) };
}

function inSnakeCase(name: string): string {
    return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function fromMember(name: string, value: unknown): Json {
    if (name === 'headroomTokens' && Math.abs(value as number) === Infinity) {
        return value === Infinity ? MAX_S64 : MIN_S64;
    }
    return fromValue(value);
}
