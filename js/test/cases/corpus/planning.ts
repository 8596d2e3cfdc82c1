/** Makes the calls for conversations, from a case's input. */

import type {
    BudgetConfig, CompactionOptions, Conversation, ManageConfig, Message, PairConfig, Part, Preset, Task, TokenUsage,
} from 'tuckaway';

import type { AnyTuckaway } from './call.js';
import { isRecipe, text } from './content.js';
import { isObject, malformed, type Json, type JsonObject } from './json.js';
import { inCamelCase, toNumber, toRecord } from './naming.js';

/** Makes the call with this name. */
export async function plan(tuckaway: AnyTuckaway, name: string, input: JsonObject): Promise<unknown> {
    const config = () => toRecord(objectOf(input.config));
    switch (name) {
        case 'plan': {
            const conversation = parseConversation(input.conversation);
            const progress = { answers: list(input.answers).map(text), state: inCamelCase(objectOf(input.state)) };
            return tuckaway.plan(conversation, await parseTask(tuckaway, input.task), progress);
        }
        case 'cache_view': {
            const artifact = input.artifact === undefined ? undefined : text(input.artifact);
            return tuckaway.cache.view(text(input.text), artifact, config());
        }
        case 'unreferenced':
            return tuckaway.cache.unreferenced(list(input.texts).map(text));
        case 'should_compact':
            return tuckaway.compaction.shouldCompact(toRecord(objectOf(input.usage)) as TokenUsage, parseCompaction(input.config));
        case 'budget_preset':
            return tuckaway.budget.preset(
                text(input.preset) as Preset,
                input.total_window === undefined ? undefined : toNumber(input.total_window),
            );
        case 'check_budget':
            return tuckaway.budget.check(await parseBudget(tuckaway, objectOf(input.config)));
        case 'read_refusal':
            return tuckaway.readRefusal(text(input.error));
        default:
            return malformed('there is no call', name);
    }
}

/** Parses a task. */
export async function parseTask(tuckaway: AnyTuckaway, given: Json | undefined): Promise<Task> {
    if (given === 'account') {
        return { account: true };
    }
    const { trim, compact, budget, manage } = objectOf(given);
    if (trim !== undefined) {
        return { trim: toRecord(objectOf(trim)) };
    }
    if (compact !== undefined) {
        return { compact: parseCompaction(compact) };
    }
    if (budget !== undefined) {
        const { config, compaction } = objectOf(budget);
        const parsed = await parseBudget(tuckaway, objectOf(config));
        return { budget: { config: parsed, compaction: toRecord(objectOf(compaction)) } };
    }
    return { manage: await parseManage(tuckaway, objectOf(manage ?? malformed('there is no such task', given))) };
}

/** Parses the settings of a compaction. Cases state the context limit: it is not the client's window. */
function parseCompaction(given: Json | undefined): CompactionOptions {
    return { contextLimit: null, ...toRecord(objectOf(given)) };
}

function parseConversation(given: Json | undefined): Conversation {
    const { messages, tools, usage } = objectOf(given ?? malformed('conversation is missing'));
    return {
        messages: list(messages).flatMap(repeated).map(objectOf).map(parseMessage),
        ...(tools !== undefined && {
            tools: list(tools).map(objectOf).map((tool) => ({
                ...toRecord(tool),
                name: text(tool.name),
                definition: jsonOrText(tool.definition),
            })),
        }),
        ...(usage !== undefined && { usage: toRecord(objectOf(usage)) as unknown as Conversation['usage'] }),
    };
}

/** Returns an element of a list, or the elements of a recipe: `%` is replaced by a number in all strings. */
export function repeated(given: Json): Json[] {
    if (!isObject(given) || !Array.isArray(given.each)) {
        return [given];
    }
    const [from, to] = [toNumber(given.from ?? 0), toNumber(given.to ?? 0)];
    const numbers = Array.from({ length: to - from + 1 }, (_, index) => String(from + index));
    const each = given.each;
    return numbers.flatMap((n) => each.flatMap((one) => repeated(numbered(one, n))));
}

function numbered(value: Json, n: string): Json {
    if (typeof value === 'string') {
        return value.replaceAll('%', n);
    }
    if (Array.isArray(value)) {
        return value.map((each) => numbered(each, n));
    }
    return isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, numbered(each, n)]))
        : value;
}

function parseMessage({ parts, role, tokens, ...marks }: JsonObject): Message {
    return {
        ...marks,
        role: role as Message['role'],
        parts: list(parts).map(objectOf).map(parsePart),
        ...(tokens !== undefined && { tokens: toNumber(tokens) }),
    };
}

function parsePart(part: JsonObject): Part {
    if (part.tool_call !== undefined) {
        const { arguments: args, ...call } = objectOf(part.tool_call);
        return { toolCall: { ...inCamelCase(call), arguments: jsonOrText(args) } } as Part;
    }
    if (part.tool_result !== undefined) {
        const { text: shown, ...result } = objectOf(part.tool_result);
        return { toolResult: { ...inCamelCase(result), text: text(shown) } } as Part;
    }
    if (part.text !== undefined) {
        return { text: text(part.text) };
    }
    return toRecord(part) as Part;
}

/** Returns a text or a recipe for one; an object that is not a recipe is written as JSON. */
export function jsonOrText(value: Json | undefined): string {
    return isObject(value) && !isRecipe(value) ? JSON.stringify(value) : text(value);
}

/** Parses a budget: a preset for its window, whose members the case overrides. */
async function parseBudget(tuckaway: AnyTuckaway, given: JsonObject, contextWindow?: number): Promise<BudgetConfig> {
    const { preset = 'general', layers, ...rest } = given;
    const members = toRecord(rest) as Partial<BudgetConfig>;
    const name = text(preset) as Preset;
    let scaled: BudgetConfig;
    try {
        scaled = await tuckaway.budget.preset(name, members.totalWindow ?? contextWindow);
    } catch {
        // The call itself must reject a window that no budget can have.
        scaled = await tuckaway.budget.preset(name);
    }
    const own = layers === undefined ? {} : {
        layers: list(layers).map(objectOf).map((layer) => ({ keepRecentTurns: 8, evictPct: 70, ...toRecord(layer) })),
    };
    return { ...scaled, ...members, ...(own as Partial<BudgetConfig>) };
}

async function parseManage(tuckaway: AnyTuckaway, given: JsonObject): Promise<ManageConfig> {
    const contextWindow = toNumber(given.context_window ?? tuckaway.contextWindow);
    return {
        contextWindow,
        cache: toRecord(objectOf(given.cache)),
        ...(given.budget != null && { budget: await parseBudget(tuckaway, objectOf(given.budget), contextWindow) }),
        compaction: toRecord(objectOf(given.compaction)),
        ...(given.refusal != null && { refusal: text(given.refusal) }),
        ...(given.pairs != null && { pairs: toRecord(objectOf(given.pairs)) as PairConfig }),
    };
}

export function objectOf(value: Json | undefined): JsonObject {
    return value === undefined || value === null ? {} : isObject(value) ? value : malformed('this is not an object', value);
}

export function list(value: Json | undefined): Json[] {
    return value === undefined ? [] : Array.isArray(value) ? value : malformed('this is not a list', value);
}
