/** Any plan that keeps whole turns leaves a history that the providers accept, with everything else unchanged. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Conversation, Plan } from 'tuckaway';
import { type FormatName, applyPlan, detectFormat, toConversation } from 'tuckaway/history';

import { anthropicViolations, chatViolations, responsesViolations } from './rules.js';
import { asAiSdk, asAnthropic, asChat, asNeutral, asResponses, seeded, session } from './sessions.js';

const RENDERED = { 'openai-chat': asChat, 'openai-responses': asResponses, anthropic: asAnthropic, 'ai-sdk': asAiSdk, neutral: asNeutral };

/** Returns the rules of a provider that a history violates. */
function violations(format: FormatName, history: readonly object[], before: readonly object[]): string[] {
    switch (format) {
        case 'openai-chat':
            return chatViolations(history);
        case 'openai-responses':
            return responsesViolations(history, before);
        case 'anthropic':
            return anthropicViolations(history);
        default:
            return [];
    }
}

/** Returns a plan that summarizes some of the oldest turns and replaces some of the other results. */
function anyPlan({ messages }: Conversation, random: (below: number) => number): Plan {
    const isTurn = ({ role, parts }: Conversation['messages'][number]) =>
        role === 'user' && !parts.some((part) => 'toolResult' in part);
    const start = messages.findIndex(({ role }) => role !== 'system');
    const turns = [...messages.keys()].filter((index) => isTurn(messages[index]!));
    const cut = turns[random(turns.length)]!;
    const account = { system: 0, tools: 0, history: 0, toolOutputs: 0, total: 0, cacheBreakpoint: start };
    return {
        isEmpty: false,
        history: [
            ...(start > 0 ? [{ keep: { start: 0, end: start } }] : []),
            ...(cut > start ? [{ insert: { role: 'user' as const, text: 'What came before.' } }] : []),
            { keep: { start: cut, end: messages.length } },
        ],
        replacements: messages.flatMap(({ parts }, message) =>
            parts.flatMap((part, index) =>
                message >= cut && 'toolResult' in part && random(2) === 0
                    ? [{ message, part: index, text: `[trimmed ${part.toolResult.callId}]`, artifact: 'art_1' }]
                    : [],
            ),
        ),
        removedTools: [],
        before: account,
        after: account,
        receipts: [],
        alarms: [],
        state: {},
    };
}

for (const [name, render] of Object.entries(RENDERED)) {
    const format = name as FormatName;
    test(`${format}: 200 sessions, before and after a plan`, () => {
        for (let seed = 1; seed <= 200; seed++) {
            const random = seeded(seed);
            const before = render(session(random, 1 + random(8), 2_000));
            const untouched = structuredClone(before);
            assert.deepEqual(violations(format, before, before), [], `seed ${seed}: the session`);
            const system = format === 'anthropic' ? 'You are an agent.' : undefined;
            const conversation = toConversation(format, before, { system });
            const plan = anyPlan(conversation, random);
            const { history } = applyPlan(format, before, plan, { system });
            assert.deepEqual(before, untouched, `seed ${seed}: the original changed`);
            assert.deepEqual(violations(format, history, before), [], `seed ${seed}: the new history`);
            const after = toConversation(format, history, { system });
            assert.deepEqual(after.messages.map(withoutMarks), expected(conversation, plan), `seed ${seed}: the plan was not applied`);
        }
    });
}

/** Returns the messages of a neutral conversation that a plan leaves. */
function expected({ messages }: Conversation, { history, replacements }: Plan): object[] {
    const replaced = structuredClone(messages) as any[];
    for (const { message, part, text } of replacements) {
        replaced[message].parts[part].toolResult.text = text;
    }
    return history
        .flatMap((entry) =>
            'keep' in entry
                ? replaced.slice(entry.keep.start, entry.keep.end)
                : [{ role: entry.insert.role, parts: [{ text: entry.insert.text }] }],
        )
        .map(withoutMarks);
}

/** Returns a message without the members that only the neutral form has. */
function withoutMarks({ role, parts }: any): object {
    const plain = parts.map((part: any) =>
        part.toolResult === undefined ? part : { toolResult: { ...part.toolResult, artifact: undefined } },
    );
    return { role, parts: plain };
}

test('the checkers find violations of the rules', () => {
    const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'x', input: {} }] };
    const result = { type: 'tool_result', tool_use_id: 'a', content: '' };
    const user = { role: 'user', content: 'Hi' };
    assert.deepEqual(anthropicViolations([user, use, { role: 'user', content: [result] }]), []);
    for (const wrong of [
        [use, { role: 'user', content: [result] }],
        [user, use],
        [user, use, user],
        [user, use, { role: 'user', content: [{ type: 'text', text: 'Hi' }, result] }],
        [user, { role: 'assistant', content: 'Hi' }, { role: 'user', content: [result] }],
        [user, { role: 'assistant', content: [] }],
    ]) {
        assert.notDeepEqual(anthropicViolations(wrong), [], JSON.stringify(wrong));
    }
    const call = { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: { name: 'x', arguments: '' } }] };
    const answer = { role: 'tool', tool_call_id: 'a', content: '' };
    assert.deepEqual(chatViolations([user, call, answer]), []);
    for (const wrong of [[user, call], [user, call, user, answer], [user, answer], [user, call, answer, answer], [{ ...user, content: '' }]]) {
        assert.notDeepEqual(chatViolations(wrong), [], JSON.stringify(wrong));
    }
    const thought = { type: 'reasoning', id: 'rs_1' };
    const item = { type: 'function_call', call_id: 'a', name: 'x', arguments: '' };
    const output = { type: 'function_call_output', call_id: 'a', output: '' };
    const whole = [user, thought, item, output];
    assert.deepEqual(responsesViolations(whole, whole), []);
    for (const wrong of [[user, item, output], [user, thought, user], [user, thought, item], [user, output], [user, thought]]) {
        assert.notDeepEqual(responsesViolations(wrong, whole), [], JSON.stringify(wrong));
    }
});

test('the format of each session is detected', () => {
    for (const [format, render] of Object.entries(RENDERED)) {
        const history = render(session(seeded(7), 20, 100));
        assert.equal(detectFormat(history), format);
    }
});
