/** The contents of the conversation page: buckets as bars, steps, messages. */

import type { Receipt } from 'tuckaway';

import { byId, element } from '../dom.js';
import { counted, number, share } from '../format.js';
import type { Asked, Line, Planned, Stepped } from './protocol.js';

const BUCKETS = [
    ['System prompt', 'system'],
    ['Tools', 'tools'],
    ['History', 'history'],
    ['Tool outputs', 'toolOutputs'],
    ['After', 'total'],
] as const;

/** Shows the tokens of each bucket, before and after the plan, as bars of the window. */
export function showBuckets({ before, after, budget }: Planned, contextWindow: number): void {
    const rows = BUCKETS.map(([label, name]) => {
        const cap = budget === undefined || name === 'total' ? undefined : budget[name].maxTokens;
        return bucket(label, before[name], after[name], contextWindow, cap);
    });
    byId('buckets').replaceChildren(bucket('Before', before.total, before.total, contextWindow), ...rows);
    const instead = after.total < before.total ? ` instead of ${number(before.total)}` : '';
    const sum = `${counted(after.total, 'token')}${instead}, in a window of ${number(contextWindow)}.`;
    byId('buckets-sum').textContent = sum;
}

function bucket(label: string, before: number, after: number, contextWindow: number, cap?: number): HTMLElement {
    const part = (kind: string, tokens: number) => {
        const made = element('span', { class: `part ${kind}` });
        made.style.setProperty('--share', String(Math.min(1, Math.max(0, tokens) / contextWindow)));
        return made;
    };
    const removed = Math.max(0, Math.min(before, contextWindow) - after);
    const isOver = after > (cap ?? contextWindow);
    const mark = element('span', { class: 'headroom' });
    mark.style.setProperty('--at', String(Math.min(1, (cap ?? contextWindow) / contextWindow)));
    const capped = cap === undefined ? '' : ` of ${number(cap)}`;
    const track = element('span', {
        class: `track${isOver ? ' is-over' : ''}`,
        role: 'img',
        'aria-label': `${label}: ${number(after)}${capped} tokens, ${share(after / contextWindow)} of the window`,
    }, part('output', after), part('used', removed), cap === undefined ? null : mark);
    return element('div', { class: `bar bucket${label === 'After' ? ' after' : ''}`, 'data-bucket': label },
        element('span', { class: 'bar-label' }, label), track,
        element('span', { class: 'amount' }, number(after)),
        element('span', { class: 'percent' }, share(after / contextWindow)));
}

const DONE: Record<Receipt['removal'], string> = {
    trimmed: 'replaced by a reference',
    evicted: 'removed',
    summarized: 'summarized',
    pruned: 'definition removed',
    cleared: 'without thinking',
};

/** Shows the steps of a plan. `onRead` is called with the artifact that the user chooses. */
export function showSteps({ format, steps }: Planned, onRead: (id: string) => void): void {
    byId('steps').replaceChildren(...steps.map((step, index) => stepItem(index + 1, step, onRead)));
    byId('steps-sum').textContent = `Read as ${format}; ${counted(steps.length, 'step')}.`;
    byId('answer-field').hidden = steps.every(({ asked }) => asked === undefined);
}

function stepItem(index: number, { repairs, receipts, alarms, before, after, asked }: Stepped, onRead: (id: string) => void): HTMLElement {
    const repaired = repairs.map((repair) => element('li', { 'data-repair': '' }, element('strong', {}, 'repaired: '), repair));
    const warnings = alarms.map(({ kind, message }) =>
        element('li', { class: 'alarm', 'data-alarm': kind }, element('strong', {}, `${kind}: `), message));
    const rows = [...repaired, ...receipts.map((receipt) => receiptItem(receipt, onRead)), ...warnings];
    const sum = receipts.length === 0 ? 'Nothing is due.' : `${number(before.total)} → ${number(after.total)} tokens.`;
    return element('li', { class: 'step' },
        element('h3', {}, `Step ${index}`), element('span', { class: 'muted' }, sum),
        rows.length > 0 && element('ul', {}, ...rows),
        asked !== undefined && requestFold(asked));
}

function receiptItem({ removal, messages, tool, tokensBefore, tokensAfter, artifact }: Receipt, onRead: (id: string) => void): HTMLElement {
    const many = messages.end - messages.start;
    const what = removal === 'trimmed' || removal === 'pruned' ? (tool ?? 'a tool') : counted(many, 'message');
    return element('li', { class: 'receipt', 'data-removal': removal },
        element('span', {}, `${what} ${DONE[removal]}`),
        element('span', { class: 'muted' }, `${number(tokensBefore)} → ${number(tokensAfter)} tokens`),
        artifact !== undefined
            && element('button', { type: 'button', class: 'link mono', onclick: () => onRead(artifact) }, artifact));
}

function requestFold({ prompt, messages, maxOutputTokens }: Asked): HTMLElement {
    const most = `at most ${counted(maxOutputTokens, 'token')}`;
    return element('details', { class: 'asked' },
        element('summary', {}, `Asks a model to summarize ${counted(messages, 'message')} in ${most}`),
        element('pre', { class: 'data', tabindex: 0, role: 'region', 'aria-label': 'Request for a summary' }, prompt));
}

const FATES: Record<Line['fate'], string> = { kept: '', changed: 'changed', removed: 'removed', new: 'new or changed' };

/** Shows the messages before and after the plan, and the tokens of everything: the system prompt and the tools too. */
export function showMessages({ from, to, before, after }: Planned): void {
    for (const [id, lines, account] of [['before', from, before], ['after', to, after]] as const) {
        byId(id).replaceChildren(...lines.map(messageItem));
        byId(`${id}-sum`).textContent = `${counted(lines.length, 'message')}, ${counted(account.total, 'token')} in all.`;
    }
}

function messageItem({ role, text, tokens, fate }: Line, index: number): HTMLElement {
    return element('li', { class: `message is-${fate}`, 'data-fate': fate },
        element('span', { class: 'message-head' },
            element('strong', {}, `${index} ${role}`),
            element('span', { class: 'muted' }, `≈ ${counted(tokens, 'token')}`),
            FATES[fate] === '' ? null : element('span', { class: 'fate' }, FATES[fate])),
        element('span', { class: 'message-text' }, text === '' ? '(empty)' : text));
}
