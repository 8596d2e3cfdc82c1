/** The grep console: matching lines, with the matches marked. */

import type { GrepOptions } from 'tuckaway';

import type { App } from '../app.js';
import { element } from '../dom.js';
import { counted, number } from '../format.js';
import type { HighlightedMatches, HighlightedMatch } from '../protocol.js';
import { makeConsole, type Console } from './console.js';
import { attachHistory } from './history.js';

export function mountGrep(app: App): Console {
    const pattern = element('input', {
        name: 'pattern', type: 'text', class: 'mono grow', spellcheck: 'false', autocapitalize: 'off',
        placeholder: 'error|failed', 'aria-label': 'Pattern',
    });
    const [ignoreCase, fixedString] = [checkbox('ignoreCase'), checkbox('fixedString')];
    const [invert, eachMatch] = [checkbox('invert'), checkbox('eachMatch')];
    const [before, after] = [lines('before', 'Lines before'), lines('after', 'Lines after')];
    const history = attachHistory(pattern, 'grep');

    return makeConsole(app, {
        name: 'grep',
        controls: [
            pattern,
            element('label', { class: 'switch' }, ignoreCase, ' ignore case'),
            element('label', { class: 'switch' }, fixedString, ' plain text'),
            element('label', { class: 'switch' }, invert, ' invert'),
            element('label', { class: 'switch' }, eachMatch, ' each match'),
            element('span', { class: 'inline' }, 'context ', before, ' ', after),
        ],
        prepare(id) {
            history.add(pattern.value);
            const asked = pattern.value;
            const options: GrepOptions = {
                ignoreCase: ignoreCase.checked,
                fixedString: fixedString.checked,
                invert: invert.checked,
                eachMatch: eachMatch.checked,
                beforeContext: Number(before.value),
                afterContext: Number(after.value),
            };
            return async (cursor) => {
                const found = await app.ask('grep', {
                    id, pattern: asked, options: cursor === undefined ? options : { ...options, cursor },
                });
                const { milliseconds, next } = found;
                return { content: matchList(found), summary: summary(found), milliseconds, next };
            };
        },
    });
}

const checkbox = (name: string): HTMLInputElement => element('input', { name, type: 'checkbox' });
const lines = (name: string, label: string): HTMLInputElement =>
    element('input', {
        name, type: 'number', class: 'short', min: 0, max: 100, step: 1, placeholder: '0', 'aria-label': label,
    });

function summary({ matches, total, matchCount }: HighlightedMatches): string {
    if (matchCount !== undefined && total !== undefined && matchCount > total) {
        return `${counted(matchCount, 'match', 'matches')} in ${counted(total, 'line')}`;
    }
    return total === undefined
        ? counted(matches.length, 'line')
        : `${number(matches.length)} of ${counted(total, 'line')}`;
}

function matchList({ matches }: HighlightedMatches): Node {
    if (matches.length === 0) {
        return element('p', { class: 'empty' }, 'No line matches.');
    }
    return element('ol', { class: 'matches', 'aria-label': counted(matches.length, 'matching line') },
        ...matches.map(matchItem));
}

function matchItem({ line, column, byteOffset, text, before, after, spans }: HighlightedMatch): HTMLElement {
    const context = (number: number, content: string): HTMLElement =>
        element('span', { class: 'match-line is-context' },
            element('span', { class: 'no' }, String(number)), content);
    return element('li', { title: `line ${number(line)}, column ${number(column)}, byte ${number(byteOffset)}` },
        ...before.map((content, index) => context(line - before.length + index, content)),
        element('span', { class: 'match-line' },
            element('span', { class: 'no' }, String(line)), ...marked(text, spans)),
        ...after.map((content, index) => context(line + 1 + index, content)),
    );
}

function marked(text: string, spans: HighlightedMatch['spans']): (Node | string)[] {
    let end = 0;
    const parts = spans.flatMap(([from, to]) => {
        const part = [text.slice(end, from), element('mark', {}, text.slice(from, to))];
        end = to;
        return part;
    });
    return [...parts, text.slice(end)];
}
