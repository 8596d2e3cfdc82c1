/** Formats numbers for people. */

import type { TokenCount } from './protocol.js';

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumSignificantDigits: 3 });

/** Returns `1,234,567`. */
export function number(value: number): string {
    return value === Infinity ? '∞' : grouped.format(value);
}

/** Returns `1 line`, `1,234 lines`. */
export function counted(value: number, noun: string, plural = `${noun}s`): string {
    return `${number(value)} ${value === 1 ? noun : plural}`;
}

/** Returns `812 B`, `3.4 KB`, `50 MB`. */
export function size(bytes: number): string {
    const units = ['B', 'KB', 'MB', 'GB'];
    let value = bytes;
    let unit = 0;
    while (value >= 999.5 && unit < units.length - 1) {
        value /= 1000;
        unit += 1;
    }
    return `${unit === 0 || value >= 99.95 ? Math.round(value) : Number(value.toFixed(1))} ${units[unit]}`;
}

/** Returns a fraction as `0.4 %`, `206 %`, `6.45K %`. */
export function share(fraction: number): string {
    const percent = fraction * 100;
    if (percent === 0) return '0 %';
    if (percent < 0.01) return '< 0.01 %';
    if (percent < 10) return `${Number(percent.toPrecision(2))} %`;
    return `${percent < 10_000 ? number(percent) : compact.format(percent)} %`;
}

/** Returns `812`, or `≈ 12,900,000` if the count was scaled up. */
export function tokens(count: TokenCount): string {
    return count.exact ? number(count.tokens) : `≈ ${number(Number(count.tokens.toPrecision(3)))}`;
}

const timeOfDay = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });
const dayOfYear = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });

/** Returns Unix seconds as `14:05`, or as `3 Mar` if that was another day. */
export function moment(seconds: number): string {
    const then = new Date(seconds * 1_000);
    return (then.toDateString() === new Date().toDateString() ? timeOfDay : dayOfYear).format(then);
}

/** Returns `8 ms`, `1.24 s`. */
export function duration(milliseconds: number): string {
    return milliseconds < 1_000 ? `${Math.round(milliseconds)} ms` : `${(milliseconds / 1_000).toFixed(2)} s`;
}
