/** The read console: lines or bytes, page by page. */

import type { ReadOptions } from 'tuckaway';

import type { App } from '../app.js';
import { element } from '../dom.js';
import { size } from '../format.js';
import { makeConsole, type Console } from './console.js';

export function mountRead(app: App): Console {
    const unit = element('select', { name: 'unit', 'aria-label': 'Unit' },
        element('option', {}, 'lines'), element('option', {}, 'bytes'));
    const end = (name: string, placeholder: string, label: string): HTMLInputElement =>
        element('input', { name, type: 'number', min: 0, step: 1, placeholder, 'aria-label': label });
    const [from, to] = [end('from', 'first', 'From'), end('to', 'last', 'To')];
    const numbers = element('input', { name: 'numbers', type: 'checkbox', checked: true });
    const page = element('select', { name: 'perPage', 'aria-label': 'Bytes per page' },
        ...[1_024, 4_096, 16_384].map((bytes) =>
            element('option', { value: bytes, selected: bytes === 4_096 }, `${bytes / 1_024} KiB`)));
    unit.addEventListener('change', () => {
        from.placeholder = unit.value === 'lines' ? 'first' : 'from 0';
        to.placeholder = unit.value === 'lines' ? 'last' : 'to (exclusive)';
    });

    return makeConsole(app, {
        name: 'read',
        controls: [
            element('span', { class: 'range' }, unit, from, '–', to),
            element('label', { class: 'switch' }, numbers, ' line numbers'),
            element('label', { class: 'inline' }, page, ' per page'),
        ],
        prepare(id) {
            const options: ReadOptions = { lineNumbers: numbers.checked, maxBytes: Number(page.value) };
            const range = rangeOf(unit.value, from.value, to.value);
            return async (cursor) => {
                const where = cursor === undefined ? range : { cursor };
                const { text, next, milliseconds } = await app.ask('read', { id, options: { ...options, ...where } });
                const summary = size(new TextEncoder().encode(text).length);
                return { content: document.createTextNode(text), summary, milliseconds, next };
            };
        },
    });
}

/** Returns the requested range. An omitted end means the first or the last line or byte. */
function rangeOf(unit: string, from: string, to: string): ReadOptions {
    if (from === '' && to === '') {
        return {};
    }
    const range = { start: from === '' ? undefined : Number(from), end: to === '' ? undefined : Number(to) };
    return unit === 'lines' ? { lines: range } : { bytes: range };
}
