/** In the worker: one conversation, and the steps of its plan. */

import {
    type Conversation, type ManageConfig, type Message, type Part, type Plan, type PlanState, type Tuckaway,
    createTuckaway, estimate,
} from 'tuckaway';
import { applyPlan, toConversation } from 'tuckaway/history';

import { type ConversationDocument, parseDocument } from './document.js';
import type { Fate, Line, OpenedConversation, Settings, Stepped } from './protocol.js';

/** Maximum characters of a message that are shown. */
const SHOWN = 400;
/** Maximum bytes of an artifact that are shown. */
const READ_BYTES = 64 * 1024;

/** The worker's state of a conversation between two steps. */
interface Opened {
    tuckaway: Tuckaway;
    document: ConversationDocument;
    config: ManageConfig;
    history: readonly object[];
    tools: unknown;
    inserted: Set<object>;
    artifacts: Record<string, string>;
    state: PlanState;
    usage: Conversation['usage'];
    answers: string[];
    isFirst: boolean;
}

export class ConversationSession {
    #opened: Opened | undefined;

    async open({ text, contextWindow, outputTokens, preset }: Settings): Promise<OpenedConversation> {
        this.#opened?.tuckaway.dispose();
        this.#opened = undefined;
        const document = parseDocument(text);
        const tuckaway = await createTuckaway({ contextWindow });
        const budget = preset === undefined ? undefined : tuckaway.budget.preset(preset, contextWindow);
        const opened: Opened = {
            tuckaway,
            document,
            config: { contextWindow, cache: { contextBudgetTokens: outputTokens }, budget },
            history: document.history,
            tools: document.tools,
            inserted: new Set(),
            artifacts: {},
            state: {},
            usage: undefined,
            answers: [],
            isFirst: true,
        };
        const conversation = conversationOf(opened);
        const account = tuckaway.budget.account(conversation);
        this.#opened = { ...opened, usage: conversation.usage };
        return { format: document.format, account, budget, lines: linesOf(conversation, () => 'kept') };
    }

    /** Takes the next step, with the model's answer if it was asked. */
    step({ answer }: { answer?: string | undefined }): Stepped {
        const opened = this.#open();
        opened.answers.push(...(answer === undefined ? [] : [answer]));
        const { tuckaway, document, answers, state, config } = opened;
        const conversation = conversationOf(opened);
        const { plan, request } = tuckaway.manage(conversation, { answers, state, config });
        const { format, system } = document;
        const changed = applyPlan(format, opened.history, plan, { system, tools: opened.tools });
        changed.inserted.forEach((item) => opened.inserted.add(item));
        for (const { message, part, artifact } of plan.replacements) {
            const replaced = conversation.messages[message]?.parts[part];
            if (replaced !== undefined && 'toolResult' in replaced) {
                opened.artifacts[replaced.toolResult.callId] = artifact;
            }
        }
        Object.assign(opened, {
            history: changed.history, tools: changed.tools, state: plan.state, usage: plan.usage, isFirst: false,
        });
        const left = conversationOf(opened);
        return {
            receipts: plan.receipts,
            alarms: plan.alarms,
            before: plan.before,
            after: plan.after,
            from: linesOf(conversation, fateIn(plan)),
            to: linesOf(left, (message) => (message.inserted ? 'new' : 'kept')),
            json: document.write(changed.history, changed.tools),
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

/** Returns the neutral form, with the results of earlier steps. */
function conversationOf({ document, history, tools, artifacts, inserted, usage, isFirst }: Opened): Conversation {
    const conversation = toConversation(document.format, history, {
        system: document.system,
        tools,
        artifacts,
        inserted: (item) => inserted.has(item),
        usage: isFirst ? document.usage : undefined,
    });
    return isFirst ? conversation : { ...conversation, usage };
}

/** Returns a function that says how a plan changes each message. */
function fateIn({ history, replacements }: Plan): (message: Message, index: number) => Fate {
    const kept = new Set<number>();
    for (const entry of history) {
        if ('keep' in entry) {
            for (let index = entry.keep.start; index < entry.keep.end; index++) {
                kept.add(index);
            }
        }
    }
    const trimmed = new Set(replacements.map(({ message }) => message));
    return (_, index) => (!kept.has(index) ? 'removed' : trimmed.has(index) ? 'trimmed' : 'kept');
}

function linesOf({ messages }: Conversation, fate: (message: Message, index: number) => Fate): Line[] {
    return messages.map((message, index) => {
        const texts = message.parts.map(textOf);
        const whole = texts.join('\n');
        return {
            role: message.role,
            text: whole.length > SHOWN ? `${whole.slice(0, SHOWN)}…` : whole,
            tokens: texts.reduce((sum, text) => sum + estimate(text), 0),
            fate: fate(message, index),
        };
    });
}

function textOf(part: Part): string {
    if ('text' in part) {
        return part.text;
    }
    if ('toolCall' in part) {
        return `${part.toolCall.name}(${part.toolCall.arguments})`;
    }
    if ('toolResult' in part) {
        return part.toolResult.text;
    }
    return 'media' in part
        ? `[image or file, ${part.media} tokens]`
        : `[opaque content such as thinking, ${part.opaque} bytes]`;
}
