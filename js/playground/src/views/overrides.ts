/** The overrides of the policy: one row for each glob of tool names. */

import type { Mode, ToolOverride } from 'tuckaway';

import { element } from '../dom.js';
import type { Knobs } from '../knobs.js';
import type { Field } from './fields.js';

interface Options {
    get(knobs: Knobs): readonly ToolOverride[];
    set(overrides: ToolOverride[]): void;
}

export function overridesField({ get, set }: Options): Field {
    const rows = element('div', { class: 'overrides' });
    const add = element('button', { type: 'button', class: 'quiet' }, '+ Override for a tool');
    let shown: readonly ToolOverride[] = [];

    add.addEventListener('click', () => {
        set([...shown, { tools: 'sql_*', exempt: true }]);
        rows.querySelector<HTMLInputElement>('.override:last-child input')?.select();
    });

    function render(): void {
        rows.replaceChildren(
            ...shown.map((override, index) =>
                row(override, index,
                    (changed) => set(shown.with(index, changed)),
                    () => {
                        set(shown.toSpliced(index, 1));
                        add.focus();
                    }),
            ),
        );
    }

    return {
        element: element('div', { class: 'field wide', role: 'group', 'aria-label': 'Overrides' }, rows, add),
        show(knobs) {
            const overrides = get(knobs);
            // A row that the user is editing is not rendered again.
            const isSameLength = overrides.length === shown.length;
            shown = overrides;
            if (!(isSameLength && rows.contains(document.activeElement))) render();
        },
    };
}

function row(
    override: ToolOverride,
    index: number,
    set: (changed: ToolOverride) => void,
    remove: () => void,
): HTMLElement {
    const of = (what: string): string => `${what} of override ${index + 1}`;
    const tools = element('input', {
        type: 'text', class: 'mono', value: override.tools, 'aria-label': of('Tools'), spellcheck: 'false',
    });
    const effect = element('select', { 'aria-label': of('Effect') },
        ...Object.entries({ exempt: 'exempt', '': 'as in the policy', artifact: 'artifact', truncate: 'truncate' })
            .map(([value, text]) => element('option', { value }, text)),
    );
    effect.value = override.exempt ? 'exempt' : (override.mode ?? '');
    const ceiling = element('input', {
        type: 'number', min: 0, placeholder: 'ceiling', value: override.maxThresholdBytes ?? '',
        'aria-label': of('Ceiling in bytes'),
    });
    const changed = (): void => set({
        tools: tools.value,
        ...(effect.value === 'exempt' ? { exempt: true }
            : effect.value === '' ? {} : { mode: effect.value as Mode }),
        ...(ceiling.value === '' ? {} : { maxThresholdBytes: Number(ceiling.value) }),
    });
    [tools, effect, ceiling].forEach((control) => control.addEventListener('change', changed));
    return element('div', { class: 'override' }, tools, effect, ceiling,
        element('button', {
            type: 'button', class: 'quiet', 'aria-label': `Remove override ${index + 1}`, onclick: remove,
        }, '✕'));
}
