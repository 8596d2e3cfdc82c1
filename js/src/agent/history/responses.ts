/** The input items of OpenAI's Responses. */

import type { Message, Part } from '../../conversation/model.js';
import { type Fields, type HistoryFormat, type Placed, itemsOf, roleOf, textOf } from './format.js';
import { type ResultContent, argumentsOf, json, opaque, partsOf, plainPart, resultContent, withText } from './parts.js';
import { spec, specsOf } from './specs.js';
import { openaiUsage } from './usage.js';

const NAMES = { input: 'input_tokens', output: 'output_tokens', details: 'input_tokens_details' };

export const responses: HistoryFormat = {
    list: 'input',

    reader: (items) => {
        const answered = new Set(items.flatMap((item) => (isOutput(item) ? [outputId(item)] : [])));
        return (item, path) => {
            if (item.type === undefined || item.type === null ? item.role !== undefined : item.type === 'message') {
                return { role: roleOf(item.role, path), parts: partsOf(item.content, `${path}.content`, plainPart) };
            }
            if (isOutput(item)) {
                return { role: 'tool', parts: outputParts(item, path) };
            }
            return { role: 'assistant', parts: [modelPart(item, path, answered)], ...staysOf(item) };
        };
    },

    withResults: (item, changes) => ({ ...item, output: replacedOutput(item, changes.get(0)!.text) }),

    settle,

    insertion: (role, text) => ({ role, content: text }),

    prompt: (instructions) => {
        if (instructions === undefined || instructions === null) {
            return [];
        }
        // A response returns its instructions as items.
        if (typeof instructions !== 'string') {
            const items = itemsOf(instructions, 'instructions');
            const read = responses.reader(items);
            return items.map((item, index) => ({ ...read(item, `instructions[${index}]`, index), role: 'system' }));
        }
        return [{ role: 'system', parts: [{ text: instructions }] }];
    },

    tools: (tools) =>
        specsOf(tools, (tool, path) => {
            const type = textOf(tool.type, `${path}.type`);
            const isHosted = type !== 'function' && type !== 'custom';
            return spec(typeof tool.name === 'string' ? tool.name : type, tool, isHosted);
        }),

    usage: (reported) => openaiUsage(reported, NAMES),
};

/** Returns whether an item answers a call that the host runs. Programs run at the provider. */
function isOutput(item: Fields): boolean {
    return typeof item.type === 'string' && item.type.endsWith('_output') && item.type !== 'program_output'
        && outputId(item) !== undefined;
}

/** Returns the id of the call that an item answers. For a local shell, it is the item's own id. */
function outputId(item: Fields): string | undefined {
    const id = item.call_id ?? (item.type === 'local_shell_call_output' ? item.id : undefined);
    return typeof id === 'string' ? id : undefined;
}

/** Reads an item of the model: a call that the host answers, or anything else, which is preserved as it is. */
function modelPart(item: Fields, path: string, answered: ReadonlySet<string | undefined>): Part {
    const type = String(item.type);
    const isFunction = type === 'function_call' || type === 'custom_tool_call';
    // The provider answers some calls itself; only calls with an output in the history are the host's.
    const isAnswered = type.endsWith('_call') && typeof item.call_id === 'string' && answered.has(item.call_id);
    if (!isFunction && !isAnswered) {
        return opaque(item);
    }
    const args = item.arguments ?? item.input ?? item.action ?? item.actions ?? item.operation ?? {};
    return {
        toolCall: {
            id: textOf(item.call_id, `${path}.call_id`),
            name: isFunction ? textOf(item.name, `${path}.name`) : type.slice(0, -'_call'.length),
            arguments: argumentsOf(args),
        },
    };
}

/** Content that the provider has compacted is in no other item, and only the provider can read it. */
function staysOf(item: Fields): Partial<Message> {
    return item.type === 'compaction' ? { pinned: true } : {};
}

function outputParts(item: Fields, path: string): Part[] {
    const callId = outputId(item)!;
    const { text, media } = outputContent(item, path);
    const isError = item.status === 'failed';
    return [{ toolResult: { callId, text, ...(isError && { isError }) } }, ...media];
}

function outputContent(item: Fields, path: string): ResultContent {
    const { output } = item;
    if (isShell(output)) {
        return { text: json(output), media: [] };
    }
    if (typeof output === 'string' || Array.isArray(output)) {
        return resultContent(output, `${path}.output`);
    }
    return { text: '', media: output == null ? [] : [plainPart(output as Fields)] };
}

function replacedOutput({ output }: Fields, text: string): unknown {
    if (isShell(output)) {
        return [{ ...output[0], stdout: text, stderr: '' }];
    }
    return typeof output === 'string' || Array.isArray(output) ? withText(output, text) : output;
}

/** Returns whether an output is a shell's: a list of the outputs of commands. */
function isShell(output: unknown): output is [Fields, ...Fields[]] {
    const [first] = Array.isArray(output) ? (output as unknown[]) : [];
    return typeof first === 'object' && first !== null && 'stdout' in first;
}

/** How an item relates to the reasoning around it. */
type Kind = 'reasoning' | 'model' | 'other';

function kindOf({ type, id, role }: Fields): Kind {
    // The id of a reference begins with the type of its target.
    if (type === 'reasoning' || (type === 'item_reference' && String(id).startsWith('rs_'))) {
        return 'reasoning';
    }
    const isMessage = type === undefined || type === null || type === 'message';
    const isOther = isMessage ? role !== 'assistant' : String(type).endsWith('_output');
    return isOther ? 'other' : 'model';
}

/**
 * Repairs items that the provider would reject: reasoning is removed if the item after it was removed, and an item
 * whose reasoning was removed loses the id by which the provider looks for the reasoning.
 */
function settle(placed: readonly Placed[], items: readonly Fields[]): Placed[] {
    const kinds = items.map(kindOf);
    const kept = new Set(placed.map(({ from }) => from));
    // Backwards, because reasoning may be followed by reasoning.
    for (let index = items.length - 2; index >= 0; index--) {
        if (kinds[index] === 'reasoning' && !kept.has(index + 1)) {
            kept.delete(index);
        }
    }
    let reasoning: number | undefined;
    const owners = kinds.map((kind, index) => {
        reasoning = kind === 'reasoning' ? index : kind === 'other' ? undefined : reasoning;
        return kind === 'model' ? reasoning : undefined;
    });
    return placed
        .filter(({ from }) => from === undefined || kept.has(from))
        .map((each) => {
            const owner = each.from === undefined ? undefined : owners[each.from];
            return owner === undefined || kept.has(owner) ? each : { ...each, item: withoutId(each.item) };
        });
}

/** Returns an item without its id. A reference consists only of an id, and is kept. */
function withoutId(item: Fields): Fields {
    if (item.type === 'item_reference') {
        return item;
    }
    const { id: _, ...rest } = item;
    return rest;
}
