/** One call in an agent loop: each part is done only if it is due, the history stays valid, and nothing is lost. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MemoryStore, StoreError, type Tuckaway, createTuckaway } from 'tuckaway';
import {
    type ContextMemory, type ContextOptions, type SummaryCall, manageContext, runToolCalls, toolDefinitions,
} from 'tuckaway/anthropic';
import { manageChatContext, runChatToolCalls } from 'tuckaway/openai';

import { pixel } from './support.js';

/** About 1,000 tokens. */
const page = (n: number) => Array.from({ length: 100 }, (_, line) => `page ${n} line ${line}: all work and no play`).join('\n');

/** Returns a conversation of Anthropic with a result of about 1,000 tokens in each turn. */
function reading(turns: number): any[] {
    return Array.from({ length: turns }, (_, n) => [
        { role: 'user', content: `Read page ${n}.` },
        {
            role: 'assistant',
            content: [
                { type: 'thinking', thinking: 'To the shelf.', signature: `c2lnbmF0dXJl${n}` },
                { type: 'tool_use', id: `toolu_${n}`, name: 'read', input: { n } },
            ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: `toolu_${n}`, content: page(n) }] },
        { role: 'assistant', content: [{ type: 'text', text: `Page ${n} is about work.` }] },
    ]).flat();
}

const resultsOf = (messages: readonly any[]): any[] =>
    messages.flatMap(({ content }) => (Array.isArray(content) ? content : [])).filter(({ type }) => type === 'tool_result');

/** Returns the id in a placeholder. */
const refIn = (text: string) => /^\[tool output trimmed; ref=(\S+)\]$/.exec(text)?.[1];

/** Checks that calls and results belong together: in a large window, nothing else is done. */
async function assertPaired(messages: object[]): Promise<void> {
    const tuckaway = await createTuckaway({ contextWindow: 1_000_000 });
    const { report } = await manageContext(tuckaway, { messages }, { strict: true, cache: { enabled: false } });
    assert.equal(report.isChanged, false);
}

/** Returns all of an artifact. */
function whole(tuckaway: Tuckaway, id: string): string {
    let [text, cursor] = ['', undefined as string | undefined];
    do {
        const { text: more, next } = tuckaway.read(id, cursor === undefined ? {} : { cursor });
        [text, cursor] = [text + more, next];
    } while (cursor !== undefined);
    return text;
}

test('a conversation that the provider refused is brought within its limit', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 200_000 });
    const messages = reading(8);
    const text = 'prompt is too long: 11000 tokens > 10000 maximum';
    const body = JSON.stringify({ type: 'error', error: { type: 'invalid_request_error', message: text } });
    const thrown = new Error(`400 ${body}`);
    const ofAiSdk = Object.assign(new Error('Bad Request'), { responseBody: body });
    for (const refusal of [text, body, JSON.parse(body), thrown, ofAiSdk]) {
        const { messages: shorter, report } = await manageContext(tuckaway, { messages }, { refusal });
        assert.equal(report.before.total, 11_000);
        assert.ok(report.after.total <= 6_000);
        assert.deepEqual(report.alarms.map(({ kind }) => kind), ['setting']);
        await assertPaired(shorter);
    }
    assert.equal((await manageContext(tuckaway, { messages }, { refusal: null })).report.isChanged, false);
});

test('a conversation that fits is returned as it is', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 200_000 });
    const messages = reading(3);
    const tools = await toolDefinitions(tuckaway);
    const managed = await manageContext(tuckaway, { messages, tools, system: 'Be brief.' });
    assert.deepEqual([...managed.messages.keys()].filter((index) => managed.messages[index] !== messages[index]), []);
    assert.equal(managed.tools, tools);
    const { format, isChanged, receipts, alarms, repairs, before, after, summaries } = managed.report;
    assert.deepEqual([format, isChanged, receipts, alarms, repairs, summaries], ['anthropic', false, [], [], [], 0]);
    assert.deepEqual(after, before);
    assert.ok(before.system > 0 && before.tools > 100 && before.toolOutputs > 2_000 && before.history > 30);
    assert.equal(tuckaway.listArtifacts().length, 0);
    const bare = await manageContext(tuckaway, { messages });
    assert.equal(bare.tools, undefined, 'providers refuse an empty list');
});

