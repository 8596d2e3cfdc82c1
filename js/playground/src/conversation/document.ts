/** Reads the JSON of a conversation: a history, or a request with one. */

import { type FormatName, detectFormat } from 'tuckaway/history';

type Fields = { readonly [name: string]: unknown };

/** A parsed conversation. */
export interface ConversationDocument {
    format: FormatName;
    history: readonly object[];
    system: unknown;
    tools: unknown;
    usage: unknown;
    /**
     * Writes the document with a new history and new tools. If anything changed, members that belong to the old
     * history, its usage and its id at the provider, are omitted.
     */
    write(history: readonly object[], tools: unknown): string;
}

/** Parses a document. Throws an error that says what is wrong with it. */
export function parseDocument(text: string): ConversationDocument {
    let value: unknown;
    try {
        value = JSON.parse(text);
    } catch (error) {
        throw new Error(`This is not valid JSON: ${(error as Error).message}`);
    }
    const request = (Array.isArray(value) ? { messages: value } : value) as Fields | null;
    const member = ['messages', 'input'].find((name) => Array.isArray(request?.[name]));
    if (typeof request !== 'object' || request === null || member === undefined) {
        throw new Error('This has no history. Paste an array of messages, or a request with `messages` or `input`.');
    }
    const given = request[member] as object[];
    const hasSystem = request.system !== undefined && request.system !== null;
    const detected = member === 'input' ? 'openai-responses' : detectFormat(given);
    const format = detected === 'openai-chat' && hasSystem ? 'anthropic' : detected;
    const isNeutral = format === 'neutral';
    const original = isNeutral ? (given.map(inCamelCase) as object[]) : given;
    const write = (history: readonly object[], tools: unknown) => {
        const isSame = history.length === original.length && history.every((item, index) => item === original[index]);
        if (isSame && tools === request.tools) {
            return JSON.stringify(value, null, 2);
        }
        const items = isNeutral ? history.map(inSnakeCase) : history;
        const { tools: _, usage: _usage, previous_response_id: _id, conversation: _conversation, ...rest } = request;
        const whole = { ...rest, [member]: items, ...(tools !== undefined && { tools }) };
        return JSON.stringify(Array.isArray(value) ? items : whole, null, 2);
    };
    return {
        format,
        history: original,
        system: request.system ?? request.instructions,
        tools: request.tools,
        usage: isNeutral ? inCamelCase((request.usage as Fields | undefined)?.tokens) : request.usage,
        write,
    };
}

const TO_CAMEL = (name: string) => name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const TO_SNAKE = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Renames the members of the neutral form, which the command line writes in snake case. */
function inCamelCase(value: unknown): unknown {
    return renamed(value, TO_CAMEL);
}

function inSnakeCase(value: unknown): unknown {
    return renamed(value, TO_SNAKE);
}

function renamed(value: unknown, rename: (name: string) => string): unknown {
    if (Array.isArray(value)) {
        return value.map((each) => renamed(each, rename));
    }
    if (typeof value !== 'object' || value === null) {
        return value;
    }
    const entries = Object.entries(value).filter(([, member]) => member !== null);
    return Object.fromEntries(entries.map(([name, member]) => [rename(name), renamed(member, rename)]));
}
