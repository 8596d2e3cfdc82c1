/** The sources of outputs: a file, the clipboard, a sample. */

import type { App } from '../app.js';
import { byId, element, remember, remembered } from '../dom.js';
import { mountDrop, mountFileButton } from '../drop.js';
import { size } from '../format.js';
import { MAX_TRANSCRIPT_LENGTH, readTranscript } from '../transcript.js';
import { SAMPLE_NAMES, SAMPLE_SIZES, SAMPLES } from '../samples.js';

/** Longer texts are used immediately: a text field would take seconds to lay them out. */
const MAX_FIELD_LENGTH = 200_000;

/** The actions for shortcuts. */
export interface SourceActions {
    openFile(): void;
    openPaste(): void;
    focusSamples(): void;
}

export function mountSource(app: App): SourceActions {
    const take = (file: File): void => void takeFile(app, file);
    const openFile = mountFileButton(byId('open'), byId<HTMLInputElement>('file'), take);
    mountDrop(take);
    return { openFile, openPaste: mountPaste(app), focusSamples: mountSamples(app) };
}

async function takeFile(app: App, file: File): Promise<void> {
    const isCandidate = /\.(json|jsonl|ndjson)$/i.test(file.name) && file.size <= MAX_TRANSCRIPT_LENGTH;
    // If the file cannot be read, the worker reports it.
    const text = isCandidate ? await file.text().catch(() => '') : '';
    if (!takeCalls(app, `“${file.name}”`, text)) app.take({ kind: 'file', file });
}

function takeText(app: App, text: string): void {
    if (text !== '' && !takeCalls(app, 'from the clipboard', text)) app.take({ kind: 'text', text });
}

/** Uses a text that is a transcript, and returns whether it is one. */
function takeCalls(app: App, title: string, text: string): boolean {
    const calls = readTranscript(text);
    if (calls.length > 0) app.takeTranscript(title, text, calls);
    return calls.length > 0;
}

function mountPaste(app: App): () => void {
    const dialog = byId<HTMLDialogElement>('paste-dialog');
    const field = byId<HTMLTextAreaElement>('paste-text');
    const open = (): void => {
        field.value = '';
        dialog.returnValue = '';
        dialog.showModal();
    };
    byId('paste').addEventListener('click', open);
    dialog.addEventListener('close', () => {
        if (dialog.returnValue === 'use') takeText(app, field.value);
        field.value = '';
    });
    document.addEventListener('paste', (event) => {
        const { target } = event;
        const isField = target instanceof HTMLElement && target.closest('input, textarea, select') !== null;
        const file = event.clipboardData?.files[0];
        const text = event.clipboardData?.getData('text/plain') ?? '';
        if (isField && !(event.target === field && text.length > MAX_FIELD_LENGTH)) {
            return;
        }
        event.preventDefault();
        dialog.close();
        if (file !== undefined) {
            void takeFile(app, file);
        } else {
            takeText(app, text);
        }
    });
    return open;
}

function mountSamples(app: App): () => void {
    const sizes = byId<HTMLSelectElement>('sample-size');
    sizes.append(...SAMPLE_SIZES.map((bytes) => element('option', { value: bytes }, size(bytes))));
    sizes.value = remembered('sample-size') ?? '';
    if (sizes.value === '') sizes.value = String(SAMPLE_SIZES[1]);
    sizes.addEventListener('change', () => remember('sample-size', sizes.value));

    byId('samples').append(
        ...SAMPLE_NAMES.map((sample) =>
            element('button', {
                type: 'button',
                'data-sample': sample,
                onclick: () => app.take({ kind: 'sample', sample, bytes: Number(sizes.value) }),
            }, SAMPLES[sample].label),
        ),
    );
    return () => sizes.focus();
}
