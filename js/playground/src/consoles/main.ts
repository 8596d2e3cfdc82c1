/** The three consoles, as tabs. */

import type { App, State } from '../app.js';
import { byId } from '../dom.js';
import { CONSOLE_NAMES as NAMES, type ConsoleName } from '../question.js';
import { mountTabs } from '../tabs.js';
import type { Console } from './console.js';
import { mountGrep } from './grep.js';
import { mountJq } from './jq.js';
import { mountRead } from './read.js';


/** The actions for shortcuts. */
export interface Consoles {
    show(name: ConsoleName): void;
    focus(): void;
    next(): void;
    previous(): void;
}

export function mountConsoles(app: App): Consoles {
    const consoles: Record<ConsoleName, Console> = {
        read: mountRead(app), grep: mountGrep(app), jq: mountJq(app),
    };
    const tabs = mountTabs(byId('console-tabs'), byId('consoles'),
        NAMES.map((name) => ({ name, label: name, panel: consoles[name].element })));
    const shown = (): Console => consoles[tabs.shown as ConsoleName];

    /** Answers the question of the address or of a form, once there is an artifact. */
    function answer({ question, subject }: State): void {
        if (question !== undefined && subject?.artifact !== undefined) {
            tabs.show(question.console);
            void consoles[question.console].answer(question.values);
        }
    }

    let shownArtifact: string | undefined;
    app.listen((state, changed) => {
        const artifact = state.subject?.artifact;
        if (artifact !== shownArtifact) {
            shownArtifact = artifact;
            byId('consoles-of').textContent = artifact ?? '';
            NAMES.forEach((name) => consoles[name].clear());
            void consoles.read.run();
            answer(state);
        } else if (changed.has('question')) {
            answer(state);
        }
        if (changed.has('result') && artifact === undefined) {
            NAMES.forEach((name) => consoles[name].clear());
        }
    });
    return {
        show: (name) => {
            tabs.show(name);
            consoles[name].focus();
        },
        focus: () => shown().focus(),
        next: () => void shown().next(),
        previous: () => void shown().previous(),
    };
}
