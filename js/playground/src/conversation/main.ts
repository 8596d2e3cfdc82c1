/** The page of a conversation: its plan, before and after. */

import '../style/base.css';
import '../style/controls.css';
import '../style/layout.css';
import '../style/panels.css';
import '../style/conversation.css';

import type { Preset } from 'tuckaway';

import { byId, element } from '../dom.js';
import { mountDrop, mountFileButton } from '../drop.js';
import { mountCopyLink, readAddress, writeAddress } from '../link.js';
import { mountTheme } from '../theme.js';
import { announceCopy } from '../views/copy.js';
import { Client } from './client.js';
import type { Planned, Settings } from './protocol.js';
import { ANY_ANSWER, SAMPLE_ANSWER, SAMPLE_WINDOW, sample } from './sample.js';
import { showBuckets, showMessages, showSteps } from './views.js';

const PRESETS: Record<Preset, string> = {
    general: 'General',
    'customer_support': 'Customer support',
    'code_editing': 'Code editing',
    research: 'Research',
    voice: 'Voice',
    automation: 'Automation',
};

/** The names in the address of the fields that have one. */
const IN_ADDRESS = { window: 'window-tokens', outputs: 'cache-tokens', budget: 'preset' };

const client = new Client();
const copy = byId<HTMLButtonElement>('copy');
const sampleText = sample();
let planned: Planned | undefined;
/** Counts the plans that the user requested: an answer about an earlier one is ignored. */
let turn = 0;

mountTheme();
mountCopyLink(() => (field('history').value === sampleText ? undefined : 'without the messages'));
mountDrop((file) => void take(file));
mountFileButton(byId('open'), byId<HTMLInputElement>('file'), (file) => void take(file));
byId('preset').append(
    element('option', { value: '' }, 'None'),
    ...Object.entries(PRESETS).map(([name, label]) => element('option', { value: name }, label)),
);
byId('given').addEventListener('submit', (event) => {
    event.preventDefault();
    void plan();
});
for (const id of [...Object.values(IN_ADDRESS), 'answer']) {
    byId(id).addEventListener('change', () => void plan());
}
byId('history').addEventListener('change', () => show(field('history').value));
byId('sample').addEventListener('click', () => {
    showSettings(new URLSearchParams());
    show(sampleText);
});
copy.addEventListener('click', () => announceCopy(copy, planned?.json ?? ''));
addEventListener('hashchange', () => {
    showSettings(readAddress());
    void plan();
});
showSettings(readAddress());
show(sampleText);

function field(id: string): HTMLInputElement {
    return byId<HTMLInputElement>(id);
}

/** Shows the settings in an address. */
function showSettings(address: URLSearchParams): void {
    for (const [name, id] of Object.entries(IN_ADDRESS)) {
        field(id).value = address.get(name) ?? '';
    }
    field('window-tokens').value ||= String(SAMPLE_WINDOW);
}

/** Shows a conversation, with an answer that suits it. */
function show(text: string): void {
    field('history').value = text;
    field('answer').value = text === sampleText ? SAMPLE_ANSWER : ANY_ANSWER;
    void plan();
}

async function take(file: File): Promise<void> {
    try {
        show(await file.text());
    } catch {
        byId('problem').textContent = `“${file.name}” could not be read. Choose another file.`;
    }
}

/** Returns the values of the fields. An empty field has its default. */
function readSettings(): Settings {
    const value = (id: string) => field(id).value.trim();
    const outputs = value('cache-tokens');
    return {
        text: value('history'),
        contextWindow: Number(value('window-tokens') || SAMPLE_WINDOW),
        outputTokens: outputs === '' ? undefined : Number(outputs),
        preset: (value('preset') || undefined) as Preset | undefined,
        answer: field('answer').value,
    };
}

/** Plans the conversation. If that fails, shows why, and no plan. */
async function plan(): Promise<void> {
    const current = (turn += 1);
    const settings = readSettings();
    const { contextWindow, outputTokens, preset } = settings;
    writeAddress({
        window: contextWindow === SAMPLE_WINDOW ? undefined : String(contextWindow),
        outputs: outputTokens?.toString(),
        budget: preset,
    });
    byId('result').ariaBusy = 'true';
    byId('problem').textContent = '';
    planned = undefined;
    try {
        const answer = await client.call('plan', settings);
        if (turn === current) {
            planned = answer;
        }
    } catch (error) {
        if (turn === current) {
            byId('problem').textContent = (error as Error).message;
        }
    }
    if (turn === current) {
        showPlan(contextWindow);
        byId('result').ariaBusy = 'false';
    }
}

function showPlan(contextWindow: number): void {
    copy.disabled = planned === undefined;
    byId('artifact-of').textContent = '';
    byId('artifact').textContent = 'Nothing was removed.';
    if (planned !== undefined) {
        showBuckets(planned, contextWindow);
        showMessages(planned);
        showSteps(planned, (id) => void read(id).then(() => byId('artifact-title').focus()));
        const first = planned.steps.flatMap(({ receipts }) => receipts).find(({ artifact }) => artifact !== undefined);
        if (first !== undefined) void read(first.artifact!);
        return;
    }
    for (const id of ['buckets', 'buckets-sum', 'before', 'before-sum', 'after', 'after-sum', 'steps', 'steps-sum']) {
        byId(id).replaceChildren();
    }
    byId('answer-field').hidden = true;
}

async function read(id: string): Promise<void> {
    const { text, complete } = await client.call('read', { id });
    byId('artifact-of').textContent = complete ? id : `${id} (excerpt)`;
    byId('artifact').textContent = text;
}
