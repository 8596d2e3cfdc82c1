/** Tabs that follow the pattern of the WAI-ARIA practices: arrow keys move between tabs and show them. */

import { element } from './dom.js';

export interface Tab {
    name: string;
    label: string;
    panel: HTMLElement;
}

export interface Tabs {
    show(name: string): void;
    readonly shown: string;
}

/** Adds tabs to a list and their panels to a container. `onShow` is called with the name of each newly shown tab. */
export function mountTabs(
    list: HTMLElement,
    container: HTMLElement,
    tabs: readonly Tab[],
    onShow?: (name: string) => void,
): Tabs {
    let shown = '';
    const buttons = tabs.map(({ name, label, panel }) => {
        const button = element('button', {
            type: 'button', role: 'tab', id: `tab-${name}`, 'aria-controls': `panel-${name}`,
            onclick: () => show(name),
        }, label);
        panel.id = `panel-${name}`;
        panel.setAttribute('role', 'tabpanel');
        panel.setAttribute('aria-labelledby', button.id);
        return button;
    });

    function show(name: string): void {
        const changed = name !== shown;
        shown = name;
        tabs.forEach((tab, index) => {
            const isShown = tab.name === name;
            tab.panel.hidden = !isShown;
            buttons[index]?.setAttribute('aria-selected', String(isShown));
            buttons[index]?.setAttribute('tabindex', isShown ? '0' : '-1');
        });
        if (changed) onShow?.(name);
    }

    list.append(...buttons);
    container.append(...tabs.map(({ panel }) => panel));
    list.addEventListener('keydown', (event) => {
        const at = tabs.findIndex(({ name }) => name === shown);
        const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: tabs.length - 1 }[event.key];
        if (to !== undefined) {
            event.preventDefault();
            const index = (to + tabs.length) % tabs.length;
            show(tabs[index]!.name);
            buttons[index]!.focus();
        }
    });
    show(tabs[0]!.name);
    return { show, get shown() { return shown; } };
}
