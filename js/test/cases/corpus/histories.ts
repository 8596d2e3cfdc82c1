/** Makes the calls for histories of providers, from a case's input. */

import type { ContextMemory, HistoryFormat, HistoryInput, HistoryItem, KnownArtifact, SummaryAnswer } from 'tuckaway';

import type { AnyTuckaway } from './call.js';
import { isRecipe, text } from './content.js';
import { isObject, malformed, type Json, type JsonObject } from './json.js';
import { AsWritten, inCamelCase, toNumber } from './naming.js';
import { list, objectOf, parseTask, repeated } from './planning.js';

/** The calls of {@link histories}. */
export const HISTORY_CALLS = ['detect_format', 'read_usage', 'manage_history'];

/** Makes the call with this name. */
export async function histories(tuckaway: AnyTuckaway, name: string, input: JsonObject): Promise<unknown> {
    switch (name) {
        case 'detect_format':
            return tuckaway.histories.detectFormat(historyOf(input));
        case 'read_usage':
            return tuckaway.histories.readUsage(usageOf(input));
        case 'manage_history':
            return manage(tuckaway, input);
        default:
            return malformed('there is no call', name);
    }
}

/** Starts to manage a history, and passes the answers of the case while there are requests. */
async function manage(tuckaway: AnyTuckaway, input: JsonObject): Promise<unknown> {
    const memory = input.memory === undefined ? undefined : JSON.stringify(input.memory);
    const [history, task] = [parseInput(input), await parseTask(tuckaway, input.task)];
    let step = await tuckaway.histories.start(history, memory, task);
    for (const answer of list(input.answers)) {
        if (step.request === undefined) {
            break;
        }
        step = await tuckaway.histories.step(history, task, step.state, parseAnswer(answer));
    }
    const { request, compactable, history: managed } = step;
    const itemsOf = (items: HistoryItem[]) => items.map((item) => ('insert' in item ? { insert: parsed(item.insert) } : item));
    return {
        ...managed,
        items: itemsOf(managed.items),
        memory: memoryOf(managed.memory),
        ...(request !== undefined && { request }),
        ...(compactable.length > 0 && { compactable: itemsOf(compactable) }),
    };
}

function parseInput(input: JsonObject): HistoryInput {
    const { format, usage, artifacts, pinned, is_strict, with_json } = input;
    return {
        json: historyOf(input),
        ...(format !== undefined && { format: text(format) as HistoryFormat }),
        ...(usage !== undefined && { usage: JSON.stringify(usage) }),
        artifacts: list(artifacts).map((each) => inCamelCase(objectOf(each)) as unknown as KnownArtifact),
        pinned: list(pinned).map(toNumber),
        isStrict: is_strict === true,
        withJson: with_json === true,
    };
}

function parseAnswer(answer: Json): SummaryAnswer {
    if (isObject(answer) && answer.compacted !== undefined) {
        return { compacted: JSON.stringify(written(answer.compacted)) };
    }
    return isObject(answer) && answer.failed !== undefined ? { failed: text(answer.failed) } : { text: text(answer) };
}

function usageOf({ usage }: JsonObject): string {
    return usage === undefined ? malformed('usage is missing') : JSON.stringify(usage);
}

/** Returns the history as JSON: a text, or a value with its recipes written out. */
function historyOf({ history, json }: JsonObject): string {
    if ((history === undefined) === (json === undefined)) {
        return malformed('a case has either history or json');
    }
    return history === undefined ? text(json) : JSON.stringify(written(history));
}

/** Writes out the recipes of texts anywhere in a value, and the items that a list repeats. */
function written(value: Json): Json {
    if (Array.isArray(value)) {
        return value.flatMap(repeated).map(written);
    }
    if (!isObject(value)) {
        return value;
    }
    return isRecipe(value)
        ? text(value)
        : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, written(member)]));
}

function memoryOf(memory: ContextMemory): AsWritten {
    return new AsWritten(withoutNulls(memory as unknown as Json));
}

function parsed(json: string): AsWritten {
    return new AsWritten(withoutNulls(JSON.parse(json) as Json));
}

/** Omits null members, as in all expectations. */
function withoutNulls(value: Json): Json {
    if (Array.isArray(value)) {
        return value.map(withoutNulls);
    }
    if (!isObject(value)) {
        return value;
    }
    const present = Object.entries(value).filter(([, member]) => member !== null);
    return Object.fromEntries(present.map(([name, member]) => [name, withoutNulls(member)]));
}
