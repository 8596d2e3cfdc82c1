/** The methods for conversations: arguments, rejected arguments, results. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type Conversation, type Message, MemoryStore, createTuckaway } from 'tuckaway';

const call = (id: string): Message => ({ role: 'assistant', parts: [{ toolCall: { id, name: 'read', arguments: `{"id":"${id}"}` } }] });
const result = (callId: string, text: string): Message => ({ role: 'tool', parts: [{ toolResult: { callId, text } }] });
const says = (role: 'user' | 'assistant' | 'system', text: string): Message => ({ role, parts: [{ text }] });

/** Returns a conversation of some turns, with a result of a few thousand bytes in each. */
function reading(turns: number): Conversation {
    const turn = (n: number) => [
        says('user', `Read ${n}.`), call(`c${n}`), result(`c${n}`, `line of ${n}\n`.repeat(400)), says('assistant', `Read ${n}.`),
    ];
    return { messages: [says('system', 'Be brief.'), ...Array.from({ length: turns }, (_, n) => turn(n)).flat()] };
}

test('an account, a trim, a summary and a budget, on plain data', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000 });
    const conversation = reading(6);
    const account = tuckaway.budget.account(conversation);
    assert.equal(account.total, account.system + account.tools + account.history + account.toolOutputs);
    assert.equal(account.cacheBreakpoint, 1);

    const trimmed = tuckaway.cache.trim(conversation, { config: { contextBudgetTokens: 2_000 } });
    assert.equal(trimmed.isEmpty, false);
    assert.deepEqual(trimmed.before, account);
    assert.deepEqual(trimmed.history, [{ keep: { start: 0, end: 25 } }]);
    const [first] = trimmed.replacements;
    assert.deepEqual([first?.message, first?.part, first?.text], [3, 0, `[tool output trimmed; ref=${first?.artifact}]`]);
    assert.deepEqual(Object.keys(trimmed.state), ['prefix', 'failures', 'requested']);
    assert.equal('usage' in trimmed, false, 'members without a value are omitted');

    const asked = tuckaway.compaction.plan(conversation, { config: { summaryDirectives: ['Keep the numbers.'] } });
    assert.ok(asked.request?.prompt.includes('Keep the numbers.'));
    assert.equal(asked.plan.isEmpty, true);
    const answers = ['<summary>All of it was read.</summary>'];
    const { plan, refusal } = tuckaway.compaction.plan(conversation, { answers, state: asked.plan.state });
    assert.equal(refusal, undefined);
    assert.ok(plan.history.some((entry) => 'insert' in entry && entry.insert.text.includes('All of it was read.')));
    assert.ok(tuckaway.compaction.plan(conversation, { answers: ['nothing'] }).refusal);

    const budget = { ...tuckaway.budget.preset('voice', 10_000), headroomTokens: 100 };
    // The sum of the buckets, and the headroom.
    assert.deepEqual(tuckaway.budget.check(budget).map(({ kind }) => kind), ['setting', 'setting']);
    const evicted = tuckaway.budget.plan(conversation, { config: budget });
    assert.ok(evicted.plan.after.toolOutputs < account.toolOutputs);
    assert.deepEqual(tuckaway.plan(conversation, { account: true }).plan.before, account);
    const managed = tuckaway.plan(conversation, { manage: { contextWindow: 100_000 } });
    assert.deepEqual(managed, tuckaway.manage(conversation));
});

test('the error of a provider is read, and a refused conversation is planned within its limit', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 40_000, store: new MemoryStore() });
    const refusal = 'prompt is too long: 10,800 tokens > 4,000 maximum';
    assert.deepEqual(tuckaway.readRefusal(refusal), { kind: 'too_many_tokens', limit: 4_000, actual: 10_800 });
    assert.deepEqual(tuckaway.readRefusal('503'), { kind: 'unknown' });
    assert.throws(() => tuckaway.readRefusal(503 as never), /^TuckawayError: error is 503/);
    const text = 'word '.repeat(4_000);
    const said = (role: 'user' | 'assistant') => ({ role, parts: [{ text }] }) as const;
    const messages = [said('user'), said('assistant'), said('user')];
    assert.equal(tuckaway.manage({ messages }).request, undefined);
    const { plan, request } = tuckaway.manage({ messages }, { config: { refusal } });
    assert.deepEqual(plan.alarms.map(({ kind }) => kind), ['setting']);
    assert.ok(request);
});