test('definitions of uncalled tools are removed, except those of tuckaway', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 20_000 });
    const own = Array.from({ length: 40 }, (_, n) => ({
        name: `tool_${n}`, description: 'A tool that does this and that. '.repeat(20), input_schema: { type: 'object' },
    }));
    const read = { name: 'read', description: 'Reads.', input_schema: { type: 'object' } };
    const tools = [...own, read, ...(await toolDefinitions(tuckaway))];
    const managed = await manageContext(tuckaway, { messages: reading(3), tools }, { budget: 'general' });
    const names = managed.tools?.map(({ name }) => name) ?? [];
    assert.ok(['read', 'artifact_read', 'artifact_grep', 'artifact_jq'].every((name) => names.includes(name)), names.join());
    assert.ok(names.length < tools.length);
    assert.ok(managed.report.receipts.some(({ removal, tool }) => removal === 'pruned' && tool === 'tool_0'));
    assert.ok(managed.tools?.every((tool) => tools.includes(tool as never)));
});

test('references replace the oldest outputs, once', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 200_000 });
    const messages = reading(10);
    const options = { cache: { contextBudgetTokens: 5_000 } };
    const managed = await manageContext(tuckaway, { messages }, options);
    const trimmed = resultsOf(managed.messages).map(({ content }) => refIn(content));
    const count = trimmed.filter((id) => id !== undefined).length;
    assert.ok(count >= 5 && count < 10 && trimmed.findIndex((id) => id === undefined) === count, 'the oldest ones');
    trimmed.slice(0, count).forEach((id, n) => assert.equal(whole(tuckaway, id!), page(n)));
    await assertPaired(managed.messages);
    assert.equal(managed.messages[1], messages[1], 'thinking and its signature');
    assert.ok(managed.report.after.toolOutputs < 5_000 && managed.report.before.toolOutputs > 8_000);
    assert.equal(managed.report.receipts.length, count);
    const [first] = managed.report.receipts;
    assert.deepEqual([first?.removal, first?.tool, first?.messages], ['trimmed', 'read', { start: 2, end: 3 }]);

    const memory = JSON.parse(JSON.stringify(managed.memory)) as ContextMemory;
    const again = await manageContext(tuckaway, { messages: managed.messages, memory }, options);
    assert.equal(again.report.isChanged, false);
    assert.deepEqual(again.memory, memory);
    assert.equal(tuckaway.listArtifacts().length, count, 'nothing is stored twice');
});

test('summaries of calls are requested before their results leave, and used when they do', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 200_000 });
    const messages = reading(10);
    const before = await manageContext(tuckaway, { messages, pairs: {} }, { cache: { contextBudgetTokens: 16_000 } });
    assert.ok(!before.report.isChanged && before.background.length > 0);
    const answers = before.background.map(({ messages: [asked], request: { pair }, maxOutputTokens }, n) => {
        assert.ok(asked?.role === 'user' && asked.content.includes(`page ${n} line 7`) && maxOutputTokens > 0);
        return { pair: pair!, text: `<summary>Page ${n} says that all work is dull.</summary>` };
    });
    const given = { messages, memory: before.memory, pairs: { answers } };
    const kept = await manageContext(tuckaway, given, { cache: { contextBudgetTokens: 16_000 } });
    assert.ok(!kept.report.isChanged && kept.background.length === 0);
    const later = { messages, memory: JSON.parse(JSON.stringify(kept.memory)) as ContextMemory, pairs: { answers } };
    const after = await manageContext(tuckaway, later, { cache: { contextBudgetTokens: 8_000 } });
    const [first] = resultsOf(after.messages);
    const [placeholder, summary] = first.content.split('\n');
    assert.equal(summary, 'Summary: Page 0 says that all work is dull.');
    assert.equal(whole(tuckaway, refIn(placeholder)!), page(0));
    await assertPaired(after.messages);
});

