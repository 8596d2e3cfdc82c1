/** The contents of the conversation page: buckets as bars, steps, messages. */

import type { Account, BudgetConfig, Receipt } from 'tuckaway';

import { byId, element } from '../dom.js';
import { counted, number, share } from '../format.js';
import type { Line, Stepped } from './protocol.js';

const BUCKETS = [
    ['System prompt', 'system'],
    ['Tools', 'tools'],
    ['History', 'history'],
    ['Tool outputs', 'toolOutputs'],
    ['All', 'total'],
] as const;

/** Shows the tokens of each bucket, before and now, as bars of the window. */
export function showBuckets(before: Account, now: Account, contextWindow: number, budget?: BudgetConfig): void {
    const rows = BUCKETS.map(([label, name]) => {
        const cap = budget === undefined || name === 'total' ? undefined : budget[name].maxTokens;
        return bucket(label, before[name], now[name], contextWindow, cap);
    });
    byId('buckets').replaceChildren(...rows);
    const total = `${number(now.total)} of ${counted(contextWindow, 'token')}, ${share(now.total / contextWindow)}`;
    const saved = now.total < before.total ? `; ${number(before.total)} before` : '';
    byId('buckets-sum').textContent = `${total}${saved}.`;
}

function bucket(label: string, before: number, now: number, contextWindow: number, cap?: number): HTMLElement {
    const part = (kind: string, tokens: number) => {
        const made = element('span', { class: `part ${kind}` });
        made.style.setProperty('--share', String(Math.min(1, Math.max(0, tokens) / contextWindow)));
        return made;
    };
    const isOver = now > (cap ?? contextWindow);
    const mark = element('span', { class: 'headroom' });
    mark.style.setProperty('--at', String(Math.min(1, (cap ?? contextWindow) / contextWindow)));
    const capped = cap === undefined ? '' : ` of ${number(cap)}`;
    const track = element('span', {
        class: `track${isOver ? ' is-over' : ''}`,
        role: 'img',
        'aria-label': `${label}: ${number(now)}${capped} tokens, ${share(now / contextWindow)} of the window`,
    }, part('output', now), part('used', before - now), cap === undefined ? null : mark);
    return element('div', { class: `bar bucket${label === 'All' ? ' after' : ''}`, 'data-bucket': label },
        element('span', { class: 'bar-label' }, label), track,
        element('span', { class: 'amount' }, number(now)),
        element('span', { class: 'percent' }, share(now / contextWindow)));
}

const DONE: Record<Receipt['removal'], string> = {
    trimmed: 'replaced by a reference',
    evicted: 'removed',
    summarized: 'summarized',
    pruned: 'definition removed',
};

/** Adds a step to the list. `onRead` is called with the artifact that the user chooses. */
export function addStep(index: number, { repairs, receipts, alarms, before, after }: Stepped, onRead: (id: string) => void): void {
    const rows = receipts.map((receipt) => {
        const { removal, messages, tool, tokensBefore, tokensAfter, artifact } = receipt;
        const many = messages.end - messages.start;
        const what = removal === 'trimmed' || removal === 'pruned' ? (tool ?? 'a tool') : counted(many, 'message');
        const where = artifact === undefined ? null
            : element('button', { type: 'button', class: 'link mono', onclick: () => onRead(artifact) }, artifact);
        return element('li', { class: 'receipt', 'data-removal': removal },
            element('span', {}, `${what} ${DONE[removal]}`),
            element('span', { class: 'muted' }, `${number(tokensBefore)} → ${number(tokensAfter)} tokens`), where);
    });
    const repaired = repairs.map((repair) => element('li', { 'data-repair': '' }, element('strong', {}, 'repaired: '), repair));
    const warnings = alarms.map(({ kind, message }) =>
        element('li', { class: 'alarm', 'data-alarm': kind }, element('strong', {}, `${kind}: `), message));
    const sum = receipts.length === 0 ? 'Nothing is due.' : `${number(before.total)} → ${number(after.total)} tokens.`;
    byId('steps').append(element('li', { class: 'step' },
        element('h3', {}, `Step ${index}`), element('span', { class: 'muted' }, sum), element('ul', {}, ...repaired, ...rows, ...warnings)));
}

const FATES: Record<Line['fate'], string> = { kept: '', changed: 'changed', removed: 'removed', new: 'new or changed' };

/** Shows items, each with the change that the plan makes. */
export function showMessages(id: 'before' | 'after', lines: readonly Line[]): void {
    byId(id).replaceChildren(...lines.map(({ role, text, tokens, fate }, index) =>
        element('li', { class: `message is-${fate}`, 'data-fate': fate },
            element('span', { class: 'message-head' },
                element('strong', {}, `${index} ${role}`),
                element('span', { class: 'muted' }, `≈ ${counted(tokens, 'token')}`),
                FATES[fate] === '' ? null : element('span', { class: 'fate' }, FATES[fate])),
            element('span', { class: 'message-text' }, text === '' ? '(empty)' : text))));
    const tokens = lines.reduce((sum, line) => sum + line.tokens, 0);
    byId(`${id}-sum`).textContent = `${counted(lines.length, 'message')}, ≈ ${counted(tokens, 'token')}.`;
}
