/** The items of a history, in any format, as lines for people. */

import { type HistoryItem, type Receipt, type Span, estimate } from 'tuckaway';

import type { Fate, Line } from './protocol.js';

/** Maximum characters of an item that are shown. */
const SHOWN = 400;

/** The members of a request that may contain its items. */
const ITEMS = ['items', 'messages', 'input', 'contents'];

/** Members whose texts are not for people. */
const HIDDEN = /^(type|role|id|status|data|signature|encrypted_content|.*(_id|Id|_url|Signature))$/;

/** Returns the items of a history that the component has read: a list, or a request with it. */
export function itemsOf(json: string): readonly unknown[] {
    const value = JSON.parse(json) as unknown[] | { [name: string]: unknown };
    const items = Array.isArray(value) ? value : ITEMS.map((name) => value[name]).find((member) => member !== undefined);
    return Array.isArray(items) ? items : [{ role: 'user', content: items }];
}

function lineOf(item: unknown, fate: Fate): Line {
    const { role, type } = item as { role?: string; type?: string };
    const text = textsOf(item).join('\n');
    return {
        role: role ?? type ?? 'item',
        text: text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text,
        tokens: estimate(text),
        fate,
    };
}

/** Returns the given items, each with its fate. */
export function linesBefore(items: readonly unknown[], pieces: readonly HistoryItem[], receipts: readonly Receipt[]): Line[] {
    const kept = pieces.flatMap((piece) => ('keep' in piece ? [piece.keep] : []));
    const isRemoved = ({ removal }: Receipt) => removal === 'evicted' || removal === 'summarized';
    const removed = receipts.filter(isRemoved).map(({ messages }) => messages);
    const fateOf = (index: number) => (isIn(kept, index) ? 'kept' : isIn(removed, index) ? 'removed' : 'changed');
    return items.map((item, index) => lineOf(item, fateOf(index)));
}

/** Returns the items of a new history. */
export function linesAfter(items: readonly unknown[], pieces: readonly HistoryItem[]): Line[] {
    return pieces.flatMap((piece) =>
        'keep' in piece
            ? items.slice(piece.keep.start, piece.keep.end).map((item) => lineOf(item, 'kept'))
            : [lineOf(JSON.parse(piece.insert), 'new')],
    );
}

function isIn(spans: readonly Span[], index: number): boolean {
    return spans.some(({ start, end }) => start <= index && index < end);
}

/** Returns the texts in an item, in order. */
function textsOf(value: unknown): string[] {
    if (typeof value !== 'object' || value === null) {
        return value === null ? [] : [String(value)];
    }
    const isShown = ([name]: [string, unknown]) => Array.isArray(value) || !HIDDEN.test(name);
    return Object.entries(value).filter(isShown).flatMap(([, member]) => textsOf(member));
}