test('the artifacts of outputs that the helpers stored are known', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 200_000, policy: { keepAll: true } });
    const anthropic: any[] = [];
    const chat: any[] = [{ role: 'system', content: 'Be brief.' }];
    const handlers = { read: ({ n }: { n: number }) => page(n) };
    for (let n = 0; n < 8; n++) {
        const content = [{ type: 'tool_use', id: `toolu_${n}`, name: 'read', input: { n } }];
        anthropic.push({ role: 'user', content: 'Go on.' }, { role: 'assistant', content });
        anthropic.push({ role: 'user', content: await runToolCalls(tuckaway, { content }, handlers) });
        // Some servers reuse the id again and again.
        const call = { id: 'call_0', type: 'function' as const, function: { name: 'read', arguments: `{"n":${n}}` } };
        const message = { role: 'assistant', content: null, tool_calls: [call] };
        chat.push({ role: 'user', content: 'Go on.' }, message);
        chat.push(...(await runChatToolCalls(tuckaway, { choices: [{ message }] }, handlers)));
    }
    const stored = tuckaway.listArtifacts().length;
    assert.equal(stored, 16);
    const options = { cache: { contextBudgetTokens: 4_000 } };
    const first = await manageContext(tuckaway, { messages: anthropic }, options);
    const second = await manageChatContext(tuckaway, { messages: chat }, options);
    assert.equal(tuckaway.listArtifacts().length, stored, 'the outputs were in the store');
    const refs = resultsOf(first.messages).map(({ content }) => refIn(content));
    assert.ok(refs[0] !== undefined && whole(tuckaway, refs[0]) === page(0));
    const texts = second.messages.filter(({ role }) => role === 'tool').map(({ content }) => refIn(content));
    texts.filter((id) => id !== undefined).forEach((id, n) => assert.equal(whole(tuckaway, id), page(n)));
    assert.ok(texts.filter((id) => id !== undefined).length >= 4);
});

test('artifacts that the caller knows are used', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 200_000, policy: { keepAll: true } });
    const ids = Array.from({ length: 6 }, (_, n) => tuckaway.process({ tool: 'read', content: page(n) }).artifacts[0]!.id);
    const artifacts = Object.fromEntries(ids.map((id, n) => [`toolu_${n}`, id]));
    const options = { cache: { contextBudgetTokens: 3_000 }, artifacts };
    const { messages } = await manageContext(tuckaway, { messages: reading(6) }, options);
    assert.equal(refIn(resultsOf(messages)[0].content), ids[0]);
    assert.equal(tuckaway.listArtifacts().length, 6);
});

/** Manages a long conversation in a small window with a scripted model. */
async function summarizing(summarize: ContextOptions['summarize'], more: ContextOptions = {}) {
    const tuckaway = await createTuckaway({ contextWindow: 8_000 });
    const messages = reading(7);
    const options = { cache: { enabled: false }, summarize, ...more };
    const managed = await manageContext(tuckaway, { messages, system: 'Be brief.' }, options);
    return { tuckaway, messages, managed };
}

