/** The input items of OpenAI's Responses. */

import type { Message, Part } from '../../conversation/model.js';
import { type Fields, type HistoryFormat, itemsOf, roleOf, textOf } from './format.js';
import { json, opaque, partsOf, plainPart, resultContent, withText } from './parts.js';
import { spec, specsOf } from './specs.js';
import { openaiUsage } from './usage.js';

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

    withResult: (item, { text }) => ({ ...item, output: replacedOutput(item, text) }),

    insertion: (role, text) => ({ role, content: text }),

    prompt: (instructions) => {
        if (instructions === undefined || instructions === null) {
            return [];
        }
        // In a response, instructions are items.
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

    usage: (reported) =>
        openaiUsage(reported, { input: 'input_tokens', output: 'output_tokens', details: 'input_tokens_details' }),
};

/** Returns whether an item answers a call that the host runs. A program runs at the provider. */
function isOutput(item: Fields): boolean {
    return typeof item.type === 'string' && item.type.endsWith('_output') && item.type !== 'program_output'
        && outputId(item) !== undefined;
}

/** Returns the id of the call that an item answers. That of a local shell is its own. */
function outputId(item: Fields): string | undefined {
    const id = item.call_id ?? (item.type === 'local_shell_call_output' ? item.id : undefined);
    return typeof id === 'string' ? id : undefined;
}

/** Reads an item of the model: a call that the host answers, or anything else, which is kept as it is. */
function modelPart(item: Fields, path: string, answered: ReadonlySet<string | undefined>): Part {
    const type = String(item.type);
    const isFunction = type === 'function_call' || type === 'custom_tool_call';
    // The provider answers some calls by itself; only those that have an output are the host's.
    const isCall = isFunction || (type.endsWith('_call') && typeof item.call_id === 'string' && answered.has(item.call_id));
    if (!isCall) {
        return opaque(item);
    }
    const args = item.arguments ?? item.input ?? item.action ?? item.actions ?? item.operation ?? {};
    return {
        toolCall: {
            id: textOf(item.call_id, `${path}.call_id`),
            name: isFunction ? textOf(item.name, `${path}.name`) : type.slice(0, -'_call'.length),
            arguments: type === 'function_call' && typeof args === 'string' ? args : json(args),
        },
    };
}

/** What the provider has compacted is in no other item, and nothing but the provider can read it. */
function staysOf(item: Fields): Partial<Message> {
    return item.type === 'compaction' ? { pinned: true } : {};
}

function outputParts(item: Fields, path: string): Part[] {
    const callId = outputId(item)!;
    const { text, others } = outputContent(item, path);
    return [{ toolResult: { callId, text } }, ...others];
}

function outputContent(item: Fields, path: string) {
    const { output } = item;
    if (isShell(output)) {
        return { text: json(output), others: [] };
    }
    if (typeof output === 'string' || Array.isArray(output)) {
        return resultContent(output, `${path}.output`);
    }
    return { text: '', others: output == null ? [] : [plainPart(output as Fields)] };
}

function replacedOutput({ output }: Fields, text: string): unknown {
    if (isShell(output)) {
        return [{ ...output[0], stdout: text, stderr: '' }];
    }
    return typeof output === 'string' || Array.isArray(output) ? withText(output, text) : output;
}

/** Returns whether an output is that of a shell: a list of what commands wrote. */
function isShell(output: unknown): output is [Fields, ...Fields[]] {
    const [first] = Array.isArray(output) ? (output as unknown[]) : [];
    return typeof first === 'object' && first !== null && 'stdout' in first;
}
