/** Files that are dropped anywhere on a page. */

import { byId } from './dom.js';

/** Calls `take` with the first file of each drop, in place of the browser, which would leave the page. */
export function mountDrop(take: (file: File) => void): void {
    const veil = byId('drop');
    const carriesFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;
    document.addEventListener('dragover', (event) => {
        if (carriesFile(event)) {
            event.preventDefault();
            veil.hidden = false;
        }
    });
    document.addEventListener('dragleave', (event) => {
        if (event.relatedTarget === null) veil.hidden = true;
    });
    document.addEventListener('drop', (event) => {
        veil.hidden = true;
        if (carriesFile(event)) {
            event.preventDefault();
            const file = event.dataTransfer?.files[0];
            if (file !== undefined) take(file);
        }
    });
}

/** Opens the file dialog when the button is clicked, and calls `take` with the chosen file. Returns a way to open it. */
export function mountFileButton(button: HTMLElement, input: HTMLInputElement, take: (file: File) => void): () => void {
    const open = (): void => input.click();
    button.addEventListener('click', open);
    input.addEventListener('change', () => {
        const file = input.files?.[0];
        if (file !== undefined) take(file);
        // So that the same file can be chosen again.
        input.value = '';
    });
    return open;
}
