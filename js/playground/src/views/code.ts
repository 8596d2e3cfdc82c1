/** Equivalent code, for copying. */

import type { App } from '../app.js';
import { nodeCode, rustCode } from '../code.js';
import { byId, element } from '../dom.js';
import { mountTabs } from '../tabs.js';
import { announceCopy } from './copy.js';

export function mountCode(app: App): void {
    const listing = (language: string): HTMLElement =>
        element('pre', { class: 'data listing', tabindex: 0, role: 'region', 'aria-label': `${language} code` });
    const panels = { node: element('div', {}, listing('Node')), rust: element('div', {}, listing('Rust')) };
    const tabs = mountTabs(byId('code-tabs'), byId('code'), [
        { name: 'node', label: 'Node', panel: panels.node },
        { name: 'rust', label: 'Rust', panel: panels.rust },
    ]);
    const shown = (): string => panels[tabs.shown as keyof typeof panels].textContent ?? '';
    const copy = byId<HTMLButtonElement>('code-copy');
    copy.addEventListener('click', () => announceCopy(copy, shown()));

    app.listen((state, changed) => {
        if (changed.has('knobs') || changed.has('subject')) {
            panels.node.firstElementChild!.textContent = nodeCode(state.knobs, app.tool);
            panels.rust.firstElementChild!.textContent = rustCode(state.knobs, app.tool);
        }
    });
}
