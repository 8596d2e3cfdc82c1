/** Equivalent code, for copying. */

import type { App } from '../app.js';
import { nodeCode } from '../code/javascript.js';
import { mcpSettings } from '../code/mcp.js';
import { pythonCode } from '../code/python.js';
import { rustCode } from '../code/rust.js';
import { byId, element } from '../dom.js';
import type { Knobs } from '../knobs.js';
import { mountTabs } from '../tabs.js';
import { announceCopy } from './copy.js';

const LANGUAGES: { name: string; label: string; code(knobs: Knobs, tool: string): string }[] = [
    { name: 'node', label: 'Node', code: nodeCode },
    { name: 'python', label: 'Python', code: pythonCode },
    { name: 'rust', label: 'Rust', code: rustCode },
    { name: 'mcp', label: 'MCP', code: mcpSettings },
];

export function mountCode(app: App): void {
    const listings = LANGUAGES.map(({ label }) =>
        element('pre', { class: 'data listing', tabindex: 0, role: 'group', 'aria-label': `${label} code` }));
    const tabs = mountTabs(byId('code-tabs'), byId('code'), LANGUAGES.map(({ name, label }, index) =>
        ({ name, label, panel: element('div', {}, listings[index]!) })));
    const copy = byId<HTMLButtonElement>('code-copy');
    copy.addEventListener('click', () => {
        announceCopy(copy, listings[LANGUAGES.findIndex(({ name }) => name === tabs.shown)]?.textContent ?? '');
    });

    app.listen((state, changed) => {
        if (changed.has('knobs') || changed.has('subject')) {
            LANGUAGES.forEach(({ code }, index) => (listings[index]!.textContent = code(state.knobs, app.tool)));
        }
    });
}
