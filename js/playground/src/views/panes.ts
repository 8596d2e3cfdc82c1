/** The output and what the model sees of it, side by side. */

import type { App, State } from '../app.js';
import { byId, element, remember, remembered } from '../dom.js';
import { duration, number, size, tokens } from '../format.js';
import { highlightJson } from '../highlight.js';
import type { Excerpt } from '../protocol.js';
import { announceCopy } from './copy.js';

export function mountPanes(app: App): void {
    mountWrap();
    const copy = byId<HTMLButtonElement>('view-copy');
    copy.addEventListener('click', () => announceCopy(copy, app.state.result?.view.text ?? ''));
    app.listen((state, changed) => {
        if (changed.has('result') || changed.has('subject') || changed.has('problem') || changed.has('busy')) {
            showInput(state);
            showView(state);
            copy.disabled = state.problem !== undefined || state.result?.view.complete !== true;
        }
    });
}

/** Switches between wrapping and scrolling long lines, in both panes. */
function mountWrap(): void {
    const box = byId<HTMLInputElement>('wrap');
    const apply = (): void => {
        document.documentElement.classList.toggle('no-wrap', !box.checked);
        remember('wrap', box.checked ? null : 'no');
    };
    box.checked = remembered('wrap') !== 'no';
    box.addEventListener('change', apply);
    apply();
}

let shownInput: Excerpt | undefined;
let shownView: Excerpt | undefined;

function showInput(state: State): void {
    const { subject, result, busy } = state;
    const { decision, input, tokens: count } = result ?? {};
    facts('input-facts', {
        Size: input && `${number(input.sizeBytes)} B`,
        Lines: decision && number(decision.lineCount),
        Tokens: count && tokens(count.input),
        From: subject?.title,
    });
    if (input !== shownInput || input === undefined) {
        byId('input').replaceChildren(
            ...(input === undefined
                ? [waiting(subject !== undefined && busy > 0, invitation(state))]
                : numberedLines(input.text)),
        );
        byId('input').scrollTop = 0;
        shownInput = input;
    }
    byId('input-note').textContent = input === undefined ? '' : note(input);
}

function showView({ subject, result, problem, busy }: State): void {
    const { view, decision, tokens: count } = result ?? {};
    facts('view-facts', {
        Size: view && `${number(view.sizeBytes)} B`,
        Action: decision && { inline: 'passed on', artifact: 'stored', truncate: 'truncated' }[decision.action],
        Tokens: count && tokens(count.view),
        Took: result && duration(result.milliseconds),
    });
    const pane = byId('view');
    if (problem !== undefined) {
        pane.replaceChildren(element('p', { class: 'error', role: 'alert' }, problem.message));
        shownView = undefined;
    } else if (view === undefined) {
        pane.replaceChildren(waiting(subject !== undefined && busy > 0, 'What a model would read instead.'));
        shownView = undefined;
    } else if (view !== shownView) {
        pane.replaceChildren(count === undefined
            ? waiting(false, 'The block is passed to the model unchanged.')
            : highlightJson(view.text));
        shownView = view;
    }
    byId('view-note').textContent = view === undefined || problem !== undefined ? '' : note(view);
}

function invitation({ problem }: State): string {
    return problem === undefined
        ? 'Drop a file, paste an output, or pick a sample.'
        : 'Not shown, because there is no view.';
}

function facts(id: string, values: Record<string, string | undefined>): void {
    byId(id).replaceChildren(
        ...Object.entries(values).map(([name, value]) =>
            element('div', {}, element('dt', {}, name), element('dd', { title: value }, value ?? '—')),
        ),
    );
}

function waiting(isComing: boolean, text: string): HTMLElement {
    return element('p', { class: 'empty' }, isComing ? 'Reading …' : text);
}

function numberedLines(text: string): HTMLElement[] {
    const lines = text.split('\n');
    if (lines.at(-1) === '') lines.pop();
    return lines.map((line) => element('span', { class: 'line' }, `${line}\n`));
}

function note({ text, sizeBytes, complete }: Excerpt): string {
    const shown = new TextEncoder().encode(text).length;
    return complete ? 'Complete.' : `The first ${size(shown)} of ${size(sizeBytes)}.`;
}
