/** Converts values of the component: sizes, names and members without a value. */

import { U64_MAX } from './validate.js';

const S64_MAX = 2n ** 63n - 1n;
const S64_MIN = -(2n ** 63n);

/** Converts a size. The largest one is `Infinity`, as in arguments. */
export function size(value: bigint): number {
    return value === U64_MAX ? Infinity : Number(value);
}

export function optionalSize(value: bigint | undefined): number | undefined {
    return value === undefined ? undefined : size(value);
}

/** Converts a signed size. The largest and the smallest are infinite. */
export function signedSize(value: bigint): number {
    return value === S64_MAX ? Infinity : value === S64_MIN ? -Infinity : Number(value);
}

/** Omits the members that are undefined. */
export function omitUndefined<T extends object>(record: { [Name in keyof T]: T[Name] | undefined }): T {
    return Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)) as T;
}

/** A name with underscores in place of hyphens. */
export type Underscored<Name extends string> = Name extends `${infer Before}-${infer After}`
    ? `${Before}_${Underscored<After>}`
    : Name;

/** Converts the name of a case, which the contract writes with hyphens. */
export function caseName<const Name extends string>(name: Name): Underscored<Name> {
    return name.replaceAll('-', '_') as Underscored<Name>;
}

/** Freezes a record and its lists: a change would not affect calls. */
export function frozen<T extends object>(record: T): Readonly<T> {
    for (const member of Object.values(record)) {
        if (typeof member === 'object' && member !== null) {
            frozen(member as object);
        }
    }
    return Object.freeze(record);
}
