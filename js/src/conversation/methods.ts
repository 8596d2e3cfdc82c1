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

export function conversationMethods(run: Run, defaults: Defaults): ConversationMethods {
    return {
        cache: outputCache(run, defaults),
        compaction: compaction(run, defaults),
        budget: budget(run, defaults),
        manage(conversation, options) {
            const { answers, state, config } = input.options(options, 'answers', 'state', 'config');
            const { contextWindow, cache, budget, compaction } = input.manage(config);
            const full = {
                contextWindow: known(contextWindow, defaults),
                cache: { ...defaults.cache, ...cache },
                budget,
                compaction: { ...defaults.compaction, ...compaction },
            };
            const args = [input.conversation(conversation), input.answers(answers), input.state(state), full] as const;
            return run((component) => component.management.manage(...args), output.step);
        },
    };
}

function outputCache(run: Run, defaults: Defaults): OutputCache {
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
            const args = [input.conversation(conversation), window, input.state(state), configOf(config)] as const;
            return run((component) => component.cache.trim(...args), output.plan);
        },
        unreferenced(conversation) {
            const given = input.conversation(conversation);
            return run((component) => component.cache.unreferenced(given), (ids) => [...ids]);
        },
    };
}

function compaction(run: Run, defaults: Defaults): Compaction {
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
        prepare(conversation, options) {
            const { answers, config } = input.options(options, 'answers', 'config');
            const args = [input.conversation(conversation), input.answers(answers), configOf(config)] as const;
            return run((component) => component.compaction.prepare(...args), output.request);
        },
        apply(conversation, options) {
            const { answers, state, config } = input.options(options, 'answers', 'state', 'config');
            const given = [input.conversation(conversation), input.answers(answers), input.state(state)] as const;
            const full = configOf(config);
            return run((component) => component.compaction.apply(...given, full), output.compactionResult);
        },
    };
}

function budget(run: Run, defaults: Defaults): Budget {
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
            const given = input.conversation(conversation);
            return run((component) => component.budget.measure(given), output.account);
        },
        plan(conversation, options) {
            const { answers, state, config, compaction } = input.options(
                options, 'answers', 'state', 'config', 'compaction',
            );
            const given = [input.conversation(conversation), input.answers(answers), input.state(state)] as const;
            const summary = { ...defaults.compaction, ...input.compaction(compaction, 'compaction') };
            const full = input.budget(config);
            return run((component) => component.budget.plan(...given, full, summary), output.step);
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
