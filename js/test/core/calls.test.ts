/** Behaviour that applies to every call, and to the object itself. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { MemoryStore, type Store, TuckawayError, type TuckawayOptions, createTuckaway } from 'tuckaway';

function isKind(kind: string, message: RegExp): (error: unknown) => boolean {
    return (error) => {
        assert.ok(error instanceof TuckawayError, String(error));
        assert.equal(error.kind, kind);
        assert.match(error.message, message);
        return true;
    };
}

test('bytes of a transferred buffer are reported', async () => {
    const tuckaway = await createTuckaway({ contextWindow: 8000 });
    const gone = new Uint8Array(5000);
    structuredClone(gone, { transfer: [gone.buffer] });
    const isGone = isKind('invalid_input', /is detached: its buffer was transferred/);
    assert.throws(() => tuckaway.process({ tool: 'tool', content: gone }), isGone);
    assert.throws(() => tuckaway.truncate(gone, 512), isGone);
});

test('a counter that returns a promise leaves nothing behind', async () => {
    const store = new MemoryStore();
    const tokens = (async () => 1) as unknown as () => number;
    const tuckaway = await createTuckaway({ store, tokens, contextWindow: 8000, policy: { keepAll: true } });
    // Small enough for the gates that compare bytes, and stored because of `keepAll`.
    const call = () => tuckaway.process({ tool: 'tool', content: 'some words '.repeat(600) }, { usedTokens: 5000 });
    assert.throws(call, isKind('invalid_input', /token counter returned a promise/));
    assert.deepEqual(store.listArtifacts(), []);
});

test('a client without a context window is refused with a message that says what to pass', async () => {
    const untyped = createTuckaway as (options?: object) => Promise<unknown>;
    for (const args of [[], [{}], [{ contextWindow: undefined }], [{ contextWindow: null }]]) {
        await assert.rejects(untyped(...args), {
            name: 'TuckawayError',
            kind: 'invalid_input',
            message: /^contextWindow is missing; pass the model's context window in tokens, as in createTuckaway\(\{/,
            arguments: ['contextWindow'],
        });
    }
});

test('the property `policy` is the policy in effect', async () => {
    const overrides = [{ tools: 'skill_*', exempt: true }];
    const { policy } = await createTuckaway({ contextWindow: 8000, policy: { overrides } });
    assert.deepEqual(policy.overrides, [{ tools: 'skill_*', exempt: true }]);
    const writable = policy as unknown as { overrides: { tools: string }[]; mode: string };
    assert.throws(() => (writable.mode = 'truncate'), TypeError);
    assert.throws(() => (writable.overrides[0]!.tools = '*'), TypeError);
    assert.throws(() => writable.overrides.push({ tools: '*' }), TypeError);
});

test('the property `tools` lists the offered artifact tools', async () => {
    const { tools } = await createTuckaway({ contextWindow: 8000, tools: ['jq', 'read'] });
    assert.deepEqual(tools, ['read', 'jq']);
    assert.throws(() => (tools as string[]).push('grep'), TypeError);
    assert.deepEqual((await createTuckaway({ contextWindow: 8000 })).tools, ['read', 'grep', 'jq']);
});

test('messages spell arguments as in JavaScript, and quote other words as they are', async () => {
    const store = new MemoryStore();
    const tuckaway = await createTuckaway({ store, contextWindow: 8000 });
    const content = JSON.stringify({ max_bytes: 1 });
    const { artifacts } = tuckaway.process({ tool: 'tool', content }, {}, { keepAll: true });
    const { id } = artifacts[0]!;
    const fractions = { contextPercentage: 1.5, headroomPercentage: -1, bytesPerToken: 0 };
    const sizes = { minThresholdBytes: 2, maxThresholdBytes: 1, maxOutputTokens: 0 };
    const decide = (policy: object, contextWindow = 1) => tuckaway.decide({ tool: '', content: '' }, { contextWindow }, policy);
    for (const [call, ...names] of [
        [() => decide(fractions), 'contextPercentage', 'headroomPercentage', 'bytesPerToken'],
        [() => decide(sizes), 'minThresholdBytes', 'maxThresholdBytes', 'maxOutputTokens'],
        [() => decide({ overrides: [{ tools: '' }] }, 0), 'contextWindow'],
        [() => decide({ keepAll: 'yes' }), 'policy.keepAll'],
        [() => tuckaway.read(id, { maxBytes: 1 }), 'maxBytes'],
        [() => tuckaway.grep(id, 'x', { maxMatches: 0 }), 'maxMatches'],
        [() => tuckaway.grep(id, '('), 'fixedString'],
        [() => tuckaway.jq(id, '.', { maxSteps: 0 }), 'maxSteps'],
        [() => tuckaway.jq(id, 'last(range(1e9))', { maxSteps: 9 }), 'maxSteps'],
        [() => tuckaway.jq(id, '.', { saveAs: 'all', maxBytes: 256 }), 'saveAs', 'maxBytes'],
        [() => tuckaway.jq(id, '.', { variables: { a: 1 } as never }), 'options.variables.a'],
        [() => tuckaway.jq(id, '.', { variables: [] as never }), 'options.variables'],
        [() => tuckaway.inferShape('x', 1), 'maxBytes'],
        [() => tuckaway.truncate('x', 1), 'maxBytes'],
        [() => tuckaway.callTool('artifact_read', { artifact_id: id }, { maxBytes: 1 }), 'maxBytes'],
    ] as [() => unknown, ...string[]][]) {
        assert.throws(call, ({ message, arguments: about }: TuckawayError) => {
            assert.ok(names.every((name) => message.includes(name) && about.includes(name)), message);
            assert.doesNotMatch(message, /[a-z][-_][a-z]/);
            return true;
        });
    }
    const { failure } = tuckaway.jq(id, '.max_bytes.max_steps');
    assert.match(failure!.message, /"max_steps"/);
    const tool = tuckaway.callTool('artifact_grep', { artifact_id: id, pattern: '(' });
    assert.match(tool.text, /set fixed_string to true/);
});

test('only a store that borrows bytes gets a view of the memory', async () => {
    const contents = ['a', 'b'].map((letter) => letter.repeat(50_000));
    for (const borrows of [false, true]) {
        const memory = new MemoryStore();
        const kept: Uint8Array[] = [];
        const store: Store = {
            borrowsBytes: borrows,
            create: (tool, mediaType) => memory.create(tool, mediaType),
            append: (id, bytes) => {
                kept.push(bytes);
                memory.append(id, bytes);
            },
            seal: (id, lineCount) => memory.seal(id, lineCount),
            stat: (id) => memory.stat(id),
            read: (id, offset, length) => memory.read(id, offset, length),
            listArtifacts: () => memory.listArtifacts(),
            delete: (id) => memory.delete(id),
        };
        const tuckaway = await createTuckaway({ store, contextWindow: 8000 });
        const ids = contents.map((content) => tuckaway.process({ tool: 'tool', content }).artifacts[0]!.id);
        // The component's memory is larger than the part that is passed.
        assert.ok(kept.every((bytes) => bytes.byteLength === 50_000));
        assert.ok(kept.every((bytes) => (bytes.buffer.byteLength > 50_000) === borrows));
        const decoder = new TextDecoder();
        assert.deepEqual(ids.map((id) => decoder.decode(store.read(id, 0, 50_000))), contents);
        assert.ok(borrows || kept.every((bytes, index) => decoder.decode(bytes) === contents[index]));
    }
});

test('null is the same as omitted', async () => {
    const nothing = { store: null, tokens: null, policy: null, tools: null, wasm: null };
    const tuckaway = await createTuckaway({ contextWindow: 8000, ...nothing } as unknown as TuckawayOptions);
    assert.equal(tuckaway.toolDefinitions().length, 3);
});

test('after either method of disposal, calls fail with an error that says so', async () => {
    for (const end of ['dispose', Symbol.dispose] as const) {
        const tuckaway = await createTuckaway({ contextWindow: 8000 });
        tuckaway[end]();
        assert.throws(() => tuckaway.listArtifacts(), isKind('invalid_input', /was disposed/));
    }
});
