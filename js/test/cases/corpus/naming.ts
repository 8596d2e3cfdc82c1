/** Between the names and numbers of case files and those of JavaScript. */

import { isObject, malformed, type Json, type JsonObject } from './json.js';

/** 2^64 - 1 as case files write it; `Infinity` in JavaScript. */
const MAX_U64 = '18446744073709551615';

/** Both ends of the contract's one signed number, which are infinite in JavaScript too. */
const MAX_S64 = '9223372036854775807';
const MIN_S64 = '-9223372036854775808';

/** Members of answers that are a name of the contract: `below_floor` in case files, `below-floor` in JavaScript. */
const NAMED = ['gate', 'kind'];

/** A number of a case file. Fails for those that JavaScript cannot tell from their neighbours. */
export function toNumber(value: Json): number {
    if (typeof value === 'number') {
        return value;
    }
    if (typeof value !== 'string' || !/^\d+$/.test(value)) {
        return malformed('this is no number', value);
    }
    const number = value === MAX_U64 ? Infinity : Number(value);
    return Number.isSafeInteger(number) || number === Infinity ? number : malformed('JavaScript has no number', value);
}

/** The members of a record of a case file under their names in JavaScript. */
export function inCamelCase(value: JsonObject): JsonObject {
    return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
            name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
            member,
        ]),
    );
}

/** As {@link inCamelCase}, all the way down, with strings of digits as the numbers that they stand for. */
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

/**
 * What JavaScript was given, as case files write it. Members without a value are to be left out, so that
 * `undefined` is an error here.
 */
export function fromValue(value: unknown): Json {
    if (Array.isArray(value)) {
        return value.map(fromValue);
    }
    if (typeof value === 'object' && value !== null) {
        return Object.fromEntries(
            Object.entries(value).map(([name, member]: [string, unknown]) => [
                name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
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
            throw new TypeError(`an answer holds ${String(value)}`);
    }
}

function fromMember(name: string, value: unknown): Json {
    if (NAMED.includes(name) && typeof value === 'string') {
        return value.replaceAll('-', '_');
    }
    if (name === 'headroomTokens' && Math.abs(value as number) === Infinity) {
        return value === Infinity ? MAX_S64 : MIN_S64;
    }
    return fromValue(value);
}
