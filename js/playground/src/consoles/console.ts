/** Code that the three consoles share: a query, an answer in pages, errors, and a button that stops the query. */

import { type App, engineError } from '../app.js';
import { element } from '../dom.js';
import { duration } from '../format.js';
import type { ConsoleName, Question } from '../question.js';

/** One page of an answer. */
export interface AnswerPage {
    content: Node;
    /** A short summary of its content. */
    summary: string;
    /** The time that the component took. */
    milliseconds: number;
    next?: string | undefined;
}

export interface ConsoleOptions {
    name: ConsoleName;
    /** The fields of the query, each with a name. */
    controls: Node[];
    /** Shown below the query. */
    aside?: Node;
    /** Reads the query from the controls, and returns a function that fetches one page of its answer. */
    prepare(id: string): (cursor: string | undefined) => Promise<AnswerPage>;
}

export interface Console {
    element: HTMLElement;
    /** Runs the query in the fields. */
    run(): Promise<void>;
    /** Puts a query into the fields, and runs it. */
    answer(values: Question['values']): Promise<void>;
    next(): Promise<void>;
    previous(): Promise<void>;
    /** Clears the answer, which belongs to another artifact. */
    clear(): void;
    focus(): void;
}

export function makeConsole(app: App, { name, controls, aside, prepare }: ConsoleOptions): Console {
    const run = element('button', { type: 'submit', class: 'primary' }, 'Run');
    const output = element('div', {
        class: 'data answer', tabindex: 0, role: 'region', 'aria-label': `Answer from ${name}`,
    });
    const status = element('span', { class: 'status', role: 'status' });
    const previous = element('button', { type: 'button', disabled: true, onclick: () => turn(-1) }, '‹ Previous');
    const next = element('button', { type: 'button', disabled: true, onclick: () => turn(1) }, 'Next ›');
    const form = element('form', { class: 'query', autocomplete: 'off' }, ...controls, run);
    const root = element('div', { class: 'console', 'data-console': name }, form, aside,
        output,
        element('div', { class: 'pager' }, status, previous, next),
    );

    /** The cursors of the pages known so far; the first page has none. */
    let cursors: (string | undefined)[] = [undefined];
    let at = 0;
    let ask: ((cursor: string | undefined) => Promise<AnswerPage>) | undefined;
    let running = false;

    form.addEventListener('submit', (event) => {
        event.preventDefault();
        if (running) {
            void app.stop();
        } else if (app.state.subject?.artifact !== undefined) {
            app.pose({ console: name, values: changedValues(form) });
        }
    });

    async function answer(values: Question['values']): Promise<void> {
        putValues(form, values);
        await start();
    }

    async function start(): Promise<void> {
        const id = app.state.subject?.artifact;
        if (id !== undefined && !running) {
            [cursors, at] = [[undefined], 0];
            ask = prepare(id);
            await show();
        }
    }

    async function turn(by: 1 | -1): Promise<void> {
        if (!running && ask !== undefined && at + by >= 0 && at + by < cursors.length) {
            at += by;
            await show();
        }
    }

    async function show(): Promise<void> {
        const asked = ask!;
        setRunning(true);
        status.textContent = 'Running …';
        try {
            const { content, summary, milliseconds, next: cursor } = await asked(cursors[at]);
            if (ask !== asked) return;
            output.replaceChildren(content);
            cursors = [...cursors.slice(0, at + 1), ...(cursor === undefined ? [] : [cursor])];
            const page = cursors.length > 1 ? `page ${at + 1}, ` : '';
            status.textContent = `${page}${summary}, ${duration(milliseconds)}`;
        } catch (error) {
            if (ask !== asked) return;
            const { kind, message } = engineError(error);
            output.replaceChildren(errorLine(kind, message));
            status.textContent = kind === 'stopped' ? 'Stopped; stored artifacts are kept' : 'Failed';
        } finally {
            if (ask === asked) {
                output.scrollTop = 0;
                setRunning(false);
            }
        }
    }

    function setRunning(now: boolean): void {
        running = now;
        run.textContent = now ? 'Stop' : 'Run';
        run.classList.toggle('is-stop', now);
        enable();
    }

    function enable(): void {
        const hasArtifact = app.state.subject?.artifact !== undefined;
        run.disabled = !hasArtifact && !running;
        const focused = document.activeElement;
        previous.disabled = running || at === 0;
        next.disabled = running || at >= cursors.length - 1;
        // When a button becomes disabled, the focus moves to the answer.
        if ((focused === previous && previous.disabled) || (focused === next && next.disabled)) {
            output.focus({ preventScroll: true });
        }
    }

    function clear(): void {
        [cursors, at, ask] = [[undefined], 0, undefined];
        status.textContent = '';
        const hasArtifact = app.state.subject?.artifact !== undefined;
        output.replaceChildren(element('p', { class: 'empty' }, hasArtifact ? 'No query yet.' : absent(app)));
        setRunning(false);
    }

    clear();
    return {
        element: root,
        run: start,
        answer,
        next: () => turn(1),
        previous: () => turn(-1),
        clear,
        focus: () => form.querySelector<HTMLElement>('textarea, input')?.focus(),
    };
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const controlsOf = (form: HTMLFormElement): Control[] =>
    [...form.querySelectorAll<Control>('input[name], select[name], textarea[name]')];

const isCheckbox = (control: Control): control is HTMLInputElement => control.type === 'checkbox';

function defaultOf(control: Control): string {
    return control instanceof HTMLSelectElement
        ? (control.querySelector<HTMLOptionElement>('option[selected]') ?? control.options[0]!).value
        : isCheckbox(control) ? String(control.defaultChecked) : control.defaultValue;
}

/** Returns the values of the fields that are not at their defaults, by name. */
function changedValues(form: HTMLFormElement): Question['values'] {
    const values = controlsOf(form).map((control) => {
        const value = isCheckbox(control) ? String(control.checked) : control.value;
        return value === defaultOf(control) ? [] : [[control.name, value]];
    });
    return Object.fromEntries(values.flat());
}

/** Sets the fields to these values, and all others to their defaults. */
function putValues(form: HTMLFormElement, values: Question['values']): void {
    for (const control of controlsOf(form)) {
        const value = values[control.name] ?? defaultOf(control);
        if (isCheckbox(control)) {
            control.checked = value === 'true';
        } else if (control.value !== value) {
            control.value = value;
            control.dispatchEvent(new Event('input'));
            control.dispatchEvent(new Event('change'));
        }
    }
}

/** Returns the line that shows an error in place of an answer. */
export function errorLine(kind: string | undefined, message: string): HTMLElement {
    const code = kind && kind !== 'stopped' ? element('code', {}, kind) : null;
    return element('p', { class: 'error' }, code, ` ${message}`);
}

function absent(app: App): string {
    return app.state.result === undefined
        ? 'Nothing is stored yet.'
        : 'This output was not stored; only the view above exists. '
            + 'Set “Keep all” in the policy to store it anyway.';
}
