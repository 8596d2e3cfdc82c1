/** Makes the calls for extractions, from a case's input. */

import {
    type ExtractionEvent, type ExtractionMode, type ExtractionOptions, type ExtractionStep, type Question,
    type StopReason, TuckawayError,
} from 'tuckaway';

import type { AnyTuckaway } from './call.js';
import { text } from './content.js';
import { isObject, malformed, type Json, type JsonObject } from './json.js';
import { fromFailure, toNumber, toRecord } from './naming.js';
import { jsonOrText, list, objectOf } from './planning.js';

/** The calls of {@link extraction}. */
export const EXTRACTION_CALLS = ['extraction_config', 'parse_call', 'estimate', 'start', 'step', 'extract'];

/** Makes the call with this name. */
export async function extraction(tuckaway: AnyTuckaway, name: string, input: JsonObject): Promise<unknown> {
    const { extraction } = tuckaway;
    switch (name) {
        case 'extraction_config':
            return extraction.defaults(toNumber(input.context_tokens ?? malformed('context_tokens is missing')));
        case 'parse_call':
            return extraction.parseCall(jsonOrText(input.arguments));
        case 'estimate':
            return extraction.estimate(parseQuestion(input), await parseConfig(tuckaway, input));
        case 'start':
            return stepped(await extraction.start(parseQuestion(input), await parseConfig(tuckaway, input)));
        case 'step':
            return stepped(await extraction.step(text(input.state), parseEvent(input.event)));
        case 'extract':
            return runAll(tuckaway, input);
        default:
            return malformed('there is no call', name);
    }
}

/** Parses the question, which is `the errors` unless the case specifies it. */
function parseQuestion(input: JsonObject): Question {
    const given = objectOf(input.question ?? malformed('question is missing'));
    const { artifact, extract = 'the errors', mode = 'auto', tool_arguments, nonce } = given;
    return {
        artifact: text(artifact),
        extract: text(extract),
        mode: text(mode) as ExtractionMode,
        ...(tool_arguments !== undefined && { toolArguments: jsonOrText(tool_arguments) }),
        ...(nonce !== undefined && { nonce: text(nonce) }),
    };
}

/** Parses the configuration: changes to the defaults for its window. */
async function parseConfig({ contextWindow, extraction }: AnyTuckaway, input: JsonObject): Promise<ExtractionOptions> {
    const given = toRecord(objectOf(input.config)) as ExtractionOptions;
    const contextTokens = given.contextTokens ?? contextWindow;
    let defaults: ExtractionOptions;
    try {
        defaults = await extraction.defaults(contextTokens);
    } catch {
        // The call itself must reject a window that is too small.
        defaults = await extraction.defaults();
    }
    return { ...defaults, contextTokens, ...given };
}

/** Parses an event. `answer` is put into the wrapper with the question's nonce. */
function parseEvent(given: Json | undefined, nonce?: Json): ExtractionEvent {
    if (given === 'resume' || given === 'cancel') {
        return given === 'resume' ? { resume: true } : { cancel: true };
    }
    const event = isObject(given) ? given : malformed('this is not an event', given);
    if (event.failed !== undefined) {
        return { failed: { request: text(event.failed), why: text(event.why ?? "The model's API failed.") } };
    }
    const { reply, answer, text: said = '', calls, stop, input_tokens, output_tokens } = event;
    const wrapped = (inside: string) =>
        `<ai-agent-${text(nonce)}-FINAL format="text">\n${inside}\n</ai-agent-${text(nonce)}-FINAL>`;
    const turn = {
        text: answer === undefined ? text(said) : wrapped(text(answer)),
        calls: list(calls).map(objectOf).map((call) => ({
            id: text(call.id),
            name: text(call.name),
            arguments: jsonOrText(call.arguments),
        })),
    };
    return {
        reply: {
            request: text(reply),
            reply: {
                turn,
                ...(stop !== undefined && { stop: stop as StopReason }),
                ...(input_tokens !== undefined && { inputTokens: toNumber(input_tokens) }),
                ...(output_tokens !== undefined && { outputTokens: toNumber(output_tokens) }),
            },
        },
    };
}

/** Starts an extraction and passes the events of the case, one after the other. */
async function runAll(tuckaway: AnyTuckaway, input: JsonObject): Promise<unknown> {
    let step = await tuckaway.extraction.start(parseQuestion(input), await parseConfig(tuckaway, input));
    const steps: object[] = [{ requests: stepped(step).requests }];
    const { nonce } = objectOf(input.question);
    for (const event of list(input.events)) {
        if (step.answer !== undefined) {
            malformed('this comes after the answer', event);
        }
        const state = isObject(event) && event.state !== undefined ? changed(step.state, event.state) : step.state;
        try {
            step = await tuckaway.extraction.step(state, parseEvent(event, nonce));
            steps.push({ requests: stepped(step).requests });
        } catch (error) {
            if (!(error instanceof TuckawayError)) {
                throw error;
            }
            // After an error the state is still valid.
            steps.push({ error: fromFailure(error) });
        }
    }
    const { answer } = stepped(step);
    return { steps, ...(answer != null && { answer }) };
}

/** Returns a modified state: bytes cut off at its end, a text replaced by another, or another state. */
function changed(state: string, change: Json): string {
    const { cut, replace, by } = isObject(change) ? change : {};
    if (cut !== undefined) {
        const bytes = new TextEncoder().encode(state);
        return new TextDecoder('utf-8', { fatal: true }).decode(bytes.slice(0, Math.max(bytes.length - toNumber(cut), 0)));
    }
    if (replace !== undefined) {
        const from = text(replace);
        return state.includes(from) ? state.replace(from, () => text(by)) : malformed('the state does not contain', from);
    }
    return text(change);
}

/** Returns a step as in case files: with the schemas of its tools as text. */
function stepped(step: ExtractionStep): ExtractionStep {
    const asText = (schema: object) => JSON.stringify(schema) as unknown as typeof step.requests[0]['tools'][0]['inputSchema'];
    const requests = step.requests.map((request) => ({
        ...request,
        tools: request.tools.map((tool) => ({ ...tool, inputSchema: asText(tool.inputSchema) })),
    }));
    return { ...step, requests };
}
