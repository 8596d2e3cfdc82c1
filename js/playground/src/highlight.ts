/** JSON with its keys marked. What is no JSON stays as it is. */

import { element } from './dom.js';

/** Longer texts stay plain: each mark is an element. */
const MAX_LENGTH = 64 * 1024;

const STRING = /("(?:[^"\\]|\\.)*")(\s*:)?/g;

/** The text as it is, its keys marked if it looks like JSON. */
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
