/** Copies texts to the clipboard. */

const SHOWN_MILLISECONDS = 1_600;

/** Copies a text, and shows on the button whether it worked. `limit` says what the copy lacks, such as `without the file`. */
export function announceCopy(button: HTMLButtonElement, text: string, limit?: string): void {
    const label = button.dataset.label ?? button.textContent ?? '';
    button.dataset.label = label;
    const show = (result: string): void => {
        button.textContent = result;
        setTimeout(() => (button.textContent = label), SHOWN_MILLISECONDS);
    };
    // Pages in an insecure context have no clipboard.
    const copying = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('no clipboard'));
    copying.then(() => show(limit === undefined ? 'Copied' : `Copied ${limit}`), () => show('Not allowed'));
}
