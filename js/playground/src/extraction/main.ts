/** The page of an extraction: its plan, its requests, its answer. */

import '../style/base.css';
import '../style/controls.css';
import '../style/layout.css';
import '../style/panels.css';
import '../style/extraction.css';

import type { Answer, ExtractionEstimate, ExtractionMode } from 'tuckaway';

import { byId, element } from '../dom.js';
import { counted, number, size } from '../format.js';
import { SAMPLES, SAMPLE_NAMES, SAMPLE_SIZES, type SampleName } from '../samples.js';
import { mountTheme } from '../theme.js';
import type { Asked, Endpoint, FromWorker, RequestLine, ToWorker } from './protocol.js';

/** A question about each sample. The scripted model searches for the text in quotation marks. */
const QUESTIONS: Record<SampleName, string> = {
    rows: 'Which customers are in "Kraków"?',
    events: 'What went wrong in "upstream timed out"?',
    build: 'The first compiler error, verbatim: "error["',
    csv: 'Which orders have the note "handle with care"?',
    line: 'Which functions use "e.filter("?',
    prose: 'What is said about "큰 출력"?',
};

const worker = new Worker(new URL('./extraction-worker.ts', import.meta.url), { type: 'module', name: 'tuckaway' });
const field = (id: string) => byId<HTMLInputElement>(id);
const run = byId<HTMLButtonElement>('run');
const cancel = byId<HTMLButtonElement>('cancel');
/** Counts the user's requests: replies to earlier ones are ignored. */
let turn = 0;
let isRun = false;

mountTheme();
byId('sample').append(...SAMPLE_NAMES.map((name) => element('option', { value: name }, SAMPLES[name].label)));
byId('bytes').append(...SAMPLE_SIZES.slice(0, 3).map((bytes) => element('option', { value: bytes }, size(bytes))));
field('bytes').value = String(SAMPLE_SIZES[1]);
field('sample').addEventListener('change', showSample);
field('api').addEventListener('change', () => (byId('endpoint').hidden = field('api').value === 'scripted'));
for (const id of ['bytes', 'mode', 'context-tokens']) {
    field(id).addEventListener('change', () => ask(false));
}
byId('given').addEventListener('submit', (event) => {
    event.preventDefault();
    ask(false);
});
run.addEventListener('click', () => ask(true));
cancel.addEventListener('click', () => send({ turn, cancel: true }));
worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (data.turn === turn) {
        show(data);
    }
});
worker.addEventListener('error', (event) => {
    event.preventDefault();
    show({ turn, error: `The worker failed: ${event.message || 'it could not be loaded'}. Reload the page.` });
});
showSample();

function showSample(): void {
    const name = field('sample').value as SampleName;
    field('what').value = QUESTIONS[name];
    ask(false);
}

function send(message: ToWorker): void {
    worker.postMessage(message);
}

function asked(): Asked {
    return {
        sample: field('sample').value as SampleName,
        bytes: Number(field('bytes').value),
        extract: field('what').value,
        mode: field('mode').value as ExtractionMode,
        contextTokens: Number(field('context-tokens').value || 128_000),
    };
}

function endpoint(): Endpoint | undefined {
    const value = (id: string) => field(id).value.trim();
    return value('api') === 'scripted' ? undefined : {
        api: value('api') as Endpoint['api'],
        model: value('model'),
        baseUrl: value('base-url') || undefined,
        apiKey: value('key') || undefined,
    };
}

/** Requests a plan, or a whole extraction. A running extraction is canceled. */
function ask(isWhole: boolean): void {
    send({ turn, cancel: true });
    turn += 1;
    isRun = isWhole;
    for (const id of ['plan', 'requests', 'facts', 'progress', 'answer-sum', 'plan-sum', 'problem']) {
        byId(id).replaceChildren();
    }
    byId('answer').textContent = 'No answer yet.';
    byId('requests-none').hidden = isWhole;
    busy(true);
    send(isWhole ? { turn, run: asked(), endpoint: endpoint() } : { turn, plan: asked() });
}

function busy(isBusy: boolean): void {
    byId('result').ariaBusy = String(isBusy);
    // A plan must not disable the clicked button: leaving a changed field requests one.
    run.disabled = isBusy && isRun;
    cancel.disabled = !run.disabled;
}

function show(data: FromWorker): void {
    if ('estimate' in data) {
        showPlan(data.estimate);
        busy(isRun);
    } else if ('request' in data) {
        showRequest(data.request);
    } else if ('progress' in data) {
        const { answered, failed, open } = data.progress;
        byId('progress').textContent = `${number(answered)} answered, ${number(failed)} failed, ${number(open)} open.`;
    } else if ('answer' in data) {
        showAnswer(data.answer);
        busy(false);
    } else {
        byId('problem').textContent = data.error;
        busy(false);
    }
}

function rows(facts: readonly (readonly [string, string])[]): HTMLElement[] {
    return facts.flatMap(([name, value]) => [element('dt', {}, name), element('dd', {}, value)]);
}

function showPlan(plan: ExtractionEstimate): void {
    const most = plan.strategy === 'read-grep' ? ' at most' : '';
    byId('plan-sum').textContent = `${plan.strategy}: ${plan.reason.replace(/\.$/, '')}.`;
    byId('plan').replaceChildren(...rows([
        ['Output', `${size(plan.sizeBytes)}, ${counted(plan.lineCount, 'line')}, ${counted(plan.tokens, 'token')}`],
        ['Chunks', number(plan.chunks)],
        ['Requests', `${number(plan.requests)}${most}`],
        ['Tokens in', `${number(plan.inputTokens)}${most}`],
        ['Tokens out', `${number(plan.outputTokens)} at most`],
    ]));
}

function showRequest({ id, purpose, inputTokens, state, said }: RequestLine): void {
    const line = element('li', { class: `request is-${state}`, 'data-request': id },
        element('strong', {}, id), element('span', { class: 'muted' }, `${purpose}, ${counted(inputTokens, 'token')}`),
        element('span', { class: 'state' }, state), element('span', { class: 'mono' }, said));
    const known = byId('requests').querySelector(`[data-request="${CSS.escape(id)}"]`);
    known === null ? byId('requests').append(line) : known.replaceWith(line);
}

function showAnswer({ text, outcome, strategy, isPartial, coverage, quotes, warnings, usage }: Answer): void {
    byId('answer').textContent = text;
    byId('answer-sum').textContent = `${outcome}${isPartial ? ', partial' : ''}, by ${strategy}.`;
    byId('requests-none').hidden = usage.requests > 0;
    const read = coverage.read.reduce((sum, { start, end }) => sum + end - start, 0);
    const verbatim = quotes.filter(({ line }) => line !== undefined).length;
    byId('facts').replaceChildren(...rows([
        ['Read', `${size(read)} of ${size(coverage.sizeBytes)}, ${coverage.chunksDone} of ${counted(coverage.chunks, 'chunk')}`],
        ['Quotes', `${number(verbatim)} of ${number(quotes.length)} found in the output`],
        ['Used', `${counted(usage.requests, 'request')}, ${number(usage.inputTokens)} tokens in, ${number(usage.outputTokens)} out`],
        ...warnings.map((warning) => ['Warning', warning] as const),
    ]));
}