test('a summary replaces the oldest messages when it is due, and only then', async () => {
    const asked: SummaryCall[] = [];
    const { messages, managed } = await summarizing(async (call) => {
        asked.push(call);
        return '<summary>They read seven pages; page 3 was the best.</summary>';
    });
    assert.ok(asked.length > 0);
    assert.equal(managed.report.summaries, asked.length);
    for (const call of asked) {
        assert.deepEqual(
            call.messages.map(({ role }) => role),
            call.messages.map((_, index) => (index % 2 === 0 ? 'user' : 'assistant')),
        );
        assert.ok(call.maxOutputTokens > 0 && call.messages.at(-1)?.content.endsWith(call.request.prompt));
    }
    await assertPaired(managed.messages);
    assert.match(JSON.stringify(managed.messages), /page 3 was the best/);
    assert.equal(managed.messages.at(-1), messages.at(-1), 'the newest turn stays');
    assert.equal(managed.messages.at(-4), messages.at(-4));
    assert.ok(managed.report.after.total < managed.report.before.total / 2);
    assert.ok(managed.report.receipts.some(({ removal, artifact }) => removal === 'summarized' && artifact !== undefined));

    const fits = await createTuckaway({ contextWindow: 200_000 });
    const never = () => assert.fail('nothing is due');
    await manageContext(fits, { messages }, { summarize: never });
});

for (const [what, summarize] of Object.entries<NonNullable<ContextOptions['summarize']>>({
    'that fails': () => Promise.reject(new Error('overloaded')),
    'that throws at once': () => {
        throw new Error('no key');
    },
    'with an empty answer': async () => '',
    'that returns no text': (() => 5) as never,
})) {
    test(`a model ${what} leaves a shorter history without a summary`, async () => {
        const { messages, managed } = await summarizing(summarize);
        await assertPaired(managed.messages);
        assert.ok(managed.report.after.total < managed.report.before.total);
        assert.ok(managed.report.alarms.some(({ kind }) => kind === 'no_summary'), JSON.stringify(managed.report.alarms));
        assert.equal(managed.messages.at(-1), messages.at(-1));
        assert.equal(managed.report.errors.length, what.includes('empty') ? 0 : managed.report.summaries);
    });
}

test('without a function for summaries, the history is shortened regardless', async () => {
    const { managed } = await summarizing(undefined);
    await assertPaired(managed.messages);
    assert.ok(managed.report.after.total < managed.report.before.total);
    assert.deepEqual(managed.report.errors, []);
});

test('an earlier summary is recognized, and is not a turn of the user', async () => {
    const { tuckaway, managed } = await summarizing(async () => '<summary>They read.</summary>');
    const more = [...managed.messages, ...reading(7)];
    const summarize = async () => '<summary>They read on.</summary>';
    const options = { cache: { enabled: false }, summarize };
    const memory = JSON.parse(JSON.stringify(managed.memory));
    const again = await manageContext(tuckaway, { messages: more, system: 'Be brief.', memory }, options);
    assert.doesNotMatch(JSON.stringify(again.messages), /They read\./);
    assert.match(JSON.stringify(again.messages), /They read on\./);
});

test('content that the store rejects is kept', async () => {
    class FullStore extends MemoryStore {
        override create(): string {
            throw new StoreError('quota_exceeded');
        }
    }
    const tuckaway = await createTuckaway({ contextWindow: 200_000, store: new FullStore() });
    const messages = reading(10);
    const { messages: left, report } = await manageContext(tuckaway, { messages }, { cache: { contextBudgetTokens: 3_000 } });
    assert.deepEqual(left, messages);
    assert.ok(report.alarms.some(({ kind }) => kind === 'not_stored'), JSON.stringify(report.alarms));
});

/** A user's message with an image. */
const picture = {
    role: 'user',
    content: [
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data: pixel } },
        { type: 'text', text: 'What is this?' },
    ],
};

