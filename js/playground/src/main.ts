/** The page: mounts its parts on one state. */

import './style/base.css';
import './style/controls.css';
import './style/layout.css';
import './style/panels.css';

import { App } from './app.js';
import { mountConsoles } from './consoles/main.js';
import { mountCopyLink } from './link.js';
import { mountTheme } from './theme.js';
import { mountActivity } from './views/activity.js';
import { mountArtifacts } from './views/artifacts.js';
import { mountCode } from './views/code.js';
import { mountGates } from './views/gates.js';
import { mountKnobs } from './views/knobs.js';
import { mountPanes } from './views/panes.js';
import { mountPuzzle } from './views/puzzle.js';
import { mountShortcuts } from './views/shortcuts.js';
import { mountSource } from './views/source.js';
import { mountTranscript } from './views/transcript.js';
import { mountWindow } from './views/window.js';

const app = new App();
const nextTheme = mountTheme();
mountCopyLink(() => {
    const { subject, transcript } = app.state;
    const isShared = transcript === undefined && (subject === undefined || subject.origin.kind === 'sample');
    return isShared ? undefined : 'for this browser';
});
const source = mountSource(app);
const knobs = mountKnobs(app);
mountActivity(app);
mountTranscript(app);
mountWindow(app);
mountPanes(app);
mountPuzzle(app);
mountGates(app);
mountArtifacts(app);
const consoles = mountConsoles(app);
mountCode(app);
mountShortcuts(app, { source, consoles, knobs, nextTheme });

addEventListener('hashchange', () => app.readAddress());
void app.start();
