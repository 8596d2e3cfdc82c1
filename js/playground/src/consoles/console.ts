/** What the three consoles share: a question, an answer in pages with a way on and back, errors, a way to stop. */

import { type App, engineError } from '../app.js';
import { element } from '../dom.js';
import { duration } from '../format.js';

/** One page of an answer. */
export interface Asked {
    content: Node;
    /** What it amounts to, in a few words. */
    summary: string;
    next?: string | undefined;
}

export interface ConsoleOptions {
    name: 'read' | 'grep' | 'jq';
    /** What is asked, and how. */
    controls: Node[];
    /** Under the question. */
    aside?: Node;
    /** A page of the answer to the question as the controls stand. Called once for each page, from the first. */
    prepare(id: string): (cursor: string | undefined) => Promise<Asked>;
}

export interface Console {
    element: HTMLElement;
    run(): Promise<void>;
    next(): Promise<void>;
    previous(): Promise<void>;
    /** Forgets the answer: it was another artifact's. */
    clear(): void;
    focus(): void;
}

export function makeConsole(app: App, { name, controls, aside, prepare }: ConsoleOptions): Console {
    const run = element('button', { type: 'submit', class: 'primary' }, 'Run');
    const output = element('div', {
        class: 'data answer', tabindex: 0, role: 'region', 'aria-label': `Answer of ${name}`,
    });
    const status = element('span', { class: 'status', role: 'status' });
    const previous = element('button', { type: 'button', disabled: true, onclick: () => turn(-1) }, '‹ Previous');
    const next = element('button', { type: 'button', disabled: true, onclick: () => turn(1) }, 'Next ›');
    const form = element('form', { class: 'question', autocomplete: 'off' }, ...controls, run);
    const root = element('div', { class: 'console', 'data-console': name }, form, aside,
        output,
        element('div', { class: 'pager' }, status, previous, next),
    );

    /** Where each page begins, as far as they are known; the first begins without a cursor. */
    let cursors: (string | undefined)[] = [undefined];
    let at = 0;
    let ask: ((cursor: string | undefined) => Promise<Asked>) | undefined;
    let running = false;

    form.addEventListener('submit', (event) => {
        event.preventDefault();
        void (running ? app.stop() : start());
    });

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
        const began = performance.now();
        setRunning(true);
        status.textContent = 'Running …';
        try {
            const { content, summary, next: cursor } = await asked(cursors[at]);
            if (ask !== asked) return;
            output.replaceChildren(content);
            cursors = [...cursors.slice(0, at + 1), ...(cursor === undefined ? [] : [cursor])];
            const page = cursors.length > 1 ? `page ${at + 1}, ` : '';
            status.textContent = `${page}${summary}, ${duration(performance.now() - began)}`;
        } catch (error) {
            if (ask !== asked) return;
            const { kind, message } = engineError(error);
            output.replaceChildren(errorLine(kind, message));
            status.textContent = kind === 'stopped' ? 'Stopped; what is stored is still there' : 'Failed';
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
        const isThere = app.state.subject?.artifact !== undefined;
        run.disabled = !isThere && !running;
        const focused = document.activeElement;
        previous.disabled = running || at === 0;
        next.disabled = running || at >= cursors.length - 1;
        // A button that can no longer be pressed does not keep the focus: the answer has it then.
        if ((focused === previous && previous.disabled) || (focused === next && next.disabled)) {
            output.focus({ preventScroll: true });
        }
    }

    function clear(): void {
        [cursors, at, ask] = [[undefined], 0, undefined];
        status.textContent = '';
        const isThere = app.state.subject?.artifact !== undefined;
        output.replaceChildren(element('p', { class: 'empty' }, isThere ? 'Nothing asked yet.' : absent(app)));
        setRunning(false);
    }

    clear();
    return {
        element: root,
        run: start,
        next: () => turn(1),
        previous: () => turn(-1),
        clear,
        focus: () => form.querySelector<HTMLElement>('textarea, input')?.focus(),
    };
}

/** An error of the engine's, where its answer would be. */
export function errorLine(kind: string | undefined, message: string): HTMLElement {
    const code = kind && kind !== 'stopped' ? element('code', {}, kind) : null;
    return element('p', { class: 'error' }, code, ` ${message}`);
}

function absent(app: App): string {
    return app.state.result === undefined
        ? 'Nothing is put away yet.'
        : 'This output was not stored: the view above is all that there is. '
            + '“Keep all” in the policy stores it all the same.';
}
