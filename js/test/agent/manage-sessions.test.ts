/** Sessions of agents in every format, kept within their window: valid histories, nothing lost, nothing done twice. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Tuckaway, createTuckaway, estimate } from 'tuckaway';
import { manageContext as manageModelMessages } from 'tuckaway/ai-sdk';
import {
    type ContextMemory, type ContextOptions, type ContextReport, type SummaryCall, manageContext,
} from 'tuckaway/anthropic';
import { type FormatName, toConversation } from 'tuckaway/history';
import { manageChatContext, manageResponsesContext } from 'tuckaway/openai';

import { anthropicViolations, chatViolations, pairingViolations, responsesViolations } from './history/rules.js';
import { asAiSdk, asAnthropic, asChat, asResponses, seeded, session } from './history/sessions.js';

const WINDOW = 6_000;

interface Given {
    memory?: ContextMemory | undefined;
    usage?: object | undefined;
}

interface Managed {
    items: object[];
    memory: ContextMemory;
    report: ContextReport;
}

/** A format, and the helper that an agent loop calls. */
interface Loop {
    format: FormatName;
    render: typeof asChat;
    violations(after: object[], before: object[]): string[];
    /** Returns a usage in the form that the provider reports. */
    usage(input: number, output: number): object;
    manage(tuckaway: Tuckaway, items: object[], given: Given, options: ContextOptions): Promise<Managed>;
}

const LOOPS: Loop[] = [
    {
        format: 'openai-chat',
        render: asChat,
        violations: chatViolations,
        usage: (prompt_tokens, completion_tokens) => ({ prompt_tokens, completion_tokens }),
        manage: async (tuckaway, items, given, options) => {
            const { messages, ...rest } = await manageChatContext(tuckaway, { messages: items, ...given }, options);
            return { items: messages, ...rest };
        },
    },
    {
        format: 'openai-responses',
        render: asResponses,
        violations: responsesViolations,
        usage: (input_tokens, output_tokens) => ({ input_tokens, output_tokens }),
        manage: async (tuckaway, items, given, options) => {
            const { input, ...rest } = await manageResponsesContext(tuckaway, { input: items, ...given }, options);
            return { items: input, ...rest };
        },
    },
    {
        format: 'anthropic',
        render: asAnthropic,
        violations: anthropicViolations,
        usage: (input_tokens, output_tokens) => ({ input_tokens, output_tokens }),
        manage: async (tuckaway, items, given, options) => {
            const { messages, ...rest } = await manageContext(tuckaway, { messages: items, ...given }, options);
            return { items: messages, ...rest };
        },
    },
    {
        format: 'ai-sdk',
        render: asAiSdk,
        violations: (after) => pairingViolations(toConversation('ai-sdk', after)),
        usage: (inputTokens, outputTokens) => ({ inputTokens, outputTokens }),
        manage: async (tuckaway, items, given, options) => {
            const { messages, ...rest } = await manageModelMessages(tuckaway, { messages: items, ...given }, options);
            return { items: messages, ...rest };
        },
    },
];

/** A model that writes some text about the session, and sometimes a bad one. */
function writer(random: (below: number) => number) {
    return async ({ request }: SummaryCall): Promise<string> => {
        switch (random(6)) {
            case 0:
                throw new Error('overloaded');
            case 1:
                return 'Sorry, I cannot.';
            case 2:
                return `<summary>${'They went on and on. '.repeat(4_000)}`;
            default:
                return `Here it is: <summary>Covered ${request.through} messages.</summary>`;
        }
    };
}

/** Returns the texts of all results, by their calls. */
function outputs(format: FormatName, items: object[]): Map<string, string> {
    const parts = toConversation(format, items).messages.flatMap((message) => message.parts);
    return new Map(parts.flatMap((part) => ('toolResult' in part ? [[part.toolResult.callId, part.toolResult.text]] : [])));
}

/** Returns all of an artifact. */
function whole(tuckaway: Tuckaway, id: string): string {
    let [text, cursor] = ['', undefined as string | undefined];
    do {
        const page = tuckaway.read(id, cursor === undefined ? {} : { cursor });
        [text, cursor] = [text + page.text, page.next];
    } while (cursor !== undefined);
    return text;
}

