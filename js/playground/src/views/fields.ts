/** The fields of the form for the knobs. */

import type { Policy } from 'tuckaway';

import { element } from '../dom.js';
import { number } from '../format.js';
import type { Knobs } from '../knobs.js';

/** The field of one knob. It shows the knob's value, and reports changes by the user. */
export interface Field {
    element: HTMLElement;
    show(knobs: Knobs, defaults: Policy | undefined): void;
}

interface Common<Value> {
    name: string;
    label: string;
    get(knobs: Knobs, defaults: Policy | undefined): Value;
    set(value: Value): void;
}

const idOf = (name: string): string => `knob-${name}`;

/** Sets the value of a field, unless the user is editing it. */
function put(input: HTMLInputElement, value: string): void {
    if (input.value !== value && document.activeElement !== input) {
        input.value = value;
    }
}

interface NumberOptions extends Common<number | undefined> {
    hint: string;
    unit?: string;
    presets?: number[];
    /** A slider next to the field: a fraction from 0 to 1, or from 0 to an end in steps. */
    range?: boolean | ((knobs: Knobs) => [end: number, step: number]);
    byDefault(defaults: Policy | undefined): number | undefined;
}

/** Returns a field for a number. If it is empty, it shows the default. */
export function numberField(options: NumberOptions): Field {
    const { name, label, hint, unit, presets, range, get, set, byDefault } = options;
    const id = idOf(name);
    const input = element('input', {
        id, type: 'number', step: 'any', min: 0, inputmode: 'decimal', 'aria-describedby': `${id}-hint`,
        list: presets && `${id}-presets`,
    });
    const slider = range && element('input', { type: 'range', min: 0, 'aria-label': label, tabindex: 0 });
    const problem = element('span', { class: 'error', role: 'alert' });
    input.addEventListener('input', () => {
        problem.textContent = input.validity.badInput ? 'This is not a number.' : '';
        if (!input.validity.badInput) set(input.value === '' ? undefined : Number(input.value));
    });
    if (slider) slider.addEventListener('input', () => set(Number(slider.value)));

    return {
        element: element('div', { class: 'field', title: hint },
            element('label', { for: id }, label, unit ? element('small', {}, ` ${unit}`) : null),
            input,
            slider || null,
            presets && element('datalist', { id: `${id}-presets` },
                ...presets.map((value) => element('option', { value }))),
            element('span', { class: 'hint', id: `${id}-hint` }, hint),
            problem,
        ),
        show(knobs, defaults) {
            const [value, fallback] = [get(knobs, defaults), byDefault(defaults)];
            put(input, value === undefined ? '' : String(value));
            input.placeholder = fallback === undefined ? 'none'
                : fallback < 1 ? String(fallback) : number(fallback);
            input.classList.toggle('is-changed', value !== undefined);
            if (slider) {
                const [end, step] = typeof range === 'function' ? range(knobs) : [1, 0.01];
                slider.max = String(end);
                slider.step = String(step);
                slider.value = String(value ?? fallback ?? 0);
            }
        },
    };
}

interface TextOptions extends Common<string | undefined> {
    hint: string;
    placeholder(): string;
}

/** Returns a field for a text; if it is empty, the default applies. It takes effect when the user leaves the field. */
export function textField({ name, label, hint, get, set, placeholder }: TextOptions): Field {
    const id = idOf(name);
    const input = element('input', {
        id, type: 'text', class: 'mono', spellcheck: 'false', 'aria-describedby': `${id}-hint`,
    });
    input.addEventListener('change', () => set(input.value === '' ? undefined : input.value));
    return {
        element: element('div', { class: 'field', title: hint },
            element('label', { for: id }, label), input,
            element('span', { class: 'hint', id: `${id}-hint` }, hint)),
        show(knobs, defaults) {
            const value = get(knobs, defaults);
            put(input, value ?? '');
            input.placeholder = placeholder();
            input.classList.toggle('is-changed', value !== undefined);
        },
    };
}

/** Returns a field for one of several options. */
export function selectField(
    { name, label, options, get, set }: Common<string> & { options: Record<string, string> },
): Field {
    const id = idOf(name);
    const select = element('select', { id },
        ...Object.entries(options).map(([value, text]) => element('option', { value }, text)));
    select.addEventListener('change', () => set(select.value));
    return {
        element: element('div', { class: 'field' }, element('label', { for: id }, label), select),
        show(knobs, defaults) {
            select.value = get(knobs, defaults);
        },
    };
}

/** Returns a checkbox. */
export function checkField({ name, label, get, set }: Common<boolean>): Field {
    const box = element('input', { id: idOf(name), type: 'checkbox' });
    box.addEventListener('change', () => set(box.checked));
    return {
        element: element('label', { class: 'switch field' }, box, ` ${label}`),
        show(knobs, defaults) {
            box.checked = get(knobs, defaults);
        },
    };
}

/** Returns a field for any of several options. */
export function checkGroup(
    { name, label, options, get, set }: Common<readonly string[]> & { options: readonly string[] },
): Field {
    const boxes = options.map((option) =>
        element('input', { id: idOf(`${name}-${option}`), type: 'checkbox', value: option }));
    for (const box of boxes) {
        box.addEventListener('change', () => {
            set(boxes.filter(({ checked }) => checked).map(({ value }) => value));
        });
    }
    return {
        element: element('div', { class: 'field', role: 'group', 'aria-label': label },
            element('span', { class: 'label' }, label),
            element('span', { class: 'checks' },
                ...boxes.map((box) => element('label', { class: 'switch' }, box, ` ${box.value}`))),
        ),
        show(knobs, defaults) {
            const checked = get(knobs, defaults);
            boxes.forEach((box) => (box.checked = checked.includes(box.value)));
        },
    };
}
