/** The page of a conversation: its plan, step by step. */

import '../style/base.css';
import '../style/controls.css';
import '../style/layout.css';
import '../style/panels.css';
import '../style/conversation.css';

import type { Preset } from 'tuckaway';

import { byId, element } from '../dom.js';
import { counted } from '../format.js';
import { mountTheme } from '../theme.js';
import { Client } from './client.js';
import type { Asked, OpenedConversation, Settings } from './protocol.js';
import { SAMPLE_ANSWER, SAMPLE_WINDOW, sample } from './sample.js';
import { addStep, showBuckets, showMessages } from './views.js';

const PRESETS: Record<Preset, string> = {
    general: 'General',
    'customer_support': 'Customer support',
    'code_editing': 'Code editing',
    research: 'Research',
    voice: 'Voice',
    automation: 'Automation',
};

const client = new Client();
const next = byId<HTMLButtonElement>('next');
const copy = byId<HTMLButtonElement>('copy');
let settings: Settings;
let opened: OpenedConversation | undefined;
let asked: Asked | undefined;
let steps = 0;
let json = '';
/** Counts the conversations that the user opened: an answer for an earlier one is ignored. */
let turn = 0;

mountTheme();
byId('preset').append(
    element('option', { value: '' }, 'None'),
    ...Object.entries(PRESETS).map(([name, label]) => element('option', { value: name }, label)),
);
byId('given').addEventListener('submit', (event) => {
    event.preventDefault();
    void open();
});
byId('sample').addEventListener('click', () => showSample());
byId('open').addEventListener('click', () => byId('file').click());
byId<HTMLInputElement>('file').addEventListener('change', async ({ target }) => {
    const file = (target as HTMLInputElement).files?.[0];
    if (file !== undefined) {
        byId<HTMLTextAreaElement>('history').value = await file.text();
        void open();
    }
});
next.addEventListener('click', () => void step());
copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(json);
    copy.textContent = 'Copied';
    setTimeout(() => (copy.textContent = 'Copy JSON'), 1_500);
});
showSample();

function showSample(): void {
    byId<HTMLTextAreaElement>('history').value = sample();
    byId<HTMLInputElement>('window-tokens').value = String(SAMPLE_WINDOW);
    byId<HTMLInputElement>('cache-tokens').value = '';
    byId<HTMLSelectElement>('preset').value = '';
    void open();
}

/** Returns the values of the fields. An empty field has its default. */
function readSettings(): Settings {
    const value = (id: string) => byId<HTMLInputElement>(id).value.trim();
    const outputs = value('cache-tokens');
    return {
        text: value('history'),
        contextWindow: Number(value('window-tokens') || SAMPLE_WINDOW),
        outputTokens: outputs === '' ? undefined : Number(outputs),
        preset: (value('preset') || undefined) as Preset | undefined,
    };
}

async function open(): Promise<void> {
    settings = readSettings();
    opened = undefined;
    asked = undefined;
    steps = 0;
    json = '';
    for (const id of ['steps', 'before', 'after', 'buckets']) {
        byId(id).replaceChildren();
    }
    for (const id of ['buckets-sum', 'before-sum', 'after-sum', 'steps-sum', 'artifact-of']) {
        byId(id).textContent = '';
    }
    byId('artifact').textContent = 'Choose an artifact in the plan.';
    await working(async (isCurrent) => {
        const answer = await client.call('open', settings);
        if (isCurrent()) {
            opened = answer;
            showBuckets(answer.account, answer.account, settings.contextWindow, answer.budget);
            showMessages('before', answer.lines);
            byId('steps-sum').textContent = `Read as ${answer.format}.`;
        }
    });
}

/** Takes the next step, with the answer in the field if the model was asked. */
async function step(): Promise<void> {
    const answer = asked === undefined ? undefined : byId<HTMLTextAreaElement>('answer').value;
    await working(async (isCurrent) => {
        const stepped = await client.call('step', { answer });
        if (!isCurrent() || opened === undefined) {
            return;
        }
        steps += 1;
        asked = stepped.asked;
        json = stepped.json;
        addStep(steps, stepped, (id) => void read(id));
        showBuckets(opened.account, stepped.after, settings.contextWindow, opened.budget);
        showMessages('before', stepped.from);
        showMessages('after', stepped.to);
    });
}

async function read(id: string): Promise<void> {
    const { text, complete } = await client.call('read', { id });
    byId('artifact-of').textContent = complete ? id : `${id} (excerpt)`;
    byId('artifact').textContent = text;
    byId('artifact-title').focus();
}

/** Runs a call, shows its error if it throws, and enables the possible next actions. */
async function working(run: (isCurrent: () => boolean) => Promise<void>): Promise<void> {
    const current = (turn += 1);
    const isCurrent = () => turn === current;
    byId('result').ariaBusy = 'true';
    byId('problem').textContent = '';
    next.disabled = true;
    try {
        await run(isCurrent);
    } catch (error) {
        if (isCurrent()) {
            byId('problem').textContent = (error as Error).message;
        }
    }
    if (isCurrent()) {
        showWays();
        byId('result').ariaBusy = 'false';
    }
}

function showWays(): void {
    const isDone = steps > 0 && asked === undefined;
    next.disabled = opened === undefined || isDone;
    next.textContent = asked === undefined ? 'Next step' : 'Answer and continue';
    copy.disabled = json === '';
    byId('next-note').textContent = isDone ? 'The plan is complete.' : '';
    byId('answer-form').hidden = asked === undefined;
    if (asked !== undefined) {
        byId<HTMLTextAreaElement>('answer').value = SAMPLE_ANSWER;
        const most = counted(asked.maxOutputTokens, 'token');
        const note = `The request covers ${counted(asked.messages, 'message')}; the answer may have at most ${most}.`;
        byId('asked').textContent = `${asked.prompt}\n\n(${note})`;
    }
}
