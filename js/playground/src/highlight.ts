/** Highlights the keys of JSON. */

import { element } from './dom.js';

/** Longer texts are not highlighted: each key becomes an element. */
const MAX_LENGTH = 64 * 1024;

const STRING = /("(?:[^"\\]|\\.)*")(\s*:)?/g;

/** Returns the text, with its keys highlighted if it looks like JSON. */
export function highlightJson(text: string): DocumentFragment {
    const fragment = document.createDocumentFragment();
    if (text.length > MAX_LENGTH || !/^\s*[[{"]/.test(text)) {
        fragment.append(text);
        return fragment;
    }
    let end = 0;
    for (const { 1: string = '', 2: colon, index } of text.matchAll(STRING)) {
        if (colon !== undefined) {
            fragment.append(text.slice(end, index), element('span', { class: 'json-key' }, string));
            end = index + string.length;
        }
    }
    fragment.append(text.slice(end));
    return fragment;
}