/** Checks that placeholders lead to the outputs that they replace, byte for byte. */
function checkPlaceholders(tuckaway: Tuckaway, format: FormatName, items: object[], original: Map<string, string>): void {
    for (const [callId, text] of outputs(format, items)) {
        const ref = /^\[tool output trimmed; ref=(\S+)\]$/.exec(text)?.[1];
        assert.equal(ref === undefined ? text : whole(tuckaway, ref), original.get(callId), callId);
    }
}

for (const { format, render, violations, manage } of LOOPS) {
    test(`${format}: 60 sessions stay valid, and a second pass changes nothing`, async () => {
        for (let seed = 1; seed <= 60; seed++) {
            const random = seeded(seed);
            const tuckaway = await createTuckaway({ contextWindow: WINDOW });
            const options: ContextOptions = {
                cache: { contextBudgetTokens: 500 + random(3_000) },
                ...(random(2) === 0 && { budget: 'general' as const }),
                ...(random(3) > 0 && { summarize: writer(random) }),
            };
            const before = render(session(random, 2 + random(12), 6_000));
            const untouched = structuredClone(before);
            const first = await manage(tuckaway, before, {}, options);
            const what = `seed ${seed}`;
            assert.deepEqual(before, untouched, `${what}: the caller's items changed`);
            assert.deepEqual(violations(first.items, before), [], what);
            assert.equal(first.items.at(-1), before.at(-1), `${what}: the newest message`);
            checkPlaceholders(tuckaway, format, first.items, outputs(format, before));
            const again = await manage(tuckaway, first.items, first, { ...options, summarize: () => '' });
            const isOver = first.report.alarms.some(({ kind }) => ['over-cap', 'headroom', 'no-summary'].includes(kind));
            assert.ok(!again.report.isChanged || isOver, `${what}: the second look: ${JSON.stringify(again.report)}`);
            assert.deepEqual(violations(again.items, first.items), [], what);
            tuckaway.dispose();
        }
    });
}

for (const { format, render, violations, usage, manage } of LOOPS) {
    test(`${format}: agents of 40 turns stay in their window, with a memory that is saved and loaded`, async () => {
        for (let seed = 1; seed <= 6; seed++) {
            const random = seeded(1_000 + seed);
            const tuckaway = await createTuckaway({ contextWindow: 2 * WINDOW });
            const options: ContextOptions = { cache: { contextBudgetTokens: 3_000 }, summarize: writer(random) };
            const all = render(session(random, 40, 6_000));
            const original = outputs(format, all);
            let history: object[] = [];
            let memory: ContextMemory | undefined;
            let reported: object | undefined;
            let changes = 0;
            for (const [index, item] of all.entries()) {
                history.push(item);
                const next = all[index + 1];
                // As in a loop: one pass before each request, which is before each message of the model.
                if (next === undefined || !isOfModel(next) || isOfModel(item)) {
                    continue;
                }
                const before = history;
                const managed = await manage(tuckaway, history, { memory, usage: reported }, options);
                const what = `seed ${seed}, item ${index}`;
                assert.deepEqual(violations(managed.items, before), [], what);
                assert.equal(managed.items.at(-1), item, `${what}: what was not read yet`);
                checkPlaceholders(tuckaway, format, managed.items, original);
                const { after, alarms, receipts } = managed.report;
                assert.ok(after.total <= 2 * WINDOW || alarms.length > 0, `${what}: ${after.total} tokens`);
                for (const { artifact, messages } of receipts) {
                    assert.ok(artifact !== undefined && whole(tuckaway, artifact).length > 0, what);
                    assert.ok(messages.end <= before.length, what);
                }
                changes += managed.report.isChanged ? 1 : 0;
                history = managed.items;
                memory = JSON.parse(JSON.stringify(managed.memory)) as ContextMemory;
                const sent = estimate(JSON.stringify(history));
                reported = random(3) === 0 ? undefined : usage(sent, estimate(JSON.stringify(next)));
            }
            assert.ok(changes > 2, `seed ${seed}: nothing was due`);
            const entries = Object.keys(memory!.artifacts).length + memory!.inserted.length;
            assert.ok(entries < 100, `seed ${seed}: the memory grows to ${entries} entries`);
            tuckaway.dispose();
        }
    });
}

/** Returns whether the model wrote an item. */
function isOfModel({ role, type }: { role?: string; type?: string }): boolean {
    return role === 'assistant' || (role === undefined && !String(type).endsWith('_output'));
}
