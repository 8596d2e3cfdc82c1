/** The methods for histories, on top of a function that runs the component. */

import * as answers from '../contract/answers.js';
import * as checks from '../contract/checks.js';
import * as planning from '../conversation/input.js';
import { type Defaults, type Run, complete } from '../conversation/methods.js';
import { json, string } from '../validate.js';
import type { Histories } from './api.js';

export function historyMethods(run: Run, defaults: Defaults): Histories {
    const taskOf = (task: unknown) => complete(planning.task(task, 'task'), defaults);
    return {
        detectFormat(history) {
            const text = json(history, 'history');
            return run((component) => component.histories.detectFormat(text), (format) => format);
        },
        readUsage(usage) {
            const text = json(usage, 'usage');
            return run((component) => component.histories.readUsage(text), answers.tokenUsage);
        },
        start(history, memory, task) {
            const known = memory == null ? undefined : json(memory, 'memory');
            const args = [checks.historyInput(history, 'history'), known, taskOf(task)] as const;
            return run((component) => component.histories.start(...args), answers.historyStep);
        },
        step(history, task, state, answer) {
            const args = [checks.historyInput(history, 'history'), taskOf(task), string(state, 'state'), checks.summaryAnswer(answer, 'answer')] as const;
            return run((component) => component.histories.step(...args), answers.historyStep);
        },
    };
}
