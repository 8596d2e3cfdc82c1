/** The jq console: filters with a history, and suggestions from the shape. */

import type { App } from '../app.js';
import { element } from '../dom.js';
import { counted } from '../format.js';
import { highlightJson } from '../highlight.js';
import { errorLine, makeConsole, type Console } from './console.js';
import { attachHistory } from './history.js';

const SUGGESTIONS = 8;

export function mountJq(app: App): Console {
    const filter = element('textarea', {
        name: 'filter', rows: 1, class: 'mono grow', spellcheck: 'false', autocapitalize: 'off',
        placeholder: '.', 'aria-label': 'Filter',
    });
    const checkbox = (name: string): HTMLInputElement => element('input', { name, type: 'checkbox' });
    const [slurp, compact, raw] = [checkbox('slurp'), checkbox('compact'), checkbox('raw')];
    const suggestions = element('div', {
        class: 'chips mono', role: 'group', 'aria-label': 'Suggested filters',
    });
    const history = attachHistory(filter, 'jq');

    const made = makeConsole(app, {
        name: 'jq',
        controls: [
            filter,
            element('label', { class: 'switch' }, slurp, ' slurp'),
            element('label', { class: 'switch' }, compact, ' compact'),
            element('label', { class: 'switch' }, raw, ' raw strings'),
        ],
        aside: suggestions,
        prepare(id) {
            const asked = filter.value.trim() === '' ? '.' : filter.value;
            history.add(asked);
            const options = { slurp: slurp.checked, compact: compact.checked, raw: raw.checked };
            return async (cursor) => {
                const { text, next, failure, hint, parsedAs, milliseconds } = await app.ask('jq', {
                    id, filter: asked, options: cursor === undefined ? options : { ...options, cursor },
                });
                const content = document.createDocumentFragment();
                content.append(highlightJson(text));
                if (failure !== undefined) {
                    content.append(errorLine(failure.kind, failure.message));
                } else if (text === '') {
                    content.append(element('p', { class: 'empty' }, 'No output.'));
                }
                if (hint !== undefined) {
                    content.append(element('p', { class: 'empty' }, hint));
                }
                const outputs = counted(text.split('\n').length - 1, 'line');
                const ending = failure === undefined ? outputs : `${outputs}, then an error`;
                const summary = parsedAs === undefined ? ending : `${ending} (${parsedAs})`;
                return { content, summary, milliseconds, next };
            };
        },
    });

    // As in a shell: Enter runs the filter, Shift+Enter breaks the line.
    filter.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
            event.preventDefault();
            filter.form?.requestSubmit();
        }
    });
    filter.addEventListener('input', () => (filter.rows = Math.min(6, filter.value.split('\n').length)));

    app.listen((state, changed) => {
        if (changed.has('result') || changed.has('subject')) {
            suggestions.replaceChildren(...suggest(state.result?.view.text).map((path) =>
                element('button', { type: 'button', onclick: () => {
                    filter.value = path;
                    filter.form?.requestSubmit();
                } }, path)));
        }
    });
    return made;
}

/** Returns suggested filters: the paths of an envelope's shape, and some that are always useful. */
function suggest(view: string | undefined): string[] {
    let paths: string[] = [];
    try {
        const { media_type: mediaType, shape } = JSON.parse(view ?? '') as Record<string, unknown>;
        if (/json|csv|tab-separated/.test(String(mediaType))) {
            const keys = typeof shape === 'object' && shape !== null ? Object.keys(shape) : [];
            const values = keys.filter((key) => key.startsWith('.'));
            paths = ['keys', 'length', ...values.map((key) => key.replaceAll('[]', '[0]'))];
        }
    } catch {
        // The view is not an envelope, so there is no shape to take paths from.
    }
    return paths.slice(0, SUGGESTIONS);
}
