/** Names and numbers as the languages write them. */

/** Returns `max_view_bytes` for `maxViewBytes`. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Returns `Truncate` for `truncate`. */
export const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** Formats a number as `200_000`, which all of them accept. */
export function grouped(value: number): string {
    return Number.isInteger(value) ? String(value).replace(/\B(?=(\d{3})+$)/g, '_') : String(value);
}
