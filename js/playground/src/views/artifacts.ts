/** The list of stored artifacts. Each can be opened or deleted. */

import type { Artifact } from 'tuckaway';

import type { App, State } from '../app.js';
import { byId, element } from '../dom.js';
import { counted, moment, size } from '../format.js';

export function mountArtifacts(app: App): void {
    app.listen((state, changed) => {
        if (changed.has('opened')) {
            showStore(state);
        }
        if (changed.has('artifacts') || changed.has('subject')) {
            const newestFirst = state.artifacts.toReversed();
            byId('artifacts').replaceChildren(...newestFirst.map((artifact) => row(app, artifact)));
            byId('artifacts-none').hidden = newestFirst.length > 0;
            const bytes = newestFirst.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
            const sum = `${counted(newestFirst.length, 'artifact')}, ${size(bytes)}`;
            byId('store-sum').textContent = newestFirst.length === 0 ? '' : sum;
        }
    });
}

function showStore({ opened }: State): void {
    const kind = byId('store-kind');
    kind.textContent = opened === undefined ? 'opening the store …'
        : opened.store === 'opfs' ? 'OPFS store' : 'memory store';
    kind.classList.toggle('is-memory', opened?.store === 'memory');
    const notice = byId('notice');
    notice.hidden = opened?.why === undefined;
    notice.textContent = opened?.why === undefined
        ? ''
        : 'Artifacts are kept in memory until this page is closed or a query is stopped '
            + `(${opened.why.split(/;|\.$/)[0]}).`;
}

function row(app: App, artifact: Artifact): HTMLElement {
    const { id, mediaType, sizeBytes, lineCount, createdAt } = artifact;
    const isChosen = app.state.subject?.artifact === id;
    return element('tr', { class: isChosen ? 'is-chosen' : null },
        element('td', {}, element('button', {
            type: 'button', class: 'link mono', 'aria-current': isChosen ? 'true' : null,
            title: `${id}: ${counted(lineCount, 'line')}`, onclick: () => app.choose(id),
        }, id)),
        element('td', {}, mediaType),
        element('td', { class: 'end' }, size(sizeBytes)),
        element('td', { class: 'end' }, moment(createdAt)),
        element('td', {}, element('button', {
            type: 'button', class: 'quiet delete', 'aria-label': `Delete ${id}`, title: 'Delete',
            onclick: () => remove(app, id),
        }, '✕')),
    );
}

/** Deletes an artifact, and keeps the focus in the list. */
async function remove(app: App, id: string): Promise<void> {
    const at = app.state.artifacts.toReversed().findIndex((each) => each.id === id);
    await app.remove(id);
    const buttons = byId('artifacts').querySelectorAll<HTMLElement>('.delete');
    (buttons[Math.min(at, buttons.length - 1)] ?? byId('store-title')).focus();
}
