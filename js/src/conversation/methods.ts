/** The methods for conversations, on top of a function that runs the component. */

import type { Component } from '../component.js';
import * as answers from '../contract/answers.js';
import * as checks from '../contract/checks.js';
import type { Conversation, ProviderRefusal, Step } from '../contract/types.js';
import { frozen } from '../output.js';
import { string } from '../validate.js';
import type { Budget, Compaction, OutputCache } from './api.js';
import type { ManageOptions, Progress, Task as TaskOptions } from './config.js';
import * as input from './input.js';

/** Runs a call on an instance of the component and converts its answer. */
export type Run = <Answer, Result>(
    call: (component: Component) => Answer,
    convert: (answer: Answer) => Result,
) => Result;

/** The defaults of calls. */
export interface Defaults {
    cache: ReturnType<Component['cache']['defaultConfig']>;
    compaction: ReturnType<Component['compaction']['defaultConfig']>;
    contextWindow: bigint;
}

/** The methods for conversations. */
export interface ConversationMethods {
    cache: OutputCache;
    compaction: Compaction;
    budget: Budget;
    plan(conversation: Conversation, task: TaskOptions, progress?: Progress): Step;
    manage(conversation: Conversation, options?: ManageOptions): Step;
    readRefusal(error: string): ProviderRefusal;
}

/** The members of {@link ConversationMethods} that contain methods themselves. */
export const GROUPS = ['cache', 'compaction', 'budget'] as const;

type Task = Parameters<Component['planning']['plan']>[1];

/** Plans a task for a conversation. */
type Planning = <Result>(
    conversation: unknown,
    task: ReturnType<typeof input.task>,
    progress: { answers?: unknown; state?: unknown },
    convert: (step: ReturnType<Component['planning']['plan']>) => Result,
) => Result;

export function conversationMethods(run: Run, defaults: Defaults): ConversationMethods {
    const planning: Planning = (conversation, task, { answers, state }, convert) => {
        const full = complete(task, defaults);
        const args = [input.conversation(conversation), full, input.answers(answers), input.state(state)] as const;
        return run((component) => component.planning.plan(...args), convert);
    };
    return {
        cache: outputCache(run, planning, defaults),
        compaction: compaction(run, planning, defaults),
        budget: budget(run, planning),
        plan(conversation, task, options) {
            const progress = input.options(options, 'answers', 'state');
            return planning(conversation, input.task(task, 'task'), progress, answers.step);
        },
        manage(conversation, options) {
            const { config, ...progress } = input.options(options, 'answers', 'state', 'config');
            return planning(conversation, { tag: 'manage', val: input.manage(config) }, progress, answers.step);
        },
        readRefusal(error) {
            const text = string(error, 'error');
            return run((component) => component.planning.readRefusal(text), answers.providerRefusal);
        },
    };
}

/** Completes a task with the defaults. */
export function complete(task: ReturnType<typeof input.task>, defaults: Defaults): Task {
    switch (task.tag) {
        case 'account':
            return { tag: 'account' };
        case 'trim': {
            const { contextWindow, config } = task.val;
            const window = contextWindow ?? defaults.contextWindow;
            return { tag: 'trim', val: { contextWindow: window, config: { ...defaults.cache, ...config } } };
        }
        case 'compact':
            return { tag: 'compact', val: { ...limited(defaults), ...task.val } };
        case 'budget': {
            const { config, compaction } = task.val;
            return { tag: 'budget', val: { config, compaction: { ...defaults.compaction, ...compaction } } };
        }
        case 'manage': {
            const { contextWindow, cache, budget, compaction, refusal, pairs } = task.val;
            return {
                tag: 'manage',
                val: {
                    contextWindow: contextWindow ?? defaults.contextWindow,
                    cache: { ...defaults.cache, ...cache },
                    budget,
                    compaction: { ...defaults.compaction, ...compaction },
                    refusal,
                    pairs,
                },
            };
        }
    }
}

/** Returns the defaults of a compaction, with the window as its context limit. */
function limited({ compaction, contextWindow }: Defaults): Defaults['compaction'] {
    return { ...compaction, contextLimit: contextWindow };
}

function outputCache(run: Run, planning: Planning, defaults: Defaults): OutputCache {
    return {
        defaults: frozen(answers.cacheConfig(defaults.cache)),
        view(text, artifact, config) {
            const id = artifact == null ? undefined : string(artifact, 'artifact');
            const args = [string(text, 'text'), id, { ...defaults.cache, ...input.cache(config) }] as const;
            return run((component) => component.cache.view(...args), answers.cacheView);
        },
        trim(conversation, options) {
            const { contextWindow, state, config } = input.options(options, 'contextWindow', 'state', 'config');
            const val = { contextWindow: input.window(contextWindow), config: input.cache(config) };
            return planning(conversation, { tag: 'trim', val }, { state }, ({ plan }) => answers.plan(plan));
        },
        unreferenced(conversation) {
            const texts = input.namingTexts(conversation);
            return run((component) => component.cache.unreferenced(texts), (ids) => [...ids]);
        },
    };
}

function compaction(run: Run, planning: Planning, defaults: Defaults): Compaction {
    return {
        defaults: frozen(answers.compactionConfig(defaults.compaction)),
        shouldCompact(usage, config) {
            const args = [checks.tokenUsage(usage, 'usage'), { ...limited(defaults), ...input.compaction(config) }] as const;
            return run((component) => component.compaction.shouldCompact(...args), (answer) => answer);
        },
        plan(conversation, options) {
            const { config, ...progress } = input.options(options, 'answers', 'state', 'config');
            return planning(conversation, { tag: 'compact', val: input.compaction(config) }, progress, answers.step);
        },
    };
}

function budget(run: Run, planning: Planning): Budget {
    return {
        preset(preset, totalWindow) {
            const args = [checks.preset(preset, 'preset'), input.window(totalWindow, 'totalWindow')] as const;
            return run((component) => component.budget.presetConfig(...args), answers.budgetConfig);
        },
        check(config) {
            const given = input.budget(config);
            return run((component) => component.budget.check(given), (alarms) => alarms.map(answers.alarm));
        },
        account(conversation) {
            const task = { tag: 'account' } as const;
            return planning(conversation, task, {}, ({ plan }) => answers.account(plan.before));
        },
        plan(conversation, options) {
            const names = ['answers', 'state', 'config', 'compaction'] as const;
            const { config, compaction, ...progress } = input.options(options, ...names);
            const val = { config: input.budget(config), compaction: input.compaction(compaction, 'compaction') };
            return planning(conversation, { tag: 'budget', val }, progress, answers.step);
        },
    };
}