test('a view, a threshold, and unreferenced artifacts', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 1_000, store: new MemoryStore() });
    assert.deepEqual(tuckaway.cache.view('short'), { text: 'short', isCut: false });
    const view = tuckaway.cache.view('x'.repeat(5_000), 'art_1', { maxMessageBytes: 600 });
    assert.ok(view.isCut && view.text.includes('art_1') && view.text.length <= 600);
    const { shouldCompact } = tuckaway.compaction;
    assert.equal(shouldCompact({ inputTokens: 700, outputTokens: 99 }), false);
    assert.equal(shouldCompact({ inputTokens: 700, cacheReadTokens: 50, outputTokens: 50 }), true);
    assert.equal(shouldCompact({ inputTokens: 800 }, { auto: false }), false);
    assert.throws(() => shouldCompact({ inputTokens: 1 }, { contextLimit: null }), /^TuckawayError: contextLimit is unknown/);
    const policy = { keepAll: true };
    const ids = ['a', 'b'].map((content) => tuckaway.process({ tool: 'read', content }, {}, policy).artifacts[0]!.id);
    const messages = [call('c'), { role: 'tool', parts: [{ toolResult: { callId: 'c', text: '', artifact: ids[0] } }] } as const];
    assert.deepEqual(tuckaway.cache.unreferenced({ messages }), [ids[1]]);
    assert.deepEqual(tuckaway.cache.unreferenced([`see ${ids[1]}`]), [ids[0]]);
});

test('the defaults can be read, but not changed', async () => {
    const { cache, compaction, contextWindow } = await createTuckaway({ contextWindow: 5_000 });
    assert.equal(contextWindow, 5_000);
    assert.deepEqual(
        [cache.defaults.maxMessageBytes, cache.defaults.maxLineLength, cache.defaults.contextBudgetTokens],
        [50 * 1024, 2_000, undefined],
    );
    assert.deepEqual([compaction.defaults.thresholdRatio, compaction.defaults.retainLastTurns], [0.8, 1]);
    assert.throws(() => ((cache.defaults as { keepLast: number }).keepLast = 5), TypeError);
    assert.throws(() => (compaction.defaults.summaryDirectives as string[]).push(''), TypeError);
});

test('mistakes are rejected, and the error names the position', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000 });
    const { cache, compaction, budget } = tuckaway;
    const good = reading(1);
    const preset = budget.preset('general');
    const wrong = (message: unknown) => () => tuckaway.manage({ messages: [message as Message] });
    const refused: [() => unknown, RegExp][] = [
        [() => tuckaway.manage({} as never), /^conversation\.messages is undefined; it must be an array/],
        [() => tuckaway.manage([] as never), /^conversation is an array; it must be an object with messages, tools, usage/],
        [wrong({ role: 'developer', parts: [] }), /^conversation\.messages\[0\]\.role is "developer"; it must be 'system'/],
        [wrong({ role: 'user', content: 'Hi' }), /^conversation\.messages\[0\] has no member "content"; it has role, parts/],
        [wrong({ role: 'user', parts: ['Hi'] }), /parts\[0\] is "Hi"; it must be an object with one of text, toolCall/],
        [wrong({ role: 'user', parts: [{ text: '', media: 1 }] }), /parts\[0\] is an object \(Object\); it must be an object with one/],
        [wrong({ role: 'user', parts: [{ media: -1 }] }), /parts\[0\]\.media is -1; it must be an object with tokens/],
        [wrong({ role: 'tool', parts: [{ toolResult: { text: '' } }] }), /toolResult\.callId is undefined/],
        [() => tuckaway.manage({ ...good, usage: { tokens: { inputTokens: -5 }, messages: 1 } }), /usage\.tokens\.inputTokens is -5/],
        [() => tuckaway.manage({ messages: [result('c', '')] }), /^Message 0 has a result for "c"/],
        [() => tuckaway.manage(good, { anwers: [] } as never), /^options has no member "anwers"; did you mean answers\?/],
        [() => tuckaway.manage(good, { answers: 'yes' } as never), /^answers is "yes"; it must be an array/],
        [() => tuckaway.manage(good, { state: { failures: -1 } }), /^state\.failures is -1/],
        [() => tuckaway.manage(good, { config: { cache: { keeplast: 1 } } as never }), /^config\.cache has no member "keeplast"; did you mean keepLast\?/],
        [() => tuckaway.plan(good, {} as never), /^task is an object \(Object\); it must be an object with one of account, trim/],
        [() => cache.trim(good, { config: { targetRatio: 2 } }), /^targetRatio is 2; it must be a fraction from 0 to 1\./],
        [() => cache.trim(good, { contextWindow: 0 }), /^contextWindow is 0/],
        [() => compaction.plan(good, { config: { thresholdRatio: 0 } }), /^thresholdRatio is 0/],
        [() => budget.preset('huge' as never), /^preset is "huge"; it must be 'general'/],
        [() => budget.preset('voice', 0), /^totalWindow is 0/],
        [() => budget.plan(good, {} as never), /^config is undefined; it must be an object with totalWindow/],
        [() => budget.check({ ...preset, tools: { maxTokens: 1, onOverflow: 'prune' as never } }), /^config\.tools\.onOverflow is "prune"/],
        [
            () => budget.check({ ...preset, layers: [{ ...preset.layers[0]!, atPct: 0.8 }] }),
            /^config\.layers\[0\]\.atPct is 0\.8; it must be a whole number of percent\. 0\.8 is 80 %\.$/,
        ],
        [() => budget.check({ ...preset, totalWindow: 10 }), /^The buckets and the headroom add up/],
    ];
    for (const [run, message] of refused) {
        assert.throws(run, { name: 'TuckawayError', kind: 'invalid_input', message });
    }
});
