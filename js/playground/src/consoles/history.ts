/** A history of queries on the arrow keys, as in shells, saved by the browser. */

import { remember, remembered } from '../dom.js';

const KEPT = 100;

export interface History {
    add(query: string): void;
}

/** Makes Up and Down go through the history when the caret cannot move up or down within the field. */
export function attachHistory(field: HTMLInputElement | HTMLTextAreaElement, name: string): History {
    let queries = load(name);
    /** The index of the shown query; the index after the last one is the query being written. */
    let at = queries.length;
    let draft = '';

    function show(to: number): void {
        if (at === queries.length) draft = field.value;
        at = to;
        field.value = queries[at] ?? draft;
        field.setSelectionRange(field.value.length, field.value.length);
        field.dispatchEvent(new Event('input'));
    }

    (field as HTMLElement).addEventListener('keydown', (event) => {
        const before = field.value.slice(0, field.selectionStart ?? 0);
        const after = field.value.slice(field.selectionEnd ?? 0);
        if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) {
            return;
        }
        if (event.key === 'ArrowUp' && at > 0 && !before.includes('\n')) {
            event.preventDefault();
            show(at - 1);
        } else if (event.key === 'ArrowDown' && at < queries.length && !after.includes('\n')) {
            event.preventDefault();
            show(at + 1);
        }
    });

    return {
        add(query) {
            queries = [...queries.filter((each) => each !== query), query].slice(-KEPT);
            at = queries.length;
            remember(`history.${name}`, JSON.stringify(queries));
        },
    };
}

function load(name: string): string[] {
    try {
        const kept: unknown = JSON.parse(remembered(`history.${name}`) ?? '[]');
        return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
    } catch {
        return [];
    }
}
