/** The theme: light, dark, or the system's. The choice is saved. */

import { byId, remember, remembered } from './dom.js';

const THEMES = ['auto', 'light', 'dark'] as const;
type Theme = (typeof THEMES)[number];

/** Applies the saved choice, and returns a function that switches to the next theme. */
export function mountTheme(): () => void {
    let theme: Theme = THEMES.find((each) => each === remembered('theme')) ?? 'auto';
    const button = byId('theme');

    function apply(): void {
        if (theme === 'auto') {
            delete document.documentElement.dataset.theme;
        } else {
            document.documentElement.dataset.theme = theme;
        }
        button.textContent = { auto: '◐ Auto', light: '○ Light', dark: '● Dark' }[theme];
        button.setAttribute('aria-label', `Theme: ${theme}. Switch to the next theme.`);
    }

    function next(): void {
        theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]!;
        remember('theme', theme === 'auto' ? null : theme);
        apply();
    }

    apply();
    button.addEventListener('click', next);
    return next;
}
