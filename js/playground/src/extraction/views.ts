/** The contents of the extraction page: the plan, the requests, the answer. */

import type { Answer, ExtractionEstimate, ExtractionUsage } from 'tuckaway';

import { byId, element } from '../dom.js';
import { counted, number, size } from '../format.js';
import type { RequestLine } from './protocol.js';

const COSTS = [
    ['requests', 'Requests'],
    ['inputTokens', 'Tokens in'],
    ['outputTokens', 'Tokens out'],
] as const;

/** Shows a plan with its upper bounds. The likely cost follows. */
export function showPlan(plan: ExtractionEstimate): void {
    const { strategy, reason, sizeBytes, lineCount, tokens, chunks } = plan;
    byId('plan-sum').textContent = `${strategy}: ${reason.replace(/\.$/, '')}.`;
    const read = chunks > 0 ? `, read in ${counted(chunks, 'chunk')}` : '';
    byId('output-facts').textContent = `${size(sizeBytes)}, ${counted(lineCount, 'line')}, ${counted(tokens, 'token')}${read}`;
    byId('plan-bound').textContent = strategy === 'full-chunked' ? 'At most, if nothing fails' : 'At most';
    byId('plan').replaceChildren(...COSTS.map(([name, label]) => element('tr', {},
        element('th', { scope: 'row' }, label),
        element('td', { class: 'end', 'data-likely': name }, '…'),
        element('td', { class: 'end', 'data-most': name }, number(plan[name])))));
}

/** Shows the cost with the scripted model. */
export function showLikely(usage: ExtractionUsage): void {
    for (const [name] of COSTS) {
        byId('plan').querySelector(`[data-likely="${name}"]`)!.textContent = number(usage[name]);
    }
}

export function showRequest({ id, purpose, inputTokens, state, said }: RequestLine): void {
    const line = element('li', { class: `request is-${state}`, 'data-request': id },
        element('strong', {}, id), element('span', { class: 'muted' }, `${purpose}, ${counted(inputTokens, 'token')}`),
        element('span', { class: 'state' }, state), element('span', { class: 'mono' }, said));
    const known = byId('requests').querySelector(`[data-request="${CSS.escape(id)}"]`);
    known === null ? byId('requests').append(line) : known.replaceWith(line);
}

/** Shows an answer next to the tokens of the whole output. */
export function showAnswer(answer: Answer, viewTokens: number, outputTokens: number): void {
    const { text, outcome, strategy, isPartial, coverage, quotes, warnings, usage } = answer;
    byId('answer').textContent = text;
    const instead = `${counted(viewTokens, 'token')} instead of ${number(outputTokens)}`;
    byId('answer-sum').textContent = `${outcome}${isPartial ? ', partial' : ''}, by ${strategy}: ${instead}.`;
    byId('requests-none').hidden = usage.requests > 0;
    const read = coverage.read.reduce((sum, { start, end }) => sum + end - start, 0);
    const chunks = coverage.chunks > 0 ? `, ${coverage.chunksDone} of ${counted(coverage.chunks, 'chunk')}` : '';
    const verbatim = quotes.filter(({ line }) => line !== undefined).length;
    byId('facts').replaceChildren(...([
        ['Read', `${size(read)} of ${size(coverage.sizeBytes)}${chunks}`],
        ['Quotes', `${number(verbatim)} of ${number(quotes.length)} found in the output`],
        ['Used', `${counted(usage.requests, 'request')}, ${number(usage.inputTokens)} tokens in, ${number(usage.outputTokens)} out`],
        ...warnings.map((warning) => ['Warning', warning] as const),
    ] as const).flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]));
}

/** Removes everything about an earlier question. */
export function clear(): void {
    for (const id of ['plan', 'output-facts', 'requests', 'facts', 'progress', 'answer-sum', 'plan-sum', 'problem']) {
        byId(id).replaceChildren();
    }
    byId('answer').textContent = 'No answer yet.';
}
