/** The page of an extraction: its plan, its requests, its answer. */

import '../style/base.css';
import '../style/controls.css';
import '../style/layout.css';
import '../style/panels.css';
import '../style/extraction.css';

import type { ExtractionMode } from 'tuckaway';

import { byId, element } from '../dom.js';
import { mountDrop, mountFileButton } from '../drop.js';
import { number, size } from '../format.js';
import { mountCopyLink, readAddress, writeAddress } from '../link.js';
import { DEFAULT_SAMPLE, SAMPLES, SAMPLE_NAMES, SAMPLE_SIZES, sampleFrom, type SampleName } from '../samples.js';
import { mountTheme } from '../theme.js';
import type { Asked, Endpoint, FromWorker, ToWorker } from './protocol.js';
import { clear, showAnswer, showLikely, showPlan, showRequest } from './views.js';

/** A question about each sample. The scripted model searches for the text in quotation marks. */
const QUESTIONS: Record<SampleName, string> = {
    rows: 'Which customers are in "Kraków"?',
    events: 'What went wrong in "upstream timed out"?',
    build: 'The first compiler error, verbatim: "error["',
    csv: 'Which orders have the note "handle with care"?',
    line: 'Which functions use "e.filter("?',
    prose: 'What is said about "큰 출력"?',
};

/** A question about any file. */
const ANY_QUESTION = 'What does it say about "error"?';

const DEFAULT_WINDOW = 128_000;

const worker = new Worker(new URL('./extraction-worker.ts', import.meta.url), { type: 'module', name: 'tuckaway' });
const field = (id: string) => byId<HTMLInputElement>(id);
const run = byId<HTMLButtonElement>('run');
const cancel = byId<HTMLButtonElement>('cancel');
/** The file that the question is about, if it is not about a sample. */
let file: File | undefined;
/** Counts the outputs: the worker stores each once. */
let outputs = 0;
/** Counts the user's requests: replies to earlier ones are ignored. */
let turn = 0;
let isRun = false;
/** The tokens of the whole output. */
let outputTokens = 0;

mountTheme();
mountCopyLink(() => (file === undefined ? undefined : 'without the file'));
mountDrop(takeFile);
mountFileButton(byId('open'), field('file'), takeFile);
byId('sample').append(...SAMPLE_NAMES.map((name) => element('option', { value: name }, SAMPLES[name].label)));
byId('bytes').append(...SAMPLE_SIZES.slice(0, 3).map((bytes) => element('option', { value: bytes }, size(bytes))));
field('sample').addEventListener('change', () => {
    takeOutput();
    field('what').value = usualQuestion();
    ask(false);
});
field('bytes').addEventListener('change', () => {
    takeOutput();
    ask(false);
});
field('api').addEventListener('change', () => (byId('endpoint').hidden = field('api').value === 'scripted'));
for (const id of ['what', 'mode', 'context-tokens']) {
    field(id).addEventListener('change', () => ask(false));
}
byId('given').addEventListener('submit', (event) => event.preventDefault());
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
addEventListener('hashchange', () => {
    showAddress();
    ask(false);
});
showAddress();
// The scripted model costs nothing, so a first visitor sees an answer at once.
ask(true);

/** Fills the fields with the values in the address. Missing or invalid ones have their defaults. */
function showAddress(): void {
    const address = readAddress();
    const { sample, bytes } = sampleFrom(address) ?? { sample: SAMPLE_NAMES[0]!, bytes: DEFAULT_SAMPLE.bytes };
    const choose = (id: string, value: string, otherwise: string) => {
        field(id).value = value;
        if (field(id).value === '') field(id).value = otherwise;
    };
    choose('sample', sample, sample);
    choose('bytes', String(bytes), String(DEFAULT_SAMPLE.bytes));
    choose('mode', address.get('mode') ?? 'auto', 'auto');
    choose('context-tokens', address.get('window') ?? '', String(DEFAULT_WINDOW));
    takeOutput();
    field('what').value = address.get('ask') ?? usualQuestion();
}

/** Asks about another output: the chosen sample, or the last file. */
function takeOutput(): void {
    outputs += 1;
    if (field('sample').value !== 'file') {
        file = undefined;
        byId('sample').querySelector('[value=file]')?.remove();
    }
    byId('bytes-field').hidden = file !== undefined;
}

/** Asks about a file, which becomes the first of the outputs to choose from. */
function takeFile(chosen: File): void {
    file = chosen;
    byId('sample').querySelector('[value=file]')?.remove();
    byId('sample').prepend(element('option', { value: 'file' }, chosen.name));
    field('sample').value = 'file';
    takeOutput();
    field('what').value = usualQuestion();
    ask(false);
}

function usualQuestion(): string {
    return file === undefined ? QUESTIONS[field('sample').value as SampleName] : ANY_QUESTION;
}

function send(message: ToWorker): void {
    worker.postMessage(message);
}

function asked(): Asked {
    const sample = field('sample').value as SampleName;
    return {
        ...(file === undefined
            ? { output: { kind: 'sample', sample, bytes: Number(field('bytes').value) }, tool: SAMPLES[sample].tool }
            : { output: { kind: 'file', file }, tool: 'read_file' }),
        key: outputs,
        extract: field('what').value,
        mode: field('mode').value as ExtractionMode,
        contextTokens: Number(field('context-tokens').value || DEFAULT_WINDOW),
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

/** Writes the parts that a link can carry: no file, and no endpoint, because a reader might send it a key. */
function writeQuestion({ output, extract, mode, contextTokens }: Asked): void {
    writeAddress({
        ...(output.kind === 'sample' ? { sample: output.sample, size: String(output.bytes) } : {}),
        ask: extract === usualQuestion() ? undefined : extract,
        mode: mode === 'auto' ? undefined : mode,
        window: contextTokens === DEFAULT_WINDOW ? undefined : String(contextTokens),
    });
}

/** Requests a plan, or a whole extraction. A running extraction is canceled. */
function ask(isWhole: boolean): void {
    turn += 1;
    isRun = isWhole;
    clear();
    byId('requests-none').hidden = isWhole;
    busy(true);
    const question = asked();
    writeQuestion(question);
    send(isWhole ? { turn, run: question, endpoint: endpoint() } : { turn, plan: question });
}

function busy(isBusy: boolean): void {
    byId('result').ariaBusy = String(isBusy);
    // A plan must not disable the clicked button: leaving a changed field requests one.
    run.disabled = isBusy && isRun;
    cancel.disabled = !run.disabled;
}

function show(data: FromWorker): void {
    if ('estimate' in data) {
        outputTokens = data.estimate.tokens;
        showPlan(data.estimate);
    } else if ('likely' in data) {
        showLikely(data.likely);
        busy(isRun);
    } else if ('request' in data) {
        showRequest(data.request);
    } else if ('progress' in data) {
        const { answered, failed, open } = data.progress;
        byId('progress').textContent = `${number(answered)} answered, ${number(failed)} failed, ${number(open)} open.`;
    } else if ('answer' in data) {
        showAnswer(data.answer, data.viewTokens, outputTokens);
        busy(false);
    } else {
        byId('problem').textContent = data.error;
        busy(false);
    }
}
