/** Runs the cases and compares their results, in any environment of the package. */

import { answer, outputsOf, type AnyTuckaway } from './call.js';
import { forgetRecipes } from './content.js';
import { difference } from './diff.js';
import { agree, inExpectedNotation, replaceOutputs } from './expect.js';
import { isObject, malformed, type Json, type JsonObject } from './json.js';
import { follow } from './pages.js';
import { SKIPS } from './skips.js';
import { World } from './world.js';

/** A case file. */
export interface CaseFile {
    /** The path relative to `cases/`. */
    name: string;
    content: JsonObject;
}

/** The model's context window, unless a case states it. */
export const CONTEXT_WINDOW = 200_000;

/** Creates the tuckaway of all cases in their world, for a window of {@link CONTEXT_WINDOW}. */
export type Open = (world: World) => Promise<AnyTuckaway>;

/** The results of the cases. */
export interface Report {
    passed: number;
    /** Each with its file, its name and the reason. */
    skipped: string[];
    /** Each with its file, its name and the difference. */
    failures: string[];
}

/** Runs the cases that have `only` in their own name or their file's name. A skipped case runs, too, and must fail. */
export async function run(open: Open, files: readonly CaseFile[], only: string, skipped = SKIPS): Promise<Report> {
    const report: Report = { passed: 0, skipped: [], failures: [] };
    const skips = new Map(skipped.map(({ file, name, reason }) => [`${file}: ${name}`, reason]));
    const world = new World();
    const tuckaway = await open(world);
    for (const { name: file, content } of files) {
        forgetRecipes();
        for (const each of casesOf(content)) {
            const title = `${file}: ${String(each.name)}`;
            const skip = skips.get(title);
            skips.delete(title);
            if (!title.includes(only)) {
                continue;
            }
            const full = { ...content, ...each, input: inputOf(content, each) };
            const failure = await runCase(world, tuckaway, full, each);
            if (skip === undefined) {
                failure === undefined ? (report.passed += 1) : report.failures.push(`${title}\n${failure}`);
            } else {
                failure === undefined
                    ? report.failures.push(`${title}\n    is skipped (${skip}), and passes: remove it from the list`)
                    : report.skipped.push(`${title} (${skip})`);
            }
        }
    }
    tuckaway[Symbol.dispose]();
    report.failures.push(...Array.from(skips.keys(), (title) => `${title}\n    is skipped, and there is no such case`));
    return report;
}

function casesOf(content: JsonObject): JsonObject[] {
    return Array.isArray(content.cases) ? (content.cases as JsonObject[]) : malformed('there are no cases');
}

/** Merges a case's input into the input of its file, member by member. */
function inputOf(file: JsonObject, each: JsonObject): JsonObject {
    return { ...(isObject(file.input) && file.input), ...(isObject(each.input) && each.input) };
}

/** Runs a case and returns the differences, if any. `full` is the case merged with its file. */
async function runCase(
    world: World,
    tuckaway: AnyTuckaway,
    full: JsonObject & { input: JsonObject },
    each: JsonObject,
): Promise<string | undefined> {
    let actual: JsonObject;
    try {
        actual = await outcome(world, tuckaway, full);
    } catch (error) {
        return `    ${error instanceof Error ? (error.stack ?? String(error)) : String(error)}`;
    }
    const expected = Object.fromEntries(Object.entries(each).filter(([name]) => PARTS.includes(name)));
    if (await agree(expected, actual)) {
        return undefined;
    }
    const pretty = (value: Json) => JSON.stringify(value, null, 2);
    return difference(pretty(expected), pretty(await inExpectedNotation(expected, actual)));
}

/** The members of a case that contain the expectation. */
const PARTS = ['expect', 'error', 'after'];

async function outcome(
    world: World,
    tuckaway: AnyTuckaway,
    { call, store, tokens, input }: JsonObject & { input: JsonObject },
): Promise<JsonObject> {
    if (typeof call !== 'string') {
        return malformed('there is no call');
    }
    world.become(store, tokens);
    if (call === 'pages') {
        return parts(await follow(tuckaway, input), world.after());
    }
    const came = parts(await answer(tuckaway, call, input), world.after());
    const outputs = outputsOf(call, input);
    return Object.fromEntries(Object.entries(came).map(([name, part]) => [name, replaceOutputs(outputs, part)]));
}

function parts(answer: object, after: JsonObject): JsonObject {
    return { ...answer, ...(Object.keys(after).length > 0 && { after }) };
}
