/** The methods of a tuckaway, on top of a function that runs the component. */

import type { Component } from './component.js';
import * as answers from './contract/answers.js';
import type { Dialect } from './contract/types.js';
import { type Defaults, GROUPS, type Run, conversationMethods } from './conversation/methods.js';
import { deadlineMs } from './deadline.js';
import { DIALECTS } from './dialects.js';
import { TuckawayError } from './error.js';
import { extractionMethods } from './extraction/methods.js';
import { historyMethods } from './histories/methods.js';
import * as input from './input.js';
import { type Instances, componentError, trapError } from './instances.js';
import { frozen, size } from './output.js';
import type { AsyncTuckaway, AsyncTuckawayOptions, Tuckaway } from './tuckaway.js';
import { anything, optional, record } from './validate.js';

/** The checked options of `createTuckaway`, without its store and token counter, which belong to the instances. */
export type Settings = ReturnType<typeof parseSettings>;

const knownOptions = record({
    contextWindow: optional(anything),
    store: optional(anything),
    tokens: optional(anything),
    policy: optional(anything),
    tools: optional(anything),
    deadlineMs: optional(anything),
    wasm: optional(anything),
});

/**
 * Checks the options of `createTuckaway`, except for the parts of a policy that only the component can check. Without
 * options, as plain JavaScript can call it, the error is about the missing window.
 */
export function parseSettings(options: Partial<AsyncTuckawayOptions> = {}) {
    knownOptions(options, 'options');
    const { contextWindow, policy, tools, store, tokens } = options;
    const methods = ['create', 'append', 'seal', 'stat', 'read', 'listArtifacts', 'delete'] as const;
    const missing = store == null ? [] : methods.filter((name) => typeof store?.[name] !== 'function');
    if (missing.length > 0) {
        const why = `store has no method ${missing.join(', ')}; see the interface Store.`;
        throw new TuckawayError('invalid_input', why, { arguments: ['store'] });
    }
    if (tokens != null && typeof tokens !== 'function') {
        const why = 'tokens is not a function; pass a function that takes a text and returns its number of tokens.';
        throw new TuckawayError('invalid_input', why, { arguments: ['tokens'] });
    }
    return {
        contextWindow: input.window(contextWindow),
        policy: input.policy(policy),
        tools: tools == null ? [...input.ARTIFACT_TOOLS] : input.tools(tools),
        deadlineMs: deadlineMs(options.deadlineMs),
    };
}

/** Returns a tuckaway over synchronous instances. */
export function tuckawayOver(instances: Instances, settings: Settings): Tuckaway {
    const discard = (ids: Iterable<string>) => {
        for (const id of ids) {
            try {
                void Promise.resolve(instances.ports.store.delete(id)).catch(() => {});
            } catch {
                // The caller gets the first error.
            }
        }
    };
    const run: Run = (call, convert) => {
        const instance = instances.take();
        const { record } = instance;
        let answer;
        try {
            answer = call(instance.exports);
        } catch (error) {
            const own = componentError(error, record);
            if (own !== undefined) {
                instances.giveBack(instance);
                throw record.misuse ?? own;
            }
            discard(record.unsealed);
            throw record.misuse ?? trapError(error, instance);
        }
        instances.giveBack(instance);
        if (record.misuse !== undefined) {
            // The caller gets no view, so nothing would refer to these artifacts.
            discard(record.sealed);
            throw record.misuse;
        }
        return convert(answer);
    };
    const same = <Answer>(answer: Answer) => answer;
    const policies = perDialect((dialect) => run((component) => component.offload.defaultPolicy(dialect), same));
    const defaults = {
        cache: run((component) => component.cache.defaultConfig(), same),
        compaction: run((component) => component.compaction.defaultConfig(), same),
        contextWindow: settings.contextWindow,
    };
    const tuckaway = methods(run, policies, settings, defaults, instances);
    checkSettings(tuckaway);
    return tuckaway;
}

/** Returns a tuckaway over instances that suspend while a promise is pending. */
export async function asyncTuckawayOver(instances: Instances, settings: Settings): Promise<AsyncTuckaway> {
    const run = async <Answer, Result>(
        call: (component: Component) => Answer,
        convert: (answer: Awaited<Answer>) => Result,
    ): Promise<Result> => {
        const instance = instances.take();
        const { record } = instance;
        let answer;
        try {
            answer = await call(instance.exports);
        } catch (error) {
            const own = componentError(error, record);
            if (own !== undefined) {
                instances.giveBack(instance);
                throw own;
            }
            await Promise.allSettled([...record.unsealed].map(async (id) => instances.ports.store.delete(id)));
            // The JavaScript engine keeps a suspended stack, and its memory, alive until the next task.
            await new Promise((resolve) => setTimeout(resolve));
            throw trapError(error, instance);
        }
        instances.giveBack(instance);
        return convert(answer);
    };
    const same = <Answer>(answer: Answer) => answer;
    const policies = {} as Policies;
    for (const dialect of DIALECTS) {
        policies[dialect] = await run((component) => component.offload.defaultPolicy(dialect), same);
    }
    const defaults = {
        cache: await run((component) => component.cache.defaultConfig(), same),
        compaction: await run((component) => component.compaction.defaultConfig(), same),
        contextWindow: settings.contextWindow,
    };
    const tuckaway = methods(run as unknown as Run, policies, settings, defaults, instances);
    const { extraction, histories } = tuckaway;
    for (const group of [tuckaway, ...GROUPS.map((name) => tuckaway[name]), extraction, histories]) {
        rejectInstead(group);
    }
    await checkSettings(tuckaway);
    return tuckaway as unknown as AsyncTuckaway;
}