test('items with images are stored completely before they are removed', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 8_000 });
    const messages = [picture, { role: 'assistant', content: 'A pixel.' }, ...reading(7)];
    const options = { summarize: () => '<summary>They looked, and read.</summary>', cache: { enabled: false } };
    const { messages: left, report } = await manageContext(tuckaway, { messages }, options);
    assert.ok(!left.includes(picture));
    const [original] = report.originals;
    assert.deepEqual(JSON.parse(whole(tuckaway, original!)), { original: picture });

    class LimitedStore extends MemoryStore {
        override create(tool: string, mediaType: string): string {
            // Summaries need the store; the originals come last.
            if (this.listArtifacts().length > 0) {
                throw new StoreError('quota_exceeded');
            }
            return super.create(tool, mediaType);
        }
    }
    const limited = await createTuckaway({ contextWindow: 8_000, store: new LimitedStore() });
    const kept = await manageContext(limited, { messages }, options);
    assert.deepEqual(kept.messages, messages);
    assert.equal(kept.report.isChanged, false);
    assert.deepEqual(kept.report.after, kept.report.before);
    assert.match(kept.report.alarms.find(({ kind }) => kind === 'not_stored')?.message ?? '', /images or files/);
});

test('pinned messages stay the same objects', async () => {
    const pinned = (_: object, index: number) => index === 2;
    const { messages, managed } = await summarizing(async () => '<summary>They read.</summary>', { pinned });
    assert.ok(managed.messages.includes(messages[2]), 'the pinned result');
    assert.ok(managed.messages.includes(messages[1]), 'its call');
    await assertPaired(managed.messages);
});

/** The tokens of each message are rounded, so their sum may differ slightly. */
function near(tokens: number, expected: number): void {
    assert.ok(Math.abs(tokens - expected) < expected / 25, `${tokens} tokens, not ${expected}`);
}

test('the usage of the provider counts, and is shifted by a plan', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 200_000 });
    const messages = reading(10);
    const usage = { input_tokens: 10_000, output_tokens: 500, cache_read_input_tokens: 5_000, cache_creation_input_tokens: 0 };
    const options = { cache: { contextBudgetTokens: 4_000 } };
    const first = await manageContext(tuckaway, { messages, usage }, options);
    near(first.report.before.total, 15_500);
    assert.equal(first.report.isChanged, true);
    // No request was made since, so the same usage still counts the earlier history.
    const second = await manageContext(tuckaway, { messages: first.messages, usage, memory: first.memory }, options);
    near(second.report.before.total, first.report.after.total);
    assert.equal(second.report.isChanged, false);
    const newer = { ...usage, input_tokens: 4_000 };
    const next = [...first.messages, { role: 'user', content: 'Go on.' }, { role: 'assistant', content: 'Yes.' }];
    const third = await manageContext(tuckaway, { messages: next, usage: newer, memory: second.memory }, options);
    near(third.report.before.total, 9_500);
    // The caller has removed messages that the usage counts.
    const fewer = first.messages.slice(0, 4);
    await manageContext(tuckaway, { messages: fewer, memory: third.memory }, options);
});

test('mistakes are rejected before anything is done', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 100_000 });
    const messages = reading(2);
    const refused = (context: object, options: object, message: RegExp) =>
        assert.rejects(manageContext(tuckaway, context as never, options), { name: 'TuckawayError', kind: 'invalid_input', message });
    await refused({ messages }, { contextWindow: '8000' }, /contextWindow is "8000"; it must be a whole number/);
    await refused({ messages }, { summarise: () => '' }, /did you mean summarize\?/);
    await refused({ messages }, { summarize: 'gpt' }, /^options\.summarize is "gpt"; it must be a function/);
    await refused({ messages: 'Hi' }, {}, /^the history is "Hi"; it must be an array of all its items/);
    await refused({ messages: [null] }, {}, /^Item 0 is malformed/);
    await refused({ messages: [{ role: 'user', content: 5n }] }, {}, /^the history cannot be written as JSON/);
    await refused({ messages, usage: { input_tokens: -1 } }, {}, /^input_tokens of the usage is -1/);
    await refused({ messages, memory: { state: {} } }, {}, /^The memory is invalid/);
    const strict = { strict: true };
    await refused({ messages: messages.slice(0, 2).concat(messages.slice(4)) }, strict, /toolu_0/);
    await refused({ messages: messages.slice(2) }, strict, /toolu_0/);
    await refused({ messages }, { budget: 'huge' }, /^preset is "huge"; it must be 'general'/);
});
