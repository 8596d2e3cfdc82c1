/** The model messages of the AI SDK. */

import type { Part, ToolSpec } from '../../conversation/model.js';
import { invalid } from '../../validate.js';
import { type Fields, type HistoryFormat, fieldsOf, roleOf, textOf, withChanges } from './format.js';
import { type ResultContent, json, partsOf, plainPart, resultContent, withText } from './parts.js';
import { spec } from './specs.js';
import { inclusive, reportOf, tokens } from './usage.js';

export const aiSdk: HistoryFormat = {
    list: 'messages',

    reader: () => (message, path) => {
        const role = roleOf(message.role, path);
        const inResults: Part[] = [];
        const parts = partsOf(message.content, `${path}.content`, (part, at) => {
            if (part.type === 'tool-call' && part.providerExecuted !== true) {
                const id = textOf(part.toolCallId, `${at}.toolCallId`);
                const name = textOf(part.toolName, `${at}.toolName`);
                return { toolCall: { id, name, arguments: json(part.input ?? {}) } };
            }
            // Results in the model's own message are the provider's; so are their calls, in the same message.
            if (part.type === 'tool-result' && role === 'tool') {
                const callId = textOf(part.toolCallId, `${at}.toolCallId`);
                const output = fieldsOf(part.output, `${at}.output`);
                const { text, media } = outputContent(output, `${at}.output`);
                inResults.push(...media);
                return { toolResult: { callId, text, isError: String(output.type).startsWith('error-') } };
            }
            return plainPart(part);
        });
        return { role, parts: [...parts, ...inResults] };
    },

    withResults: (message, changes) => ({
        ...message,
        content: withChanges(message.content, changes, (part, { text }) => ({
            ...part,
            output: replacedOutput(part.output as Fields, text),
        })),
    }),

    insertion: (role, text) => ({ role, content: text }),

    prompt: (system) => {
        if (system === undefined || system === null) {
            return [];
        }
        const messages = typeof system === 'string' ? [{ content: system }] : Array.isArray(system) ? system : [system];
        return messages.map((message, index) => {
            const { content } = fieldsOf(message, `system[${index}]`);
            return { role: 'system', parts: [{ text: textOf(content, `system[${index}].content`) }] };
        });
    },

    tools: (tools) => {
        if (tools === undefined || tools === null) {
            return [];
        }
        if (typeof tools !== 'object' || Array.isArray(tools)) {
            throw invalid('tools', tools, 'an object that maps names to tools');
        }
        return Object.entries(tools).map(([name, tool]) => specOf(name, fieldsOf(tool, `tools.${name}`)));
    },

    usage: (reported) => {
        const usage = reportOf(reported, 'usage');
        if (usage === undefined) {
            return undefined;
        }
        const details = reportOf(usage.inputTokenDetails, 'usage.inputTokenDetails') ?? {};
        const output = tokens(usage.outputTokens, 'usage.outputTokens');
        const total = tokens(usage.totalTokens, 'usage.totalTokens');
        return inclusive(
            usage.inputTokens == null ? Math.max(total - output, 0) : tokens(usage.inputTokens, 'usage.inputTokens'),
            output,
            // Before version 6, this was the only figure.
            tokens(details.cacheReadTokens ?? usage.cachedInputTokens, 'usage.inputTokenDetails.cacheReadTokens'),
            tokens(details.cacheWriteTokens, 'usage.inputTokenDetails.cacheWriteTokens'),
        );
    },
};

function outputContent(output: Fields, path: string): ResultContent {
    switch (output.type) {
        case 'text':
        case 'error-text':
            return { text: textOf(output.value, `${path}.value`), media: [] };
        case 'json':
        case 'error-json':
            return { text: json(output.value), media: [] };
        case 'content':
            return resultContent(output.value, `${path}.value`);
        case 'execution-denied':
            return { text: typeof output.reason === 'string' ? output.reason : '', media: [] };
        default:
            return { text: json(output), media: [] };
    }
}

function replacedOutput(output: Fields, text: string): Fields {
    switch (output.type) {
        case 'json':
            return { ...output, type: 'text', value: text };
        case 'error-json':
            return { ...output, type: 'error-text', value: text };
        case 'execution-denied':
            return { ...output, reason: text };
        case 'content':
            return { ...output, value: withText(output.value, text) };
        default:
            return { ...output, value: text };
    }
}

/** Describes a tool by the members that can be read without its schema library. */
function specOf(name: string, tool: Fields): ToolSpec {
    const isHosted = tool.type === 'provider' || tool.type === 'provider-defined';
    const { description, args } = tool;
    return spec(name, { name, description, args, inputSchema: schemaOf(tool.inputSchema) }, isHosted);
}

interface StandardSchema {
    jsonSchema?: { input?: (options: { target: string }) => unknown };
}

/** Returns a schema as JSON Schema. The AI SDK's schemas have it as a member, a Standard Schema as a function. */
function schemaOf(schema: unknown): unknown {
    const given = (typeof schema === 'function' ? undefined : schema) as Fields | null | undefined;
    if (given?.jsonSchema !== undefined) {
        return given.jsonSchema;
    }
    try {
        const standard = given?.['~standard'] as StandardSchema | undefined;
        return standard?.jsonSchema?.input?.({ target: 'draft-07' });
    } catch {
        // Not every schema can be represented as JSON Schema.
        return undefined;
    }
}
