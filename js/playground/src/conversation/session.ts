/** In the worker: one conversation, and the steps that keep it within its window. */

import { type HistoryInput, type HistoryStep, type ManagedHistory, type Tuckaway, createTuckaway } from 'tuckaway';

import { itemsOf, linesAfter, linesBefore } from './lines.js';
import type { Planned, Settings, Stepped } from './protocol.js';

/** Maximum bytes of an artifact that are shown. */
const READ_BYTES = 64 * 1024;

/** Maximum steps of a plan. The same answer again and again could ask for more without end. */
const MAX_STEPS = 16;

export class ConversationSession {
    #tuckaway: Tuckaway | undefined;

    /** Takes all steps of a plan. */
    async plan({ text, contextWindow, outputTokens, preset, answer }: Settings): Promise<Planned> {
        this.#tuckaway?.dispose();
        this.#tuckaway = await createTuckaway({ contextWindow });
        const { histories, budget: budgets } = this.#tuckaway;
        const budget = preset === undefined ? undefined : budgets.preset(preset, contextWindow);
        const input: HistoryInput = { json: text, withJson: true };
        const task = { manage: { contextWindow, cache: { contextBudgetTokens: outputTokens }, budget } };

        let last = histories.start(input, null, task);
        const steps = [stepOf(last)];
        while (last.request !== undefined && steps.length < MAX_STEPS) {
            const next = histories.step(input, task, last.state, { text: answer });
            steps.push(stepOf(next, last.history.report));
            last = next;
        }
        const { report, items: pieces, format, json } = last.history;
        const items = itemsOf(text);
        return {
            format, budget, steps,
            before: report.before,
            after: report.after,
            from: linesBefore(items, pieces, report.receipts),
            to: linesAfter(items, pieces),
            json: json!,
        };
    }

    /** Reads the start of an artifact. */
    read({ id }: { id: string }): { text: string; complete: boolean } {
        if (this.#tuckaway === undefined) {
            throw new Error('Nothing is planned. Choose Plan first.');
        }
        const { text, next } = this.#tuckaway.read(id, { maxBytes: READ_BYTES });
        return { text, complete: next === undefined };
    }
}

/** Returns the changes of a step. Reports cover all steps so far. */
function stepOf({ history: { report }, request }: HistoryStep, earlier?: ManagedHistory['report']): Stepped {
    return {
        repairs: report.repairs.slice(earlier?.repairs.length),
        receipts: report.receipts.slice(earlier?.receipts.length),
        alarms: report.alarms.slice(earlier?.alarms.length),
        before: earlier?.after ?? report.before,
        after: report.after,
        asked: request && {
            prompt: request.prompt,
            messages: request.through,
            maxOutputTokens: request.maxOutputTokens,
        },
    };
}
