/** The methods for histories, on top of a function that runs the component. */

import { type Defaults, type Run, complete } from '../conversation/methods.js';
import * as planning from '../conversation/input.js';
import { tokenUsage } from '../conversation/output.js';
import { json, string } from '../validate.js';
import type { Histories } from './api.js';
import * as input from './input.js';
import * as output from './output.js';

export function historyMethods(run: Run, defaults: Defaults): Histories {
    const taskOf = (task: unknown) => complete(planning.task(task, 'task'), defaults);
    return {
        detectFormat(history) {
            const text = json(history, 'history');
            return run((component) => component.histories.detectFormat(text), (format) => format);
        },
        readUsage(usage) {
            const text = json(usage, 'usage');
            return run((component) => component.histories.readUsage(text), tokenUsage);
        },
        start(history, memory, task) {
            const known = memory == null ? undefined : json(memory, 'memory');
            const args = [input.history(history), known, taskOf(task)] as const;
            return run((component) => component.histories.start(...args), output.step);
        },
        step(history, task, state, answer) {
            const args = [input.history(history), taskOf(task), string(state, 'state'), input.answer(answer)] as const;
            return run((component) => component.histories.step(...args), output.step);
        },
    };
}
