/** The address of a page, which has its state, and the button that copies it. */

import { byId } from './dom.js';
import { announceCopy } from './views/copy.js';

/** Copies the address on a click. `limit` returns what the reader of the link will miss, if anything. */
export function mountCopyLink(limit: () => string | undefined): void {
    const button = byId<HTMLButtonElement>('copy-link');
    button.addEventListener('click', () => announceCopy(button, location.href, limit()));
}

/** Writes values to the address; undefined ones are omitted. */
export function writeAddress(values: Record<string, string | undefined>): void {
    const address = new URLSearchParams();
    for (const [name, value] of Object.entries(values)) {
        if (value !== undefined) address.set(name, value);
    }
    setHash(address);
}

/** Replaces the state in the address, without a new entry in the history of the browser. */
export function setHash(address: URLSearchParams): void {
    const hash = address.toString();
    history.replaceState(null, '', hash === '' ? location.pathname + location.search : `#${hash}`);
}

/** Returns the values in the address. */
export function readAddress(): URLSearchParams {
    return new URLSearchParams(location.hash.slice(1));
}
