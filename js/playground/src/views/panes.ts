/** The output and the model's view of it, side by side. */

import type { App, State } from '../app.js';
import { byId, element, remember, remembered } from '../dom.js';
import { duration, number, size, tokens } from '../format.js';
import { highlightJson } from '../highlight.js';
import type { Excerpt } from '../protocol.js';
import { announceCopy } from './copy.js';

export function mountPanes(app: App): void {
    mountWrap();
    const copy = byId<HTMLButtonElement>('view-copy');
    copy.addEventListener('click', () => announceCopy(copy, app.state.result?.[choice].text ?? ''));
    const update = (state: State): void => {
        showInput(state);
        showView(state);
        copy.disabled = state.problem !== undefined || state.result?.tokens === undefined
            || !state.result[choice].complete;
    };
    mountChoice(() => update(app.state));
    app.listen((state, changed) => {
        if (changed.has('result') || changed.has('subject') || changed.has('problem') || changed.has('busy')) {
            update(state);
        }
    });
}

const CHOICES = { view: 'tuckaway', plain: 'Plain truncation' } as const;

/** The content of the model's pane: the view, or the plain truncation. */
let choice: keyof typeof CHOICES = 'view';

function mountChoice(onChange: () => void): void {
    const names = Object.keys(CHOICES) as (keyof typeof CHOICES)[];
    const buttons = names.map((name) =>
        element('button', { type: 'button', 'data-choice': name, onclick: () => choose(name) }, CHOICES[name]));
    function choose(name: keyof typeof CHOICES): void {
        choice = name;
        buttons.forEach((button) => button.setAttribute('aria-pressed', String(button.dataset.choice === name)));
        onChange();
    }
    byId('view-choice').append(...buttons);
    choose(choice);
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
        Lines: decision && count && number(decision.lineCount),
        Tokens: count && tokens(count.input),
        From: subject?.title,
    });
    if (input !== shownInput || input === undefined) {
        byId('input').replaceChildren(
            ...(input === undefined
                ? [waiting(subject !== undefined && busy > 0, invitation(state))]
                : result?.tokens === undefined
                    ? [picture(result) ?? waiting(false, 'Binary content is not shown.')]
                    : numberedLines(input.text)),
        );
        byId('input').scrollTop = 0;
        shownInput = input;
    }
    byId('input-note').textContent = input === undefined || count === undefined ? '' : note(input);
}

function showView({ subject, result, problem, busy }: State): void {
    const { decision, tokens: count } = result ?? {};
    const view = result?.[choice];
    const isPlain = choice === 'plain';
    const action = decision && { inline: 'passed on', artifact: 'stored', truncate: 'truncated' }[decision.action];
    facts('view-facts', {
        Size: view && count && `${number(view.sizeBytes)} B`,
        Action: isPlain && count ? 'head and tail' : action,
        Tokens: count && tokens(count[choice]),
        Took: isPlain ? undefined : result && duration(result.milliseconds),
    });
    const pane = byId('view');
    if (problem !== undefined) {
        pane.replaceChildren(element('p', { class: 'error', role: 'alert' }, problem.message));
        shownView = undefined;
    } else if (view === undefined) {
        pane.replaceChildren(waiting(subject !== undefined && busy > 0, 'The text that the model would read instead.'));
        shownView = undefined;
    } else if (view !== shownView) {
        pane.replaceChildren(...(count === undefined ? passedOn(result) : [highlightJson(view.text)]));
        pane.scrollTop = 0;
        shownView = view;
    }
    byId('view-note').textContent = view === undefined || count === undefined || problem !== undefined ? ''
        : isPlain ? plainNote(view, result!.input) : note(view);
}

function passedOn(result: State['result']): Node[] {
    const image = picture(result);
    return [waiting(false, 'The block is passed to the model unchanged.'), ...(image ? [image] : [])];
}

let pictured: { image: Blob; url: string } | undefined;

/** Returns an image that is passed on unchanged. */
function picture(result: State['result']): HTMLElement | undefined {
    const { image } = result ?? {};
    if (image === undefined) {
        return undefined;
    }
    if (pictured?.image !== image) {
        if (pictured !== undefined) URL.revokeObjectURL(pictured.url);
        pictured = { image, url: URL.createObjectURL(image) };
    }
    return element('img', { class: 'picture', src: pictured.url, alt: 'The image that the tool returned' });
}

function plainNote(plain: Excerpt, input: Excerpt): string {
    return plain.sizeBytes === input.sizeBytes
        ? 'Complete: the output fits into the 16 KB of plain truncation.'
        : 'The first and the last 8 KB, whatever they contain.';
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
