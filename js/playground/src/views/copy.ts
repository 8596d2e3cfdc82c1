/** Copying a text, and saying on the button whether it worked. */

const SAID_MILLISECONDS = 1_600;

export function announceCopy(button: HTMLButtonElement, text: string): void {
    const label = button.dataset.label ?? button.textContent ?? '';
    button.dataset.label = label;
    const say = (said: string): void => {
        button.textContent = said;
        setTimeout(() => (button.textContent = label), SAID_MILLISECONDS);
    };
    // The clipboard is missing where the page is not secure.
    const copying = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    copying.then(() => say('Copied'), () => say('Not allowed'));
}
