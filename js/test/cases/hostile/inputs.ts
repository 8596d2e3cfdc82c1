/** Invalid arguments: the error names each of them, and says what to pass instead. */

import {
    createTuckaway, type Policy, type ToolOutput, type Tuckaway, type TuckawayOptions, type Turn,
} from 'tuckaway';

import { ok, same } from '../../support/expect.js';
import { BIG, LINE, open, refuses, refusesWith, storeWith, type Tests } from './support.js';

/** Invalid values for a size. */
const NO_SIZES = [NaN, -1, 1.5, 2 ** 53, -Infinity, 5n, '5', true, [], {}];

const OUTPUT: ToolOutput = { tool: 'sql', content: 'x' };

/** Returns the methods of a tuckaway without the types of their arguments. */
function loosely(
    tuckaway: Tuckaway,
): Record<'process' | 'read' | 'grep' | 'jq' | 'callTool', (...args: unknown[]) => unknown> {
    return tuckaway as never;
}

/** Checks that a policy is rejected both for all calls and for a single call. */
async function refusesPolicy(parts: readonly string[], policy: object): Promise<void> {
    await refusesWith('invalid_input', parts, () => open({ policy }));
    const tuckaway = await open();
    for (const call of [
        () => tuckaway.process(OUTPUT, {}, policy),
        () => tuckaway.decide(OUTPUT, {}, policy),
        () => tuckaway.processTurn([OUTPUT], {}, policy),
    ]) {
        await refusesWith('invalid_input', parts, call);
    }
}

