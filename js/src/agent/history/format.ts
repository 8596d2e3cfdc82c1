/**
 * Code that the adapters of all providers share. One item of a history is one message, and one content block is one
 * part, with the same indexes; a plan is applied to the original items, so that everything else in them survives.
 */

import type {
    Conversation, Message, Part, Plan, Replacement, Role, TokenUsage, ToolSpec,
} from '../../conversation/model.js';
import { invalid } from '../../validate.js';

/** An object of a provider, only some of whose members are known. */
export type Fields = { readonly [name: string]: unknown };

/** Reads an item as a message. `path` is the caller's name for the item, for errors. */
export type ReadItem = (item: Fields, path: string, index: number) => Message;

/** The replacements in a message, by part. */
export type Changes = ReadonlyMap<number, Replacement>;

/** A provider's history format: how a history is read, and how it is changed. */
export interface HistoryFormat {
    /** The caller's name for the history, for errors. */
    readonly list: string;
    /** Returns a reader for the items of a history. */
    reader(items: readonly Fields[]): ReadItem;
    /** Returns a copy of an item in which the texts of some results, which are parts of its message, are replaced. */
    withResults(item: Fields, changes: Changes): Fields;
    /** Repairs the provider's own items that a plan has made inconsistent. */
    settle?(placed: readonly Placed[], items: readonly Fields[]): Placed[];
    /** Returns a message that a plan inserts. */
    insertion(role: Role, text: string): Fields;
    /** Reads the developer's prompt, if it is a parameter outside the history, as messages. */
    prompt(system: unknown): Message[];
    /** Reads the definitions of tools, one for each tool. */
    tools(tools: unknown): ToolSpec[];
    /** Reads the usage that the provider reported; undefined if it has no figures. */
    usage(reported: unknown): TokenUsage | undefined;
}

/** A history in the neutral form, preceded by a number of messages from the developer's prompt. */
export interface Neutral {
    conversation: Conversation;
    prompted: number;
}

/** The host's knowledge about a history that is not part of the history. */
export interface Knowledge {
    /** Returns the artifact from which a result can be read. */
    artifactOf?: ((callId: string, text: string) => string | undefined) | undefined;
    /**
     * Returns whether an earlier plan inserted an item. `text` is given for a user's message that consists of one text.
     */
    isInserted?: ((item: any, text: string | undefined) => boolean) | undefined;
    /** Returns whether an item must be kept unchanged. */
    isPinned?: ((item: any, index: number) => boolean) | undefined;
}

/** Converts a history to the neutral form. */
export function toNeutral(
    format: HistoryFormat,
    given: unknown,
    { system, tools }: { system?: unknown; tools?: unknown } = {},
    { artifactOf, isInserted, isPinned }: Knowledge = {},
): Neutral {
    const items = itemsOf(given, format.list);
    const read = format.reader(items);
    const prompt = format.prompt(system);
    const messages = items.map((item, index) => {
        const message = read(item, `${format.list}[${index}]`, index);
        const { parts } = message;
        return {
            ...message,
            parts: artifactOf === undefined ? parts : parts.map((part) => withArtifact(part, artifactOf)),
            ...(isInserted?.(item, onlyText(message)) && { inserted: true }),
            ...(isPinned?.(item, index) && { pinned: true }),
        };
    });
    return {
        conversation: { messages: [...prompt, ...messages], tools: format.tools(tools) },
        prompted: prompt.length,
    };
}

/** Returns the text of a user's message that consists of one text. */
export function onlyText({ role, parts: [first, ...more] }: Message): string | undefined {
    return role === 'user' && more.length === 0 && first !== undefined && 'text' in first ? first.text : undefined;
}

function withArtifact(part: Part, artifactOf: NonNullable<Knowledge['artifactOf']>): Part {
    if (!('toolResult' in part) || part.toolResult.artifact !== undefined) {
        return part;
    }
    const artifact = artifactOf(part.toolResult.callId, part.toolResult.text);
    return artifact === undefined ? part : { toolResult: { ...part.toolResult, artifact } };
}

/** An item of a new history, with the index of the original item; no index if it is new. */
export interface Placed {
    item: Fields;
    from?: number;
}

/**
 * Applies a plan to the original history. Items that are kept are the same objects, except for copies of items in which
 * the text of a result changes.
 */
export function applyTo(format: HistoryFormat, items: readonly Fields[], plan: Plan, prompted: number): Placed[] {
    // One message may have any number of results, so it is copied once for all of them.
    const replacements = new Map<number, Map<number, Replacement>>();
    for (const each of plan.replacements) {
        const ofMessage = replacements.get(each.message) ?? new Map<number, Replacement>();
        replacements.set(each.message, ofMessage.set(each.part, each));
    }
    const placed = plan.history.flatMap((entry): Placed[] => {
        if ('insert' in entry) {
            return [{ item: format.insertion(entry.insert.role, entry.insert.text) }];
        }
        const kept: Placed[] = [];
        for (let index = Math.max(entry.keep.start, prompted); index < entry.keep.end; index++) {
            const from = index - prompted;
            const [item, changes] = [items[from]!, replacements.get(index)];
            kept.push({ item: changes === undefined ? item : format.withResults(item, changes), from });
        }
        return kept;
    });
    return format.settle === undefined || plan.isEmpty ? placed : format.settle(placed, items);
}

/** Returns a list in which the elements with a replacement are replaced, by index. */
export function withChanges(
    list: unknown,
    changes: Changes,
    change: (each: Fields, replacement: Replacement) => Fields,
): Fields[] {
    return (list as Fields[]).map((each, index) => {
        const replacement = changes.get(index);
        return replacement === undefined ? each : change(each, replacement);
    });
}

/** Returns the tools, an array or an object by name, without the ones that a plan removes. */
export function withoutTools(format: HistoryFormat, tools: unknown, removed: readonly string[]): unknown {
    if (removed.length === 0) {
        return tools;
    }
    const names = new Set(removed);
    if (Array.isArray(tools)) {
        const specs = format.tools(tools);
        const left = tools.filter((_, index) => !names.has(specs[index]!.name));
        // Providers reject an empty list.
        return left.length === 0 ? undefined : left;
    }
    return Object.fromEntries(Object.entries(tools as object).filter(([name]) => !names.has(name)));
}

/** Checks a history. */
export function itemsOf(given: unknown, name: string): readonly Fields[] {
    if (!Array.isArray(given)) {
        throw invalid(name, given, 'an array: the whole history');
    }
    given.forEach((item, index) => fieldsOf(item, `${name}[${index}]`));
    return given as Fields[];
}

/** Checks an object of a provider. */
export function fieldsOf(value: unknown, path: string): Fields {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
        throw invalid(path, value, 'an object');
    }
    return value as Fields;
}

/** Checks a text in a provider's object. */
export function textOf(value: unknown, path: string): string {
    if (typeof value !== 'string') {
        throw invalid(path, value, 'a string');
    }
    return value;
}

const ROLES: { readonly [role: string]: Role } = {
    system: 'system',
    developer: 'system',
    user: 'user',
    assistant: 'assistant',
    model: 'assistant',
    tool: 'tool',
    function: 'tool',
};

/** Returns the role of an item. */
export function roleOf(role: unknown, path: string): Role {
    const known = typeof role === 'string' && Object.hasOwn(ROLES, role) ? ROLES[role] : undefined;
    if (known === undefined) {
        throw invalid(`${path}.role`, role, "'system', 'developer', 'user', 'assistant' or 'tool'");
    }
    return known;
}
