/** The shares of the context window that the output and its view would take. */

import type { App, State } from '../app.js';
import { byId, element } from '../dom.js';
import { number, share, tokens } from '../format.js';
import type { TokenCount } from '../protocol.js';

export function mountWindow(app: App): void {
    const before = row('Output', 'before');
    const after = row('View', 'after');
    const legend = element('p', { class: 'legend' });
    byId('window').append(before.element, after.element, legend);

    app.listen((state, changed) => {
        if (!(changed.has('result') || changed.has('knobs') || changed.has('defaults'))) {
            return;
        }
        const { result } = state;
        before.show(state, result?.tokens?.input);
        after.show(state, result?.tokens?.view);
        legend.replaceChildren(
            key('used', `${number(state.knobs.usedTokens)} already used`),
            key('output', 'this output'),
            key('over', 'this output, beyond the window'),
            key('headroom', `headroom ${share(headroom(state))}`),
        );
        byId('window-sentence').textContent = sentence(state);
    });
}

function key(kind: string, meaning: string): HTMLElement {
    return element('span', {}, element('span', { class: `key ${kind}` }), meaning);
}

function headroom({ knobs, defaults }: State): number {
    return knobs.policy.headroomPercentage ?? defaults?.headroomPercentage ?? 1;
}

function sentence({ result, knobs }: State): string {
    if (result === undefined) {
        return `${number(knobs.contextWindow)} tokens in total.`;
    }
    if (result.tokens === undefined) {
        return 'Passed on unchanged: the model reads this kind of content directly.';
    }
    const [came, seen] = [tokens(result.tokens.input), tokens(result.tokens.view)];
    return result.decision.action === 'inline'
        ? `All ${came} tokens are passed on, in a window of ${number(knobs.contextWindow)}.`
        : `${seen} tokens instead of ${came}, in a window of ${number(knobs.contextWindow)}.`;
}

function row(label: string, kind: string): { element: HTMLElement; show(state: State, count?: TokenCount): void } {
    const used = element('span', { class: 'part used' });
    const output = element('span', { class: 'part output' });
    const mark = element('span', { class: 'headroom' });
    const track = element('span', { class: 'track', role: 'img' }, used, output, mark);
    const [amount, percent] = [element('span', { class: 'amount' }), element('span', { class: 'percent' })];
    const made = element('div', { class: `bar ${kind}` },
        element('span', { class: 'bar-label' }, label), track, amount, percent);

    function show(state: State, count?: TokenCount): void {
        // The engine rejects an invalid number of tokens, but the bars are drawn regardless.
        const contextWindow = Math.max(1, state.knobs.contextWindow);
        const usedShare = Math.min(1, Math.max(0, state.knobs.usedTokens) / contextWindow);
        const outputShare = count === undefined ? 0 : count.tokens / contextWindow;
        used.style.setProperty('--share', String(usedShare));
        output.style.setProperty('--share', String(Math.min(outputShare, 1 - usedShare)));
        output.classList.toggle('is-none', outputShare === 0);
        track.classList.toggle('is-over', usedShare + outputShare > 1);
        mark.style.setProperty('--at', String(headroom(state)));
        amount.textContent = count === undefined ? '—' : tokens(count);
        percent.textContent = count === undefined ? '' : share(outputShare);
        track.setAttribute('aria-label', count === undefined
            ? `${label}: nothing yet`
            : `${label}: ${tokens(count)} tokens, ${share(outputShare)} of the context window`);
    }

    return { element: made, show };
}
