/** The tool calls of a transcript, with the tokens of their outputs before and after. */

import type { App, Transcript } from '../app.js';
import { byId, element } from '../dom.js';
import { counted, tokens } from '../format.js';
import type { Measured, TokenCount } from '../protocol.js';

type Change = Pick<Measured, 'before' | 'after'>;

const ACTIONS = { inline: 'passed on', artifact: 'stored', truncate: 'truncated' } as const;

export function mountTranscript(app: App): void {
    byId('transcript-whole').addEventListener('click', () => {
        const { transcript } = app.state;
        if (transcript !== undefined) app.take({ kind: 'text', text: transcript.text });
    });
    app.listen(({ transcript, subject }, changed) => {
        if (changed.has('transcript') || changed.has('subject')) {
            byId('transcript').hidden = transcript === undefined;
            if (transcript !== undefined) show(app, transcript, subject?.title);
        }
    });
}

function show(app: App, { title, calls, measured }: Transcript, shownTitle: string | undefined): void {
    byId('transcript-title').textContent = `Transcript ${title}`;
    byId('calls').replaceChildren(...calls.map(({ tool }, index) => {
        const isChosen = shownTitle === `Call ${index + 1}`;
        return element('tr', { class: isChosen ? 'is-chosen' : null },
            element('td', {}, element('button', {
                type: 'button', class: 'link mono', 'aria-current': isChosen ? 'true' : null,
                onclick: () => app.takeCall(index),
            }, `${index + 1} ${tool}`)),
            ...cells(measured?.[index]),
        );
    }));
    const total = measured && { before: sum(measured, 'before'), after: sum(measured, 'after') };
    byId('calls-total').replaceChildren(
        element('tr', {}, element('th', { scope: 'row' }, counted(calls.length, 'call')), ...cells(total)),
    );
    byId('transcript-sum').textContent = total === undefined
        ? 'Measuring …'
        : `${tokens(total.after)} tokens of tool outputs instead of ${tokens(total.before)}, `
            + `${saved(total)} saved.`;
}

/** Returns the cells of a call, or of the total, which has no action. */
function cells(measured: (Change & Partial<Measured>) | undefined): HTMLElement[] {
    const end = (text: string): HTMLElement => element('td', { class: 'end' }, text);
    return measured === undefined
        ? [end('…'), end('…'), end('…'), element('td', { class: 'action' })]
        : [
            end(tokens(measured.before)), end(tokens(measured.after)), end(saved(measured)),
            element('td', { class: 'action' }, measured.action === undefined ? '' : ACTIONS[measured.action]),
        ];
}

/** Returns the share of the tokens that is saved, rounded down: a view of any tokens saves less than 100 %. */
function saved({ before, after }: Change): string {
    const fraction = before.tokens === 0 ? 0 : Math.max(0, 1 - after.tokens / before.tokens);
    return `${Math.floor(fraction * 1_000) / 10} %`;
}

function sum(measured: readonly Measured[], which: 'before' | 'after'): TokenCount {
    return {
        tokens: measured.reduce((total, each) => total + each[which].tokens, 0),
        exact: measured.every((each) => each[which].exact),
    };
}
