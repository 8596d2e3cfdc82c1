/** Keyboard shortcuts for the whole page, and the dialog that lists them. */

import type { App } from '../app.js';
import type { Consoles } from '../consoles/main.js';
import { byId, element, remember, remembered } from '../dom.js';
import type { SourceActions } from './source.js';

interface Parts {
    source: SourceActions;
    consoles: Consoles;
    knobs: { focus(): void };
    nextTheme(): void;
}

export function mountShortcuts(app: App, { source, consoles, knobs, nextTheme }: Parts): void {
    const help = byId<HTMLDialogElement>('help');
    const keys = new Map<string, [what: string, run: () => void]>([
        ['o', ['open a file', source.openFile]],
        ['v', ['paste or type an output', source.openPaste]],
        ['s', ['go to the samples', source.focusSamples]],
        ['k', ['go to the knobs', () => knobs.focus()]],
        ['1', ['go to read', () => consoles.show('read')]],
        ['2', ['go to grep', () => consoles.show('grep')]],
        ['3', ['go to jq', () => consoles.show('jq')]],
        ['/', ['go to the query', () => consoles.focus()]],
        [']', ['next page', () => consoles.next()]],
        ['[', ['previous page', () => consoles.previous()]],
        ['t', ['change the theme', nextTheme]],
        ['?', ['this list', () => help.showModal()]],
    ]);
    const fixed = { Esc: 'stop the current call', 'Ctrl V': 'paste an output', '↑ ↓': 'earlier queries' };
    byId('help-open').addEventListener('click', () => help.showModal());
    byId('help-keys').append(
        ...[...Array.from(keys, ([key, [what]]) => [key, what] as const), ...Object.entries(fixed)]
            .map(([key, what]) =>
                element('div', {},
                    element('dt', {}, ...key.split(' ').flatMap((each) => [element('kbd', {}, each), ' '])),
                    element('dd', {}, what))),
    );

    const single = byId<HTMLInputElement>('help-single');
    single.checked = remembered('single-keys') !== 'no';
    single.addEventListener('change', () => remember('single-keys', single.checked ? null : 'no'));

    document.addEventListener('keydown', (event) => {
        const isModified = event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
        if (isModified || document.querySelector('dialog[open]')) {
            return;
        }
        if (event.key === 'Escape') {
            void app.stop();
            return;
        }
        const target = event.target as HTMLElement;
        const isField = target.closest('input:not([type=checkbox], [type=range]), textarea, select');
        const key = keys.get(event.key);
        if (key !== undefined && !isField && single.checked) {
            event.preventDefault();
            key[1]();
        }
    });
}
