/** The methods for a conversation as a whole, on top of a function that runs the component. */

import type { Component } from '../component.js';
import { TuckawayError } from '../error.js';
import { string } from '../validate.js';
import type { Budget, Compaction, OutputCache } from './api.js';
import type { ManageOptions } from './config.js';
import * as input from './input.js';
import type { Conversation, Step } from './model.js';
import * as output from './output.js';

/** Runs a call on an instance of the component and converts its answer. */
export type Run = <Answer, Result>(
    call: (component: Component) => Answer,
    convert: (answer: Answer) => Result,
) => Result;

/** What calls start from. */
export interface Defaults {
    cache: ReturnType<Component['cache']['defaultConfig']>;
    compaction: ReturnType<Component['compaction']['defaultConfig']>;
    contextWindow: bigint | undefined;
}

/** The methods for conversations. */
export interface ConversationMethods {
    cache: OutputCache;
    compaction: Compaction;
    budget: Budget;
    manage(conversation: Conversation, options?: ManageOptions): Step;
}

/** The members of {@link ConversationMethods} that have methods of their own. */
export const GROUPS = ['cache', 'compaction', 'budget'] as const;

type Task = Parameters<Component['planning']['plan']>[1];

export function conversationMethods(run: Run, defaults: Defaults): ConversationMethods {
    const planning: Planning = (conversation, task, { answers, state }, convert) => {
        const args = [input.conversation(conversation), task, input.answers(answers), input.state(state)] as const;
        return run((component) => component.planning.plan(...args), convert);
    };
    return {
        cache: outputCache(run, planning, defaults),
        compaction: compaction(run, planning, defaults),
        budget: budget(run, planning, defaults),
        manage(conversation, options) {
            const { config, ...progress } = input.options(options, 'answers', 'state', 'config');
            const { contextWindow, cache, budget, compaction } = input.manage(config);
            const val = {
                contextWindow: known(contextWindow, defaults),
                cache: { ...defaults.cache, ...cache },
                budget,
                compaction: { ...defaults.compaction, ...compaction },
            };
            return planning(conversation, { tag: 'manage', val }, progress, output.step);
        },
    };
}

/** Plans a task for a conversation. */
type Planning = <Result>(
    conversation: unknown,
    task: Task,
    progress: { answers?: unknown; state?: unknown },
    convert: (step: ReturnType<Component['planning']['plan']>) => Result,
) => Result;

function outputCache(run: Run, planning: Planning, defaults: Defaults): OutputCache {
    const configOf = (given: unknown) => ({ ...defaults.cache, ...input.cache(given) });
    return {
        defaults: output.cacheConfig(defaults.cache),
        view(text, artifact, config) {
            const id = artifact == null ? undefined : string(artifact, 'artifact');
            const args = [string(text, 'text'), id, configOf(config)] as const;
            return run((component) => component.cache.view(...args), ({ text, isCut }) => ({ text, isCut }));
        },
        trim(conversation, options) {
            const { contextWindow, state, config } = input.options(options, 'contextWindow', 'state', 'config');
            const window = known(input.window(contextWindow), defaults);
            const task = { tag: 'trim' as const, val: { contextWindow: window, config: configOf(config) } };
            return planning(conversation, task, { state }, ({ plan }) => output.plan(plan));
        },
        unreferenced(conversation) {
            const texts = input.namingTexts(conversation);
            return run((component) => component.cache.unreferenced(texts), (ids) => [...ids]);
        },
    };
}

function compaction(run: Run, planning: Planning, defaults: Defaults): Compaction {
    const configOf = (given: unknown) => ({
        ...defaults.compaction,
        ...(defaults.contextWindow !== undefined && { contextLimit: defaults.contextWindow }),
        ...input.compaction(given),
    });
    return {
        defaults: output.compactionConfig(defaults.compaction),
        shouldCompact(usage, config) {
            const args = [input.tokenUsage(usage), configOf(config)] as const;
            return run((component) => component.compaction.shouldCompact(...args), (answer) => answer);
        },
        plan(conversation, options) {
            const { config, ...progress } = input.options(options, 'answers', 'state', 'config');
            return planning(conversation, { tag: 'compact', val: configOf(config) }, progress, output.step);
        },
    };
}

function budget(run: Run, planning: Planning, defaults: Defaults): Budget {
    return {
        preset(preset, totalWindow) {
            const args = [input.preset(preset, 'preset'), input.window(totalWindow, 'totalWindow')] as const;
            return run((component) => component.budget.presetConfig(...args), output.budgetConfig);
        },
        check(config) {
            const given = input.budget(config);
            return run((component) => component.budget.check(given), output.alarms);
        },
        account(conversation) {
            return planning(conversation, { tag: 'account' }, {}, ({ plan }) => output.account(plan.before));
        },
        plan(conversation, options) {
            const names = ['answers', 'state', 'config', 'compaction'] as const;
            const { config, compaction, ...progress } = input.options(options, ...names);
            const val = {
                config: input.budget(config),
                compaction: { ...defaults.compaction, ...input.compaction(compaction, 'compaction') },
            };
            return planning(conversation, { tag: 'budget', val }, progress, output.step);
        },
    };
}

/** Returns the context window of a call, or else that of `createTuckaway`. */
function known(contextWindow: bigint | undefined, defaults: Defaults): bigint {
    const window = contextWindow ?? defaults.contextWindow;
    if (window === undefined) {
        const why = "contextWindow is missing; pass the model's context window in tokens, here or to createTuckaway.";
        throw new TuckawayError('invalid-input', why);
    }
    return window;
}