/** Makes methods reject for an invalid argument, as for any other error, instead of throwing. */
function rejectInstead(methods: object): void {
    for (const [name, method] of Object.entries(methods)) {
        if (typeof method === 'function' && name !== 'dispose') {
            Object.assign(methods, { [name]: async (...args: never[]) => (method as (...args: never[]) => unknown)(...args) });
        }
    }
}

/** Has the component check the policy and the window, so that an invalid one fails before the first output. */
function checkSettings(tuckaway: Tuckaway): unknown {
    return tuckaway.decide({ tool: '', blocks: [] });
}

type FullPolicy = ReturnType<Component['offload']['defaultPolicy']>;

/** The default policy of each dialect. */
type Policies = Record<Dialect, FullPolicy>;

function perDialect<Value>(valueOf: (dialect: Dialect) => Value): Record<Dialect, Value> {
    return Object.fromEntries(DIALECTS.map((dialect) => [dialect, valueOf(dialect)])) as Record<Dialect, Value>;
}

function methods(
    run: Run,
    policies: Policies,
    settings: Settings,
    defaults: Defaults,
    instances: Instances,
): Tuckaway {
    const dispose = () => instances.dispose();
    const policyOf = (given: Parameters<typeof input.policy>[0]): FullPolicy => {
        const changes = { ...settings.policy, ...input.policy(given) };
        return { ...policies[changes.dialect ?? 'artifact'], ...changes };
    };
    const policy = policyOf(undefined);
    return {
        process(given, turn, policy) {
            const args = [input.toolOutput(given), input.turn(turn, settings), policyOf(policy)] as const;
            return run((component) => component.offload.process(...args), answers.view);
        },
        processTurn(given, turn, policy) {
            const args = [input.toolOutputs(given, 'outputs'), input.turn(turn, settings), policyOf(policy)] as const;
            return run((component) => component.offload.processTurn(...args), (views) => views.map(answers.view));
        },
        decide(given, turn, policy) {
            const args = [input.toolOutput(given), input.turn(turn, settings), policyOf(policy)] as const;
            return run((component) => component.offload.decide(...args), answers.decision);
        },
        inferShape(given, maxBytes) {
            const args = [input.reducible(given, 'text'), input.maxBytes(maxBytes)] as const;
            return run((component) => component.reduce.inferShape(...args), answers.shape);
        },
        truncate(given, maxBytes) {
            const args = [input.reducible(given, 'text'), input.maxViewBytes(maxBytes)] as const;
            return run((component) => component.reduce.truncate(...args), (text) => text);
        },
        read(id, options) {
            const { range, lineNumbers, maxBytes } = input.read(options);
            const args = [input.id(id), range, lineNumbers, maxBytes] as const;
            return run((component) => component.artifacts.read(...args), answers.page);
        },
        grep(id, pattern, options) {
            const { query, maxBytes } = input.grep(pattern, options);
            const args = [input.id(id), query, maxBytes] as const;
            return run((component) => component.artifacts.grep(...args), answers.matches);
        },
        grepAll(pattern, options) {
            const { query, maxBytes } = input.grep(pattern, options);
            return run((component) => component.artifacts.grepAll(query, maxBytes), answers.allMatches);
        },
        jq(id, filter, options) {
            const { query, maxBytes } = input.jq(filter, options);
            const args = [input.id(id), query, maxBytes] as const;
            return run((component) => component.artifacts.jq(...args), answers.outputs);
        },
        listArtifacts() {
            return run((component) => component.artifacts.listArtifacts(), (artifacts) => artifacts.map(answers.artifact));
        },
        toolDefinitions(tools, options) {
            const names = tools === undefined ? settings.tools : input.tools(tools);
            const { dialect = policy.dialect, isFinalTurn = false, isDetailed = false } = input.definitions(options);
            const args = [names, dialect, isFinalTurn, isDetailed] as const;
            return run((component) => component.tools.definitions(...args), (tools) => tools.map(answers.toolDefinition));
        },
        callTool(name, given, options) {
            const { args, maxBytes } = input.toolCall(given, options);
            const checked = [input.toolName(name), args, maxBytes] as const;
            return run((component) => component.tools.call(...checked), answers.toolReply);
        },
        ...conversationMethods(run, defaults),
        histories: historyMethods(run, defaults),
        extraction: extractionMethods(run, settings.contextWindow),
        defaultPolicy(dialect) {
            return frozen(answers.policy(policies[input.dialect(dialect)]));
        },
        policy: frozen(answers.policy(policy)),
        store: instances.ports.store,
        tools: Object.freeze([...settings.tools]),
        contextWindow: size(settings.contextWindow),
        dispose,
        [Symbol.dispose ?? 'dispose']: dispose,
    };
}
