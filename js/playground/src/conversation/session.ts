/** In the worker: one conversation, and the steps that keep it within its window. */

import { type HistoryInput, type HistoryStep, type Task, type Tuckaway, createTuckaway } from 'tuckaway';

import { itemsOf, lineOf, linesAfter, linesBefore } from './lines.js';
import type { OpenedConversation, Settings, Stepped } from './protocol.js';

/** Maximum bytes of an artifact that are shown. */
const READ_BYTES = 64 * 1024;

/** The worker's state of a conversation between two steps. */
interface Opened {
    tuckaway: Tuckaway;
    input: HistoryInput;
    task: Task;
    items: readonly unknown[];
    /** None before the first step. */
    last?: HistoryStep;
}

export class ConversationSession {
    #opened: Opened | undefined;

    async open({ text, contextWindow, outputTokens, preset }: Settings): Promise<OpenedConversation> {
        this.#opened?.tuckaway.dispose();
        this.#opened = undefined;
        const tuckaway = await createTuckaway({ contextWindow });
        const budget = preset === undefined ? undefined : tuckaway.budget.preset(preset, contextWindow);
        const input: HistoryInput = { json: text, withJson: true };
        const { format, report } = tuckaway.histories.start(input, null, { account: true }).history;
        const items = itemsOf(text);
        const task = { manage: { contextWindow, cache: { contextBudgetTokens: outputTokens }, budget } };
        this.#opened = { tuckaway, input, task, items };
        return { format, account: report.before, budget, lines: items.map((item) => lineOf(item, 'kept')) };
    }

    /** Takes the next step, with the model's answer if it was asked. */
    step({ answer }: { answer?: string | undefined }): Stepped {
        const opened = this.#open();
        const { tuckaway, input, task, items, last } = opened;
        const step = last === undefined
            ? tuckaway.histories.start(input, null, task)
            : tuckaway.histories.step(input, task, last.state, { text: answer ?? '' });
        opened.last = step;
        const { history: { report, ...history }, request } = step;
        const earlier = last?.history.report;
        // Reports cover all steps so far.
        return {
            repairs: report.repairs.slice(earlier?.repairs.length),
            receipts: report.receipts.slice(earlier?.receipts.length),
            alarms: report.alarms.slice(earlier?.alarms.length),
            before: earlier?.after ?? report.before,
            after: report.after,
            from: linesBefore(items, history.items, report.receipts),
            to: linesAfter(items, history.items),
            json: history.json!,
            asked: request && {
                prompt: request.prompt,
                messages: request.through,
                remaining: request.remaining,
                maxOutputTokens: request.maxOutputTokens,
            },
        };
    }

    /** Reads the start of an artifact. */
    read({ id }: { id: string }): { text: string; complete: boolean } {
        const { text, next } = this.#open().tuckaway.read(id, { maxBytes: READ_BYTES });
        return { text, complete: next === undefined };
    }

    #open(): Opened {
        if (this.#opened === undefined) {
            throw new Error('No conversation is open. Choose Plan first.');
        }
        return this.#opened;
    }
}
