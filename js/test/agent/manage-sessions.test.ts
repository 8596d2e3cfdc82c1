/** Sessions of agents in several formats, kept within their window: paired calls, nothing lost, nothing done twice. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Tuckaway, createTuckaway, estimate } from 'tuckaway';
import { manageContext as manageModelMessages } from 'tuckaway/ai-sdk';
import {
    type ContextMemory, type ContextOptions, type ContextReport, type SummaryCall, manageContext,
} from 'tuckaway/anthropic';
import { manageChatContext, manageResponsesContext } from 'tuckaway/openai';

import { asAiSdk, asAnthropic, asChat, asResponses, seeded, session } from './sessions.js';

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
    format: string;
    render: typeof asChat;
    /** Returns a usage in the form that the provider reports. */
    usage(input: number, output: number): object;
    manage(tuckaway: Tuckaway, items: object[], given: Given, options: ContextOptions): Promise<Managed>;
}

const LOOPS: Loop[] = [
    {
        format: 'openai-chat',
        render: asChat,
        usage: (prompt_tokens, completion_tokens) => ({ prompt_tokens, completion_tokens }),
        manage: async (tuckaway, items, given, options) => {
            const { messages, ...rest } = await manageChatContext(tuckaway, { messages: items, ...given }, options);
            return { items: messages, ...rest };
        },
    },
    {
        format: 'openai-responses',
        render: asResponses,
        usage: (input_tokens, output_tokens) => ({ input_tokens, output_tokens }),
        manage: async (tuckaway, items, given, options) => {
            const { input, ...rest } = await manageResponsesContext(tuckaway, { input: items, ...given }, options);
            return { items: input, ...rest };
        },
    },
    {
        format: 'anthropic',
        render: asAnthropic,
        usage: (input_tokens, output_tokens) => ({ input_tokens, output_tokens }),
        manage: async (tuckaway, items, given, options) => {
            const { messages, ...rest } = await manageContext(tuckaway, { messages: items, ...given }, options);
            return { items: messages, ...rest };
        },
    },
    {
        format: 'ai-sdk',
        render: asAiSdk,
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

/** Returns the texts of all results, by their calls, in the formats of {@link LOOPS}. */
function outputs(items: readonly any[]): Map<string, string> {
    const blocks = items.flatMap((item) => [item, ...(Array.isArray(item.content) ? item.content : [])]);
    const results = blocks.filter(({ role, type }) => type === undefined ? role === 'tool' : /result|output$/.test(type));
    return new Map(results.flatMap(({ tool_call_id, tool_use_id, call_id, toolCallId, content, output }): [string, string][] => {
        const id = tool_call_id ?? tool_use_id ?? call_id ?? toolCallId;
        return id === undefined ? [] : [[id, textOf(content ?? output)]];
    }));
}

function textOf(content: any): string {
    return typeof content === 'string' ? content : textOf(content.value ?? content[0].text);
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
function checkPlaceholders(tuckaway: Tuckaway, items: object[], original: Map<string, string>): void {
    for (const [callId, text] of outputs(items)) {
        const ref = /^\[tool output trimmed; ref=(\S+)\]$/.exec(text)?.[1];
        assert.equal(ref === undefined ? text : whole(tuckaway, ref), original.get(callId), callId);
    }
}

for (const { format, render, manage } of LOOPS) {
    test(`${format}: sessions stay paired, and a second pass changes nothing`, async () => {
        for (let seed = 1; seed <= 6; seed++) {
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
            assert.equal(first.items.at(-1), before.at(-1), `${what}: the newest message`);
            checkPlaceholders(tuckaway, first.items, outputs(before));
            const again = await manage(tuckaway, first.items, first, { ...options, summarize: () => '', strict: true });
            const isOver = first.report.alarms.some(({ kind }) => ['over_cap', 'headroom', 'no_summary'].includes(kind));
            assert.ok(!again.report.isChanged || isOver, `${what}: the second look: ${JSON.stringify(again.report)}`);
            tuckaway.dispose();
        }
    });
}

for (const { format, render, usage, manage } of LOOPS) {
    test(`${format}: an agent stays in its window, with a memory that is saved and loaded`, async () => {
        const random = seeded(1_001);
        const tuckaway = await createTuckaway({ contextWindow: 2 * WINDOW });
        const options: ContextOptions = { cache: { contextBudgetTokens: 3_000 }, summarize: writer(random), strict: true };
        const all = render(session(random, 24, 6_000));
        const original = outputs(all);
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
            const what = `item ${index}`;
            assert.equal(managed.items.at(-1), item, `${what}: what was not read yet`);
            checkPlaceholders(tuckaway, managed.items, original);
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
        assert.ok(changes > 2, 'nothing was due');
        const { length } = JSON.stringify(memory);
        assert.ok(length < 6_000, `the memory grows to ${length} characters`);
        tuckaway.dispose();
    });
}

/** Returns whether the model wrote an item. */
function isOfModel({ role, type }: { role?: string; type?: string }): boolean {
    return role === 'assistant' || (role === undefined && !String(type).endsWith('_output'));
}
