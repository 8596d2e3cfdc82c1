/** Shows that a call is pending, with a button to stop it. */

import type { App } from '../app.js';
import { byId } from '../dom.js';

/** Shorter calls are not shown. */
const PATIENCE_MILLISECONDS = 300;

export function mountActivity(app: App): void {
    const activity = byId('activity');
    const stop = byId<HTMLButtonElement>('stop');
    let timer: ReturnType<typeof setTimeout> | undefined;
    stop.addEventListener('click', () => void app.stop());

    app.listen(({ busy }, changed) => {
        if (!changed.has('busy')) {
            return;
        }
        byId('result').setAttribute('aria-busy', String(busy > 0));
        if (busy === 0) {
            clearTimeout(timer);
            timer = undefined;
            stop.disabled = true;
            activity.textContent = '';
        } else {
            timer ??= setTimeout(() => {
                stop.disabled = false;
                activity.textContent = 'Working …';
            }, PATIENCE_MILLISECONDS);
        }
    });
}
