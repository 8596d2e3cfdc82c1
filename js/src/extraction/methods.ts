/** The methods for extractions, on top of a function that runs the component. */

import type { Component } from '../component.js';
import * as answers from '../contract/answers.js';
import * as checks from '../contract/checks.js';
import type { Run } from '../conversation/methods.js';
import { json, size, string } from '../validate.js';
import type { Extraction } from './api.js';

type Config = ReturnType<Component['extraction']['defaultConfig']>;

/** Returns the methods. Extractions without a window use the one given to `createTuckaway`. */
export function extractionMethods(run: Run, contextWindow: bigint): Extraction {
    /** Runs a call with a complete configuration. */
    const configured = <Answer, Result>(
        given: unknown,
        call: (component: Component, config: Config) => Answer,
        convert: (answer: Answer) => Result,
    ): Result => {
        const changes = checks.extractionConfig(given ?? {}, 'config');
        const window = changes.contextTokens ?? contextWindow;
        const complete = (component: Component) =>
            after(component.extraction.defaultConfig(window), (defaults) => call(component, { ...defaults, ...changes }));
        return run(complete, convert);
    };
    return {
        defaults(contextTokens) {
            const window = contextTokens == null ? contextWindow : size(contextTokens, 'contextTokens');
            return run((component) => component.extraction.defaultConfig(window), answers.extractionConfig);
        },
        parseCall(args) {
            const text = json(args, 'args');
            return run((component) => component.extraction.parseCall(text), answers.question);
        },
        estimate(question, config) {
            const asked = checks.question(question, 'question');
            return configured(config, ({ extraction }, full) => extraction.estimate(asked, full), answers.extractionEstimate);
        },
        start(question, config) {
            const asked = checks.question(question, 'question');
            return configured(config, ({ extraction }, full) => extraction.start(asked, full), answers.extractionStep);
        },
        step(state, event) {
            const args = [string(state, 'state'), checks.extractionEvent(event, 'event')] as const;
            return run((component) => component.extraction.step(...args), answers.extractionStep);
        },
    };
}

/** Applies a function to a value, or to the value of a promise, which the component returns where it suspends. */
function after<Value, Next>(value: Value, next: (value: Value) => Next): Next {
    return value instanceof Promise ? (value.then(next) as Next) : next(value);
}