export const tests: Tests = {
    'an unknown member of a policy is named, with the most similar known one': async () => {
        for (const [member, nearest] of [
            ['min_threshold_bytes', 'minThresholdBytes'],
            ['minThreshold', 'minThresholdBytes'],
            ['maxTresholdBytes', 'maxThresholdBytes'],
            ['keep_all', 'keepAll'],
            ['headroom_percentage', 'headroomPercentage'],
            ['overide', 'overrides'],
            ['Enabled', 'enabled'],
        ] as const) {
            await refusesPolicy([`"${member}"`, `did you mean ${nearest}?`], { [member]: 1 });
        }
        for (const member of ['zzz', '', '__proto__', 'constructor', 'x'.repeat(5_000)]) {
            const policy = JSON.parse(`{${JSON.stringify(member)}: 1}`) as object;
            await refusesPolicy([JSON.stringify(member.slice(0, 100)), 'enabled, dialect, mode, keepAll'], policy);
        }
        const overrides = [{ tools: 'a' }, { tool: 'b' }];
        await refusesPolicy(['policy.overrides[1]', '"tool"', 'did you mean tools?'], { overrides });
    },

    'a member of the wrong type is named, with its value': async () => {
        for (const size of [
            'minThresholdBytes', 'maxThresholdBytes', 'maxOutputTokens', 'maxViewBytes', 'previewBytes',
        ]) {
            for (const value of NO_SIZES) {
                await refusesPolicy([`policy.${size} is`, 'whole number'], { [size]: value });
            }
        }
        await refusesPolicy(['policy.previewBytes is 4294967296'], { previewBytes: 2 ** 32 });
        for (const share of ['contextPercentage', 'headroomPercentage', 'bytesPerToken']) {
            for (const value of ['0.5', 1n, true, [], {}]) {
                await refusesPolicy([`policy.${share} is`, 'a number'], { [share]: value });
            }
        }
        for (const flag of ['enabled', 'keepAll']) {
            for (const value of [0, 1, 'true', [], {}]) {
                await refusesPolicy([`policy.${flag} is`, 'true or false'], { [flag]: value });
            }
        }
        for (const mode of ['Auto', 'off', '', 1, []]) {
            await refusesPolicy(['policy.mode is', "'auto', 'artifact' or 'truncate'"], { mode });
        }
        await refusesPolicy(['policy.overrides is', 'an array'], { overrides: { tools: 'a' } });
        await refusesPolicy(['policy.overrides[0] is "a"'], { overrides: ['a'] });
        await refusesPolicy(['policy.overrides[1] is undefined'], { overrides: Object.assign(new Array(2), [{ tools: 'a' }]) });
        await refusesPolicy(['policy.overrides[0].tools is undefined'], { overrides: [{}] });
        const negative = [{ tools: 'a', maxThresholdBytes: -1 }];
        await refusesPolicy(['policy.overrides[0].maxThresholdBytes is -1'], { overrides: negative });
        for (const policy of ['auto', 5, true, [], new Uint8Array(2)]) {
            await refusesWith('invalid_input', ['policy is', 'an object with'], () =>
                open({ policy: policy as never }));
        }
    },

    'a policy must be consistent': async () => {
        for (const [policy, part] of [
            [{ contextPercentage: NaN }, 'NaN'],
            [{ contextPercentage: 1.5 }, '1.5'],
            [{ contextPercentage: -Infinity }, '-inf'],
            [{ headroomPercentage: -0.1 }, '-0.1'],
            [{ bytesPerToken: 0 }, '0'],
            [{ bytesPerToken: Infinity }, 'inf'],
            [{ minThresholdBytes: 2_000_000 }, '1048576'],
            [{ maxThresholdBytes: 10 }, '4096'],
            [{ maxOutputTokens: 0 }, '0'],
            [{ overrides: [{ tools: '' }] }, 'glob'],
        ] as [Partial<Policy>, string][]) {
            await refusesPolicy([part], policy);
        }
    },

    'null means no limit, and omitted members have their defaults': async () => {
        const tuckaway = await open({ policy: { maxOutputTokens: 10 } });
        same(tuckaway.decide(OUTPUT, {}, { maxOutputTokens: null }).maxOutputTokens, undefined);
        same(tuckaway.decide(OUTPUT, {}, { maxOutputTokens: undefined }).maxOutputTokens, 10);
        const { maxOutputTokens: _, ...defaults } = tuckaway.policy;
        same((await open({ policy: { mode: undefined, overrides: undefined } as never })).policy, defaults);
    },

    'an invalid turn is named': async () => {
        const tuckaway = await open();
        const process = (turn: object) => tuckaway.process(OUTPUT, turn as Turn);
        for (const value of NO_SIZES) {
            await refusesWith('invalid_input', ['turn.contextWindow is'], () => process({ contextWindow: value }));
            await refusesWith('invalid_input', ['turn.usedTokens is'], () => process({ usedTokens: value }));
        }
        await refusesWith('invalid_input', ['window', '0'], () => process({ contextWindow: 0 }));
        await refusesWith('invalid_input', ['"context_window"', 'did you mean contextWindow?'], () =>
            process({ context_window: 1 }));
        await refusesWith('invalid_input', ['turn.tools is "read"', 'an array'], () => process({ tools: 'read' }));
        await refusesWith('invalid_input', ['turn.tools[1] is "artifact_grep"'], () =>
            process({ tools: ['read', 'artifact_grep'] }));
        for (const turn of ['x', 5, [], true]) {
            await refusesWith('invalid_input', ['turn is'], () => process(turn as object));
        }
    },

    'an invalid output is named': async () => {
        const { process } = loosely(await open());
        for (const output of [undefined, null, 5, 'text', [], true, () => {}]) {
            await refusesWith('invalid_input', ['output is'], () => process(output));
        }
        for (const content of [
            5, 5n, true, [], {}, [116], new ArrayBuffer(2), new DataView(new ArrayBuffer(2)),
            new Uint16Array(2), { stored: 5 }, { stored: 'a', text: 'b' }, () => 'x', Symbol('x'),
        ]) {
            await refusesWith('invalid_input', ['output.content'], () => process({ tool: 'a', content }));
            await refusesWith('invalid_input', ['output.blocks[1].content'], () =>
                process({ tool: 'a', blocks: [{ content: '' }, { content }] }));
        }
        for (const tool of [undefined, null, 5, {}, ['a']]) {
            await refusesWith('invalid_input', ['output.tool is', 'a string'], () =>
                process({ tool, content: 'x' }));
        }
        for (const isError of [0, 'false', {}]) {
            await refusesWith('invalid_input', ['output.isError is'], () =>
                process({ tool: 'a', content: 'x', isError }));
        }
        for (const output of [
            { tool: 'a' }, { tool: 'a', content: null }, { tool: 'a', content: 'x', blocks: [] },
        ]) {
            await refusesWith('invalid_input', ['content', 'blocks'], () => process(output));
        }
        await refusesWith('invalid_input', ['"text"'], () => process({ tool: 'a', text: 'x' }));
        await refusesWith('invalid_input', ['output.mediaType is 5'], () =>
            process({ tool: 'a', content: 'x', mediaType: 5 }));
        await refusesWith('invalid_input', ['mediaType', 'block'], () =>
            process({ tool: 'a', blocks: [], mediaType: 'text/plain' }));
        await refusesWith('invalid_input', ['output.blocks[0] is undefined'], () =>
            process({ tool: 'a', blocks: new Array(2) }));
    },

    'invalid outputs are named by their index': async () => {
        const tuckaway = await open();
        const processTurn = (outputs: unknown) => tuckaway.processTurn(outputs as never);
        await refusesWith('invalid_input', ['outputs is'], () => processTurn(OUTPUT));
        await refusesWith('invalid_input', ['outputs[1].tool is undefined'], () =>
            processTurn([OUTPUT, { content: 'x' }]));
        await refusesWith('invalid_input', ['outputs[0] is undefined'], () => processTurn(new Array(2)));
        same(tuckaway.processTurn([]), []);
    },

    'an artifact of another store is not found, and an invalid id is rejected': async () => {
        const [here, there] = [await open({ store: storeWith({}) }), await open()];
        const id = there.process({ tool: 'sql', content: BIG }).artifacts[0]?.id ?? '';
        same(there.read(id, { lines: { start: 1, end: 1 } }).text, LINE);
        const asking = (id: string) => [
            () => here.read(id), () => here.grep(id, 'x'), () => here.jq(id, '.'),
            () => here.process({ tool: 'sql', content: { stored: id } }),
            () => here.decide({ tool: 'sql', content: { stored: id } }),
        ];
        for (const ask of asking(id)) {
            await refusesWith('not_found', [id], ask);
        }
        const reply = here.callTool('artifact_read', { artifact_id: id });
        same([reply.isError, reply.text.includes(id)], [true, true]);
        for (const none of ['', '../../etc/passwd', 'a b', 'é', 'a'.repeat(65), '\ud800']) {
            for (const ask of asking(none)) {
                await refuses('invalid_input', ask);
            }
        }
        const { read, grep, jq } = loosely(here);
        for (const none of [undefined, null, 5, {}, [id], new String(id)]) {
            for (const ask of [() => read(none), () => grep(none, 'x'), () => jq(none, '.')]) {
                await refusesWith('invalid_input', ['id is', 'a string'], ask);
            }
        }
    },

    'an invalid query is named': async () => {
        const tuckaway = await open();
        const { read, grep, jq } = loosely(tuckaway);
        const id = tuckaway.process({ tool: 'sql', content: BIG }).artifacts[0]?.id;
        for (const [options, part] of [
            [{ lines: 5 }, 'options.lines is 5'],
            [{ lines: [1, 2] }, 'options.lines is an array; it must be an object with start, end'],
            [{ lines: { first: 1 } }, 'it has start, end'],
            [{ lines: { start: -1 } }, 'options.lines.start is -1'],
            [{ lines: { start: 1, end: 1.5 } }, 'options.lines.end is 1.5'],
            [{ lines: { start: 0, end: 5 } }, 'line 0'],
            [{ bytes: { start: 'a' } }, 'options.bytes.start is "a"'],
            [{ lines: {}, bytes: {} }, 'more than one'],
            [{ lines: {}, cursor: 'x' }, 'more than one'],
            [{ cursor: 5 }, 'options.cursor is 5'],
            [{ cursor: 'x' }, 'cursor'],
            [{ maxBytes: 255 }, '255'],
            [{ maxBytes: 0 }, 'omit it for the default of 16384'],
            [{ maxBytes: 2 ** 32 }, 'options.maxBytes'],
            [{ maxBytes: NaN }, 'options.maxBytes is NaN'],
            [{ line_numbers: true }, 'did you mean lineNumbers?'],
            ['x', 'options is "x"'],
        ] as [unknown, string][]) {
            await refusesWith('invalid_input', [part], () => read(id, options));
        }
        for (const [pattern, options, part] of [
            [undefined, {}, 'pattern is undefined'],
            [/a/, {}, 'RegExp'],
            ['(', {}, 'pattern'],
            ['x', { beforeContext: -1 }, 'options.beforeContext is -1'],
            ['x', { afterContext: 101 }, '100'],
            ['x', { maxMatches: 1.5 }, 'options.maxMatches is 1.5'],
            ['x', { maxMatches: 0 }, 'omit it for the default of 100'],
            ['x', { maxBytes: 0 }, 'omit it for the default of 16384'],
            ['x', { ignore_case: true }, 'did you mean ignoreCase?'],
            ['x', { fixedString: 1 }, 'options.fixedString is 1'],
        ] as [unknown, object, string][]) {
            await refusesWith('invalid_input', [part], () => grep(id, pattern, options));
        }
        for (const [filter, options, part] of [
            [null, {}, 'filter is null'],
            ['.[', {}, 'filter'],
            ['.', { raw: 'yes' }, 'options.raw is "yes"'],
            ['.', { maxSteps: 0 }, 'omit it for the default of 20000000'],
            ['.', { maxBytes: 0 }, 'omit it for the default of 16384'],
            ['.', { rawOutput: true }, '"rawOutput"'],
        ] as [unknown, object, string][]) {
            await refusesWith('invalid_input', [part], () => jq(id, filter, options));
        }
        for (const text of [5, null, undefined, ['x'], new ArrayBuffer(2)]) {
            await refusesWith('invalid_input', ['text is'], () => tuckaway.inferShape(text as never));
            await refusesWith('invalid_input', ['text is'], () => tuckaway.truncate(text as never, 512));
        }
        await refusesWith('invalid_input', ['omit it for the default of 2048'], () => tuckaway.inferShape('x', 0));
        await refusesWith('invalid_input', ['maxBytes is undefined'], () =>
            tuckaway.truncate('x', undefined as never));
        await refusesWith('invalid_input', ['511'], () => tuckaway.truncate('x', 511));
    },

    'an invalid tool call is named': async () => {
        const tuckaway = await open();
        const { callTool } = loosely(tuckaway);
        const circle: { self?: object } = {};
        circle.self = circle;
        for (const args of [undefined, null, 5, true, { id: 5n }, circle, { toJSON: () => undefined }, () => {}]) {
            await refusesWith('invalid_input', ['args'], () => callTool('artifact_read', args));
        }
        await refusesWith('invalid_input', ['name is 5'], () => callTool(5, {}));
        await refusesWith('invalid_input', ['sql', 'artifact_read'], () => callTool('sql', {}));
        for (const args of [
            '', '{', 'null', '[]', [], {}, { artifact_id: 5 }, '{"artifact_id": "\\ud800"}',
            { artifact_id: '\ud800' },
        ]) {
            const reply = tuckaway.callTool('artifact_read', args);
            ok(reply.isError && reply.text !== '', `${JSON.stringify(args)} is not reported as a mistake: ${reply.text}`);
        }
    },

    'invalid options are named': async () => {
        for (const [options, part] of [
            [undefined, 'contextWindow is missing'],
            [{ policy: {} }, 'contextWindow is missing'],
            [null, 'options is null'],
            [5, 'options is 5'],
            [{ tokenCounter: () => 1 }, '"tokenCounter"'],
            [{ token: () => 1 }, 'did you mean tokens?'],
            [{ contextWindow: null }, 'contextWindow is missing'],
            [{ store: {} }, 'create, append, seal, stat, read, listArtifacts, delete'],
            [{ store: 'memory' }, 'store'],
            [{ tokens: 4 }, 'tokens is not a function'],
            [{ contextWindow: 8000, tools: 'all' }, 'tools is "all"'],
            [{ contextWindow: 8000, tools: ['cat'] }, 'tools[0] is "cat"'],
            [{ contextWindow: 0 }, '0'],
            [{ contextWindow: '200000' }, 'contextWindow is "200000"'],
        ] as [TuckawayOptions, string][]) {
            await refusesWith('invalid_input', [part], () => createTuckaway(options));
        }
    },
};
