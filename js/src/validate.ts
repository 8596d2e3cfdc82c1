/** Checks of callers' arguments. Each takes a value, and the name that errors use for it. */

import { messageOf, TuckawayError } from './error.js';

/** Converts a value to the component's form, or throws an error that says what is wrong with it. */
export type Check<T> = (value: unknown, name: string) => T;

/** A member that may be omitted. Null is the same, unless the member is {@link nullable}. */
export type Optional<T> = Check<T> & { optional: true };

/** A member that has a default, which also replaces null. */
export type Defaulted<T> = Check<T> & { default: T };

/** The largest size of the contract; `Infinity` in JavaScript. */
export const U64_MAX = 2n ** 64n - 1n;
const U32_MAX = 2 ** 32 - 1;

/** Returns the error for an invalid value. */
export function invalid(name: string, value: unknown, expected: string): TuckawayError {
    return errorAbout(name, `is ${show(value)}; it must be ${expected}.`);
}

/** Returns an error about an argument, or about a value that has a description in place of a name. */
function errorAbout(name: string, what: string, options: ErrorOptions = {}): TuckawayError {
    const isArgument = !name.includes(' ');
    return new TuckawayError('invalid_input', `${name} ${what}`, { ...options, arguments: isArgument ? [name] : [] });
}

function show(value: unknown): string {
    if (typeof value === 'string') {
        const text = JSON.stringify(value);
        return text.length > 60 ? `${text.slice(0, 56)}…"` : text;
    }
    if (typeof value === 'object' && value !== null) {
        return Array.isArray(value) ? 'an array' : `an object (${value.constructor?.name ?? 'without a prototype'})`;
    }
    return typeof value === 'function' ? 'a function' : typeof value === 'bigint' ? `${value}n` : String(value);
}

export const boolean: Check<boolean> = (value, name) => {
    if (typeof value !== 'boolean') {
        throw invalid(name, value, 'true or false');
    }
    return value;
};

export const string: Check<string> = (value, name) => {
    if (typeof value !== 'string') {
        throw invalid(name, value, 'a string');
    }
    return value;
};

/** Checks that a value is a number. The component checks its range. */
export const number: Check<number> = (value, name) => {
    if (typeof value !== 'number') {
        throw invalid(name, value, 'a number');
    }
    return value;
};

/** Checks a number of bytes, lines or tokens; `Infinity` stands for the largest one. */
export const size: Check<bigint> = (value, name) => {
    if (value === Infinity) {
        return U64_MAX;
    }
    if (!Number.isSafeInteger(value) || (value as number) < 0) {
        throw invalid(name, value, 'a whole number from 0 to 2^53 - 1, or Infinity');
    }
    return BigInt(value as number);
};

/** Like {@link size}, for sizes of at most 2^32 - 1. */
export const smallSize: Check<number> = (value, name) => {
    if (value === Infinity) {
        return U32_MAX;
    }
    if (!Number.isInteger(value) || (value as number) < 0 || (value as number) > U32_MAX) {
        throw invalid(name, value, 'a whole number from 0 to 2^32 - 1, or Infinity');
    }
    return value as number;
};

/** Checks a percentage. A fraction is rejected with the percentage that it means. The component checks the range. */
export const percent: Check<number> = (value, name) => {
    if (typeof value === 'number' && value > 0 && value < 1) {
        const meant = Number((value * 100).toPrecision(12));
        throw invalid(name, value, `a whole number of percent. ${value} is ${meant} %`);
    }
    return smallSize(value, name);
};

export const callback: Check<(...args: any[]) => unknown> = (value, name) => {
    if (typeof value !== 'function') {
        throw invalid(name, value, 'a function');
    }
    return value as (...args: any[]) => unknown;
};

/** Checks JSON text, or writes an object as JSON. */
export const json: Check<string> = (value, name) => {
    if (typeof value === 'string') {
        return value;
    }
    if (typeof value !== 'object' || value === null) {
        throw invalid(name, value, 'JSON text or an object');
    }
    return toJson(value, name);
};

/** Writes a value as JSON, or throws an error that says why it cannot be. */
export function toJson(value: unknown, name: string, replacer?: (this: any, key: string, value: unknown) => unknown): string {
    let text: string | undefined;
    try {
        text = JSON.stringify(value, replacer);
    } catch (error) {
        throw errorAbout(name, `cannot be written as JSON: ${messageOf(error)}`, { cause: error });
    }
    if (text === undefined) {
        throw errorAbout(name, 'as JSON is undefined; it must be a string.');
    }
    return text;
}

/** Accepts any value. */
export const anything: Check<unknown> = (value) => value;

const typedArrayTag = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), Symbol.toStringTag)!.get!;

/** Returns whether a value is a Uint8Array, of any realm. An object cannot pretend to be one. */
export function isBytes(value: unknown): value is Uint8Array {
    return typedArrayTag.call(value) === 'Uint8Array';
}

/** Returns the bytes of a binary value of any type and realm; undefined for other values. */
export function bytesOf(value: unknown): Uint8Array | undefined {
    if (ArrayBuffer.isView(value)) {
        return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    }
    const isBuffer = Object.prototype.toString.call(value) === '[object ArrayBuffer]';
    return isBuffer ? new Uint8Array(value as ArrayBuffer) : undefined;
}

/** A name with hyphens in place of underscores. */
type Hyphenated<Name extends string> = Name extends `${infer Before}_${infer After}`
    ? `${Before}-${Hyphenated<After>}`
    : Name;

