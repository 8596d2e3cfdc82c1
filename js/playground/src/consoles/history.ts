/** The questions that were asked before, on the arrow keys, as shells have it. Remembered by the browser. */

import { remember, remembered } from '../dom.js';

const KEPT = 100;

export interface History {
    add(question: string): void;
}

/** Up and down go through the history where the caret cannot go up or down within the field. */
export function attachHistory(field: HTMLInputElement | HTMLTextAreaElement, name: string): History {
    let questions = load(name);
    /** Which one is shown; the one after the last is what is being written. */
    let at = questions.length;
    let draft = '';

    function show(to: number): void {
        if (at === questions.length) draft = field.value;
        at = to;
        field.value = questions[at] ?? draft;
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
        } else if (event.key === 'ArrowDown' && at < questions.length && !after.includes('\n')) {
            event.preventDefault();
            show(at + 1);
        }
    });

    return {
        add(question) {
            questions = [...questions.filter((each) => each !== question), question].slice(-KEPT);
            at = questions.length;
            remember(`history.${name}`, JSON.stringify(questions));
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
