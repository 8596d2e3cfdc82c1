/** The messages of OpenAI's Chat Completions and compatible APIs. */

import type { Part } from '../../conversation/model.js';
import { invalid } from '../../validate.js';
import { type Fields, type HistoryFormat, fieldsOf, roleOf, textOf } from './format.js';
import { argumentsOf, opaque, partsOf, plainPart, resultContent, withText } from './parts.js';
import { spec, specsOf } from './specs.js';
import { openaiUsage } from './usage.js';

/** Members of the model's message that compatible servers add to its content. */
const THOUGHTS = ['reasoning_content', 'reasoning', 'reasoning_details', 'audio'];

const NAMES = { input: 'prompt_tokens', output: 'completion_tokens', details: 'prompt_tokens_details' };

export const chat: HistoryFormat = {
    list: 'messages',

    reader: () => (message, path, index) => {
        const role = roleOf(message.role, path);
        if (role === 'tool') {
            const { text, media } = resultContent(message.content, `${path}.content`);
            // The deprecated role `function` has no ids: it answers the message before.
            const isDeprecated = message.role === 'function';
            const callId = isDeprecated ? functionId(index - 1) : textOf(message.tool_call_id, `${path}.tool_call_id`);
            return { role, parts: [{ toolResult: { callId, text } }, ...media] };
        }
        const parts = partsOf(message.content, `${path}.content`, plainPart);
        return { role, parts: role === 'assistant' ? [...parts, ...assistantParts(message, path, index)] : parts };
    },

    withResults: (message, changes) => ({ ...message, content: withText(message.content, changes.get(0)!.text) }),

    insertion: (role, text) => ({ role, content: text }),

    prompt: (system) => {
        if (system !== undefined && system !== null) {
            throw invalid('system', system, 'omitted: pass the system prompt as the first message');
        }
        return [];
    },

    tools: (tools) =>
        specsOf(tools, (tool, path) => {
            const kind = textOf(tool.type, `${path}.type`);
            const definition = fieldsOf(tool[kind] ?? {}, `${path}.${kind}`);
            const isNamed = typeof definition.name === 'string';
            return spec(isNamed ? String(definition.name) : kind, tool, !isNamed);
        }),

    usage: (reported) => openaiUsage(reported, NAMES),
};

/** Reads the members of the model's message other than its content. */
function assistantParts(message: Fields, path: string, index: number): Part[] {
    const calls = message.tool_calls ?? [];
    if (!Array.isArray(calls)) {
        throw invalid(`${path}.tool_calls`, calls, 'an array');
    }
    const parts = Array.from(calls, (call, at) => toolCall(call, `${path}.tool_calls[${at}]`));
    if (message.function_call != null) {
        const { name, arguments: args } = fieldsOf(message.function_call, `${path}.function_call`);
        const called = textOf(name, `${path}.function_call.name`);
        parts.push({ toolCall: { id: functionId(index), name: called, arguments: argumentsOf(args) } });
    }
    if (typeof message.refusal === 'string') {
        parts.push({ text: message.refusal });
    }
    return [...parts, ...THOUGHTS.filter((name) => message[name] != null).map((name) => opaque(message[name]))];
}

function toolCall(value: unknown, path: string): Part {
    const call = fieldsOf(value, path);
    const kind = call.type === 'custom' ? 'custom' : 'function';
    const called = fieldsOf(call[kind], `${path}.${kind}`);
    return {
        toolCall: {
            id: textOf(call.id, `${path}.id`),
            name: textOf(called.name, `${path}.${kind}.name`),
            arguments: argumentsOf(kind === 'custom' ? called.input : called.arguments),
        },
    };
}

function functionId(index: number): string {
    return `function_call_${index}`;
}