/** Checks the name of a case, and returns the name that the contract gives it. */
export function oneOf<const T extends string>(...values: T[]): Check<Hyphenated<T>> {
    return (value, name) => {
        if (!values.includes(value as T)) {
            throw invalid(name, value, values.map((each) => `'${each}'`).join(', ').replace(/, ([^,]*)$/, ' or $1'));
        }
        return (value as T).replaceAll('_', '-') as Hyphenated<T>;
    };
}

export function arrayOf<T>(check: Check<T>): Check<T[]> {
    return (value, name) => {
        if (!Array.isArray(value)) {
            throw invalid(name, value, 'an array');
        }
        // Unlike map, Array.from does not skip holes.
        return Array.from(value, (each: unknown, index) => check(each, `${name}[${index}]`));
    };
}

const indexes = arrayOf(smallSize);

/** Checks a list of sizes of at most 2^32 - 1. */
export const smallSizes: Check<Uint32Array> = (value, name) => Uint32Array.from(indexes(value, name));

const bigIndexes = arrayOf(size);

/** Checks a list of sizes. */
export const sizes: Check<BigUint64Array> = (value, name) => BigUint64Array.from(bigIndexes(value, name));

/** Checks the variables of a filter: an object of artifact ids. */
export const variables: Check<{ name: string; artifact: string }[]> = (value, name) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        throw invalid(name, value, 'an object of artifact ids');
    }
    return Object.entries(value).map(([key, id]) => ({ name: key, artifact: string(id, `${name}.${key}`) }));
};

/** The checks of a record's members. Members are required unless they are {@link optional}. */
export type Members = Record<string, Check<unknown> | Optional<unknown>>;

/** A checked record. */
export type Checked<M extends Members> = {
    [Name in keyof M as M[Name] extends Optional<unknown> ? never : Name]: ReturnType<M[Name]>;
} & {
    [Name in keyof M as M[Name] extends Optional<unknown> ? Name : never]?: ReturnType<M[Name]>;
};

export function optional<T>(check: Check<T>): Optional<T> {
    return Object.assign((value: unknown, name: string) => check(value, name), { optional: true as const });
}

/** Like {@link optional}, for a change to a default: null replaces the default by no value. */
export function nullable<T>(check: Check<T>): Optional<T> {
    return Object.assign(optional(check), { nullable: true as const });
}

export function defaulted<T>(check: Check<T>, value: T): Defaulted<T> {
    return Object.assign((value: unknown, name: string) => check(value, name), { default: value });
}

/** Checks an object that has no other members. */
export function record<M extends Members>(members: M): Check<Checked<M>> {
    return (value, name) => {
        if (typeof value !== 'object' || value === null || Array.isArray(value) || ArrayBuffer.isView(value)) {
            throw invalid(name, value, `an object with ${Object.keys(members).join(', ')}`);
        }
        for (const key of Object.keys(value)) {
            if (!Object.hasOwn(members, key)) {
                throw unknownMember(name, key, Object.keys(members));
            }
        }
        const checked: Record<string, unknown> = {};
        for (const [key, check] of Object.entries(members)) {
            const member: unknown = (value as Record<string, unknown>)[key];
            const isOmitted = member === undefined || member === null;
            if (isOmitted && 'default' in check) {
                checked[key] = check.default;
            } else if (member === null && 'nullable' in check) {
                checked[key] = undefined;
            } else if (!isOmitted || !('optional' in check)) {
                checked[key] = check(member, `${name}.${key}`);
            }
        }
        return checked as Checked<M>;
    };
}

/**
 * The cases of a variant: the member that holds each case, its name in the contract, and the check of its value. A case
 * without a value is `true`.
 */
export type Cases = Record<string, readonly [tag: string] | readonly [tag: string, check: Check<unknown>]>;

/** A checked variant, as the glue takes it. */
export type Tagged<C extends Cases> = {
    [Name in keyof C]: C[Name] extends readonly [infer Tag, Check<infer Value>]
        ? { tag: Tag; val: Value }
        : { tag: C[Name][0] };
}[keyof C];

/** Checks an object that has exactly one of these members. */
export function variant<const C extends Cases>(cases: C): Check<Tagged<C>> {
    return (value, name) => {
        const names = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : [];
        const [only, ...more] = names.filter((each) => (value as Record<string, unknown>)[each] !== undefined);
        if (only === undefined || more.length > 0 || !Object.hasOwn(cases, only)) {
            throw invalid(name, value, `an object with one of ${Object.keys(cases).join(', ')}`);
        }
        const [tag, check] = cases[only]!;
        const given = (value as Record<string, unknown>)[only];
        if (check !== undefined) {
            return { tag, val: check(given, `${name}.${only}`) } as Tagged<C>;
        }
        if (given !== true) {
            throw invalid(`${name}.${only}`, given, 'true');
        }
        return { tag } as Tagged<C>;
    };
}

function unknownMember(name: string, key: string, known: string[]): TuckawayError {
    const near = known
        .map((each) => ({ each, distance: distance(each.toLowerCase(), key.replaceAll(/[_-]/g, '').toLowerCase()) }))
        .sort((a, b) => a.distance - b.distance)[0];
    const advice =
        near !== undefined && near.distance <= Math.max(2, near.each.length / 3)
            ? `did you mean ${near.each}?`
            : `it has ${known.join(', ')}.`;
    return errorAbout(name, `has no member ${JSON.stringify(key.slice(0, 100))}; ${advice}`);
}

/** Returns the Levenshtein distance of two names, which are too short for its cost to matter. */
function distance(a: string, b: string): number {
    let row = Array.from({ length: b.length + 1 }, (_, index) => index);
    for (let i = 1; i <= a.length; i++) {
        const next = [i];
        for (let j = 1; j <= b.length; j++) {
            const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
            next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
        }
        row = next;
    }
    return row[b.length]!;
}
